"""The people whom events and logs name: finding them, and putting somebody else in the place of one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, Final

from bot.platform.people.person import Person

_NO_PLACE: Final = "invited"
"""The field with people who hold no place: nobody stands in for one who is removed from it."""


def named_in(value: object) -> Iterator[Person]:
    """The people whom an event or a state names, as often as it does."""
    if isinstance(value, Person):
        yield value
    elif isinstance(value, tuple):
        for each in value:  # pyright: ignore[reportUnknownVariableType] - of whatever
            yield from named_in(each)  # pyright: ignore[reportUnknownArgumentType]
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
            return [replaced(each) for each in value]  # pyright: ignore[reportUnknownVariableType]
        if not isinstance(value, dict):
            return value
        found: dict[str, Any] = {key: replaced(each) for key, each in value.items()}  # pyright: ignore[reportUnknownVariableType]
        if found.get("person_id") == person_id:
            found["person_id"] = stand_in.id
        if found.get("id") == person_id and "name" in found:
            found |= {"id": stand_in.id, "name": stand_in.name}
        if stand_in.id != person_id and isinstance(invited := found.get(_NO_PLACE), list):
            gone = replaced({"id": person_id, "name": ""})
            found[_NO_PLACE] = [None if each == gone else each for each in invited]  # pyright: ignore[reportUnknownVariableType]
        return found

    before = json.loads(body)
    after = replaced(before)
    return None if after == before else json.dumps(after, ensure_ascii=False, separators=(",", ":"))
