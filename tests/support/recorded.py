"""Finished matches as they are stored, made without clicks."""

from collections.abc import Sequence
from datetime import datetime
from random import Random

from bot.engine.cards import DECK
from bot.engine.events import Event, Laid, MatchStarted, RoundDealt
from bot.engine.match import start
from bot.engine.moves import Play, Stage
from bot.engine.rules import PRESETS, Duty
from bot.engine.views import seat_view
from bot.platform.eventlog import LogEntry, people_of
from bot.platform.people import Person
from bot.players import Level, choose
from bot.process.stores import Stores
from bot.tables.live.result import result_of
from bot.tables.log.codec import encode, fold
from bot.tables.log.events import Config, Joined, LogEvent, Opened

TARGET = 11


def match_events(preset: str, level: Level = Level.EASY, seed: int = 1, target: int = TARGET) -> list[Event]:
    """A match that computers of a level play in the preset's first seating; cards with several captures are laid."""
    rng = Random(seed)
    config = Config.of_preset(preset, target=target)
    started = MatchStarted(config.rules, PRESETS[preset].seatings[0], 0)
    events: list[Event] = [started]
    match = start(started)
    while match.stage is not Stage.OVER:
        if match.stage is Stage.TO_DEAL:
            new: list[Event] = [RoundDealt(tuple(rng.sample(DECK, len(DECK))))]
        else:
            assert match.turn is not None
            view = seat_view(match, match.turn)
            move = choose(view, level, rng)
            new = [match.event_of(move)]
            several = isinstance(move, Play) and len(match.round.captures_of(move.card)) > 1  # type: ignore[union-attr]
            if several and match.rules.duty is Duty.COMPULSORY:
                new.insert(0, Laid(match.turn, move.card))  # type: ignore[union-attr]
        for event in new:
            match = match.apply(event)
        events += new
    return events


def log_events(
    preset: str, people: Sequence[Person], level: Level = Level.EASY, seed: int = 1, target: int = TARGET
) -> list[LogEvent]:
    """The whole log of such a match, with people in the first seats; the caller must give enough people."""
    config = Config.of_preset(preset, target=target)
    return [Opened(people[0], config), *map(Joined, people[1:]), *match_events(preset, level, seed, target)]


async def store_log(store: Stores, guild_id: int, channel_id: int, events: Sequence[LogEvent], at: datetime) -> int:
    """Store a log with its result; returns the game's number."""
    entries = [LogEntry(version, *encode(event), at) for version, event in enumerate(events, 1)]
    opened = events[0]
    assert isinstance(opened, Opened)
    row = await store.games.open(
        guild_id=guild_id,
        channel_id=channel_id,
        opener_id=opened.opener.id,
        locale="en",
        at=at,
        entries=entries[:-1],
        joined=people_of(events),
    )
    result = result_of(fold(events), guild_id=guild_id, channel_id=channel_id, ended_at=at)
    assert result is not None, "it is over"
    await store.games.append(row.id, entries[-1:], result=result, close=True)
    return row.id
