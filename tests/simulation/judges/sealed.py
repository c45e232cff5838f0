"""What was played at a table isn't told while others still play the same cards."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, Any, Final

from tests.simulation.judges.books import Books
from tests.simulation.judges.judge import Judge
from tests.simulation.judges.sheets import nodes_of
from tests.simulation.judges.sight import sight_of

if TYPE_CHECKING:
    from tests.simulation.network import Request
    from tests.simulation.town import Town

STEP: Final = re.compile(r"w:(?:go|back|next|jump|show|showclip|export|deck):([0-9a-z]+):")
"""What stands below a match that one may see step by step, or has as a file."""
SHEET: Final = re.compile(r"b:(?:board|deal|show|showdeal):([0-9a-z]+):([0-9a-z]+):([0-9a-z]+):")
"""What stands below a board of a travelling sheet: tournament, round and board."""
BOARDS: Final = re.compile(r"b:choose:([0-9a-z]+):([0-9a-z]+):")
"""The menu of the boards that somebody may see."""
ROUND: Final = """
SELECT id, closed_at FROM games WHERE tournament_id = ? AND substr(fixture, 1, instr(fixture, '.') - 1) = ?
"""
OVER: Final = """
SELECT games.id, substr(results.ended_at, 1, 19), name FROM games
JOIN results ON results.game_id = games.id JOIN result_players ON result_id = results.id
WHERE games.tournament_id IS NOT NULL AND games.closed_at IS NOT NULL
"""


class Sealed(Judge):
    """As long as a table of a duplicate round plays, nobody is told how another one has ended, by no list, file, replay
    or sheet; but people may see the boards that they have played themselves."""

    kind = "sealed"

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self._books = Books(town.world.disk)

    def died(self) -> None:
        self._books.forget()

    def arrived(self, request: Request) -> None:
        for file in request.files:
            if file.filename.endswith(".csv"):
                self._judge_list(file, request)
        for node in nodes_of(request):
            custom_id = node.get("custom_id") or ""
            if custom_id.startswith("w:") and (step := STEP.match(custom_id)):
                self._judge_replay(int(step[1], 36), custom_id, request)
            elif custom_id.startswith("b:") and (sheet := SHEET.match(custom_id) or BOARDS.match(custom_id)):
                shown = [int(option["value"]) for option in node.get("options") or ()] or [int(sheet[3], 36)]
                self._judge_boards(int(sheet[1], 36), int(sheet[2], 36), shown, request)

    def _judge_list(self, file: Any, request: Request) -> None:
        """Judge a server's results as a file."""
        lines = csv.DictReader(file.fp.getvalue().decode("utf-8-sig").splitlines())
        listed = {(line.get("ended_utc"), line.get("name")): line for line in lines}
        for game, ended_at, name in self.town.world.disk.look(OVER):
            if (line := listed.get((ended_at, name))) is not None and self._is_sealed(game):
                self.object_to(f"game {game} is listed as {line}, by {request.method} {request.path}")

    def _judge_replay(self, game: int, custom_id: str, request: Request) -> None:
        if self._is_sealed(game):
            self.object_to(f"game {game} can be replayed by {custom_id}, by {request.method} {request.path}")

    def _is_sealed(self, game: int) -> bool:
        books = self._books.up_to_date(game)
        return bool(books) and bool(books[0].boards) and self._books.sealed(game)

    def _judge_boards(self, tournament: int, number: int, shown: list[int], request: Request) -> None:
        """Judge the boards of a round that somebody is shown."""
        tables = dict(self.town.world.disk.look(ROUND, tournament, str(number)))
        if all(tables.values()):
            return
        self.town.world.counts["sheets of open rounds"] += 1
        viewer = sight_of(self.town, request).viewer
        books = self._books.up_to_date(*tables)
        referees = [book.referee for book in books if viewer is not None and viewer in book.seats]
        done = max((len(referee.scores) for referee in referees if referee is not None), default=0)
        played = max((book.boards for book in books), default=())[:done]
        if wrong := [board for board in shown if board and board not in played]:
            who = "everybody" if viewer is None else f"person {viewer}"
            self.object_to(f"{who} is shown the boards {wrong} of round {number}, having played {list(played)} of it")
