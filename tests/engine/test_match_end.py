"""When a match ends (000 "Ganar el juego", 002 §11; RULES.md, decision 11)."""

from random import Random

import pytest

from bot.engine.errors import RuleCode
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.facts import MatchWon, RoundScored
from bot.engine.match import Match, start
from bot.engine.moves import Stage
from bot.engine.notation import format_event
from bot.engine.rules import TARGETS, Seating
from bot.engine.views import public_view
from tests.engine.referee import Referee
from tests.support.engine import (
    after,
    at_random,
    begin,
    every_preset_and_seating,
    finish_round,
    position,
    random_events,
    refused,
    rules_of,
    shuffled,
)


def last_card(totals, escobas=(0, 0), **changes) -> Match:
    """A round about to end that gives side 0 four points (cards, oros, seven of oros, setenta) plus its escobas."""
    return position(["12c", ""], "", rest_to=0, last_taker=0, totals=totals, escobas=escobas, **changes)


def test_the_round_above_scores_four_points_for_side_0():
    match = after(last_card((0, 0)), "0 12c")
    assert match.scores[-1].points == (4, 0)
    assert match.totals == (4, 0)


def test_a_side_at_the_target_when_a_round_is_scored_wins():
    match = after(last_card((17, 12)), "0 12c")
    assert match.totals == (21, 12)
    assert match.winner == 0
    assert match.stage is Stage.OVER
    assert isinstance(match.facts[-2], RoundScored)
    assert match.facts[-1] == MatchWon(0)


def test_a_side_over_the_target_wins():
    assert after(last_card((19, 12)), "0 12c").winner == 0


def test_a_side_one_point_short_plays_on():
    match = after(last_card((16, 12)), "0 12c")
    assert match.winner is None
    assert match.stage is Stage.TO_DEAL
    assert not any(isinstance(fact, MatchWon) for fact in match.facts)


def test_if_several_reach_the_target_the_highest_total_wins():
    assert after(last_card((17, 20), escobas=(0, 2)), "0 12c").winner == 1
    assert after(last_card((19, 20), escobas=(0, 2)), "0 12c").winner == 0


def test_sides_tied_at_the_top_play_on():
    match = after(last_card((18, 20), escobas=(0, 2)), "0 12c")
    assert match.totals == (22, 22)
    assert match.winner is None
    assert match.stage is Stage.TO_DEAL


def test_they_play_on_until_one_leads_even_far_over_the_target():
    match = after(last_card((40, 43), escobas=(0, 1)), "0 12c")
    assert match.totals == (44, 44)
    assert match.winner is None
    assert after(last_card((40, 43)), "0 12c").winner == 0


def test_a_side_that_was_tied_and_leads_after_a_further_round_wins():
    rng = Random("tie")
    match = after(last_card((18, 20), escobas=(0, 2)), "0 12c")
    while match.stage is not Stage.OVER:
        match = finish_round(match.apply(RoundDealt(shuffled(rng))), rng)
    assert match.winner == match.totals.index(max(match.totals))
    assert match.totals[0] != match.totals[1]


def test_a_tie_below_the_top_does_not_matter():
    match = position(["12c", "", ""], "", seating=Seating.THREE, rest_to=0, last_taker=0, totals=(20, 21, 21))
    assert after(match, "0 12c").winner == 0


def test_two_tied_at_the_top_of_three_play_on():
    match = position(["12c", "", ""], "", seating=Seating.THREE, rest_to=0, last_taker=0, totals=(20, 24, 3))
    assert after(match, "0 12c").winner is None


def test_reaching_the_target_in_the_middle_of_a_round_ends_nothing():
    match = position(["4b", "12c"], "4e 7b", rest_to=0, last_taker=0, totals=(20, 0), escobas=(5, 0))
    swept = after(match, "0 4b x 4e 7b")
    assert swept.stage is Stage.TO_PLAY
    assert swept.winner is None
    assert swept.totals == (20, 0)


def test_the_totals_are_the_sums_of_the_rounds():
    for _, match in random_events("juegon", Seating.THREE, Random("sums")):
        for side in range(3):
            assert match.totals[side] == sum(score.points[side] for score in match.scores)
            assert match.escobas[side] == sum(score.items[0].amounts[side] for score in match.scores)


def test_after_the_end_nothing_is_dealt_or_played():
    over = after(last_card((17, 12)), "0 12c")
    assert over.legal_moves() == ()
    assert over.turn is None
    with refused(RuleCode.MATCH_OVER):
        over.apply(RoundDealt(shuffled(Random(1))))
    for line in ("0 1o", "1 1o", "0 1o ?", "0 claim 1o 2o"):
        with refused(RuleCode.MATCH_OVER):
            after(over, line)


@pytest.mark.parametrize("target", [5, 11, 15, 21, 101])
def test_a_match_may_be_played_to_any_target_from_5_to_101(target):
    assert (TARGETS[0], TARGETS[-1]) == (5, 101)
    *_, (_, match) = random_events("escoba", Seating.TWO, Random(target), at_random, target=target)
    assert match.stage is Stage.OVER
    assert max(match.totals) >= target


@every_preset_and_seating
def test_a_match_of_fixed_length_ends_after_its_last_round(preset, seating):
    for rounds in (1, 2, 3):
        referee = None
        for event, match in random_events(preset, seating, Random(f"{rounds}"), rounds=rounds, target=5):
            line = format_event(event)
            if referee is None:
                referee = Referee(line)
            else:
                referee.do(line)
            assert (match.stage is Stage.OVER) == (len(match.scores) == rounds) == referee.over
            assert match.winner == referee.winner
            assert match.totals == tuple(referee.totals)
        assert [fact for fact in match.facts if isinstance(fact, MatchWon)] == (
            [] if match.winner is None else [MatchWon(match.winner)]
        )
        with refused(RuleCode.MATCH_OVER):
            match.apply(RoundDealt(shuffled(Random(1))))
        assert match.legal_moves() == ()
        assert public_view(match).stage is Stage.OVER


def test_a_match_of_fixed_length_is_drawn_if_the_best_are_level():
    match = after(last_card((2, 6), rounds=1), "0 12c")
    assert match.totals == (6, 6)
    assert match.stage is Stage.OVER
    assert match.winner is None
    assert not any(isinstance(fact, MatchWon) for fact in match.facts)


def test_a_match_of_fixed_length_goes_on_past_the_target():
    match = after(last_card((40, 0), rounds=2), "0 12c")
    assert match.stage is Stage.TO_DEAL
    assert match.winner is None


class TestLead:
    """A win by two points (decision 16)."""

    @pytest.mark.parametrize(
        ("totals", "winner"), [((17, 19), 0), ((17, 20), None), ((17, 21), None), ((17, 22), None), ((17, 23), 1)]
    )
    def test_a_match_is_won_only_with_two_points_more_than_the_next_side(self, totals, winner):
        match = after(last_card(totals, lead=2), "0 12c")
        assert match.totals == (21, totals[1])
        assert match.winner == winner
        assert match.stage is (Stage.TO_DEAL if winner is None else Stage.OVER)

    def test_two_points_more_below_the_target_win_nothing(self):
        assert after(last_card((16, 0), lead=2), "0 12c").winner is None

    def test_the_next_side_is_the_one_that_comes_closest(self):
        def ended(*totals: int) -> int | None:
            return after(
                position(["12c", "", ""], rest_to=0, last_taker=0, seating=Seating.THREE, totals=totals, lead=2),
                "0 12c",
            ).winner

        assert ended(20, 0, 22) == 0
        assert ended(20, 0, 23) is None
        assert ended(20, 26, 0) == 1
        assert ended(18, 25, 24) is None

    def test_further_rounds_are_played_until_somebody_leads_by_two(self):
        further = 0
        for seed in range(40):
            for _, match in random_events("escoba", Seating.TWO, Random(seed), target=5, lead=2):
                best, other = sorted(match.totals, reverse=True)
                between = match.stage is Stage.TO_DEAL
                further += between and best >= 5
                assert (match.winner is not None) == (match.stage is Stage.OVER)
                if match.round is not None and match.round.over:
                    assert (match.stage is Stage.OVER) == (best >= 5 and best - other >= 2)
        assert further

    def test_a_match_of_fixed_length_is_won_by_one_point(self):
        match = after(last_card((3, 6), rounds=1, lead=2), "0 12c")
        assert match.totals == (7, 6)
        assert match.winner == 0


@pytest.mark.parametrize("target", [-1, 0, 4, 102])
def test_other_targets_are_refused(target):
    with refused(RuleCode.BAD_RULES):
        start(MatchStarted(rules_of(target=target), Seating.TWO, 0))


def test_a_match_begins_with_nothing_scored():
    match = begin("quince", Seating.TRIPLE_PAIRS)
    assert match.totals == match.escobas == (0, 0, 0)
    assert match.scores == match.facts == ()
    assert match.stage is Stage.TO_DEAL
    assert match.version == 1
