"""Logs of events: values, entries, and the people named in them.

Every later version must read what is written here, and an older one must notice what it doesn't know. So rename no
field, give new ones a default, and never change a default: a field at its default isn't written, so that older versions
can read all that doesn't use it. Only values with a notation of their own are always written: their defaults may
change.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache, cached_property
from types import UnionType
from typing import Any, Final, Generic, Protocol, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from bot.platform.people import Person


class CodecError(Exception):
    """Stored text can't be read: it is damaged, or `WrittenByNewer`."""


class WrittenByNewer(CodecError):
    """Stored text has a kind, a field or a value that this version doesn't know, so a newer one has written it.

    It is sound: it stays as it is until a newer version reads it.
    """


_NO_PLACE: Final = "invited"
"""The field with people who hold no place: nobody stands in for one who is removed from it."""


def named_in(value: object) -> Iterator[Person]:
    """The people whom an event or a state names, as often as it does."""
    if isinstance(value, Person):
        yield value
    elif isinstance(value, tuple):
        for part in value:  # pyright: ignore[reportUnknownVariableType] - of whatever
            yield from named_in(part)  # pyright: ignore[reportUnknownArgumentType]
    elif is_dataclass(value):
        for field in fields(value):
            yield from named_in(getattr(value, field.name))


def people_of(events: Iterable[object]) -> list[int]:
    """The ids of the people whom events name, each once."""
    return list(dict.fromkeys(person.id for event in events for person in named_in(event)))


def without_person(person_id: int, stand_in: Person, body: str) -> str | None:
    """The JSON of an event with a stand-in in a person's place; None if it doesn't name the person, or so already.

    This doesn't depend on the event's kind, so that it also works for one that a newer version has written: people are
    objects with an `id` and a `name`, or the value of a `person_id`.
    """

    def replaced(value: Any) -> Any:
        if isinstance(value, list):
            return [replaced(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
        if not isinstance(value, dict):
            return value
        found: dict[str, Any] = {key: replaced(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
        if found.get("person_id") == person_id:
            found["person_id"] = stand_in.id
        if found.get("id") == person_id and "name" in found:
            found |= {"id": stand_in.id, "name": stand_in.name}
        if stand_in.id != person_id and isinstance(invited := found.get(_NO_PLACE), list):
            gone = replaced({"id": person_id, "name": ""})
            found[_NO_PLACE] = [None if guest == gone else guest for guest in invited]  # pyright: ignore[reportUnknownVariableType]
        return found

    before = json.loads(body)
    after = replaced(before)
    return None if after == before else json.dumps(after, ensure_ascii=False, separators=(",", ":"))


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Notation:
    """A notation for values: `parse` reads what `format` has written."""

    format: Callable[[Any], str]
    parse: Callable[[str], Any]


@dataclass(frozen=True)
class Values:
    """Writes and reads values, some of which have notations of their own.

    Attributes:
        notations: the notations of values, by the types of the fields that hold them.
        unknown: the errors with which a notation says that a newer version has written a text.
    """

    notations: Mapping[Any, Notation]
    unknown: tuple[type[Exception], ...] = ()

    def write(self, value: object) -> str:
        """A dataclass as JSON, in one line."""
        return json.dumps(self._plain(value), ensure_ascii=False, separators=(",", ":"))

    def read(self, wanted: type[T], text: str) -> T:
        """The value that `write` has written.

        Raises:
            WrittenByNewer: if it has a field or a value that this version doesn't know.
            CodecError: if it can't be read otherwise.
        """
        return self.parsed(wanted.__name__, lambda: self._built(wanted, json.loads(text)))

    def parsed(self, what: str, parse: Callable[[], T]) -> T:
        """Return what `parse` returns, with its errors turned into those of a codec.

        Their messages hold no stored text.
        """
        try:
            return parse()
        except CodecError:
            raise
        except self.unknown as error:
            raise WrittenByNewer(f"a newer version has written a {what}") from error
        except Exception as error:  # damaged text may raise anything
            raise CodecError(f"a {what} can't be read: {type(error).__name__}") from error

    def _plain(self, value: Any) -> Any:
        if is_dataclass(value):
            hints, found = _hints(type(value)), dict[str, Any]()
            for field in fields(value):
                own, notation = getattr(value, field.name), self.notations.get(hints[field.name])
                if notation is not None:
                    found[field.name] = notation.format(own)
                elif own != field.default:
                    found[field.name] = self._plain(own)
            return found
        if isinstance(value, StrEnum):
            return value.value
        return [self._plain(item) for item in value] if isinstance(value, tuple) else value  # pyright: ignore[reportUnknownVariableType]

    def _built(self, wanted: Any, value: Any) -> Any:
        """The value of the `wanted` type from what `_plain` made of it."""
        if wanted in self.notations:
            return self.notations[wanted].parse(_typed(str, value))
        origin, arguments = get_origin(wanted), get_args(wanted)
        if origin in (Union, UnionType):
            [some] = [argument for argument in arguments if argument is not type(None)]
            return None if value is None else self._built(some, value)
        if origin is tuple:
            kinds = [arguments[0]] * len(value) if arguments[-1] is Ellipsis else arguments
            return tuple(self._built(kind, item) for kind, item in zip(kinds, value, strict=True))
        if is_dataclass(wanted):
            hints = _hints(wanted)
            if unknown := value.keys() - hints.keys():
                raise WrittenByNewer(f"{len(unknown)} fields that aren't known")
            if missing := [name for name, hint in hints.items() if hint in self.notations and name not in value]:
                raise TypeError(f"{missing[0]} is missing")
            return cast("Any", wanted)(**{name: self._built(hints[name], item) for name, item in value.items()})
        if issubclass(wanted, StrEnum):
            try:
                return wanted(_typed(str, value))
            except ValueError:
                raise WrittenByNewer(f"a {wanted.__name__} that isn't known") from None
        return _typed(wanted, value)


def _typed(wanted: type[T], value: Any) -> T:
    if not isinstance(value, wanted):
        raise TypeError(f"not {wanted.__name__}")
    return value


@cache
def _hints(wanted: Any) -> dict[str, Any]:
    return get_type_hints(wanted, include_extras=True)


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
        stored_as.get(event, re.sub(r"\B[A-Z]", r"_\g<0>", event.__name__).lower()): event for event in get_args(events)
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
