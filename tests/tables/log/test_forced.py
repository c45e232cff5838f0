"""Forced cards: where a turn leaves one legal move, a slow match makes it at once, and the log says so."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.events import MatchStarted, Played, RoundDealt
from bot.engine.match import Match, replay, start
from bot.engine.match_file import MatchFile, read, write
from bot.engine.moves import Play
from bot.engine.notation import format_event, parse_event
from bot.engine.rules import PRESETS, Duty, Seating
from bot.tables.log.change import Change
from bot.tables.log.codec import encode
from bot.tables.log.events import Config, Configured, LogEvent, Opened, PresenceChanged, TurnMissed
from bot.tables.log.history import recap
from bot.tables.log.state import TableState
from tests.support.engine import COMBOS
from tests.support.tables.kit import ANA, BEA, PEOPLE, Stacked, config_of, playing, the_match
from tests.tables.log.test_history import Log

few = settings(max_examples=15)
"""A round is long."""
seeds = st.integers(0, 10_000)
COMPULSORY = [name for name, preset in PRESETS.items() if preset.rules.duty is Duty.COMPULSORY]
OTHERS = [name for name in PRESETS if name not in COMPULSORY]


def played_on(state: TableState, random: Random, *, most: int = 200) -> tuple[TableState, list[LogEvent]]:
    """The rest of a round in which every decision is made by lot and no forced card waits."""
    events: list[LogEvent] = []
    while (match := the_match(state)).turn is not None and len(events) < most:
        change = Change(state).then([match.event_of(random.choice(match.legal_moves()))]).with_forced()
        state, events = change.state, [*events, *change.events]
    return state, events


def round_of(preset: str, seed: int, *, forced: bool = True) -> tuple[TableState, list[LogEvent]]:
    state = playing(ANA, BEA, config=replace(config_of(preset), forced=forced), chance=Stacked(seed))
    return played_on(state, Random(seed))


def forced_in(events: Iterable[LogEvent]) -> list[Played]:
    return [event for event in events if isinstance(event, Played) and event.forced]


def before_each(state: TableState, events: Sequence[LogEvent]) -> list[tuple[Match, LogEvent]]:
    found: list[tuple[Match, LogEvent]] = []
    for event in events:
        found.append((the_match(state), event))
        state = state.apply(event)
    return found


@pytest.mark.parametrize("preset", COMPULSORY)
@few
@given(seed=seeds)
def test_a_card_plays_itself_exactly_if_nothing_else_is_legal(preset: str, seed: int):
    begun = playing(ANA, BEA, config=config_of(preset), chance=Stacked(seed))
    _, events = played_on(begun, Random(seed))
    assert forced_in(events)
    for match, event in before_each(begun, events):
        forced = isinstance(event, Played) and event.forced
        moves = match.legal_moves()
        assert forced == (len(moves) == 1), (match.version, moves)
        assert forced == (match.forced is not None)
        if forced:
            assert match.event_of(moves[0]) == replace(event, forced=False)


@pytest.mark.parametrize("preset", OTHERS)
@few
@given(seed=seeds)
def test_where_capturing_is_not_compulsory_no_card_plays_itself(preset: str, seed: int):
    people = 4 if PRESETS[preset].seatings[0].seats == 4 else 2
    state = playing(*PEOPLE[:people], config=config_of(preset), chance=Stacked(seed))
    assert forced_in(played_on(state, Random(seed))[1]) == []


@few
@given(seed=seeds)
def test_a_lobby_may_do_without(seed: int):
    assert forced_in(round_of("escoba", seed, forced=False)[1]) == []


@few
@given(seed=seeds)
def test_whoever_may_still_sing_is_never_passed_over(seed: int):
    begun = playing(ANA, BEA, config=config_of("chorizo"), chance=Stacked(seed))
    for match, event in before_each(begun, played_on(begun, Random(seed))[1]):
        if isinstance(event, Played) and event.forced:
            assert match.round is not None
            assert not match.round.singable()


@pytest.mark.parametrize(("preset", "seating"), [combo for combo in COMBOS if combo[0] in COMPULSORY])
@few
@given(seed=seeds)
def test_it_is_the_match_that_people_would_have_played_by_hand(preset: str, seating: Seating, seed: int):
    random = Random(seed)
    events = [MatchStarted(PRESETS[preset].rules, seating, 0), RoundDealt(Stacked(seed).deck(1, 1))]
    match = start(events[0]).apply(events[1])  # type: ignore[arg-type]
    while match.turn is not None:
        events.append(match.forced or match.event_of(random.choice(match.legal_moves())))  # type: ignore[arg-type]
        match = match.apply(events[-1])
    by_hand = [replace(event, forced=False) if isinstance(event, Played) else event for event in events]
    after = replay(by_hand)
    assert (after.scores, after.totals, after.round and after.round.piles) == (
        match.scores,
        match.totals,
        match.round and match.round.piles,
    )
    # The text of each line up to the "#" is all that a bot before 1.1 reads.
    assert [parse_event(format_event(event).partition("#")[0]) for event in events] == by_hand
    assert list(map(parse_event, map(format_event, events))) == events
    file = MatchFile(preset, tuple("abcdef"[: seating.seats]), tuple(events))
    assert read(write(file)) == file
    older = "\n".join(line if line.startswith("seat ") else line.partition("#")[0] for line in write(file).split("\n"))
    assert read(older).events == tuple(by_hand)


def test_the_choice_is_written_only_where_it_is_not_the_usual_one():
    """1.0 reads all lobbies but those that want to do without."""
    assert "forced" not in encode(Opened(ANA, Config()))[1]
    assert '"forced":false' in encode(Configured(replace(Config(), forced=False)))[1]


def test_whoever_sits_there_is_asked_about_it():
    assert replace(Config(), forced=False).needs_ok(Config())


def _until_forced(log: Log) -> list[LogEvent]:
    """Play first legal moves, without the cards that play themselves, until one would."""
    while the_match(log.state).forced is None:
        log.play()
    found = the_match(log.state).forced
    assert found is not None
    return [found]


def test_a_forced_card_ends_no_row_of_missed_turns():
    log = Log()
    log.begin()
    [forced] = _until_forced(log)
    assert isinstance(forced, Played)
    log.state = replace(log.state, missed=(forced.seat, forced.seat))
    assert log.state.apply(forced).missed == (forced.seat, forced.seat)
    assert log.state.apply(replace(forced, forced=False)).missed == ()


def test_it_is_no_sign_of_its_person_and_no_look_at_the_match():
    log = Log()
    log.begin()
    [forced] = _until_forced(log)
    assert isinstance(forced, Played)
    acted_at = log.history().person_acted_at
    log.add(forced)
    assert log.history().person_acted_at == acted_at
    assert recap(log.entries, forced.seat, None)[-1].fact in the_match(log.state).facts


def test_somebody_elses_missed_turn_makes_nobodys_card_play_itself():
    """Only after a move: a log of 1.0 goes on as it was written."""
    log = Log()
    log.begin()
    [forced] = _until_forced(log)
    assert isinstance(forced, Played)
    for event in (TurnMissed(forced.seat), PresenceChanged(forced.seat, log.state.seats[0].presence)):
        assert Change(log.state).then([event]).with_forced().events == (event,)


def test_a_move_marked_so_is_made_like_any_other():
    log = Log()
    log.begin()
    match = the_match(log.state)
    move = next(each for each in match.legal_moves() if isinstance(each, Play))
    event = match.event_of(move)
    assert isinstance(event, Played)
    assert match.apply(replace(event, forced=True)).round == replace(
        match.apply(event).round,  # type: ignore[type-var]
        plays=match.apply(replace(event, forced=True)).round.plays,  # type: ignore[union-attr]
    )
