"""Namesakes: people of one name at a table, in a tournament or in a list, told apart by a sign before each name."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, fields, is_dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Final, Protocol, TypeVar, cast

from bot.club.person import Person

SIGNS: Final = "△□○◇▽"
"""Signs that fonts have as text and pictures can draw. A sixth namesake gets the first one twice, and so on."""


class Named(Protocol):
    """A value with a name."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=Named)
V = TypeVar("V")


@lru_cache(maxsize=4096)
def _look(name: str) -> str:
    """Reduce a name to what a picture shows of it, in Latin capitals, or to the whole name if that is nothing."""
    signs = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    look = "".join(c for c in signs if c in SIGNS or unicodedata.combining(c) or (c.isascii() and c.isalnum()))
    return look if any(c.isalnum() for c in look) else signs


def names_apart(names: Sequence[str]) -> list[str]:
    """Put a sign before each name that looks like another one of them.

    >>> names_apart(["Ana", "Bea", "ANA"])
    ['△ Ana', 'Bea', '□ ANA']
    """
    looks = Counter(map(_look, names))
    if len(looks) == len(names):
        return list(names)
    met, found = Counter[str](), list[str]()
    for name in names:
        look = _look(name)
        turn, sign = divmod(met[look], len(SIGNS))
        met[look] += 1
        found.append(name if looks[look] == 1 else f"{SIGNS[sign] * (turn + 1)} {name}")
    return names_apart(found)  # somebody may have such a sign in their name


def told_apart(bearers: Iterable[N]) -> tuple[N, ...]:
    """Put signs before the names of different people, or of other values with names, that look the same."""
    bearers = tuple(bearers)
    names = names_apart([each.name for each in bearers])
    return tuple(
        each if each.name == name else replace(each, name=name) for each, name in zip(bearers, names, strict=True)
    )


def people_apart(people: Iterable[Person]) -> dict[int, str]:
    """Return by their ids the names of people who may be listed more than once, told apart; empty if no two look the
    same."""
    known = {person.id: person for person in people}
    told = told_apart(known.values())
    return {} if told == tuple(known.values()) else {person.id: person.name for person in told}


def renamed(value: V, names: Mapping[int, str]) -> V:
    """Give people other names, by their ids, wherever a value names them."""
    if isinstance(value, Person):
        return cast("V", replace(value, name=names.get(value.id, value.name)))
    if isinstance(value, tuple):
        return cast("V", tuple(renamed(each, names) for each in cast("tuple[object, ...]", value)))
    if is_dataclass(value) and not isinstance(value, type):
        found = {field.name: getattr(value, field.name) for field in fields(value)}
        new = {key: each for key, old in found.items() if (each := renamed(old, names)) != old}
        return cast("V", replace(value, **new)) if new else value
    return value


def sign_of(name: str) -> str:
    """Return the sign of somebody who has a namesake, with a space after it; empty without one.

    >>> sign_of("△ Ana"), sign_of("Ana")
    ('△ ', '')
    """
    sign, space, _ = name.partition(" ")
    return sign + space if space and not sign.strip(SIGNS) else ""
