"""A table's log as text: events of the match in the engine's notation, the others as JSON (`bot.platform.eventlog`)."""

from __future__ import annotations

from typing import Final

from bot.engine.events import Event as MatchEvent
from bot.engine.events import MatchStarted
from bot.engine.notation import format_event, parse_event
from bot.platform.eventlog.log import EventLog
from bot.platform.eventlog.values import Notation
from bot.tables.log.events import (
    Closed,
    ComputerAdded,
    ComputerRemoved,
    Configured,
    GuestsChosen,
    Joined,
    LeftLobby,
    LogEvent,
    Moved,
    Opened,
    PresenceChanged,
    Reacted,
    Swapped,
    TakenOff,
    TurnMissed,
)
from bot.tables.log.state import TableState, opened
from bot.tables.log.topics import Paused, QuestionAnswered, QuestionAsked, QuestionLapsed, Resumed, SeatTaken
from bot.tables.log.values import VALUES, known_rules

MATCH: Final = "match"
"""The kind of an entry whose body is in the engine's notation."""


def _parse(line: str) -> MatchEvent:
    event = parse_event(line)
    if isinstance(event, MatchStarted):
        known_rules(event.rules)
    return event


LOG: Final = EventLog[LogEvent, TableState](
    {
        "opened": Opened,
        "guests_chosen": GuestsChosen,
        "taken_off": TakenOff,
        "moved": Moved,
        "joined": Joined,
        "left_lobby": LeftLobby,
        "computer_added": ComputerAdded,
        "computer_removed": ComputerRemoved,
        "swapped": Swapped,
        "configured": Configured,
        "presence": PresenceChanged,
        "turn_missed": TurnMissed,
        "reacted": Reacted,
        "question_asked": QuestionAsked,
        "question_answered": QuestionAnswered,
        "question_lapsed": QuestionLapsed,
        "paused": Paused,
        "resumed": Resumed,
        "seat_taken": SeatTaken,
        "closed": Closed,
    },
    opened,
    TableState.apply_all,
    VALUES,
    {MATCH: Notation(format_event, _parse)},
)
encode = LOG.encode
decode = LOG.decode
fold = LOG.fold
replayed = LOG.replayed
