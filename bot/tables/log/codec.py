"""A table's log as text: events of the match in the engine's notation, the others as JSON (`bot.platform.eventlog`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.engine.events import Event as MatchEvent
from bot.engine.events import MatchStarted
from bot.engine.notation import format_event, parse_event
from bot.platform.eventlog.log import EventLog, kinds_of
from bot.platform.eventlog.values import Notation
from bot.tables.log.events import LogEvent, PresenceChanged, TableEvent
from bot.tables.log.state import TableState, opened
from bot.tables.log.values import VALUES, known_rules

MATCH: Final = "match"
"""The kind of an entry whose body is in the engine's notation."""


def _parse(line: str) -> MatchEvent:
    event = parse_event(line)
    if isinstance(event, MatchStarted):
        known_rules(event.rules)
    return event


_STORED_AS: Final[Mapping[type[Any], str]] = {PresenceChanged: "presence"}
"""The kinds of the events whose classes have other names."""
LOG: Final = EventLog[LogEvent, TableState](
    kinds_of(TableEvent, _STORED_AS),
    opened,
    TableState.apply_all,
    VALUES,
    {MATCH: Notation(format_event, _parse)},
)
encode = LOG.encode
decode = LOG.decode
fold = LOG.fold
replayed = LOG.replayed
