"""A press on everything that the bot's screens declare, made from the declarations: a new verb is among them."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import product
from typing import Any, NamedTuple

from bot.platform.kit.codec import LARGEST, Day, Field, Number, OneOf, Part, Reference, Several, Text, fields_of
from bot.platform.kit.screen import Screen

WORDS = ("7o", "any", "escoba", "f", "on", "1", "season", "all", "again/2/0")
"""Texts that some part of a custom_id means something by."""
FORMS = 2
"""The number of kinds of arguments that are tried with each number."""


class Known(NamedTuple):
    """Everything there is: numbers of games, tournaments and so on by the kind of custom_id, and the ids of people."""

    numbers: Mapping[str, Sequence[int]]
    people: Sequence[int]
    day: date


def presses(screen: Screen[Any], known: Known) -> Iterator[str]:
    """The custom_ids of each button, menu and form of a kind of screen, with all numbers that are known."""
    refs = list(_references(screen.refers_to, known))
    for verb in screen.handlers:
        yield from dict.fromkeys(each.custom_id(verb) for each in refs)


def largest(screen: Screen[Any]) -> Iterator[str]:
    """The custom_ids of a kind of screen with the largest numbers that they can carry."""
    known, parts = Known({}, (LARGEST,), date(2026, 1, 1)), fields_of(screen.refers_to)
    values = [_largest(each.part) or _samples(each, known, (1,), first=True)[0] for each in parts]
    ref = _made(screen.refers_to, values)
    yield from (ref.custom_id(verb) for verb in screen.handlers)


def _largest(part: Part) -> Any:
    match part:
        case Number():
            return part.most
        case Several(Number() as each):
            return (each.most,) * part.most
        case _:
            return None


def _references(of: type[Reference[Any]], known: Known) -> Iterator[Reference[Any]]:
    parts = fields_of(of)
    values = [_samples(each, known, known.numbers.get(of.kind, (1,)), first=each is parts[0]) for each in parts]
    assert all(values), f"there is no sample for a part of {of.__name__}"
    counts = list(map(len, values))
    for first, form in product(range(counts[0] if counts else 1), range(max(counts[1:], default=1))):
        yield _made(of, [each[(form if place else first) % len(each)] for place, each in enumerate(values)])


def _made(of: type[Reference[Any]], values: Sequence[Any]) -> Reference[Any]:
    """A reference with these values or, if they don't go together, only with those that it must have."""
    try:
        return of(*values)
    except ValueError:
        return of(*values[: sum(not each.optional for each in fields_of(of))])


def _samples(field: Field, known: Known, numbers: Sequence[int], *, first: bool) -> Sequence[Any]:
    if field.name.endswith("_id"):
        return known.people
    found = _values(field.part, numbers if first or field.default is None else (1, 0), known)
    if field.default is None:
        return [*[None] * FORMS, *found[:1]]  # so that it comes with the first form of the other parts
    return found if first else found[:FORMS]


def _values(part: Part, numbers: Sequence[int], known: Known) -> Sequence[Any]:
    """Some of what a part of a custom_id can be."""
    match part:
        case Number():
            return [each for each in numbers if each <= part.most]
        case OneOf():
            return list(part.values.values())[:FORMS]
        case Day():
            return [known.day]
        case Text():
            return [each for each in WORDS if _reads(part, each)]
        case Several():
            return [tuple(_values(part.of, (1, 1, 0), known))[: part.most], ()]


def _reads(part: Text, text: str) -> bool:
    try:
        part.read(text)
    except ValueError:
        return False
    return True
