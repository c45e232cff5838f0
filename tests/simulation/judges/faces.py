"""Faces at a table: always the same three buttons, nobody counted who hasn't pressed one, and none left behind."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.simulation.judges.judge import Judge
from tests.support.limits_components import walk

if TYPE_CHECKING:
    from tests.simulation.network import Request
    from tests.simulation.shots import Shot
    from tests.simulation.town import Town

FACE: Final = re.compile(r"e:react:([0-9a-z]+):0:([a-z]+)")
FACES: Final = ["clap", "gasp", "laugh"]


class Faces(Judge):
    """The public table has all three faces or none, counts at most the people who have pressed one there, and forgets
    them with the match; no log has them."""

    kind = "faces"

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self._pressed: defaultdict[int, set[int]] = defaultdict(set)
        """By game, who has ever pressed a face."""

    def pressed(self, shot: Shot) -> None:
        if found := FACE.fullmatch(shot.payload["data"].get("custom_id", "")):
            self._pressed[int(found[1], 36)].add(shot.who.person.id)

    def heard(self, request: Request) -> None:
        body: Any = request.body if isinstance(request.body, dict) else {}
        components = (body.get("data") or body).get("components") or []
        shown: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
        for _, node in walk(components):
            if found := FACE.fullmatch(node.get("custom_id") or ""):
                shown[int(found[1], 36)].append((found[2], node.get("label") or "0"))
        for game, faces in shown.items():
            self.town.world.counts["faces"] += sum(int(count) for _, count in faces)
            if [face for face, _ in faces] != FACES:
                self.object_to(f"game {game} has the faces {faces}")
            if sum(int(count) for _, count in faces) > len(self._pressed[game]):
                self.object_to(f"game {game} counts {faces}, and only {len(self._pressed[game])} have pressed any")

    def at_the_end(self, database: Path) -> None:
        with closing(sqlite3.connect(database)) as connection:
            for game, user in connection.execute("SELECT game_id, user_id FROM faces").fetchall():
                if user not in self._pressed[game]:
                    self.object_to(f"{user} has pressed no face in game {game}")
            over = "SELECT game_id FROM faces JOIN games ON games.id = game_id WHERE closed_at IS NOT NULL"
            for (game,) in connection.execute(over).fetchall():
                self.object_to(f"game {game} is over, and has faces")
            for (game,) in connection.execute("SELECT game_id FROM events WHERE kind = 'reacted'").fetchall():
                self.object_to(f"the log of game {game} has a face")
