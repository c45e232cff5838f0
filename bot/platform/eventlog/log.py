"""A sort of log: the kinds of its entries, and the state that they add up to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar, get_args

from bot.platform.eventlog.errors import CodecError, WrittenByNewer
from bot.platform.eventlog.people import without_person
from bot.platform.eventlog.values import Notation, Values
from bot.platform.people.person import Person


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry of a log. `version` counts from 1 in each log."""

    version: int
    kind: str
    body: str
    at: datetime


class Versioned(Protocol):
    """A state that knows how many events it is made of."""

    @property
    def version(self) -> int: ...


E = TypeVar("E")
S = TypeVar("S", bound=Versioned)


def kinds_of(events: Any, stored_as: Mapping[type[Any], str]) -> dict[str, type[Any]]:
    """The dataclasses of a union of events by the kinds under which they are stored: their names, if no others are."""
    return {
        stored_as.get(each, re.sub(r"\B[A-Z]", r"_\g<0>", each.__name__).lower()): each for each in get_args(events)
    }


@dataclass(frozen=True)
class EventLog(Generic[E, S]):
    """A sort of log.

    Attributes:
        kinds: the events' dataclasses by the kind under which they are stored. A log begins with an event of the first.
        begin: the state that such an event makes.
        apply_all: the state after further events.
        values: how the events are written in JSON.
        notations: how events of further kinds are written instead.
    """

    kinds: Mapping[str, type[Any]]
    begin: Callable[[Any], S]
    apply_all: Callable[[S, Iterable[E]], S]
    values: Values
    notations: Mapping[str, Notation]

    @cached_property
    def _names(self) -> dict[type[Any], str]:
        return {event: kind for kind, event in self.kinds.items()}

    def encode(self, event: E) -> tuple[str, str]:
        """The kind and the body under which an event is stored."""
        kind = self._names.get(type(event))
        if kind is not None:
            return kind, self.values.write(event)
        [(kind, notation)] = self.notations.items()
        return kind, notation.format(event)

    def decode(self, kind: str, body: str) -> E:
        """The event of a stored kind and body.

        Raises:
            WrittenByNewer: if this version doesn't know the kind, or something in the body.
            CodecError: if it can't be read otherwise.
        """
        if kind in self.kinds:
            return self.values.read(self.kinds[kind], body)
        if kind in self.notations:
            return self.values.parsed(kind, lambda: self.notations[kind].parse(body))
        raise (WrittenByNewer if kind.isidentifier() else CodecError)(f"no such kind of entry: {kind[:20]}")

    def entries(self, events: Sequence[E], at: datetime, *, after: int = 0) -> list[LogEntry]:
        """Events as entries that follow the version `after`."""
        return [LogEntry(version, *self.encode(event), at) for version, event in enumerate(events, after + 1)]

    def events(self, entries: Iterable[LogEntry]) -> list[E]:
        """The events of stored entries; errors as for `decode`."""
        return [self.decode(entry.kind, entry.body) for entry in entries]

    def fold(self, events: Iterable[E]) -> S:
        """The state that a log's events add up to.

        Raises:
            CodecError: if they don't begin as a log does.
            Exception: if one isn't possible where it stands.
        """
        rest = iter(events)
        first = next(rest, None)
        if not isinstance(first, next(iter(self.kinds.values()))):
            raise CodecError("the log has no beginning")
        return self.apply_all(self.begin(first), rest)

    def states(self, events: Iterable[E]) -> Iterator[tuple[E, S | None, S]]:
        """Each event with the state before it (None before the first) and after it; errors as for `fold`."""
        before: S | None = None
        for event in events:
            after = self.fold([event]) if before is None else self.apply_all(before, [event])
            yield event, before, after
            before = after

    def replayed(self, entries: Sequence[LogEntry]) -> S:
        """The state that a stored log adds up to; errors as for `decode` and `fold`, or if an entry is missing."""
        return self.fold_all(entries, self.events(entries))

    def fold_all(self, entries: Sequence[LogEntry], events: Iterable[E]) -> S:
        """Like `replayed`, if the events of the entries are known already."""
        state = self.fold(events)
        if state.version != entries[-1].version:
            raise CodecError("entries are missing")
        return state

    def rewritten(self, person_id: int, stand_in: Person, kind: str, body: str) -> str | None:
        """The body of an entry with a stand-in in a person's place; None if it doesn't name the person.

        A body that nobody can read is emptied, since it may name them; one of a newer version only if it isn't JSON.
        """
        if kind in self.notations:
            return None
        try:
            self.decode(kind, body)
        except CodecError as error:
            if not isinstance(error, WrittenByNewer):
                return "{}"
        try:
            return without_person(person_id, stand_in, body)
        except ValueError:
            return "{}"
