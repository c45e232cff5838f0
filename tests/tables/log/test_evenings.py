"""Evenings: which matches belong together, the score in them, and the facts on their card."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from bot.engine.cards import CardSet
from bot.engine.events import Event, MatchStarted
from bot.engine.facts import CaptureClaimed, CardPlayed, OpeningTaken
from bot.engine.match import start
from bot.engine.rules import Seating
from bot.platform.people import Person
from bot.tables.live.result import winner_of
from bot.tables.log.codec import fold
from bot.tables.log.evening_card import Evening, ToldMatch
from bot.tables.log.evenings import QUIET, Outcome, PastMatch, Score, evenings_of, part_of, sides_of
from bot.tables.log.events import Config, Joined, LogEvent, Opened
from bot.tables.log.seats import Seat
from bot.tables.screens.evening import evening_layout
from tests.support.dose import thorough_but
from tests.support.layouts import LARGEST, troubles, words_of
from tests.support.phrases import EN
from tests.support.recorded import log_events, match_events
from tests.support.tables.kit import ANA, BEA, CLO

EIGHT = datetime(2026, 3, 14, 20, tzinfo=UTC)
DUEL = (frozenset({ANA.id}), frozenset({BEA.id}))
SWAPPED = (DUEL[1], DUEL[0])


def past(begun: int, minutes: int, winner: int | None = 0, *, number: int = 1) -> PastMatch:
    """A match of two that began so many minutes after eight, and took so many."""
    begun_at = EIGHT + timedelta(minutes=begun)
    return PastMatch(number, begun_at, begun_at + timedelta(minutes=minutes), Outcome(DUEL, winner))


def test_matches_with_less_than_half_an_hour_between_them_are_an_evening() -> None:
    first, second, third = past(0, 20), past(49, 200), past(279, 10)
    assert evenings_of([first, second, third]) == [(first, second), (third,)]
    assert third.begun_at - second.ended_at == QUIET
    assert evenings_of([]) == []


def test_an_evening_has_25_matches_at_most() -> None:
    matches = [past(10 * number, 9, number=number) for number in range(26)]
    assert [len(each) for each in evenings_of(matches)] == [25, 1]


def test_a_match_that_begins_more_than_eight_hours_after_the_first_belongs_to_another_evening() -> None:
    matches = [past(begun, 100) for begun in (0, 120, 240, 360, 480, 600)]
    assert [len(each) for each in evenings_of(matches)] == [5, 1]


@pytest.mark.parametrize(
    ("winners", "minutes", "together"),
    [([0], 119, True), ([0], 120, False), ([0, 1], 119, True), ([0, 0], 30, False), ([0, 1, None], 30, False)],
)
def test_a_best_of_three_that_is_not_over_may_go_on_for_two_hours(
    winners: list[int], minutes: int, together: bool
) -> None:
    matches = [past(10 * number, 10, winner) for number, winner in enumerate(winners)]
    series = [replace(each, outcome=replace(each.outcome, best_of_three=True)) for each in matches]
    following = past(10 * len(winners) + minutes, 10)
    assert (len(evenings_of([*series, following])) == 1) is together


def test_a_best_of_three_against_a_robot_has_no_score_and_gets_no_longer() -> None:
    outcome = Outcome((frozenset({ANA.id}), frozenset()), 0, best_of_three=True)
    assert len(evenings_of([replace(past(0, 10), outcome=outcome), past(40, 10)])) == 2


def test_a_score_counts_wins_by_side_and_draws_apart() -> None:
    outcomes = [Outcome(DUEL, 0), Outcome(SWAPPED, 0), Outcome(DUEL, None), Outcome(SWAPPED, 1)]
    assert Score.between(DUEL, outcomes) == Score((2, 1), 1)
    assert Score.between(SWAPPED, outcomes) == Score((1, 2), 1)


@pytest.mark.parametrize(
    "sides",
    [
        (frozenset({ANA.id}), frozenset({BEA.id}), frozenset({CLO.id})),
        (frozenset({ANA.id}), frozenset({CLO.id})),
        (frozenset({ANA.id}), frozenset[int]()),
        (frozenset({ANA.id, CLO.id}), frozenset({BEA.id})),
    ],
)
def test_other_people_or_sides_have_a_score_of_their_own(sides: tuple[frozenset[int], ...]) -> None:
    assert Score.between(DUEL, [Outcome(sides, 0)]).matches == 0
    assert Score.between(sides, [Outcome(DUEL, 0)]).matches == 0
    assert Score.between(sides, [Outcome(sides, 0)]).matches == all(sides), "against robots there is none"


@pytest.mark.parametrize(
    ("winners", "wins", "drawn", "over"),
    [
        ([], (0, 0), 0, False),
        ([0], (1, 0), 0, False),
        ([0, 0], (2, 0), 0, True),
        ([0, 1], (1, 1), 0, False),
        ([0, 1, None], (1, 1), 1, True),
        ([None, None, 1], (0, 1), 2, True),
        ([0, 0, 1], (0, 1), 0, False),
        ([0, 1, 1, 1], (0, 1), 0, False),
    ],
)
def test_a_best_of_three_is_over_at_two_wins_or_after_three_matches(
    winners: list[int | None], wins: tuple[int, int], drawn: int, over: bool
) -> None:
    outcomes = [Outcome(DUEL, winner, best_of_three=True) for winner in winners]
    between = [Outcome(DUEL, 1)]  # matches that aren't part of it
    score = Score.between(DUEL, [*between, *outcomes, *between], series=True)
    assert score == Score(wins, drawn)
    assert score.decides is over


def test_only_live_matches_that_were_played_to_their_end_have_a_part() -> None:
    over = fold(log_events("escoba", [ANA, BEA], target=5))
    assert part_of(over, unhurried=False) is not None
    assert part_of(over, unhurried=True) is None
    assert part_of(fold(log_events("escoba", [ANA, BEA], target=5)[:-1]), unhurried=False) is None
    assert part_of(replace(over, thread_id=-5), unhurried=False) is None


def simulated(seed: int) -> list[tuple[PastMatch, list[LogEvent]]]:
    """An evening of two to four matches of a duel, or of Ana against a robot."""
    rng, found = Random(seed), list[tuple[PastMatch, list[LogEvent]]]()
    for number in range(rng.randint(2, 4)):
        people = [ANA, BEA] if rng.random() < 0.8 else [BEA, ANA]
        events = log_events("escoba", people, seed=seed * 10 + number, target=rng.choice([5, 11]))
        state = fold(events)
        outcome = Outcome(sides_of(state.seats, Seating.TWO), winner_of(state))
        found.append((PastMatch(number + 1, EIGHT, EIGHT, outcome), events))
    return found


def recounted(evening: list[tuple[PastMatch, list[LogEvent]]]) -> tuple[Counter[str], Counter[str], int, set[str], int]:
    """The facts, counted from the moves alone: wins, escobas, the largest sweep, the most points behind."""
    wins, escobas, sweeps, behind = Counter[str](), Counter[str](), list[tuple[int, str]](), [0]
    for _, events in evening:
        names = [
            event.opener.name if isinstance(event, Opened) else event.person.name
            for event in events
            if isinstance(event, Opened | Joined)
        ]
        started = next(event for event in events if isinstance(event, MatchStarted))
        match = start(started)
        leads: list[tuple[int, ...]] = []
        for event in events[events.index(started) + 1 :]:
            assert isinstance(event, Event)
            match = match.apply(event)
            for fact in match.facts:
                if isinstance(fact, CardPlayed | CaptureClaimed) and fact.escoba:
                    escobas[names[fact.seat]] += 1
                    sweeps.append((len(CardSet.of([*fact.captured, fact.card])), names[fact.seat]))
                elif isinstance(fact, OpeningTaken):
                    escobas[names[fact.seat]] += fact.escobas
            if len(match.scores) > len(leads):
                leads.append(match.totals)
        assert match.winner is not None
        wins[names[match.winner]] += 1
        behind.append(max(totals[1 - match.winner] - totals[match.winner] for totals in leads))
    largest = max(sweeps, default=(0, ""))[0]
    return wins, escobas, largest, {name for size, name in sweeps if size == largest}, max(behind)


@pytest.mark.parametrize("seed", thorough_but(range(100), *range(4)))
def test_the_facts_on_a_card_are_those_of_the_moves(seed: int) -> None:
    evening = simulated(seed)
    told = Evening.of((ToldMatch.of(past, events) for past, events in evening), {})
    wins, escobas, largest, sweepers, behind = recounted(evening)
    assert [score.wins for _, score in told.scores] == [tuple(wins[seat.name] for [seat] in told.scores[0][0])]
    for counts, named in ((wins, told.kings), (escobas, told.sweepers)):
        most = {name for name in ("Ana", "Bea") if counts[name] == max(counts.values(), default=0)}
        assert {seat.name for seat in named} == (most if len(most) == 1 else set())
    assert told.escobas == max(escobas.values(), default=0)
    assert (0 if told.sweep is None else len(told.sweep.cards)) == largest
    if told.sweeper is not None:
        assert told.sweeper.name in sweepers
    assert told.behind == max(0, behind)
    assert bool(told.risen) == (told.behind > 0)


def test_a_drawn_match_of_one_round_has_no_king() -> None:
    lobby: list[LogEvent] = [Opened(ANA, Config()), Joined(BEA)]
    events = [*lobby, *match_events("escoba", target=5)]
    told = Evening.of((ToldMatch.of(past(0, 1, None), each) for each in (events, events)), {})
    assert told.kings == ()
    assert told.risen == ()
    assert [score for _, score in told.scores] == [Score((0, 0), 2)]


def test_namesakes_are_told_apart_on_the_card() -> None:
    events = log_events("escoba", [ANA, Person(BEA.id, ANA.name)], target=5)
    told = Evening.of([ToldMatch.of(past(0, 1), events)], {})
    assert len({seat.name for seat in told.matches[0].seats}) == 2


def test_the_card_of_the_longest_evening_fits() -> None:
    told: list[ToldMatch] = []
    for number in range(25):
        people = [Person(100 + 2 * number + seat, f"{number}{seat}" + "_*" * 14) for seat in range(2)]
        events = log_events("escoba", people, target=5)
        match = ToldMatch.of(past(number, 1), events)
        again = (ANA, BEA) if number > 22 else people
        seats = tuple(Seat(who.name, person_id=who.id) for who in again)
        sides = tuple(frozenset({who.id}) for who in again)
        told.append(replace(match, seats=seats, past=replace(match.past, game_id=number, outcome=Outcome(sides, 0))))
    votes = {number: {1: {LARGEST - user: user % 2 for user in range(80)}} for number in range(25)}
    layout = evening_layout(Evening.of(told, votes), EN)
    assert not troubles(layout)
    lines = [line for line in words_of(layout).splitlines() if " – " in line and "**" in line]
    assert len(lines) == 5
    assert "Ana **2 – 0** Bea" in lines[0]
    assert "… and 19 more" in words_of(layout)
    assert words_of(layout).count("<@") == 5
    assert "… and 35 more" in words_of(layout)
