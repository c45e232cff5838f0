"""The events of a match since somebody's last look, from its stored log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.engine.cards import CardSet
from bot.engine.events import Claimed, Laid, Played, Sang
from bot.engine.facts import CardLaid, Fact
from bot.platform.eventlog.log import LogEntry
from bot.tables.log.codec import LOG


@dataclass(frozen=True, slots=True)
class Happened:
    """A fact of a match. `stand_ins`: the cards of that round that a computer had played in a person's place."""

    fact: Fact
    stand_ins: CardSet


def recap(entries: Sequence[LogEntry], seat: int, since: int | None) -> tuple[Happened, ...]:
    """List what has happened in a match since the person of a seat last looked.

    Args:
        entries: the whole log, in order.
        seat: the person's seat.
        since: the match's version then; if that isn't known, it counts from what they did last.

    Raises:
        CodecError: if a row can't be read.
        IllegalMove: if an event isn't legal where it stands.
    """
    told: list[Happened] = []
    for event, before, after in LOG.states(LOG.events(entries)):
        match = after.match
        if before is None or match is None or (before.match is not None and before.match.version == match.version):
            continue
        if told and isinstance(told[-1].fact, CardLaid):
            told.pop()  # the fact that follows says what became of that card
        if since is None or match.version > since:
            told += [Happened(fact, after.stand_ins) for fact in match.facts]
        if isinstance(event, Laid | Played | Claimed | Sang) and event.seat == seat and before.current_here:
            told.clear()
    return tuple(told)
