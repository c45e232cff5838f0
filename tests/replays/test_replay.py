"""A replay shows each moment of a finished match as it was, and nothing of a match that still goes on."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from bot.engine.cards import DECK, EMPTY
from bot.engine.events import Event, Laid
from bot.engine.rules import PRESETS
from bot.platform.eventlog import LogEntry, people_of
from bot.platform.people import Person
from bot.platform.refusals import Refusal
from bot.process.stores import Stores
from bot.replays.live.replay import Recording, Replay, recorded, replay_of, steps_of
from bot.replays.refusals import ReplayRefusal
from bot.replays.store.own_matches import OwnMatchRow, OwnSeat
from bot.tables.live.result import result_of
from bot.tables.log.codec import encode, fold
from bot.tables.log.events import Closed, LogEvent, Phase
from tests.support.databases import with_tables
from tests.support.recorded import log_events, store_log

GUILD, CHANNEL, NOON = 11, 22, datetime(2026, 3, 14, 12, tzinfo=UTC)
PEOPLE = [Person(number, name) for number, name in enumerate(("Ana", "Bea", "Ciro", "Dora"), 1)]


def recording_of(events: Sequence[LogEvent]) -> Recording:
    seats = tuple(OwnSeat(seat, seat + 1, "", False, 0, True) for seat in range(2))
    return Recording(OwnMatchRow(7, NOON, "escoba", 0, True, seats), tuple(events), fold(events).seats, played_out=True)


def match_of(preset: str, seed: int = 1) -> Recording:
    seats = PRESETS[preset].seatings[0].seats
    return recording_of(log_events(preset, PEOPLE[:seats], seed=seed))


def walk(recording: Recording) -> list[Replay]:
    """All steps, from the first to the last."""
    steps, states = steps_of(recording)
    return [Replay(recording.row, steps, place, state) for place, state in enumerate(states)]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_step_shows_all_forty_cards_once_but_for_those_to_be_dealt(preset: str) -> None:
    for replay in walk(match_of(preset)):
        now = replay.match.round
        assert now is not None
        lying = [*now.table, *(card for cards in (*replay.hands, *now.piles) for card in cards)]
        dealt = now.deck[: now.dealt]
        if now.score is not None and now.last_taker is None:
            lying += now.score.leftovers
        assert sorted(lying, key=DECK.index) == sorted(dealt, key=DECK.index)


def test_steps_lead_from_the_deal_to_the_end_one_move_at_a_time() -> None:
    recording = match_of("escoba")
    replays = walk(recording)
    assert [replay.place for replay in replays] == list(range(len(replays)))
    assert (replays[0].step.round, replays[0].step.deal, replays[0].step.dealt) == (1, 1, True)
    assert replays[-1].match.over
    held = [sum(map(len, replay.hands)) for replay in replays]
    for (before, after), replay in zip(pairwise(held), replays[1:], strict=True):
        assert after == before - 1 or replay.step.dealt
    for place in (0, 1, 20, len(replays) - 1):
        there = replay_of(recording, replays[place].step.at)
        assert there == replays[place]
        assert replay_of(recording, there.step.at, 1).place == min(place + 1, len(replays) - 1)
        assert replay_of(recording, there.step.at, -1).place == max(place - 1, 0)


def test_a_card_that_is_shown_and_its_capture_are_one_step_named_by_what_came_before() -> None:
    recording = match_of("escoba")
    events = [event for event in recording.events if isinstance(event, Event)]
    shown = [version for version, event in enumerate(events) if isinstance(event, Laid)]
    assert shown, "the match has a choice of captures"
    steps = {step.before: step for step in replay_of(recording, 0).steps}
    for version in shown:
        assert steps[version].at == version + 2
    assert all(step.at == step.before + 1 for before, step in steps.items() if before not in shown)


def test_an_unknown_step_is_the_one_before_it() -> None:
    recording = match_of("escoba")
    last = replay_of(recording, 10**9)
    assert last.place == len(last.steps) - 1
    assert replay_of(recording, 0).place == 0
    assert replay_of(recording, last.steps[4].at - 1).place == 3


def test_the_steps_with_an_escoba_are_those_that_the_match_counts() -> None:
    replays = walk(match_of("escoba", seed=4))
    told = [replay.step.escoba for replay in replays if replay.step.escoba is not None]
    assert told
    assert len(told) == sum(replays[-1].match.escobas)


def test_a_match_in_which_no_card_was_dealt_has_nothing_to_show() -> None:
    events = log_events("escoba", PEOPLE[:2])
    dealt = next(place for place, event in enumerate(events) if isinstance(event, Event)) + 1
    with pytest.raises(Refusal) as refused:
        replay_of(recording_of(events[:dealt]), 0)
    assert refused.value.code is ReplayRefusal.NO_LOG


# -------------------------------------------------------------------------------------------- from the store


async def test_only_the_players_of_a_match_get_it_and_only_on_its_server(tmp_path: Path) -> None:
    store = await Stores.open(with_tables(tmp_path / "escoba.sqlite3"))
    game = await store_log(store, GUILD, CHANNEL, log_events("escoba", PEOPLE[:2]), NOON)
    assert (await recorded(store.matches, store.games, game, GUILD, 1)).row.own == 0
    assert (await recorded(store.matches, store.games, game, GUILD, 2)).row.own == 1
    for guild_id, person_id, game_id in ((GUILD, 3, game), (GUILD + 1, 1, game), (GUILD, 1, game + 1)):
        with pytest.raises(Refusal) as refused:
            await recorded(store.matches, store.games, game_id, guild_id, person_id)
        assert refused.value.code is ReplayRefusal.NO_REPLAY
    await store.kept.drop_logs(NOON.replace(year=2030))
    with pytest.raises(Refusal) as refused:
        await recorded(store.matches, store.games, game, GUILD, 1)
    assert refused.value.code is ReplayRefusal.NO_LOG
    await store.database.close()


async def stored_until(store: Stores, events: Sequence[LogEvent]) -> int:
    """Store the beginning of a log, as a table does while it is played."""
    entries = [LogEntry(version, *encode(event), NOON) for version, event in enumerate(events, 1)]
    row = await store.games.open(
        guild_id=GUILD, channel_id=CHANNEL, opener_id=1, locale="en", at=NOON, entries=entries, joined=people_of(events)
    )
    return row.id


async def test_a_running_match_is_never_given_away_whatever_its_log_says(tmp_path: Path) -> None:
    store = await Stores.open(with_tables(tmp_path / "escoba.sqlite3"))
    events = log_events("escoba", PEOPLE[:2])
    game = await stored_until(store, events[:-5])
    with pytest.raises(Refusal) as refused:
        await recorded(store.matches, store.games, game, GUILD, 1)
    assert refused.value.code is ReplayRefusal.NO_REPLAY
    # Not even if a result of the match had got into the store.
    result = result_of(fold(events), guild_id=GUILD, channel_id=CHANNEL, ended_at=NOON)
    assert result is not None
    await store.games.append(game, [], result=replace(result, ranked=False), close=False)
    with pytest.raises(Refusal) as refused:
        await recorded(store.matches, store.games, game, GUILD, 1)
    assert refused.value.code is ReplayRefusal.NO_REPLAY
    await store.database.close()


async def test_nobody_can_replay_a_cancelled_match(tmp_path: Path) -> None:
    store = await Stores.open(with_tables(tmp_path / "escoba.sqlite3"))
    game = await stored_until(store, [*log_events("escoba", PEOPLE[:2])[:-5], Closed(Phase.CANCELLED, PEOPLE[0])])
    await store.games.append(game, [], close=True)
    with pytest.raises(Refusal) as refused:
        await recorded(store.matches, store.games, game, GUILD, 1)
    assert refused.value.code is ReplayRefusal.NO_REPLAY
    await store.database.close()


def test_no_card_lies_on_the_table_after_the_last_of_a_round() -> None:
    ends = [replay for replay in walk(match_of("escoba")) if replay.match.turn is None]
    assert len(ends) == len(ends[-1].match.scores)
    assert all(replay.public.table == EMPTY and not any(replay.hands) for replay in ends)
