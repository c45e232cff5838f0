"Whether a card that can take must take (RULES.md, decisions 2 to 4), and choosing a capture in the open."

import pytest

from bot.engine.errors import RuleCode
from bot.engine.events import Laid, Played
from bot.engine.facts import CardLaid, CardPlayed
from bot.engine.rules import Duty
from bot.engine.views import public_view
from tests.support.engine import after, card, cards, options, position, refused, the_round

TABLE = "1o 3c 4e 7b"


class TestCompulsory:
    """000 and 003: nobody has to play the card that captures, but a card that can capture does."""

    def test_a_card_that_can_capture_may_not_be_laid(self):
        match = position(["4b 2o", "5c"], TABLE)
        with refused(RuleCode.MUST_CAPTURE):
            after(match, "0 4b")

    def test_the_player_picks_which_capture(self):
        match = position(["4b 2o", "5c"], TABLE)
        assert options(match, "4b") == {"4e 7b", "1o 3c 7b"}
        assert the_round(after(match, "0 4b x 4e 7b")).table == cards("1o 3c")
        assert the_round(after(match, "0 4b x 1o 3c 7b")).table == cards("4e")

    def test_the_player_may_play_another_card_that_captures_nothing(self):
        match = position(["10b 5o", "2c"], "7c 1e")
        assert options(match, "5o") == {""}
        assert the_round(after(match, "0 5o")).table == cards("7c 1e 5o")

    def test_not_both_captures_at_once(self):
        match = position(["5o 2o", "2c"], "4c 1e 12b 5c")
        with refused(RuleCode.NOT_A_CAPTURE):
            after(match, "0 5o x 4c 1e 12b 5c")

    def test_the_played_card_and_the_cards_taken_go_to_the_players_pile(self):
        match = position(["4b 2o", "5c"], TABLE)
        assert the_round(after(match, "0 4b x 4e 7b")).piles[0] == cards("4b 4e 7b")

    def test_a_card_that_captures_nothing_stays_on_the_table(self):
        match = position(["2o 4b", "5c"], TABLE)
        played = after(match, "0 2o")
        assert the_round(played).table == cards("1o 3c 4e 7b 2o")
        assert the_round(played).turn == 1

    def test_nothing_is_ever_claimed(self):
        match = after(position(["2o 4b", "5c"], TABLE), "0 2o")
        with refused(RuleCode.NOTHING_TO_CLAIM):
            after(match, "1 claim 2o 4e 7b")


class TestOptional:
    "002 §8: a missed capture stays on the table, and then nobody gets it."

    @pytest.mark.parametrize("preset", ["clasica", "cientifica"])
    def test_a_card_that_can_capture_may_be_laid(self, preset):
        match = position(["4b 2o", "5c"], TABLE, preset=preset)
        assert options(match, "4b") == {"", "4e", "1o 3c"}
        assert the_round(after(match, "0 4b")).table == cards("1o 3c 4e 4b 7b")

    def test_what_was_missed_is_not_claimed(self):
        match = after(position(["4b 2o", "5c"], TABLE, preset="clasica"), "0 4b")
        assert the_round(match).claimable is None
        with refused(RuleCode.NOTHING_TO_CLAIM):
            after(match, "1 claim 4b 4e")

    def test_fifteens_may_be_missed_too_where_they_are_chosen(self):
        match = position(["4b 2o", "5c"], TABLE, duty=Duty.OPTIONAL)
        assert options(match, "4b") == {"", "4e 7b", "1o 3c 7b"}


class TestChoosingInTheOpen:
    """A card with several captures may be shown first; its capture is chosen on the table."""

    def start(self):
        return position(["4b 2o", "5c 6c"], TABLE)

    def test_the_card_lies_before_its_player_in_no_hand_and_not_on_the_table(self):
        shown = after(self.start(), "0 4b ?")
        now = the_round(shown)
        assert now.laid is card("4b")
        assert now.hands[0] == cards("2o")
        assert now.table == cards(TABLE)
        assert now.turn == 0
        assert shown.facts == (CardLaid(0, card("4b")),)

    def test_everybody_sees_the_card_and_its_captures(self):
        view = public_view(after(self.start(), "0 4b ?"))
        assert view.laid is card("4b")
        assert set(view.choices) == {cards("4e 7b"), cards("1o 3c 7b")}
        assert view.hand_counts == (1, 2)
        assert public_view(self.start()).choices == ()

    def test_the_player_then_takes_one_of_them(self):
        shown = after(self.start(), "0 4b ?")
        assert {str(move.captured) for move in shown.legal_moves()} == {"4e 7b", "1o 3c 7b"}
        done = after(shown, "0 4b x 4e 7b")
        assert the_round(done) == the_round(after(self.start(), "0 4b x 4e 7b"))
        assert done.facts == (CardPlayed(0, card("4b"), cards("4e 7b"), escoba=False),)

    def test_while_it_lies_no_other_card_is_played_or_shown(self):
        shown = after(self.start(), "0 4b ?")
        for line in ("0 2o", "0 2o ?"):
            with refused(RuleCode.CHOOSE_FIRST):
                after(shown, line)
        with refused(RuleCode.CHOOSE_FIRST):
            after(shown, "0 4b ?")

    def test_the_shown_card_must_capture(self):
        shown = after(self.start(), "0 4b ?")
        with refused(RuleCode.MUST_CAPTURE):
            shown.apply(Played(0, card("4b")))
        with refused(RuleCode.NOT_A_CAPTURE):
            after(shown, "0 4b x 4e")

    def test_only_the_player_at_turn_shows_a_card(self):
        with refused(RuleCode.NOT_YOUR_TURN):
            after(self.start(), "1 5c ?")

    def test_a_card_is_shown_only_if_it_has_several_captures(self):
        one_capture = position(["10b 2o", "5c"], "7c 1e")
        for name in ("10b", "2o"):
            with refused(RuleCode.NOTHING_TO_CHOOSE):
                one_capture.apply(Laid(0, card(name)))
        with refused(RuleCode.CARD_NOT_HELD):
            after(one_capture, "0 5c ?")

    @pytest.mark.parametrize("duty", [Duty.CLAIMABLE, Duty.OPTIONAL])
    def test_where_a_capture_may_be_missed_the_table_does_not_show_that_it_exists(self, duty):
        with refused(RuleCode.NOTHING_TO_CHOOSE):
            after(position(["4b 2o", "5c"], TABLE, duty=duty), "0 4b ?")

    def test_a_rounds_last_card_may_be_shown_too(self):
        match = position(["4b", ""], "1o 3c 4e 7b 6c", last_taker=1)
        shown = after(match, "0 4b ?")
        assert not the_round(shown).over
        assert the_round(after(shown, "0 4b x 4e 7b")).over
