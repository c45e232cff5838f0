"""Nothing is shown that isn't stored, and nothing stored is lost."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from tests.simulation.judges.judge import Judge
from tests.simulation.judges.sheets import shown_by, stored

if TYPE_CHECKING:
    from tests.simulation.network import Request
    from tests.simulation.town import Town


class Stored(Judge):
    """A button names the game and how many of its events its message shows: so many are stored, whatever comes."""

    kind = "lost"

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self.shown: dict[int, int] = {}
        """By game, how many events somebody has been shown."""

    def heard(self, request: Request) -> None:
        sheet = shown_by(request)
        for game, version in (sheet.games if sheet is not None else {}).items():
            self.shown[game] = max(version, self.shown.get(game, 0))

    def died(self) -> None:
        with stored(self.town, "stored") as connection:
            self._compare(connection)

    def at_the_end(self, database: Path) -> None:
        with closing(sqlite3.connect(database)) as connection:
            self._compare(connection)

    def _compare(self, connection: sqlite3.Connection) -> None:
        known = {row[0] for row in connection.execute("SELECT id FROM games")}
        events = dict(connection.execute("SELECT game_id, max(version) FROM events GROUP BY game_id"))
        for game, version in self.shown.items():
            if game in known and events.get(game, 0) < version:
                self.object_to(f"game {game}: {version} events were shown, {events.get(game, 0)} are stored")
