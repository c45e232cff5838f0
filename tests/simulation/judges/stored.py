"""Nothing is shown that isn't stored, and nothing stored is lost."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from tests.simulation.judges.judge import Judge
from tests.support.limits_components import walk

if TYPE_CHECKING:
    from tests.simulation.network import Request
    from tests.simulation.town import Town

OF_GAME = re.compile(r"e:[a-z]+:([0-9a-z]+):([0-9a-z]+)")


class Stored(Judge):
    """A button names the game and how many of its events its message shows: so many are stored, whatever comes."""

    kind = "lost"

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self.shown: dict[int, int] = {}
        """By game, how many events somebody has been shown."""

    def heard(self, request: Request) -> None:
        if not request.applied or not isinstance(request.body, dict):
            return
        body = request.body.get("data") or request.body
        for _, node in walk(body.get("components") or []) if isinstance(body, dict) else ():
            if found := OF_GAME.match(node.get("custom_id") or ""):
                game, version = int(found[1], 36), int(found[2], 36)
                self.shown[game] = max(version, self.shown.get(game, 0))

    def died(self) -> None:
        copy = self.town.world.folder / "judged.sqlite3"
        self.town.world.disk.copy(copy)
        self._compare(copy)

    def at_the_end(self, database: Path) -> None:
        self._compare(database)

    def _compare(self, database: Path) -> None:
        with closing(sqlite3.connect(database)) as connection:
            known = {row[0] for row in connection.execute("SELECT id FROM games")}
            stored = dict(connection.execute("SELECT game_id, max(version) FROM events GROUP BY game_id"))
        for game, version in self.shown.items():
            if game in known and stored.get(game, 0) < version:
                self.object_to(f"game {game}: {version} events were shown, {stored.get(game, 0)} are stored")
