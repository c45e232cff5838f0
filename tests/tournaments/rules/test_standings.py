"""Scores and tie-breaks, counted by hand and again in another way."""

from collections import defaultdict
from fractions import Fraction
from random import Random

import pytest

from bot.tournaments.rules.log import (
    Begin,
    ByeTaken,
    Correct,
    Corrected,
    Replayed,
    RoundPaired,
    TableEnded,
    Withdraw,
    Withdrawn,
)
from bot.tournaments.rules.setup import max_entries, min_entries
from bot.tournaments.rules.standings import EntryStanding, TieBreak, podium, standings
from bot.tournaments.rules.tournament import Format, Gone, Outcome, TournamentStage
from tests.support.club import ORGANISER, Disorder, RecordedTournament, person
from tests.support.dose import dose

EVENINGS = dose("EVENINGS", 24)


def of(evening: RecordedTournament, entry: int) -> EntryStanding:
    return next(each for each in standings(evening.now) if each.entry == entry)


def tie(evening: RecordedTournament, entry: int, kind: TieBreak) -> list[tuple[int | None, int]]:
    return [(part.opponent, int(part.value)) for part in of(evening, entry).ties[kind].parts]


def test_nobody_is_listed_before_the_first_round() -> None:
    evening = RecordedTournament()
    evening.enter(1, 2, 3, 4)
    assert standings(evening.now) == ()
    assert podium(evening.now) == ()


def test_points_difference_decides_between_equal_scores_and_is_shown_match_by_match() -> None:
    evening = RecordedTournament(Format.ALL_PLAY_ALL).start(4)
    order = (1, 2, 3, 4)
    margins = {(1, 2): 1, (1, 3): 9, (2, 3): 4, (1, 4): 2, (2, 4): 6, (3, 4): 5}
    while evening.now.stage is TournamentStage.PLAYING:
        round = evening.now.round
        assert round is not None
        for pairing in round.pairings:
            better, worse = sorted((pairing.first, pairing.second), key=order.index)
            if (better, worse) == (1, 4):  # so that 1, 2 have two wins each, and 3, 4 one
                evening.win(4, 15, 13)
            else:
                evening.win(better, 15, 15 - margins[better, worse])
        if evening.now.stage is TournamentStage.PLAYING:
            evening.next_round()
    assert [(each.rank, each.entry, int(each.score)) for each in standings(evening.now)] == [
        (1, 2, 2),  # -1 + 4 + 6 = 9
        (2, 1, 2),  # 1 + 9 - 2 = 8
        (3, 3, 1),  # -9 - 4 + 5 = -8
        (4, 4, 1),  # 2 - 6 - 5 = -9
    ]
    assert sorted(tie(evening, 1, TieBreak.DIFFERENCE)) == [(2, 1), (3, 9), (4, -2)]
    assert of(evening, 1).ties[TieBreak.DIFFERENCE].total == 8
    assert [each.entry for each in podium(evening.now)] == [2, 1, 3]


def test_direct_encounter_decides_when_the_difference_is_equal_too() -> None:
    evening = RecordedTournament(Format.ALL_PLAY_ALL).start(4)
    margins = {(1, 2): 4, (2, 3): 6, (1, 3): -1, (1, 4): 3, (2, 4): 4, (3, 4): 1}
    while evening.now.stage is TournamentStage.PLAYING:
        round = evening.now.round
        assert round is not None
        for pairing in round.pairings:
            low, high = sorted((pairing.first, pairing.second))
            margin = margins[low, high]
            evening.win(low if margin > 0 else high, 15, 15 - abs(margin))
        if evening.now.stage is TournamentStage.PLAYING:
            evening.next_round()
    # 1: 4 - 1 + 3 = 6 and 2: -4 + 6 + 4 = 6, with two wins each; 3 has two wins and -6 + 1 + 1 = -4
    assert [(each.rank, each.entry) for each in standings(evening.now)][:3] == [(1, 1), (2, 2), (3, 3)]
    assert tie(evening, 1, TieBreak.DIRECT) == [(2, 1)]
    assert tie(evening, 2, TieBreak.DIRECT) == [(1, 0)]
    assert tie(evening, 3, TieBreak.DIRECT) == []


def test_direct_encounter_is_left_out_unless_all_who_are_equal_have_met() -> None:
    evening = RecordedTournament().start(6)
    for pairing in evening.now.rounds[0].pairings:
        evening.win(pairing.first, 15, 10)
    winners = [pairing.first for pairing in evening.now.rounds[0].pairings]
    assert all(tie(evening, number, TieBreak.DIRECT) == [] for number in winners)
    assert [each.rank for each in standings(evening.now)] == [1, 1, 1, 4, 4, 4]


def test_buchholz_adds_the_scores_of_the_opponents_and_ones_own_for_a_bye() -> None:
    evening = RecordedTournament(rounds=3).start(5).play_on(Random(2))
    scores = {each.entry: each.score for each in standings(evening.now)}
    for each in standings(evening.now):
        for part in each.ties[TieBreak.BUCHHOLZ].parts:
            assert part.value == scores[part.opponent or each.entry]
    assert any(each.byes for each in evening.now.rounds)


def test_a_bye_is_a_win_that_counts_no_difference() -> None:
    evening = RecordedTournament().start(5)
    [lucky] = evening.now.rounds[0].byes
    assert of(evening, lucky).score == 1
    assert of(evening, lucky).wins == 0
    assert tie(evening, lucky, TieBreak.DIFFERENCE) == [(None, 0)]


@pytest.mark.parametrize(
    ("points", "winners", "losers"),
    [((0, 0), 0, -15), ((4, 9), 5, -15), ((9, 4), 0, -15), ((0, 17), 17, -17)],
    ids=["never came", "left behind", "left ahead", "left far behind"],
)
def test_leaving_never_helps_ones_difference(points: tuple[int, int], winners: int, losers: int) -> None:
    evening = RecordedTournament().start(4)
    pairing = evening.now.rounds[0].pairings[0]
    evening.report(pairing.table, Outcome(points, 1, forfeit=True))
    assert tie(evening, pairing.second, TieBreak.DIFFERENCE) == [(pairing.first, winners)]
    assert tie(evening, pairing.first, TieBreak.DIFFERENCE) == [(pairing.second, losers)]


def test_a_match_that_neither_came_to_is_lost_by_both() -> None:
    evening = RecordedTournament().start(4)
    pairing = evening.now.rounds[0].pairings[0]
    evening.report(pairing.table, Outcome((0, 0), None, forfeit=True))
    assert {(of(evening, each).score, of(evening, each).losses) for each in (pairing.first, pairing.second)} == {(0, 1)}


def test_results_of_those_who_withdraw_stay() -> None:
    evening = RecordedTournament().start(8)
    pairing = evening.now.rounds[0].pairings[0]
    evening.win(pairing.first)
    before = of(evening, pairing.first), of(evening, pairing.second)
    evening.do(Withdraw(person(pairing.first)))
    assert (of(evening, pairing.first), of(evening, pairing.second)) == before


@pytest.mark.parametrize("withdraws", [False, True], ids=["loses", "withdraws"])
def test_withdrawing_before_a_match_never_helps_against_its_opponent(*, withdraws: bool) -> None:
    evening = RecordedTournament(Format.ALL_PLAY_ALL).start(4)
    for number in range(3):
        if withdraws and number == 2:
            evening.do(Withdraw(person(1)))
        if number:
            evening.next_round()
        assert evening.now.round is not None
        for pairing in evening.now.round.pairings:  # 1 is ahead by far until 3, whom it meets last, has as many wins
            two, last = (pairing.first, pairing.second), number == 2
            evening.win(1 if 1 in two and not last else 3 if 3 in two else 2, 15, 5 if 1 in two and not last else 14)
    assert podium(evening.now)[0].entry == 3
    assert tie(evening, 1, TieBreak.DIFFERENCE)[-1] == ((None, -15) if withdraws else (3, -1))


def test_somebody_late_without_a_match_is_behind_whoever_has_lost_one() -> None:
    evening = RecordedTournament().start(6)
    for pairing in evening.now.rounds[0].pairings:
        evening.win(pairing.first)
    evening.enter(7)
    assert [each.entry for each in standings(evening.now)][-1] == 7
    assert standings(evening.now)[-1].rank == 7
    evening.next_round()
    assert standings(evening.now)[-1].entry == 7, "the match is still running"
    for pairing in evening.now.rounds[1].pairings:
        evening.win(pairing.first)
    assert standings(evening.now)[-1].entry != 7 or standings(evening.now)[-1].losses == 1


def test_before_the_first_results_nobody_is_behind_whoever_has_lost() -> None:
    evening = RecordedTournament().start(4)
    first = evening.now.rounds[0].pairings[0]
    evening.win(first.first)
    assert [each.entry for each in standings(evening.now)][-1] == first.second


def test_a_correction_changes_the_standings() -> None:
    evening = RecordedTournament().start(4)
    pairing = evening.now.rounds[0].pairings[0]
    evening.win(pairing.first)
    evening.do(Correct(ORGANISER, 1, pairing.table, Outcome((3, 15), 1)))
    assert (of(evening, pairing.first).score, of(evening, pairing.second).score) == (0, 1)


def test_in_a_knockout_those_who_lose_in_the_same_round_share_a_rank() -> None:
    evening = RecordedTournament(Format.KNOCKOUT).start(7).play_on(Random(1))
    assert [each.rank for each in standings(evening.now)] == [1, 2, 3, 3, 5, 5, 5]
    assert [each.rank for each in podium(evening.now)] == [1, 2, 3, 3]
    final = evening.now.rounds[-1]
    outcome = final.outcomes[1]
    assert outcome.winner is not None
    assert podium(evening.now)[0].entry == (final.pairings[0].first, final.pairings[0].second)[outcome.winner]


def test_a_final_to_which_nobody_came_has_no_winner() -> None:
    evening = RecordedTournament(Format.KNOCKOUT).start(4)
    evening.play_round(Random(1))
    evening.next_round()
    evening.report(1, Outcome((0, 0), None, forfeit=True))
    assert evening.now.stage is TournamentStage.FINISHED
    assert [each.rank for each in podium(evening.now)] == [2, 2, 3, 3]


@pytest.mark.parametrize("format", [Format.SWISS, Format.ALL_PLAY_ALL, Format.KNOCKOUT])
def test_standings_equal_an_independent_recount(format: Format) -> None:
    random = Random(f"standings of {format}")
    for _ in range(EVENINGS):
        evening = RecordedTournament(format, lot=random.getrandbits(32), target=random.choice((11, 15, 21)))
        evening.enter(
            *range(1, random.randint(min_entries(evening.now.setup), min(14, max_entries(evening.now.setup))) + 1)
        )
        evening.do(Begin(ORGANISER))
        Disorder(evening, random).play()
        if format is Format.KNOCKOUT:
            found = standings(evening.now)
            assert {each.entry: int(each.score) for each in found} == survived(evening)
            stayed = [each.score for each in found if each.entry not in disqualified(evening)]
            assert stayed == sorted(stayed, reverse=True)
            assert {each.entry for each in found[len(stayed) :]} == disqualified(evening) & {*survived(evening)}
        else:
            assert [
                (each.rank, each.entry, int(each.score), *(int(each.ties[kind].total) for kind in TieBreak))
                for each in standings(evening.now)
            ] == recounted(evening)


def told(evening: RecordedTournament) -> tuple[dict[tuple[int, int], Outcome], list[RoundPaired]]:
    """What the log says: each table's outcome, and the rounds as they were drawn."""
    outcomes: dict[tuple[int, int], Outcome] = {}
    rounds: list[RoundPaired] = []
    for event in evening.log:
        match event:
            case RoundPaired():
                rounds.append(event)
            case ByeTaken(pairing):
                before = rounds[-1]
                byes = tuple(each for each in before.byes if each not in (pairing.first, pairing.second))
                rounds[-1] = RoundPaired((*before.pairings, pairing), byes)
            case TableEnded(table, outcome):
                outcomes[len(rounds), table] = outcome
            case Corrected(number, table, outcome):
                outcomes[number, table] = outcome
            case Replayed(table):
                outcomes.pop((len(rounds), table), None)
            case _:
                pass
    return outcomes, rounds


def recounted(evening: RecordedTournament) -> list[tuple[int, ...]]:
    """Rank, entry, score, difference, direct encounter and Buchholz, counted from the log, match by match."""
    outcomes, rounds = told(evening)
    target = evening.now.setup.target
    score, difference = defaultdict[int, int](int), defaultdict[int, int](int)
    beat = defaultdict[tuple[int, int], int](int)
    met: set[frozenset[int]] = set()
    faced: list[tuple[int, int | None]] = []
    for number, paired in enumerate(rounds, 1):
        for lucky in paired.byes:
            score[lucky] += 1
            faced.append((lucky, None))
        for each in paired.pairings:
            outcome, two = outcomes[number, each.table], (each.first, each.second)
            met.add(frozenset(two))
            for own, other, place in ((two[0], two[1], 0), (two[1], two[0], 1)):
                margin = outcome.points[place] - outcome.points[1 - place]
                if outcome.winner == place:
                    score[own] += 1
                    beat[own, other] += 1
                    margin = max(margin, 0) if outcome.forfeit else margin
                elif outcome.forfeit:
                    margin = min(margin, -target)
                difference[own] += margin
                faced.append((own, None if outcome.forfeit else other))
    listed = {own for own, _ in faced} | {each.number for each in evening.now.entries if not each.withdrawn}
    for own in listed:
        there = [own in numbers(paired) for paired in rounds]
        difference[own] -= target * (there[there.index(True) :].count(False) if any(there) else 0)
    buchholz = {
        own: sum(score[own if other is None else other] for one, other in faced if one == own) for own in listed
    }
    out = disqualified(evening)
    figures = {own: (own in out, score[own], difference[own]) for own in listed}
    direct: dict[int, int] = {}
    for own in listed:
        level = [each for each in listed if figures[each] == figures[own]]
        all_met = all(frozenset((one, other)) in met for one in level for other in level if one != other)
        direct[own] = sum(beat[own, other] for other in level) if all_met else 0
    keys = {own: (-score[own], -difference[own], -direct[own], -buchholz[own]) for own in listed}
    ahead = {own: [each for each in listed - out if own in out or keys[each] < keys[own]] for own in listed}
    return [
        (1 + len(ahead[own]), own, *(-figure for figure in keys[own]))
        for own in sorted(listed, key=lambda own: (own in out, keys[own], own))
    ]


def disqualified(evening: RecordedTournament) -> set[int]:
    """The entries that the log says are disqualified."""
    return {event.entry for event in evening.log if isinstance(event, Withdrawn) and event.why is Gone.DISQUALIFIED}


def survived(evening: RecordedTournament) -> dict[int, int]:
    """The number of rounds that each entry survived."""
    outcomes, rounds = told(evening)
    found = {number: 0 for each in rounds for number in numbers(each)}
    for number, paired in enumerate(rounds, 1):
        for lucky in paired.byes:
            found[lucky] += 1
        for each in paired.pairings:
            winner = outcomes[number, each.table].winner
            if winner is not None:
                found[(each.first, each.second)[winner]] += 1
    return found


def numbers(paired: RoundPaired) -> list[int]:
    return [*paired.byes, *(number for each in paired.pairings for number in (each.first, each.second))]


def test_scores_are_the_sums_of_what_the_rounds_brought() -> None:
    evening = RecordedTournament(Format.DUPLICATE).start(7).play_on(Random(5))
    for each in standings(evening.now):
        assert each.score == each.rounds.total / len(evening.now.rounds)
    assert sum((each.score for each in standings(evening.now)), Fraction(0)) == 7 * 50
