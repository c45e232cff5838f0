"""A stored match as a file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC

from bot.engine.events import Event
from bot.engine.files.match_file import MatchFile, one_line
from bot.engine.proofs import Proof
from bot.platform.eventlog.errors import CodecError
from bot.platform.eventlog.log import LogEntry
from bot.players import PERSONAS
from bot.tables.log.codec import LOG
from bot.tables.log.seats import Seat


def match_file_of(entries: Sequence[LogEntry], proof: Proof | None = None) -> MatchFile:
    """Write the match of a log as a file, with the players' names as they were at its table.

    Args:
        entries: the whole log of a table that is closed: a match that goes on has hidden cards.
        proof: the proof of how it was dealt.

    Raises:
        CodecError: if it isn't such a log, or no match was begun.
        IllegalMove: if an event isn't legal where it stands.
    """
    events = LOG.events(entries)
    state = LOG.fold(events)
    if state.open or state.match is None:
        raise CodecError("there is no match that is over")
    return MatchFile(
        preset=state.config.preset,
        names=tuple(map(_name, state.seats)),
        events=tuple(event for event in events if isinstance(event, Event)),
        when=f"{entries[-1].at.astimezone(UTC):%Y-%m-%d %H:%M} UTC",
        proof=proof,
    )


def _name(seat: Seat) -> str:
    """Write a name as the table shows it: a computer's comes after its face."""
    return one_line(seat.name if seat.character is None else f"{PERSONAS[seat.character].face} {seat.name}")
