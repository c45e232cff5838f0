"""Faces at a table: always the same three buttons, counted as they were pressed, and none left behind."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.simulation.judges.books import Books
from tests.simulation.judges.judge import Judge
from tests.simulation.judges.sheets import nodes_of
from tests.simulation.presses import PUT_OFF
from tests.support.limits_components import walk
from tests.support.wiretap import CALLBACK

if TYPE_CHECKING:
    from tests.simulation.network import Request
    from tests.simulation.shots import Shot
    from tests.simulation.town import Town

FACE: Final = re.compile(r"e:react:([0-9a-z]+):0:([a-z]+)")
FACES: Final = ["clap", "gasp", "laugh"]
UPDATE: Final = 7
SETTLED_SECONDS: Final = 6.0
"""How long after a press the message shows what has come of it, and of those of the same moment."""
LONG_SECONDS: Final = 60.0
Deal = tuple[int, int]
"""The round and the deal in it."""


@dataclass(slots=True)
class Ledger:
    """The faces that people have pressed at a table since the latest deal. `sure`: whether that is all."""

    deal: Deal
    by: dict[int, str] = field(default_factory=dict)
    pressed: float = 0.0
    """When anybody pressed one last."""
    sure: bool = True


class Faces(Judge):
    """The public table has all three faces or none; each counts the people who have pressed it last since the deal,
    unless they have taken it back; they go with the match, and no log has them."""

    kind = "faces"

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self._pressed: defaultdict[int, set[int]] = defaultdict(set)
        """By game, who has ever pressed a face."""
        self._books = Books(town.world.disk)
        self._ledgers: dict[int, Ledger] = {}
        self._presses: dict[int, tuple[int, str, Deal | None]] = {}
        """By interaction, the game and the face that was pressed, and in which deal, until it is answered."""

    def died(self) -> None:
        self._books.forget()

    def pressed(self, shot: Shot) -> None:
        if shot.erases:
            for ledger in self._ledgers.values():
                ledger.sure = False
        if (found := FACE.fullmatch(shot.payload["data"].get("custom_id", ""))) is None:
            return
        game = int(found[1], 36)
        self._pressed[game].add(shot.who.person.id)
        deal = self._deal(game)
        self._presses[shot.record.id] = game, found[2], deal
        if deal is not None:
            ledger = self._ledger(game, deal)
            again = any(each.who is shot.who and each is not shot for each in self.town.presses.shots.values())
            ledger.sure = ledger.sure and not again  # which of both comes first isn't certain
            ledger.pressed = self.now

    def _ledger(self, game: int, deal: Deal) -> Ledger:
        if (ledger := self._ledgers.get(game)) is None or ledger.deal != deal:
            ledger = self._ledgers[game] = Ledger(deal)
        return ledger

    def _deal(self, game: int) -> Deal | None:
        """The latest deal of a match that is played."""
        books = self._books.up_to_date(game)
        referee = books[0].referee if books else None
        return None if referee is None or not referee.running else (len(books[0].decks), referee.deal)

    def heard(self, request: Request) -> None:
        shown: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
        for node in nodes_of(request):
            if found := FACE.fullmatch(node.get("custom_id") or ""):
                shown[int(found[1], 36)].append((found[2], int(node.get("label") or 0)))
        for game, faces in shown.items():
            self.town.world.counts["faces"] += sum(count for _, count in faces)
            if [face for face, _ in faces] != FACES:
                self.object_to(f"game {game} has the faces {faces}")
            if sum(count for _, count in faces) > len(self._pressed[game]):
                self.object_to(f"game {game} counts {faces}, and only {len(self._pressed[game])} have pressed any")
        if shown and request.applied and (found := CALLBACK.fullmatch(request.path)):
            self._answered(int(found[1]), request)

    def _answered(self, number: int, request: Request) -> None:
        """A press was answered with the table: it counts."""
        shot = self.town.presses.shots.get(number)
        if shot is None or number not in self._presses or request.body["type"] != UPDATE:
            return
        game, face, before = self._presses.pop(number)
        if (deal := self._deal(game)) is None:
            return
        ledger = self._ledger(game, deal)
        if deal != before or self.town.troubled(self.now - LONG_SECONDS, self.now):
            ledger.sure = False  # it may have been counted before the deal, or twice
        if ledger.by.pop(shot.who.person.id, None) != face:
            ledger.by[shot.who.person.id] = face
        self.town.world.machine.after(SETTLED_SECONDS, lambda: self._compare(game, shot.channel_id, ledger))

    def over(self, shot: Shot) -> None:
        """A press without the table as its answer may count or not, unless it was refused."""
        game = self._presses.pop(shot.record.id, (0,))[0]
        if game in self._ledgers and (shot.answered is None or shot.kind in PUT_OFF):
            self._ledgers[game].sure = False

    def _compare(self, game: int, channel: int, ledger: Ledger) -> None:
        """Compare what the table shows with what was pressed."""
        if not ledger.sure or self._ledgers.get(game) is not ledger or self._deal(game) != ledger.deal:
            return
        if self.now - ledger.pressed < SETTLED_SECONDS - 1.0 or self.town.troubled(self.now - LONG_SECONDS, self.now):
            return
        counted = Counter(ledger.by.values())
        for message in self.town.world.realm.backend.messages.get(channel, {}).values():
            nodes = [] if message.is_ephemeral else [node for _, node in walk(message.components)]
            found = {
                name[2]: int(node.get("label") or 0)
                for node in nodes
                if (name := FACE.fullmatch(node.get("custom_id") or "")) and int(name[1], 36) == game
            }
            self.town.world.counts["faces compared"] += bool(found)
            if found and found != {face: counted[face] for face in FACES}:
                self.object_to(f"game {game} counts {found} at {ledger.deal}, not {dict(counted)}")

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
