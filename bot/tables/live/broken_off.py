"""Rated matches of a server that ended early and that nobody has won, for those who may manage the server."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.engine.views import PublicView, public_view
from bot.platform.database.continuing import read_log
from bot.platform.eventlog.errors import CodecError
from bot.platform.people.namesakes import told_apart
from bot.tables.log.codec import LOG
from bot.tables.log.events import Phase
from bot.tables.log.seats import Seat
from bot.tables.store.logs import Games

log = logging.getLogger(__name__)

MOST: Final = 10
"""Most matches that are listed."""


@dataclass(frozen=True, slots=True)
class BrokenOff:
    """A rated match that ended early.

    Attributes:
        at: when.
        channel_id: where it was played.
        phase: how it ended.
        ended_by: the name of the person who ended it, if one did.
        seats: who played.
        match: the score.
        left: the seats whose people had left before, and have lost.
    """

    at: datetime
    channel_id: int
    phase: Phase
    ended_by: str | None
    seats: tuple[Seat, ...]
    match: PublicView
    left: frozenset[int]


async def broken_off(games: Games, guild_id: int) -> list[BrokenOff]:
    """Read the latest such matches whose logs are still kept, the latest first.

    Raises StoreError if they can't be read.
    """
    ids = await games.broken_off(guild_id, MOST)
    logs = await games.with_logs(ids)
    found: list[BrokenOff] = []
    for row, entries in (logs[game_id] for game_id in ids if game_id in logs):
        if not entries or row.closed_at is None:
            continue
        try:
            state = await read_log(LOG.replayed, entries)
        except CodecError as error:
            log.warning("Game %s, which was broken off, can't be read: %s", row.id, error)
            continue
        channel_id = state.thread_id or row.channel_id
        if state.match is not None and channel_id is not None:
            seats, by = told_apart(state.seats), state.ended_by
            name = None if by is None else next((each.name for each in seats if each.person_id == by.id), by.name)
            match = public_view(state.match)
            found.append(BrokenOff(row.closed_at, channel_id, state.phase, name, seats, match, state.forfeits))
    return found
