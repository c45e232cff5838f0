"""Values as JSON and back: dataclasses as objects with the names of their fields, enums by their values.

Every later version must read what is written here, and an older one must notice what it doesn't know. So rename no
field, give new ones a default, and never change a default: a field at its default isn't written, so that older
versions can read all that doesn't use it. Only values with a notation of their own are always written: their defaults
may change.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from bot.platform.eventlog.errors import CodecError, WrittenByNewer

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
        return [self._plain(each) for each in value] if isinstance(value, tuple) else value  # pyright: ignore[reportUnknownVariableType]

    def _built(self, wanted: Any, value: Any) -> Any:
        """The value of the `wanted` type from what `_plain` made of it."""
        if wanted in self.notations:
            return self.notations[wanted].parse(_typed(str, value))
        origin, arguments = get_origin(wanted), get_args(wanted)
        if origin in (Union, UnionType):
            [some] = [each for each in arguments if each is not type(None)]
            return None if value is None else self._built(some, value)
        if origin is tuple:
            kinds = [arguments[0]] * len(value) if arguments[-1] is Ellipsis else arguments
            return tuple(self._built(kind, each) for kind, each in zip(kinds, value, strict=True))
        if is_dataclass(wanted):
            hints = _hints(wanted)
            if unknown := value.keys() - hints.keys():
                raise WrittenByNewer(f"{len(unknown)} fields that aren't known")
            if missing := [name for name, hint in hints.items() if hint in self.notations and name not in value]:
                raise TypeError(f"{missing[0]} is missing")
            return cast("Any", wanted)(**{name: self._built(hints[name], each) for name, each in value.items()})
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
