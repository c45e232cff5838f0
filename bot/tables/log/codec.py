"""The log's events, and the values in them, as text."""

from collections.abc import Mapping
from typing import Any, Final

from bot.engine.errors import UnknownNotation
from bot.engine.events import Event as MatchEvent
from bot.engine.events import MatchStarted
from bot.engine.notation import format_event, format_rules, parse_event, parse_rules
from bot.engine.rules import PRESETS, PresetName, Rules
from bot.platform.eventlog import EventLog, Notation, Values, WrittenByNewer, kinds_of
from bot.tables.log.events import LogEvent, PresenceChanged, TableEvent
from bot.tables.log.state import TableState, opened


def known_rules(rules: Rules) -> Rules:
    """The rules themselves. Raises WrittenByNewer if a number in them is out of the range that this version knows."""
    if rules.out_of_range():
        raise WrittenByNewer("rules with a number out of range")
    return rules


def _preset(name: str) -> str:
    if name not in PRESETS:
        raise WrittenByNewer("a preset that isn't known")
    return name


VALUES: Final = Values(
    {
        Rules: Notation(format_rules, lambda text: known_rules(parse_rules(text.split()))),
        PresetName: Notation(str, _preset),
    },
    (UnknownNotation,),
)


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
