"""No match hangs, and none vanishes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tests.simulation.judges.judge import Judge
from tests.simulation.judges.sheets import OF_GAME, shown_by, stored
from tests.simulation.offers import Control, controls_of
from tests.simulation.people import Somebody
from tests.support.limits_components import BUTTON, STRING_SELECT
from tests.support.wiretap import CALLBACK

if TYPE_CHECKING:
    from pathlib import Path

    from tests.simulation.network import Request
    from tests.simulation.shots import Shot
    from tests.simulation.town import Town

MOVING: Final = (
    *("take", "lay", "next", "card", "choose", "pick", "sing", "resume", "takewin", "panel", "standin"),
    *("start", "addc", "cancelyes", "cancel", "again"),
)
"""What brings a match on, the most promising first."""
PRESSES: Final = 8
"""So many presses of each person are to bring a match on."""
MOST_GAMES: Final = 12
WAIT_SECONDS: Final = 4.0
"""How long people wait after a press: a robot may have to move."""
RECENT_SECONDS: Final = 600.0
GIVEN_UP: Final = "SELECT game_id FROM events WHERE kind = 'closed' AND json_extract(body, '$.phase') = 'gone'"
"""No fault deletes a channel."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a game has got. `moves`: the number of events of its match, which is 0 in a lobby."""

    channel: int | None
    people: tuple[int, ...]
    moves: int
    open: bool


class Ends(Judge):
    """In each open match somebody can move, each lobby can be started or closed, and each game that is shown exists."""

    kind = "stuck"

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        self._shown: dict[int, float] = {}
        """When each game was shown last."""
        self._theirs: dict[int, set[int]] = {}
        """Who has pressed something of each game, or was shown it in an answer."""

    # ----------------------------------------------------------------------------------------------- none vanishes
    def heard(self, request: Request) -> None:
        if (sheet := shown_by(request)) is not None:
            self._shown |= dict.fromkeys(sheet.games, self.now)
            found = CALLBACK.fullmatch(request.path)
            if found and (shot := self.town.presses.shots.get(int(found[1]))) is not None:
                for game in sheet.games:
                    self._theirs.setdefault(game, set()).add(shot.who.person.id)

    def pressed(self, shot: Shot) -> None:
        person = shot.who.person.id
        if (of := OF_GAME.match(shot.payload["data"].get("custom_id", ""))) is not None:
            self._theirs.setdefault(int(of[2], 36), set()).add(person)
        if shot.erases:
            for game in [each for each in self._shown if person in self._theirs.get(each, ())]:
                del self._shown[game]

    def died(self) -> None:
        with stored(self.town, "ends") as connection:
            self._compare(connection)

    def at_the_end(self, database: Path) -> None:
        with closing(sqlite3.connect(database)) as connection:
            self._compare(connection)
            for (game,) in connection.execute(GIVEN_UP).fetchall():
                self.object_to(f"game {game} was ended as its channel is gone, which it isn't")

    def _compare(self, connection: sqlite3.Connection) -> None:
        known = {row[0] for row in connection.execute("SELECT id FROM games")}
        for game, at in self._shown.items():
            if game and at > self.now - RECENT_SECONDS and game not in known:
                self.object_to(f"game {game} was shown {self.now - at:.1f} s ago, and isn't stored")

    # -------------------------------------------------------------------------------------------------- none hangs
    def at_rest(self) -> None:
        with stored(self.town, "ends") as connection:
            rows = connection.execute("SELECT id FROM games WHERE closed_at IS NULL ORDER BY id").fetchall()
        for (game,) in rows[:MOST_GAMES]:
            before = self._standing(game)
            if before.open and not self._brought_on(game, before):
                what = "be moved" if before.moves else "be started or closed"
                self.object_to(f"game {game} in {before.channel} can't {what}: {before.moves} moves, {before.people}")

    def _standing(self, game: int) -> Standing:
        with stored(self.town, "ends") as connection:
            find = connection.execute
            row = find("SELECT channel_id, opener_id, closed_at IS NULL FROM games WHERE id = ?", (game,)).fetchone()
            people = find("SELECT user_id FROM participants WHERE game_id = ? ORDER BY user_id", (game,)).fetchall()
            moves = find("SELECT count(*) FROM events WHERE game_id = ? AND kind = 'match'", (game,)).fetchone()[0]
        return Standing(row[0], tuple(dict.fromkeys((row[1], *(each for (each,) in people)))), moves, bool(row[2]))

    def _brought_on(self, game: int, before: Standing) -> bool:
        """Have the people of a game play on; return whether that works for one of them."""
        for person in [each for each in self.town.people if each.person.id in before.people]:
            for where in self._approaches(person, game, before):
                for _ in range(PRESSES):
                    control = self._best(person, where, game)
                    if control is None:
                        break
                    self._press(person, control)
                    if self._has_gone_on(game, before):
                        return True
        return self._has_gone_on(game, before)  # its clock may have run out meanwhile

    def _has_gone_on(self, game: int, before: Standing) -> bool:
        now = self._standing(game)
        return now.moves > before.moves or not now.open

    def _approaches(self, person: Somebody, game: int, before: Standing) -> Iterator[int]:
        """Open the game in every way that somebody has; yield the channel in which they see it then."""
        if before.channel is not None:
            hand = next((each for each in self._controls(person, before.channel, game) if each.verb == "hand"), None)
            if hand is not None:
                self._press(person, hand)
            yield before.channel
        here = next((each for each in person.channels if each in self.town.all_channels), None)
        if here is not None:
            self.town.presses.slash(person, here, "escoba games" if before.channel else "escoba solo", {})
            self.town.world.pause(WAIT_SECONDS)
            yield here

    def _press(self, person: Somebody, control: Control) -> None:
        values = None if control.kind == BUTTON else list(control.options[: max(1, control.fewest)])
        self.town.presses.component(person, control.message, control.custom_id, values)
        self.town.world.pause(WAIT_SECONDS)

    def _best(self, person: Somebody, channel: int, game: int) -> Control | None:
        """What somebody presses who wants to bring a game on: on what they have been shown last, if that has it."""
        found = [each for each in self._controls(person, channel, game) if each.verb in MOVING]
        newest = [each for each in found if each.message is found[0].message] if found else []
        return min(newest, key=lambda control: MOVING.index(control.verb), default=None)

    def _controls(self, person: Somebody, channel: int, game: int) -> list[Control]:
        messages = self.town.world.realm.stored(channel, person.person.id)
        return [
            control
            for message in sorted(messages, key=_touched, reverse=True)
            for control in controls_of(message)
            if control.kind in (BUTTON, STRING_SELECT)
            and (of := OF_GAME.match(control.custom_id))
            and int(of[2], 36) == game
        ]


def _touched(message: object) -> str:
    """When a message was last changed; private ones come first, as people look there."""
    edited = getattr(message, "edited_timestamp", None) or getattr(message, "timestamp", "")
    return f"{getattr(message, 'is_ephemeral', False):d}{edited}"
