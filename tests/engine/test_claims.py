"""The duty `claimable`: the next player may claim what a player misses (002 §12; RULES.md, decision 3)."""

import pytest

from bot.engine.errors import RuleCode
from bot.engine.facts import CaptureClaimed, DealMade
from bot.engine.match import Match
from bot.engine.moves import Claim
from bot.engine.rules import Duty, Seating
from tests.support.engine import after, card, cards, options, position, refused, the_round

TABLE = "1o 3c 4e 7b"


def claims(match: Match) -> set[str]:
    return {str(move.captured) for move in match.legal_moves() if isinstance(move, Claim)}


def missed(**changes) -> Match:
    """A match in which seat 0 has laid a four that could have made fifteen in two ways."""
    return after(position(["4b 2o", "5c 11c"], TABLE, preset="quince", **changes), "0 4b")


def test_a_capture_may_be_missed():
    assert options(position(["4b 2o", "5c"], TABLE, preset="quince"), "4b") == {"", "4e 7b", "1o 3c 7b"}


def test_the_next_player_may_claim_any_capture_the_laid_card_missed():
    assert claims(missed()) == {"4e 4b 7b", "1o 3c 4b 7b"}


def test_claims_come_before_plays_among_the_moves():
    kinds = [isinstance(move, Claim) for move in missed().legal_moves()]
    assert kinds == sorted(kinds, reverse=True)


def test_a_claim_is_the_claimers_capture_and_the_latest_one():
    match = missed(last_taker=0)
    done = after(match, "1 claim 4b 4e 7b")
    now = the_round(done)
    assert cards("4b 4e 7b") <= now.piles[1]
    assert now.piles[0] == the_round(match).piles[0]
    assert now.table == cards("1o 3c")
    assert now.last_taker == 1
    assert done.facts == (CaptureClaimed(1, card("4b"), cards("4e 7b"), escoba=False),)


def test_after_the_claim_the_claimer_still_plays():
    done = after(missed(), "1 claim 4b 4e 7b")
    assert done.turn == 1
    assert len(the_round(done).hands[1]) == 2
    assert after(done, "1 5c").turn == 0


def test_a_claim_must_include_the_laid_card():
    match = after(position(["4b 2o", "5c"], "4e 7b 1c 10c 6c", preset="quince"), "0 4b")
    with refused(RuleCode.NOT_A_CAPTURE):
        after(match, "1 claim 7b 1c 7o")
    with refused(RuleCode.NOT_A_CAPTURE):
        after(match, "1 claim 1c 10c 6c")
    assert claims(match) == {"4e 4b 7b", "1c 4e 4b 6c"}


@pytest.mark.parametrize("claim", ["4b", "4b 4e", "4b 4e 7b 1o", "4b 1c 3c 7b", "4b 11c 2c"])
def test_only_a_fifteen_of_cards_on_the_table_can_be_claimed(claim):
    with refused(RuleCode.NOT_A_CAPTURE):
        after(missed(), f"1 claim {claim}")


def test_one_claim_a_turn():
    match = after(missed(), "1 claim 4b 4e 7b")
    assert claims(match) == set()
    with refused(RuleCode.NOTHING_TO_CLAIM):
        after(match, "1 claim 4b 1o 3c 7b")


def test_the_claim_lapses_when_the_next_player_plays():
    match = after(missed(), "1 11c")
    assert claims(match) == set()
    with refused(RuleCode.NOTHING_TO_CLAIM):
        after(match, "0 claim 4b 4e 7b")


def test_only_the_next_player_claims():
    match = after(
        position(["4b 2o", "5c 6c", "12c 11c"], TABLE, preset="quince", seating=Seating.THREE, turn=0), "0 4b"
    )
    for seat in (0, 2):
        with refused(RuleCode.NOT_YOUR_TURN):
            after(match, f"{seat} claim 4b 4e 7b")
    assert after(match, "1 claim 4b 4e 7b").turn == 1


def test_a_card_that_captured_leaves_nothing_to_claim():
    match = after(position(["4b 2o", "5c"], TABLE, preset="quince"), "0 4b x 4e 7b")
    assert claims(match) == set()
    with refused(RuleCode.NOTHING_TO_CLAIM):
        after(match, "1 claim 1o 3c")


def test_a_card_that_could_not_capture_leaves_nothing_to_claim():
    match = after(position(["2o 4b", "5c"], TABLE, preset="quince"), "0 2o")
    assert claims(match) == set()


def test_a_fifteen_of_older_cards_cannot_be_claimed():
    match = after(position(["2o 1b", "5c"], "7c 10c", preset="quince"), "0 2o")
    with refused(RuleCode.NOTHING_TO_CLAIM):
        after(match, "1 claim 7c 10c")


def test_the_claim_stands_after_a_new_deal():
    match = position(["", "4b"], TABLE, preset="quince", turn=1, stock="5o 5c 5e 6o 6c 6e")
    dealt = after(match, "1 4b")
    assert any(isinstance(fact, DealMade) for fact in dealt.facts)
    assert claims(dealt) == {"4e 4b 7b", "1o 3c 4b 7b"}
    done = after(dealt, "0 claim 4b 4e 7b")
    assert the_round(done).table == cards("1o 3c")
    assert len(the_round(done).hands[0]) == 3


def test_after_a_rounds_last_card_nothing_can_be_claimed():
    match = position(["", "4b"], "1o 3c 4e 7b 6c", preset="quince", turn=1, last_taker=0)
    over = after(match, "1 4b")
    assert the_round(over).over
    assert the_round(over).claimable is None
    assert over.legal_moves() == ()
    with refused(RuleCode.NO_ROUND):
        after(over, "0 claim 4b 4e 7b")


def test_the_last_card_but_one_can_still_be_claimed():
    match = after(position(["4b", "12c"], "1o 3c 4e 7b 5c 6c", preset="quince"), "0 4b")
    over = after(match, "1 claim 4b 4e 7b", "1 12c")
    assert the_round(over).over
    assert over.scores[-1].leftovers_to == 1


def test_a_claim_that_empties_the_table_is_an_escoba():
    match = after(position(["4b 2o", "5c"], "4e 7b", preset="quince"), "0 4b")
    done = after(match, "1 claim 4b 4e 7b")
    assert the_round(done).escobas == (0, 1)
    assert done.facts == (CaptureClaimed(1, card("4b"), cards("4e 7b"), escoba=True),)
    assert the_round(done).table == cards()


def test_a_claimer_may_miss_a_capture_in_turn():
    match = after(missed(), "1 claim 4b 1o 3c 7b", "1 5c")
    assert claims(match) == set()
    again = after(position(["4b 2o", "11c 12c"], "1o 3c 4e 7b 6c", preset="quince"), "0 4b", "1 claim 4b 4e 7b")
    assert claims(after(again, "1 11c")) == {"6c 11c"}


def test_with_match_captures_a_claim_is_the_laid_card_and_what_it_equals():
    match = after(position(["4b 2o", "5c"], TABLE, preset="clasica", duty=Duty.CLAIMABLE), "0 4b")
    assert claims(match) == {"4e 4b", "1o 3c 4b"}
