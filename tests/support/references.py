"""Strategies for what custom_ids refer to, made from the declared references; and for custom_ids, also broken ones."""

import re
from datetime import date
from typing import Any

from hypothesis import strategies as st

from bot.platform.kit.codec import Day, Number, OneOf, Part, Reference, Several, Text, fields_of
from bot.platform.kit.screen import Screen
from bot.process.dispatch import SCREENS


def _values(part: Part) -> st.SearchStrategy[Any]:
    """What a part of a custom_id can be."""
    match part:
        case Number():
            return st.one_of(st.integers(0, min(part.most, 60)), st.integers(0, part.most), st.just(part.most))
        case Text():
            found = st.from_regex(re.compile(part.pattern, re.ASCII), fullmatch=True)
            return found.filter(lambda text: len(text) <= part.longest)
        case OneOf():
            return st.sampled_from(list(part.values.values()))
        case Day():
            return st.dates(date(2000, 1, 1), date(2099, 12, 31))
        case Several():
            return st.lists(_values(part.of), max_size=part.most).map(tuple)


@st.composite
def references(draw: st.DrawFn, of: type[Reference[Any]]) -> Reference[Any]:
    """What the custom_ids of a kind of screen can refer to."""
    known = fields_of(of)
    count = draw(st.integers(sum(not each.optional for each in known), len(known)))
    values = [draw(_values(each.part)) for each in known[:count]]
    try:
        return of(*values)
    except ValueError:  # they don't go together
        return of(*values[: sum(not each.optional for each in known)])


@st.composite
def _custom_ids(draw: st.DrawFn, screen: Screen[Any]) -> str:
    ref = draw(references(screen.refers_to))
    return ref.custom_id(draw(st.sampled_from(list(screen.refers_to.verbs))))


custom_ids = st.sampled_from(SCREENS).flatmap(_custom_ids)
"""Every custom_id that the bot could write."""


def mutated(custom_id: str) -> st.SearchStrategy[str]:
    """The same custom_id with one of its parts left out, doubled, or replaced."""
    parts = custom_id.split(":")
    other = st.one_of(st.text(max_size=20), st.sampled_from(["", "0", "-1", "z" * 13, "7o", "²", "٣"]))

    def changed(place: int, by: list[str]) -> str:
        return ":".join([*parts[:place], *by, *parts[place + 1 :]])

    instead = st.one_of(st.just([]), st.just(parts[:1] * 2), st.lists(other, min_size=1, max_size=3))
    return st.builds(changed, st.integers(0, len(parts) - 1), instead)
