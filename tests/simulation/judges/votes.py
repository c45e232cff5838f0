"""Votes about who wins a round: nobody counted or named who hasn't voted, nobody who plays, and none left behind."""

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

VOTE: Final = re.compile(r"e:wins:([0-9a-z]+):0:(\d+):(\d)")
SCORED: Final = re.compile(r"e:next:([0-9a-z]+):")
COUNT: Final = re.compile(r" · (\d+)$")
SEEN: Final = "🔮"
MENTION: Final = re.compile(r"<@(\d+)>")
PLAYED: Final = """SELECT votes.game_id, votes.user_id FROM votes JOIN results USING (game_id)
    JOIN result_players ON result_id = results.id AND result_players.user_id = votes.user_id"""
LATE: Final = """SELECT game_id FROM votes JOIN games ON games.id = game_id
    WHERE closed_at IS NOT NULL
    AND game_id NOT IN (SELECT game_id FROM evening_matches WHERE coalesce(card_id, 0) = 0)"""


class Votes(Judge):
    """A public table has a button for each side or none, counts at most the people who have voted about that round,
    and names nobody else; what is stored was pressed, by nobody who has played there, and goes with the evening."""

    kind = "votes"

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self._pressed: defaultdict[tuple[int, int], set[tuple[int, int]]] = defaultdict(set)
        """By game and round, the people and the sides that they have pressed."""

    def pressed(self, shot: Shot) -> None:
        if found := VOTE.fullmatch(shot.payload["data"].get("custom_id", "")):
            self._pressed[int(found[1], 36), int(found[2])].add((shot.who.person.id, int(found[3])))

    def heard(self, request: Request) -> None:
        body: Any = request.body if isinstance(request.body, dict) else {}
        nodes = [node for _, node in walk((body.get("data") or body).get("components") or [])]
        counts: defaultdict[tuple[int, int], dict[int, int]] = defaultdict(dict)
        for node in nodes:
            if found := VOTE.fullmatch(node.get("custom_id") or ""):
                count = COUNT.search(node.get("label") or "")
                counts[int(found[1], 36), int(found[2])][int(found[3])] = int(count[1]) if count else 0
        for place, shown in counts.items():
            self.town.world.counts["votes"] += sum(shown.values())
            voters = {person for person, _ in self._pressed[place]}
            sides = [side for side, count in shown.items() if count > sum(side == at for _, at in self._pressed[place])]
            if sorted(shown) != list(range(len(shown))) or len(shown) < 2 or sides or sum(shown.values()) > len(voters):
                self.object_to(f"game and round {place} show the votes {shown}, and {len(voters)} people have voted")
        games = {int(found[1], 36) for node in nodes if (found := SCORED.match(node.get("custom_id") or ""))}
        texts = [node["content"] for node in nodes if SEEN in str(node.get("content"))]
        named = {int(each) for text in texts for each in MENTION.findall(text)}
        for game in games:
            self.town.world.counts["saw it coming"] += len(named)
            voters = {person for place, votes in self._pressed.items() if place[0] == game for person, _ in votes}
            if named - voters:
                self.object_to(f"game {game} names {named - voters}, who haven't voted")

    def at_the_end(self, database: Path) -> None:
        with closing(sqlite3.connect(database)) as connection:
            for game, number, user, side in connection.execute("SELECT game_id, round, user_id, side FROM votes"):
                if (user, side) not in self._pressed[game, number]:
                    self.object_to(f"{user} hasn't pressed side {side} in round {number} of game {game}")
            for game, user in connection.execute(PLAYED):
                self.object_to(f"{user} has played game {game}, and has a vote there")
            for (game,) in connection.execute(LATE):
                self.object_to(f"game {game} is over, and so is its evening, but it has votes")
