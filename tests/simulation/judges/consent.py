"""Nobody plays by what they haven't agreed to."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.simulation.judges.books import Book
from tests.simulation.judges.judge import Judge
from tests.simulation.judges.sheets import OF_GAME, seconds_of

if TYPE_CHECKING:
    from tests.simulation.shots import Shot
    from tests.simulation.town import Town

Terms = tuple[Any, ...]
CLOCK_SECONDS: Final = 2.0
"""How far the bot's clock may be behind."""
LOGS: Final = "SELECT game_id, version, kind, body, at FROM events ORDER BY game_id, version"


class Consent(Judge):
    """Whoever sits in a lobby when its rules, points or pace change, or it becomes rated, has to agree before the match
    begins, but the one who has changed it, and whoever begins it. Whoever sits down later sees what is played."""

    kind = "consent"

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self._started: dict[int, list[tuple[float, int]]] = {}
        """When *Start* was pressed in each lobby, and by whom: whoever begins the match has seen what is played."""

    def pressed(self, shot: Shot) -> None:
        found = OF_GAME.match(shot.payload["data"].get("custom_id", ""))
        if found is not None and found[1] == "start":
            self._started.setdefault(int(found[2], 36), []).append((self.now, shot.who.person.id))

    def at_the_end(self, database: Path) -> None:
        with closing(sqlite3.connect(database)) as connection:
            rows = connection.execute(LOGS).fetchall()
        for game, log in groupby(rows, key=itemgetter(0)):
            self._judge(game, (row[1:] for row in log))

    def _judge(self, game: int, log: Iterable[tuple[int, str, str, str]]) -> None:
        book, agreed, unknown = Book(game), dict[int, Terms](), 0
        for row in log:
            _, kind, text, at = row
            if kind == "match":
                began = seconds_of(at) - self.begin + CLOCK_SECONDS
                break
            body = json.loads(text)
            if kind == "opened" and body.get("fixture"):
                return  # what a tournament plays isn't chosen in a lobby
            before = dict.fromkeys(filter(None, book.seats))
            book.add([row])
            terms = _terms(book.config)
            if kind in ("opened", "joined"):
                agreed |= {person: terms for person in filter(None, book.seats) if person not in before}
            elif kind == "change_accepted":
                agreed[book.seats[body["seat"]] or 0] = terms
            elif kind == "configured" and body.get("by") is not None:
                agreed[book.seats[body["by"]] or 0] = terms
            elif kind == "configured" and any(_asks(terms, agreed[person]) for person in before):
                unknown = 1  # somebody has changed it, and only they agree
        else:
            return
        asked = [person for person in filter(None, book.seats) if _asks(_terms(book.config), agreed[person])]
        starts = [person for pressed, person in self._started.get(game, ()) if pressed <= began]
        without = [person for person in asked if person not in starts[-1:]]
        if len(without) > unknown:
            self.object_to(f"game {game} began without the OK of {without}")


def _terms(config: Mapping[str, Any]) -> Terms:
    """What people have to agree to, and last whether the match is rated."""
    named = (config.get(name) for name in ("preset", "rules", "own", "tempo"))
    return (*map(str, named), config.get("forced", True), config.get("rated", True))


def _asks(terms: Terms, agreed: Terms) -> bool:
    """Whether somebody who has agreed to other terms has to be asked about these."""
    return terms[:-1] != agreed[:-1] or (terms[-1] and not agreed[-1])
