"""Who has erased their data is nowhere any more, until they come again."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.simulation.judges.catalogues import translations
from tests.simulation.judges.judge import Judge
from tests.simulation.judges.sight import sight_of, strings_of

if TYPE_CHECKING:
    from tests.simulation.network import Request
    from tests.simulation.shots import Shot
    from tests.simulation.town import Town

DONE: Final = "Done: everything about you is erased."
MEANWHILE: Final = 10.0
USUALLY: Final = 2.0
"""A press may still be carried out so many seconds later; the former, if Discord delivers it twice, or is slow."""
TYPED: Final = frozenset({"Ana"})
"""Whose names others type as well, as in the title of a tournament."""


@dataclass(slots=True)
class Erased:
    """Somebody whose data were erased at a time, and who has done nothing since, nor has anybody named them."""

    id: int
    name: str
    at: float


class Erasures(Judge):
    """Once a person has been told that everything about them is erased, neither their id nor their name is stored,
    nor shown to everybody."""

    kind = "erased"

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self._done = translations(DONE)
        self._erased: dict[int, Erased] = {}
        self._touched: dict[int, float] = {}
        """By person, when they last did something but erase their data, or somebody named them."""

    def pressed(self, shot: Shot) -> None:
        if not shot.what.startswith("p:"):
            self._touch(shot.who.person.id)
        text = json.dumps(shot.payload.get("data"))
        for somebody in self.town.people:
            if str(somebody.person.id) in text:
                self._touch(somebody.person.id)

    def _touch(self, person: int) -> None:
        self._touched[person] = self.now
        self._erased.pop(person, None)

    def arrived(self, request: Request) -> None:
        if not self._erased or request.path.startswith(("/interactions", "/webhooks")):
            return
        for place, text in strings_of(request):
            for each in self._erased.values():
                if self.now - each.at > MEANWHILE and not place.endswith("custom_id") and _names(each, text):
                    self.object_to(f"{each.name} is named by {request.method} {request.path}: {text!r}")

    def heard(self, request: Request) -> None:
        if not request.applied or not request.path.startswith(("/interactions", "/webhooks")):
            return
        if not any(text in self._done for _, text in strings_of(request)):
            return
        person = sight_of(self.town, request).user_id
        name = next(each.person.name for each in self.town.people if each.person.id == person)
        under_way = MEANWHILE if self.town.troubled(self.now - 2 * MEANWHILE, self.now) else USUALLY
        if person is None or self.now - self._touched.get(person, -MEANWHILE) < under_way:
            return
        self._erased[person] = Erased(person, name, self.now)
        self.town.world.counts["erased"] += 1
        if sum(life.alive for life in self.town.world.lives) == 1:
            self._look(f"file:{self.town.world.disk.database}?mode=ro", self._erased[person])

    def at_the_end(self, database: Path) -> None:
        for each in self._erased.values():
            self._look(f"file:{database}", each)

    def _look(self, database: str, somebody: Erased) -> None:
        with closing(sqlite3.connect(database, uri=True)) as connection:
            for table, row in _rows(connection):
                if any(_is_about(somebody, value) for value in row):
                    self.object_to(f"{somebody.name} ({somebody.id}) is still in {table}: {row}")


def _rows(connection: sqlite3.Connection) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Every row of a database."""
    for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for row in connection.execute(f'SELECT * FROM "{table}"'):  # noqa: S608 - a table's own name
            yield table, row


def _is_about(somebody: Erased, value: object) -> bool:
    if isinstance(value, str):
        return str(somebody.id) in value or (
            somebody.name not in TYPED and (value == somebody.name or f'"{somebody.name}"' in value)
        )
    return value == somebody.id


def _names(somebody: Erased, text: str) -> bool:
    return str(somebody.id) in text or (
        somebody.name not in TYPED and re.search(rf"\b{somebody.name}\b", text) is not None
    )
