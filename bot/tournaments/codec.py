"""Tournaments' events as text for the store and back: JSON objects with the fields of their dataclasses.

Every later version must read what is written here: rename no field, and give new ones a default. A field with its
default isn't written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import UnionType
from typing import Any, Final, Union, cast, get_args, get_origin, get_type_hints

from bot.club.person import Person
from bot.club.tournaments.log import (
    Announced,
    CameBack,
    CheckedIn,
    Corrected,
    Entered,
    LeftEntry,
    PartnerJoined,
    Replayed,
    RoundPaired,
    SetUp,
    StageBegan,
    TableEnded,
    TournamentEvent,
    Withdrawn,
)
from bot.club.tournaments.state import apply_all, begin
from bot.club.tournaments.tournament import Tournament
from bot.store import LogEntry

_KINDS: Final[Mapping[str, type[TournamentEvent]]] = {
    "announced": Announced,
    "set_up": SetUp,
    "entered": Entered,
    "partner_joined": PartnerJoined,
    "left": LeftEntry,
    "stage": StageBegan,
    "checked_in": CheckedIn,
    "withdrawn": Withdrawn,
    "came_back": CameBack,
    "paired": RoundPaired,
    "ended": TableEnded,
    "corrected": Corrected,
    "replayed": Replayed,
}
_NAMES: Final = {event: kind for kind, event in _KINDS.items()}


class CodecError(Exception):
    """A row of a tournament's log can't be read."""


def encode(event: TournamentEvent) -> tuple[str, str]:
    """The kind and the body under which an event is stored."""
    return _NAMES[type(event)], json.dumps(_plain(event), ensure_ascii=False, separators=(",", ":"))


def decode(kind: str, body: str) -> TournamentEvent:
    """The event of a stored kind and body.

    Raises:
        CodecError: if the kind is unknown, or the body doesn't fit it.
    """
    if kind not in _KINDS:
        raise CodecError(f"no such kind of row: {kind[:20]}")
    try:
        return _built(_KINDS[kind], json.loads(body))
    except Exception as error:
        raise CodecError(f"a {kind[:20]} row can't be read: {type(error).__name__}") from error


def replayed(entries: Iterable[LogEntry]) -> Tournament:
    """The tournament that a stored log adds up to.

    Raises:
        CodecError: if a row can't be read or one is missing.
        ValueError: if an event isn't possible where it stands.
    """
    version, events = 0, list[TournamentEvent]()
    for entry in entries:
        events.append(decode(entry.kind, entry.body))
        version = entry.version
    if not events or not isinstance(events[0], Announced):
        raise CodecError("a log begins with an announcement")
    state = apply_all(begin(events[0]), events[1:])
    if state.version != version:
        raise CodecError("entries are missing")
    return state


def people_of(events: Iterable[TournamentEvent]) -> list[int]:
    """The ids of the people whom events name, each once."""
    return list(dict.fromkeys(person.id for event in events for person in named_in(event)))


def named_in(value: object) -> Iterator[Person]:
    """The people whom an event or a tournament names, as often as it does."""
    if isinstance(value, Person):
        yield value
    elif isinstance(value, tuple):
        for each in value:  # pyright: ignore[reportUnknownVariableType] - of whatever
            yield from named_in(each)  # pyright: ignore[reportUnknownArgumentType]
    elif is_dataclass(value):
        for field in fields(value):
            yield from named_in(getattr(value, field.name))


def _plain(value: Any) -> Any:
    """A value as JSON can hold it."""
    if is_dataclass(value):
        pairs = ((field, getattr(value, field.name)) for field in fields(value))
        return {field.name: _plain(own) for field, own in pairs if own != field.default}
    if isinstance(value, StrEnum):
        return value.value
    return [_plain(each) for each in value] if isinstance(value, tuple) else value  # pyright: ignore[reportUnknownVariableType]


def _built(wanted: Any, value: Any) -> Any:
    """The value of the `wanted` type from what `_plain` made of it."""
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin in (Union, UnionType):
        [some] = [each for each in arguments if each is not type(None)]
        return None if value is None else _built(some, value)
    if origin is tuple:
        kinds = [arguments[0]] * len(value) if arguments[-1] is Ellipsis else arguments
        return tuple(_built(kind, each) for kind, each in zip(kinds, value, strict=True))
    if is_dataclass(wanted):
        hints = _hints(wanted)
        values = {name: _built(hints[name], each) for name, each in value.items()}
        return cast("Any", wanted)(**values)
    if issubclass(wanted, StrEnum):
        return wanted(value)
    if type(value) is not wanted:
        raise TypeError(f"not {wanted.__name__}")
    return value


@cache
def _hints(wanted: Any) -> dict[str, Any]:
    return get_type_hints(wanted)
