"""The writing and reading of custom_ids: one codec for all references, by the fields that they declare.

``<kind>:<verb>[:<field>...]``. A reference is a frozen dataclass. Its fields are numbers (in base 36), enums, truth
values, days, and whatever says by `Annotated` how it is written. A field whose default is empty (None, "" or ()) may
be left out at the end.

Everything that a button needs is in its custom_id, so it still works after a restart. Anybody can send any custom_id:
one that wasn't written here refers to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from enum import Enum, StrEnum
from functools import cache
from types import UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Generic,
    Self,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

LARGEST: Final = 2**63 - 1
"""The largest number that the database can hold."""
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def base36(number: int) -> str:
    """Format a number of at least 0 in base 36."""
    if number < 0:
        raise ValueError("custom_ids have no negative numbers")
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"


def number_in(text: str, most: int = LARGEST, *, base: int = 10) -> int | None:
    """Parse a number of at least 0; None if the text is anything else, or more than `most`.

    Only the plain digits count: `int` also accepts signs, spaces, underscores and other scripts' digits.

    >>> number_in("15"), number_in("1f", base=36), number_in("102", 101), number_in("²"), number_in("-1")
    (15, 51, None, None, None)
    """
    digits = _DIGITS[:base]
    if not text or len(text) > len(str(most)) or any(letter not in digits for letter in text):
        return None
    number = int(text, base)
    return number if number <= most else None


LONGEST: Final = 100
"""Discord's limit for a custom_id."""
V = TypeVar("V", bound=str)


class Verbs(StrEnum):
    """The verbs of a kind of custom_id, each declared with what holds for it: `JOIN = "join", PUBLIC`."""

    marks: frozenset[Enum]

    def __new__(cls, verb: str, *marks: Enum) -> Self:
        self = str.__new__(cls, verb)
        self._value_, self.marks = verb, frozenset(marks)
        return self

    @classmethod
    def marked(cls, mark: Enum) -> tuple[Self, ...]:
        """The verbs for which something holds, in order."""
        return tuple(verb for verb in cls if mark in verb.marks)


class Mark(Enum):
    """Something that holds for a verb."""

    PUBLIC = "public"
    """Its buttons are on messages for everybody; those of all others are on private ones only."""


PUBLIC: Final = Mark.PUBLIC


@dataclass(frozen=True, slots=True)
class Number:
    """A number from 0 to `most`."""

    most: int = LARGEST

    @property
    def longest(self) -> int:
        return len(base36(self.most))

    def write(self, value: int) -> str:
        if value > self.most:
            raise ValueError(f"{value} is more than {self.most}")
        return base36(value)

    def read(self, text: str) -> int:
        number = number_in(text, self.most, base=36)
        if number is None:
            raise ValueError("no such number")
        return number


@dataclass(frozen=True, slots=True)
class Text:
    """A text that matches a pattern and has at most `longest` characters. No pattern may allow a colon."""

    pattern: str
    longest: int

    def write(self, value: str) -> str:
        return self.read(value)

    def read(self, text: str) -> str:
        if len(text) > self.longest or not re.fullmatch(self.pattern, text):
            raise ValueError("no such text")
        return text


@dataclass(frozen=True)
class OneOf:
    """One of several values, by the texts that stand for them."""

    values: Mapping[str, Any]

    @classmethod
    def these(cls, values: Collection[str | int]) -> OneOf:
        """Texts as they are, and numbers in base 36."""
        return cls({base36(value) if isinstance(value, int) else value: value for value in values})

    @property
    def longest(self) -> int:
        return max(map(len, self.values))

    def write(self, value: Any) -> str:
        return next(text for text, meant in self.values.items() if meant == value)

    def read(self, text: str) -> Any:
        if text not in self.values:
            raise ValueError("no such value")
        return self.values[text]


@dataclass(frozen=True, slots=True)
class Day:
    """A day of this century."""

    longest: int = len("20260314")

    def write(self, value: date) -> str:
        return f"{value:%Y%m%d}"

    def read(self, text: str) -> date:
        if not re.fullmatch("20[0-9]{6}", text):
            raise ValueError("no such day")
        return date.fromisoformat(f"{text[:4]}-{text[4:6]}-{text[6:]}")


@dataclass(frozen=True, slots=True)
class Several:
    """Up to `most` parts of one sort, at the end of a custom_id."""

    of: Part
    most: int

    @property
    def longest(self) -> int:
        return self.most * (self.of.longest + 1) - 1

    def write(self, value: Collection[Any]) -> str:
        if len(value) > self.most:
            raise ValueError(f"more than {self.most} parts")
        return ":".join(map(self.of.write, value))

    def read(self, text: str) -> tuple[Any, ...]:
        found = tuple(map(self.of.read, text.split(":")))
        if len(found) > self.most:
            raise ValueError("too many parts")
        return found


Part: TypeAlias = Number | Text | OneOf | Day | Several
"""The way a field is written. `longest` is the greatest length of its text; `read` and `write` raise ValueError for
what it can't be."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a reference, with its default, which is MISSING if it has none.

    `optional`: whether it may be left out, because its default is empty.
    """

    name: str
    part: Part
    default: Any
    optional: bool


@dataclass(frozen=True, slots=True)
class Reference(Generic[V]):
    """The thing that a button or menu refers to.

    A subclass may refuse values that don't go together with ValueError in `__post_init__`.

    Attributes:
        kind: begins its custom_ids.
        verbs: what can be asked for; kinds may be shared by references whose verbs differ.
    """

    kind: ClassVar[str]
    verbs: ClassVar[Collection[str]]

    def custom_id(self, verb: V) -> str:
        """Write the custom_id of a button or menu that asks for something."""
        return written(self, verb)

    @classmethod
    def read(cls, parts: Sequence[str]) -> Self | None:
        """Read the parts of a custom_id that follow its verb; None if they are malformed."""
        known = fields_of(cls)
        texts = ":".join(parts).split(":", len(known) - 1) if parts else []  # the last field takes the rest
        if len(texts) > len(known) or not all(field.optional for field in known[len(texts) :]) or texts[-1:] == [""]:
            return None
        try:
            return cls(*(field.part.read(text) for field, text in zip(known, texts, strict=False)))
        except ValueError:
            return None


def written(ref: Reference[Any], verb: str) -> str:
    """The custom_id of a button or menu that asks for something about a reference.

    Raises:
        ValueError: if a field has a value that can't be written.
    """
    text = f"{ref.kind}:{verb}"
    for field in fields_of(type(ref)):
        value = getattr(ref, field.name)
        text += ":" if field.optional and value == field.default else f":{field.part.write(value)}"
    return text.rstrip(":")


@cache
def fields_of(reference: type[Reference[Any]]) -> tuple[Field, ...]:
    """The fields of a reference, in the order in which they are written."""
    hints = get_type_hints(reference, include_extras=True)
    return tuple(
        Field(field.name, _part_of(hints[field.name]), field.default, optional=field.default in (None, "", ()))
        for field in fields(reference)
    )


def longest_of(reference: type[Reference[Any]]) -> int:
    """The length of the longest custom_id that a reference can have."""
    parts = [len(reference.kind), max(map(len, reference.verbs)), *(each.part.longest for each in fields_of(reference))]
    return sum(parts) + len(parts) - 1


def _part_of(hint: Any) -> Part:
    """Find how a field of this type is written."""
    if get_origin(hint) is Annotated:
        return hint.__metadata__[0]
    if get_origin(hint) is UnionType:
        return _part_of(get_args(hint)[0])
    if hint is bool:
        return OneOf({"0": False, "1": True})
    if hint is int:
        return Number()
    if hint is date:
        return Day()
    if issubclass(hint, StrEnum):
        return OneOf({member.value: member for member in hint})
    raise TypeError(f"no custom_id can carry {hint}")
