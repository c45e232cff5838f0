"""Cantos: what three cards in hand may be sung as, when, and what it counts (RULES.md, decision 19)."""

from itertools import combinations
from random import Random
from typing import Any

import pytest

from bot.engine.cards import DECK, EMPTY, Canto, CardSet, canto_points, cantos_of
from bot.engine.errors import RuleCode
from bot.engine.events import RoundDealt, Sang
from bot.engine.facts import CantosSung
from bot.engine.match import Match
from bot.engine.moves import Claim, Play, Sing, Stage
from bot.engine.rules import Capture, Duty, Rules, Seating
from bot.engine.scoring import Item, score_round
from bot.engine.views import public_view, seat_view
from tests.engine.referee import sung_points
from tests.support.engine import after, begin, cards, finish_round, position, refused, shuffled, stacked, the_round

ESCALERA, FLOR, MISERIA, NUEVE, CHORIZO = Canto
TABLE = "1o 3c 4e 7b"
"""Worth 15, so that in a last deal by fifteens the hands must be worth 10 (mod 15)."""


def hands(first: str, second: str = "1c 6b 12e", **changes: Any) -> Match:
    """Two players; it is the turn of seat 0. Nobody has to capture, so that any card can be laid."""
    return position([first, second], TABLE, **{"cantos": True, "duty": Duty.OPTIONAL} | changes)


def may_sing(match: Match) -> bool:
    return Sing() in match.legal_moves()


def canto_item(match: Match) -> tuple[int, ...]:
    item = next(each for each in match.scores[-1].items if each.item is Item.CANTOS)
    assert item.amounts == item.points
    return item.points


class TestWhatIsSung:
    """Three cards count as every canto that they are."""

    @pytest.mark.parametrize(
        ("hand", "sung", "points"),
        [
            ("4o 5c 6e", (ESCALERA,), 3),
            ("6o 7c 10e", (ESCALERA,), 3),
            ("7o 10c 11e", (ESCALERA,), 3),
            ("10o 11c 12e", (ESCALERA,), 3),
            ("11o 12c 1e", (), 0),
            ("10o 12c 7e", (), 0),
            ("4o 4c 5e", (), 0),
            ("2e 6e 12e", (FLOR,), 3),
            ("2e 6e 12b", (), 0),
            ("1o 1c 5e", (MISERIA,), 2),
            ("1o 2c 4e", (MISERIA,), 2),
            ("1o 2c 5e", (), 0),
            ("1o 3c 5e", (NUEVE,), 3),
            ("1o 1c 7e", (NUEVE,), 3),
            ("7o 2c 1e", (), 0),
            ("12o 12c 12b", (CHORIZO,), 20),
            ("1c 2e 3b", (ESCALERA, MISERIA), 5),
            ("2c 3e 4b", (ESCALERA, NUEVE), 6),
            ("1c 2c 3c", (ESCALERA, FLOR, MISERIA), 8),
            ("2c 3c 4c", (ESCALERA, FLOR, NUEVE), 9),
            ("10b 11b 12b", (ESCALERA, FLOR), 6),
            ("1o 1c 1e", (MISERIA, CHORIZO), 22),
            ("2o 2c 2b", (MISERIA, CHORIZO), 22),
            ("3o 3c 3b", (NUEVE, CHORIZO), 23),
            ("7o 7e 7b", (CHORIZO,), 20),
        ],
    )
    def test_every_canto_that_three_cards_make_is_added(self, hand, sung, points):
        assert cantos_of(cards(hand)) == sung
        assert canto_points(sung) == points

    def test_every_hand_of_three_is_worth_what_the_referee_says(self):
        worths: list[int] = []
        for three in combinations(DECK, 3):
            worths.append(canto_points(cantos_of(CardSet.of(three))))
            assert worths[-1] == sung_points(list(map(str, three)))
        assert len(worths) == 9880
        assert sum(map(bool, worths)) / 9880 == pytest.approx(0.144, abs=0.0005)
        assert sum(worths) / 9880 == pytest.approx(0.53, abs=0.005)

    @pytest.mark.parametrize("hand", ["", "1o", "1o 1c", "1o 1c 1e 1b", "1o 2o 3o 4o"])
    def test_only_three_cards_are_sung(self, hand):
        assert cantos_of(cards(hand)) == ()


class TestWhen:
    """With three cards in hand, on one's own turn, before one's first card of the deal."""

    def test_a_hand_with_a_canto_may_be_sung_first_and_the_turn_stays(self):
        match = hands("4b 5e 6o")
        first, *others = match.legal_moves()
        assert first == Sing()
        assert all(isinstance(move, Play) for move in others)
        sung = after(match, "0 sing")
        assert sung.facts == (CantosSung(0, cards("4b 5e 6o"), (ESCALERA,)),)
        assert sung.turn == 0
        assert sung.version == match.version + 1
        assert sung.legal_moves() == tuple(others)

    def test_the_event_of_singing_is_that_the_seat_sang(self):
        assert hands("4b 5e 6o").event_of(Sing()) == Sang(0)

    def test_a_hand_without_a_canto_cannot_be_sung(self):
        match = hands("4b 5e 7o")
        assert not may_sing(match)
        with refused(RuleCode.NOTHING_TO_SING):
            after(match, "0 sing")

    def test_without_the_rule_nobody_sings(self):
        match = hands("4b 5e 6o", cantos=False)
        assert not may_sing(match)
        assert the_round(match).singable() == ()

    def test_nobody_has_to_sing(self):
        match = after(hands("4b 5e 6o", "4c 5c 1c"), "0 5e", "1 4c", "0 6o", "1 5c", "0 4b", "1 1c")
        assert canto_item(match) == (0, 0)

    def test_after_the_first_card_of_the_deal_it_is_too_late(self):
        match = after(hands("4b 5e 6o"), "0 5e", "1 12e")
        assert not may_sing(match)
        with refused(RuleCode.NOTHING_TO_SING):
            after(match, "0 sing")

    def test_a_card_that_is_shown_is_played(self):
        match = hands("4b 5o 6o", duty=Duty.COMPULSORY)
        assert may_sing(match)
        shown = after(match, "0 4b ?")
        assert all(isinstance(move, Play) for move in shown.legal_moves())
        with refused(RuleCode.CHOOSE_FIRST):
            after(shown, "0 sing")
        with refused(RuleCode.NOTHING_TO_SING):
            after(shown, "0 4b x 4e 7b", "1 12e", "0 sing")

    def test_a_hand_is_sung_once(self):
        match = after(hands("4b 5e 6o"), "0 sing")
        with refused(RuleCode.NOTHING_TO_SING):
            after(match, "0 sing")

    def test_only_the_player_at_turn_sings(self):
        match = hands("4b 5e 6o", "4c 5c 6c")
        with refused(RuleCode.NOT_YOUR_TURN):
            after(match, "1 sing")
        assert may_sing(after(match, "0 5e"))

    def test_each_deal_may_be_sung_again(self):
        match = after(hands("4b 5e 6o", stock="2b 5c 6c 7c 10e 11e"), "0 sing", "0 4b", "1 1c", "0 5e", "1 6b", "0 6o")
        assert the_round(match).deal == 5
        match = after(match, "1 12e")
        assert not may_sing(match)
        match = after(match, "0 2b", "1 sing")
        assert match.facts == (CantosSung(1, cards("7c 10e 11e"), (ESCALERA,)),)
        assert the_round(match).cantos == ((ESCALERA,), (ESCALERA,))

    def test_singing_and_claiming_go_in_any_order(self):
        match = after(position(["4b 2o", "5c 5o 5e"], TABLE, preset="quince", cantos=True), "0 4b")
        kinds = [type(move) for move in match.legal_moves()]
        assert kinds[0] is Sing
        assert kinds.index(Claim) == 1
        claim = next(move for move in match.legal_moves() if isinstance(move, Claim))
        first = after(match.apply(match.event_of(claim)), "1 sing")
        then = after(match, "1 sing")
        assert claim in then.legal_moves()
        assert the_round(then.apply(then.event_of(claim))).piles == the_round(first).piles
        assert the_round(first).cantos == ((), (CHORIZO,))

    def test_five_players_sing_in_their_first_deal_but_not_in_the_second_with_four_cards(self):
        deck = stacked("4o 5o 6o 1c 1e 1b 2o 2c 2e 3o 3c 3e 7o 7c 7e", "10o 10c 10e 10b 11o")
        match = begin("clasica", Seating.FIVE, dealer=4, cantos=True).apply(RoundDealt(deck))
        rng = Random(5)
        for seat in range(5):
            assert match.turn == seat
            assert may_sing(match)
            match = after(match, f"{seat} sing")
            match = match.apply(match.event_of(rng.choice(match.legal_moves())))
        while (now := the_round(match)).deal == 1:
            assert not may_sing(match)
            match = match.apply(match.event_of(rng.choice(match.legal_moves())))
        assert [len(hand) for hand in now.hands] == [4] * 5
        while match.stage is Stage.TO_PLAY:
            assert not may_sing(match)  # not even with the three cards that are left after the first
            match = match.apply(match.event_of(rng.choice(match.legal_moves())))


class TestShown:
    """Sung cards lie open until they are played."""

    def test_sung_cards_lie_open_until_each_is_played(self):
        match = after(hands("4b 5e 6o", duty=Duty.COMPULSORY, stock="2o 2c 2e 5o 5b 7e"), "0 sing")
        assert the_round(match).shown == (cards("4b 5e 6o"), EMPTY)
        match = after(match, "0 4b ?")
        assert the_round(match).shown == (cards("5e 6o"), EMPTY)
        match = after(match, "0 4b x 4e 7b", "1 6b")
        assert the_round(match).shown == (cards("5e 6o"), EMPTY)
        match = after(match, "0 5e x 1o 3c 6b")
        assert the_round(match).shown == (cards("6o"), EMPTY)
        match = after(match, "1 1c", "0 6o", "1 12e")
        assert the_round(match).shown == (EMPTY, EMPTY)
        assert the_round(match).deal == 6

    def test_everybody_sees_them_and_nothing_else_of_the_hand(self):
        match = position(["4b 5e 6o", "10c 12e 6b", "2o 5b 7e"], TABLE, seating=Seating.THREE, cantos=True)
        assert cards("4b 5e 6o") <= seat_view(match, 1).unseen
        sung = after(match, "0 sing")
        for seat in (1, 2):
            view = seat_view(sung, seat)
            assert view.public.shown == (cards("4b 5e 6o"), EMPTY, EMPTY)
            assert not view.unseen & cards("4b 5e 6o")
            assert view.moves == ()
        assert public_view(sung).cantos == ((ESCALERA,), (), ())
        assert public_view(sung).hand_counts == (3, 3, 3)

    def test_an_unsung_canto_shows_nothing(self):
        could, could_not = (hands("1b 5e 12o", second) for second in ("4b 5o 6o", "4b 6o 12e"))
        assert may_sing(after(could, "0 1b"))
        assert not may_sing(after(could_not, "0 1b"))
        assert public_view(after(could, "0 1b")) == public_view(after(could_not, "0 1b"))


class TestScore:
    """Cantos are an item of the round's score."""

    def test_what_a_side_has_sung_is_added_in_the_score(self):
        match = begin("chorizo", Seating.PAIRS, dealer=3, target=101, duty=Duty.OPTIONAL)
        match = match.apply(RoundDealt(stacked("4o 5c 6e 1c 1e 1b 2o 2c 3e 10o 11c 12e", "7o 7c 7e 7b")))
        match = after(match, "0 sing", "0 4o", "1 sing", "1 1c", "2 sing", "2 2o", "3 sing")
        assert the_round(match).cantos == ((ESCALERA, MISERIA), (MISERIA, CHORIZO, ESCALERA))
        assert match.totals == (0, 0)
        rng = Random("sung")
        while match.stage is Stage.TO_PLAY:
            moves = [move for move in match.legal_moves() if move != Sing()]
            match = match.apply(match.event_of(rng.choice(moves)))
        assert canto_item(match) == (3 + 2, 2 + 20 + 3)
        assert match.scores[-1].cantos == ((ESCALERA, MISERIA), (MISERIA, CHORIZO, ESCALERA))
        assert match.totals == match.scores[-1].points
        assert match.totals[1] >= 25

    def test_the_next_round_begins_without_cantos(self):
        rng = Random("again")
        match = begin("chorizo", target=101).apply(RoundDealt(stacked("1c 1e 1b")))
        match = finish_round(after(match, f"{match.turn} sing"), rng).apply(RoundDealt(shuffled(rng)))
        assert the_round(match).cantos == ((), ())

    def test_singing_ends_no_match_before_the_round_is_scored(self):
        match = after(hands("1c 1e 1b", "2c", totals=(20, 0)), "0 sing")
        assert match.stage is Stage.TO_PLAY
        assert match.winner is None
        assert match.totals == (20, 0)

    def test_cantos_win_a_match_when_the_round_is_scored(self):
        match = hands("2c 2e 2b", "3o 6b 12e", totals=(0, 5), rest_to=1)
        without = finish_round(after(match, "0 2c"), Random(1))
        assert without.winner is None
        won = finish_round(after(match, "0 sing", "0 2c"), Random(1))
        assert won.winner == 0
        assert won.totals == (without.totals[0] + 22, without.totals[1])

    def test_without_the_rule_there_is_no_such_item(self):
        items = score_round(Rules(), [EMPTY, EMPTY], [0, 0])
        assert Item.CANTOS not in [each.item for each in items]
        [sung] = [each for each in score_round(Rules(cantos=True), [EMPTY] * 2, [0, 0]) if each.item is Item.CANTOS]
        assert sung.points == (0, 0)

    def test_everybody_may_score_with_cantos(self):
        items = score_round(Rules(cantos=True), [EMPTY] * 3, [0, 0, 0], [(FLOR,), (), (FLOR, CHORIZO)])
        assert items[1].points == (3, 0, 23)


def test_cantos_go_with_either_way_of_capturing():
    match = after(hands("4b 5e 6o", preset="clasica", capture=Capture.MATCH), "0 sing", "0 4b x 4e")
    assert the_round(match).shown == (cards("5e 6o"), EMPTY)
