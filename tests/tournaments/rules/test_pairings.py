"""Who plays whom: no rematch, no second bye, equals if possible. Also circles and brackets."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from bot.tournaments.rules.log import Begin, Enter, RoundPaired, Withdraw
from bot.tournaments.rules.pairings import draw, in_play, points
from bot.tournaments.rules.state import apply_all, begin
from bot.tournaments.rules.tournament import Format, Gone, Pairing, Tournament, TournamentRound, TournamentStage
from tests.support.club import ORGANISER, Disorder, RecordedTournament, person
from tests.support.dose import dose

EVENINGS = dose("EVENINGS", 24)
SIZES = range(4, 65) if EVENINGS >= 300 else range(4, 20)

Couple = tuple[int, int]


def couples(round: TournamentRound | RoundPaired) -> list[Couple]:
    """Who meets whom, smaller number first; a bye is a meeting with 0."""
    met = [(min(each.first, each.second), max(each.first, each.second)) for each in round.pairings]
    return met + [(0, number) for number in round.byes]


def history(tournament: Tournament) -> Counter[Couple]:
    return Counter(couple for each in tournament.rounds for couple in couples(each))


def draws(evening: RecordedTournament) -> Iterator[tuple[Tournament, TournamentRound]]:
    """Each round of an evening, with the tournament that it was drawn from."""
    now = begin(evening.announced)
    for event in evening.log:
        after = apply_all(now, [event])
        if isinstance(event, RoundPaired):
            assert after.round is not None
            yield now, after.round
        now = after


def assert_sound(before: Tournament, round: TournamentRound) -> None:
    """Check that everybody in play is in the round once, and with a new opponent while the field is large enough."""
    ready = in_play(before)
    assert sorted([*round.byes, *(each for couple in couples(round) for each in couple if 0 not in couple)]) == sorted(
        ready
    )
    assert [each.table for each in round.pairings] == list(range(1, len(round.pairings) + 1))
    if before.setup.format in (Format.SWISS, Format.DUPLICATE):
        assert len(round.byes) == len(ready) % 2
        if 2 * round.number <= len(ready) + len(ready) % 2:  # Dirac: there are such opponents
            met = history(before)
            assert not [couple for couple in couples(round) if met[couple]]


@pytest.mark.parametrize("format", [Format.SWISS, Format.DUPLICATE])
def test_nobody_meets_twice_or_has_a_second_bye_whatever_the_disorder(format: Format) -> None:
    random = Random(f"pairings of {format}")
    for _ in range(EVENINGS):
        evening = RecordedTournament(format, lot=random.getrandbits(32))
        evening.enter(*range(1, random.choice(SIZES) + 1))
        evening.do(Begin(ORGANISER))
        Disorder(evening, random).play()
        for before, round in draws(evening):
            assert_sound(before, round)


@pytest.mark.parametrize("entries", range(4, 13))
def test_even_the_longest_tournament_finds_new_opponents(entries: int) -> None:
    random = Random(entries)
    for _ in range(max(3, EVENINGS // 8)):
        evening = RecordedTournament(lot=random.getrandbits(32), rounds=9).start(entries)
        assert evening.now.planned == max(3, (entries + 1) // 2)
        evening.play_on(random)
        assert max(history(evening.now).values()) == 1


def test_late_entries_leave_nobody_without_a_new_opponent() -> None:
    random = Random(8)
    for entries in range(4, 10):
        evening = RecordedTournament(lot=entries, rounds=9).start(entries)
        late = 50
        while evening.now.stage is TournamentStage.PLAYING:
            if evening.now.takes_late_entries:
                late += 1
                evening.do(Enter(person(late)))
            evening.play_round(random)
            if evening.now.stage is TournamentStage.PLAYING:
                evening.next_round()
        assert max(history(evening.now).values()) == 1
        assert late > 50


def test_in_a_field_that_has_become_too_small_a_rematch_gives_way_before_a_second_bye() -> None:
    evening = RecordedTournament().start(5)
    random = Random(1)
    for _ in range(2):
        evening.play_round(random)
        evening.next_round()
    evening.play_round(random)
    staying = [number for each in evening.now.rounds[:2] for number in each.byes]
    now = evening.now
    third = next(number for number in range(1, 6) if number not in staying)
    field = {*staying, third}
    gone = [replace(each, gone=None if each.number in field else Gone.WITHDREW) for each in now.entries]
    paired = draw(replace(now, rounds=now.rounds[:2], entries=tuple(gone)))
    assert paired.byes == (third,)
    assert couples(paired)[0] == (min(staying), max(staying))


@pytest.mark.parametrize("entries", range(4, 9))
def test_no_other_round_is_better_by_the_rules_that_weigh_most(entries: int) -> None:
    """All ways of pairing are compared by second byes, rematches, the bye's score and the gaps between opponents."""
    random = Random(entries)
    for _ in range(EVENINGS // 4):
        evening = RecordedTournament(lot=random.getrandbits(32)).start(entries)
        Disorder(evening, random).play()
        for before, round in draws(evening):
            numbers = list(in_play(before))
            every = _perfect(numbers if len(numbers) % 2 == 0 else [0, *numbers])
            assert _badness(before, couples(round)) == min(_badness(before, each) for each in every)


def _perfect(numbers: list[int]) -> Iterator[list[Couple]]:
    if not numbers:
        yield []
        return
    first, *others = numbers
    for other in others:
        for rest in _perfect([each for each in others if each != other]):
            yield [(min(first, other), max(first, other)), *rest]


def _badness(before: Tournament, round: list[Couple]) -> tuple[int, int, int, int]:
    met, score = history(before), points(before)
    byes = [couple[1] for couple in round if couple[0] == 0]
    pairs = [couple for couple in round if couple[0] != 0]
    return (
        sum(met[0, number] for number in byes),
        sum(met[couple] for couple in pairs),
        sum(score[number] for number in byes),
        sum((score[one] - score[other]) ** 2 for one, other in pairs),
    )


def test_equals_meet_and_the_best_sit_at_the_first_table() -> None:
    evening = RecordedTournament().start(8)
    for pairing in evening.now.rounds[0].pairings:
        evening.win(pairing.first)
    evening.next_round()
    score = points(evening.now)
    round = evening.now.rounds[1]
    assert [(score[each.first], score[each.second]) for each in round.pairings] == [(1, 1), (1, 1), (0, 0), (0, 0)]


def test_an_entry_that_met_one_with_fewer_points_meets_an_equal_next() -> None:
    for lot in range(12):
        evening = RecordedTournament(lot=lot, rounds=5).start(10)
        for pairing in evening.now.rounds[0].pairings:
            evening.win(min(pairing.first, pairing.second))
        evening.next_round()
        before = points(replace(evening.now, rounds=evening.now.rounds[:1]))
        [uneven] = [each for each in evening.now.rounds[1].pairings if before[each.first] != before[each.second]]
        down = uneven.first if before[uneven.first] else uneven.second
        for pairing in evening.now.rounds[1].pairings:
            evening.win(down if pairing is uneven else min(pairing.first, pairing.second))
        evening.next_round()
        after = points(replace(evening.now, rounds=evening.now.rounds[:2]))
        assert Counter(after.values())[2] == 3  # so that one of them meets somebody with one point
        pairing = evening.pairing_of(down)
        assert after[pairing.first] == after[pairing.second] == 2


def test_two_who_have_been_dealt_to_first_more_often_do_not_meet_if_others_can() -> None:
    now = RecordedTournament().start(8).now
    first = RoundPaired(tuple(Pairing(table, table, table + 4) for table in range(1, 5)))
    for lot in range(12):  # without results, so that nothing else matters
        paired = draw(apply_all(replace(now, lot=lot, rounds=()), [first]))
        assert all((each.first > 4) and (each.second <= 4) for each in paired.pairings)


def test_the_bye_goes_to_somebody_with_the_fewest_points() -> None:
    for lot in range(10):
        evening = RecordedTournament(lot=lot).start(7)
        random = Random(lot)
        evening.play_round(random)
        evening.next_round()
        score = points(replace(evening.now, rounds=evening.now.rounds[:1]))
        assert score[evening.now.rounds[1].byes[0]] == 0


def test_everybody_is_dealt_to_first_about_equally_often() -> None:
    random = Random(3)
    for format, entries in ((Format.SWISS, 16), (Format.SWISS, 11), (Format.ALL_PLAY_ALL, 8), (Format.ALL_PLAY_ALL, 7)):
        for _ in range(max(2, EVENINGS // 10)):
            evening = RecordedTournament(format, lot=random.getrandbits(32)).start(entries).play_on(random)
            balance = Counter[int]()
            for each in evening.now.rounds:
                balance.update(pairing.first for pairing in each.pairings)
                balance.subtract(pairing.second for pairing in each.pairings)
            assert max(map(abs, balance.values())) <= 2


def test_the_lot_alone_decides_what_is_left_to_chance() -> None:
    rounds = [RecordedTournament(lot=lot).start(16).now.rounds[0] for lot in (1, 1, 2)]
    assert rounds[0] == rounds[1] != rounds[2]
    opponents = Counter(
        couple for lot in range(150) for couple in couples(RecordedTournament(lot=lot).start(4).now.rounds[0])
    )
    assert len(opponents) == 6
    assert 30 < min(opponents.values()) <= max(opponents.values()) < 70


@pytest.mark.parametrize("entries", range(3, 9))
def test_in_all_play_all_everybody_meets_everybody_once_and_rests_at_most_once(entries: int) -> None:
    evening = RecordedTournament(Format.ALL_PLAY_ALL, lot=entries).start(entries).play_on(Random(1))
    met = history(evening.now)
    assert {couple for couple in met if couple[0]} == set(combinations(range(1, entries + 1), 2))
    assert set(met.values()) == {1}
    assert sum(couple[0] == 0 for couple in met) == entries * (entries % 2)


def test_in_all_play_all_the_opponents_of_a_withdrawn_entry_have_a_bye() -> None:
    evening = RecordedTournament(Format.ALL_PLAY_ALL).start(4)
    evening.do(Withdraw(person(1)))
    evening.play_on(Random(1))
    opponent = evening.now.rounds[0].pairings
    first = next(each for each in opponent if 1 in (each.first, each.second))
    others = {2, 3, 4} - {first.first, first.second}
    assert {number for each in evening.now.rounds for number in each.byes} == others


def test_the_byes_of_a_bracket_are_spread_over_it() -> None:
    evening = RecordedTournament(Format.KNOCKOUT).start(12)
    assert len(evening.now.rounds[0].byes) == 4
    evening.play_round(Random(1))
    evening.next_round()
    lucky = evening.now.rounds[0].byes
    assert all(len({each.first, each.second} & {*lucky}) == 1 for each in evening.now.rounds[1].pairings)


@pytest.mark.parametrize("entries", range(4, 18))
def test_a_knockout_has_byes_in_its_first_round_only(entries: int) -> None:
    evening = RecordedTournament(Format.KNOCKOUT, lot=entries).start(entries).play_on(Random(entries))
    first, *later = evening.now.rounds
    assert len(first.pairings) + len(first.byes) == 2 ** (evening.now.planned - 1)
    assert [len(each.pairings) for each in later] == [2**left for left in range(evening.now.planned - 2, -1, -1)]
    assert not any(each.byes for each in later)


def test_a_bracket_is_settled_by_its_first_round() -> None:
    evening = RecordedTournament(Format.KNOCKOUT).start(8)
    random = Random(1)
    first = evening.now.rounds[0].pairings
    evening.play_round(random)
    evening.next_round()
    halves = [{number for each in half for number in (each.first, each.second)} for half in (first[:2], first[2:])]
    second = evening.now.rounds[1].pairings
    assert [{each.first, each.second} <= half for each, half in zip(second, halves, strict=True)] == [True, True]


@pytest.mark.parametrize("entries", range(4, 34))
def test_the_best_are_kept_apart_by_their_ratings_as_long_as_they_win(entries: int) -> None:
    evening = RecordedTournament(Format.KNOCKOUT, lot=entries, seeded=True)
    evening.enter(*range(1, entries + 1))
    # the first to sign up has the lowest rating, and somebody without one comes last
    evening.do(Begin(ORGANISER, tuple((number, float(number)) for number in range(2, entries + 1))))
    best = list(range(entries, 0, -1))
    assert evening.now.seeds == tuple(best)
    assert set(evening.now.rounds[0].byes) == set(best[: len(evening.now.rounds[0].byes)])
    while evening.now.stage is TournamentStage.PLAYING:
        round = evening.now.round
        assert round is not None
        left = 2 * len(round.pairings) + len(round.byes)
        assert round.numbers == set(best[:left]), "whoever is rated higher wins"
        for pairing in round.pairings:
            assert (pairing.first in best[: left // 2]) is not (pairing.second in best[: left // 2]) or round.byes
            evening.win(max(pairing.first, pairing.second))
        if evening.now.stage is TournamentStage.PLAYING:
            evening.next_round()
    assert {evening.now.rounds[-1].pairings[0].first, evening.now.rounds[-1].pairings[0].second} == set(best[:2])


def test_a_pair_is_seeded_by_the_mean_of_its_people_and_equal_ones_by_lot() -> None:
    orders = set[tuple[int, ...]]()
    for lot in range(20):
        evening = RecordedTournament(Format.KNOCKOUT, lot=lot, seeded=True, pairs=True)
        evening.enter(1, 2, 3, 4)
        evening.do(Begin(ORGANISER, ((1, 30.0), (2, 10.0), (102, 25.0), (3, 18.0))))
        orders.add(evening.now.seeds)
    assert {order[:3] for order in orders} == {(2, 1, 3)}
    orders.clear()
    for lot in range(20):
        evening = RecordedTournament(Format.KNOCKOUT, lot=lot, seeded=True).start(4)
        orders.add(evening.now.seeds)
    assert len(orders) > 3


def test_a_winner_who_withdraws_hands_the_next_opponent_a_bye() -> None:
    evening = RecordedTournament(Format.KNOCKOUT).start(8)
    evening.play_round(Random(1))
    winners = in_play(evening.now)
    evening.do(Withdraw(person(winners[0])))
    evening.next_round()
    round = evening.now.round
    assert round is not None
    assert len(round.pairings) == 1
    assert len(round.byes) == 1


def test_a_knockout_whose_tables_stay_empty_goes_on_to_its_next_match() -> None:
    evening = RecordedTournament(Format.KNOCKOUT).start(8)
    evening.play_round(Random(1))
    first: tuple[Pairing, ...] = evening.now.rounds[0].pairings
    for table in (1, 3):  # the winners at the first table of either half go home
        pairing = first[table - 1]
        winner = pairing.first if evening.now.rounds[0].outcomes[table].winner == 0 else pairing.second
        evening.do(Withdraw(person(winner)))
    evening.next_round()
    assert [(len(each.pairings), len(each.byes)) for each in evening.now.rounds] == [(4, 0), (0, 2), (1, 0)]
    evening.play_on(Random(2))
    assert evening.now.stage is TournamentStage.FINISHED
