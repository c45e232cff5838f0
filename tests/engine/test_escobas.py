"""Escobas, a round's last card and the leftovers (000 "Escobas", 002 §9 and §10; RULES.md, decisions 6 and 10)."""

import pytest

from bot.engine.cards import EMPTY, FULL
from bot.engine.errors import RuleCode
from bot.engine.facts import CardPlayed, RoundScored
from bot.engine.moves import Stage
from bot.engine.rules import Seating
from bot.engine.scoring import Item
from tests.support.engine import after, card, cards, position, refused, the_round


def test_a_capture_that_empties_the_table_is_an_escoba():
    match = after(position(["4b 2o", "5c"], "4e 7b"), "0 4b x 4e 7b")
    assert the_round(match).escobas == (1, 0)
    assert the_round(match).table == EMPTY
    assert match.facts == (CardPlayed(0, card("4b"), cards("4e 7b"), escoba=True),)


def test_a_capture_that_leaves_a_card_is_not_an_escoba():
    match = after(position(["4b 2o", "5c"], "1o 4e 7b"), "0 4b x 4e 7b")
    assert the_round(match).escobas == (0, 0)
    assert match.facts == (CardPlayed(0, card("4b"), cards("4e 7b"), escoba=False),)


def test_after_an_escoba_the_next_player_plays_to_an_empty_table():
    match = after(position(["4b 2o", "5c"], "4e 7b"), "0 4b x 4e 7b")
    assert match.turn == 1
    assert [str(move.captured) for move in match.legal_moves()] == [""]


def test_partners_escobas_count_for_their_side():
    match = position(["4b 2o", "11c 1b", "6c 3c", "10c 7o"], "4e 7b", seating=Seating.PAIRS)
    match = after(match, "0 4b x 4e 7b", "1 11c", "2 6c x 11c", "3 10c", "0 2o")
    assert the_round(match).escobas == (2, 0)


def test_a_sweep_by_match_is_an_escoba_too():
    match = after(position(["6b 2o", "5c"], "2e 4b", preset="clasica"), "0 6b x 2e 4b")
    assert the_round(match).escobas == (1, 0)


def test_in_cientifica_the_second_player_can_sweep_the_first_ones_card():
    hands = ["5o 1o", "5c 2o", "6c 7o", "6e 4o"]
    match = after(
        position(hands, "", preset="cientifica", seating=Seating.PAIRS), "0 5o", "1 5c x 5o", "2 6c", "3 6e x 6c"
    )
    assert the_round(match).escobas == (0, 2)


class TestTheCardsLeft:
    """They go to the side of the latest capture, never as an escoba."""

    def over(self, **changes):
        """Seat 1 lays a round's last card, a king, on a table where it captures nothing."""
        return after(position(["", "12c"], "12o 12e 10o 2b", turn=1, **changes), "1 12c")

    def test_they_go_to_the_side_of_the_latest_capture(self):
        match = self.over(last_taker=0)
        assert match.scores[-1].leftovers == cards("12o 12e 10o 2b 12c")
        assert match.scores[-1].leftovers_to == 0
        assert cards("12o 12e 10o 2b 12c") <= the_round(match).piles[0]
        assert the_round(match).table == EMPTY

    def test_it_need_not_be_the_side_that_played_the_last_card(self):
        assert cards("12c") <= the_round(self.over(last_taker=0)).piles[0]
        assert cards("12c") <= the_round(self.over(last_taker=1, rest_to=0)).piles[1]

    def test_they_are_never_an_escoba(self):
        assert the_round(self.over(last_taker=0)).escobas == (0, 0)

    def test_in_pairs_they_go_to_the_pair(self):
        match = position(["", "", "", "12c"], "12o 12e 10o 2b", seating=Seating.PAIRS, turn=3, last_taker=2, rest_to=1)
        assert the_round(after(match, "3 12c")).piles[0] == cards("12o 12e 10o 2b 12c")

    def test_a_last_card_that_captures_takes_what_is_left_as_well(self):
        match = after(position(["", "5c"], "12o 12e 10o 7b", turn=1, last_taker=0, rest_to=0), "1 5c x 12o")
        assert the_round(match).piles[1] == cards("5c 12o 12e 10o 7b")
        assert match.scores[-1].leftovers == cards("12e 10o 7b")
        assert match.scores[-1].leftovers_to == 1

    def test_with_captures_of_fifteen_they_are_worth_ten_more_than_a_multiple_of_fifteen(self):
        assert self.over(last_taker=0).scores[-1].leftovers.worth == 40

    def test_if_nobody_captured_nobody_gets_them(self):
        others = str(FULL.without(card("12b")))
        match = after(position(["", "12b"], others, preset="clasica", turn=1), "1 12b")
        assert the_round(match).piles == (EMPTY, EMPTY)
        assert match.scores[-1].leftovers_to is None
        assert len(match.scores[-1].leftovers) == 40
        assert match.scores[-1].points == (0, 0)

    def test_a_last_card_that_sweeps_by_match_is_an_escoba(self):
        match = after(position(["", "6c"], "2e 4b", preset="clasica", turn=1, last_taker=0), "1 6c x 2e 4b")
        assert the_round(match).escobas == (0, 1)
        assert match.scores[-1].leftovers == EMPTY
        assert match.scores[-1].items[0].points == (0, 1)

    def test_a_dealers_opening_can_be_the_latest_capture(self):
        match = position(["", "12c"], "", turn=1, last_taker=0, rest_to=0)
        assert after(match, "1 12c").scores[-1].leftovers_to == 0


def test_a_round_is_scored_when_its_last_card_is_played():
    match = after(position(["1c", "12c"], "12o 12e 10o 1b", last_taker=0), "0 1c")
    assert match.stage is Stage.TO_PLAY
    assert match.scores == ()
    over = after(match, "1 12c")
    assert over.stage is Stage.TO_DEAL
    assert over.turn is None
    assert isinstance(over.facts[-1], RoundScored)
    assert over.facts[-1].score == over.scores[-1]
    with refused(RuleCode.NO_ROUND):
        after(over, "0 1c")


def test_the_escobas_of_a_round_are_its_first_item():
    match = after(position(["12c", ""], "", escobas=(3, 1), last_taker=1), "0 12c")
    item = match.scores[-1].items[0]
    assert (item.item, item.amounts, item.points) == (Item.ESCOBAS, (3, 1), (3, 1))
    assert match.escobas == (3, 1)


@pytest.mark.parametrize("last_taker", [0, 1])
def test_the_last_cards_belong_to_the_pile_when_it_is_counted(last_taker):
    match = after(position(["12c", ""], "", last_taker=last_taker, rest_to=0), "0 12c")
    counts = next(item.amounts for item in match.scores[-1].items if item.item is Item.CARDS)
    assert counts == ((40, 0) if last_taker == 0 else (39, 1))
