"""Who plays slow matches is told in time, not too often, and not at night.

Its ledger has, by person, the messages that have notified them, as Discord got them; the turns are those of the log.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from tests.simulation.judges.judge import Judge
from tests.simulation.judges.sheets import seconds_of
from tests.simulation.weeks import DAILY_HOUR, Player, Weeks, is_quiet
from tests.simulation.world import HOUR

if TYPE_CHECKING:
    from pathlib import Path

    from tests.simulation.town import Town

MOST: Final = 2
"""How often a turn notifies its player, besides a nudge."""
EARLIEST: Final = 8 * HOUR
"""The second one comes a quarter of a day before the deadline, or three hours before a night of nine."""
LATE_SECONDS: Final = 5.0
"""A notice that was sent as a night began may arrive so much later; likewise as a turn ended."""
MISSED: Final = ("turn_missed", "day_spent")
DAILY_SECONDS: Final = 4_600.0
"""The hour of the daily message, within which each has a minute, and a quarter of an hour."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that the log tells of, in seconds since 1970."""

    person: int
    begin: float
    end: float
    missed: bool
    nudged: bool


class Notices(Judge):
    """Nobody misses a turn who answers their notices by day; two notices a turn, a nudge besides; none at night."""

    kind = "notice"

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        assert isinstance(town, Weeks)
        self.weeks = town
        self.ledger: dict[int, list[float]] = {each.person.id: [] for each in town.players}
        town.on_notice = self._told

    def _told(self, player: Player) -> None:
        now = self.begin + self.now
        self.ledger[player.person.id].append(now)
        self.town.world.counts[f"told {player.way.name}"] += 1
        if is_quiet(player.way, now) and is_quiet(player.way, now - LATE_SECONDS):
            self.object_to(f"{player} is told at {datetime.fromtimestamp(now, ZoneInfo(player.way.zone)):%H:%M}")
        if player.way.name == "never":
            self.object_to(f"{player} is told, who doesn't want to be")

    def at_the_end(self, database: Path) -> None:
        players = {each.person.id: each for each in self.weeks.players}
        with closing(sqlite3.connect(database)) as connection:
            games = [row[0] for row in connection.execute("SELECT id FROM games ORDER BY id")]
            turns = [each for game in games for each in _turns(connection, game)]
        counts = self.town.world.counts
        for turn in turns:
            player = players[turn.person]
            told = [at for at in self.ledger[turn.person] if turn.begin - 1.0 <= at < turn.end + LATE_SECONDS]
            told = [at for at in told if at == told[-1] or not self._is_sent_again(at)]
            allowed = MOST + turn.nudged + self._dailies(player, told)
            counts["turns"] += 1
            counts[f"turns with {len(told)} notices"] += bool(told)
            counts["nudges"] += turn.nudged
            if turn.missed:
                self.object_to(f"{player} misses the turn of {_span(turn)}, told at {[_at(at) for at in told]}")
            if player.way.name != "daily" and not turn.nudged and any(at < turn.begin + EARLIEST for at in told[1:]):
                self.object_to(f"{player} is told at {list(map(_at, told))} in the turn of {_span(turn)}")
            if len(told) > allowed:
                times = list(map(_at, told))
                self.object_to(f"{player} is told {len(told)} times in the turn of {_span(turn)}: {times}")

    def _is_sent_again(self, at: float) -> bool:
        """Whether a notice may come once more: nobody knows that it was sent, and Discord remembers it for minutes."""
        return any(abs(self.begin + each - at) < 1.0 for each in self.weeks.unnoted)

    def _dailies(self, player: Player, told: list[float]) -> int:
        """How many daily messages came after the first: they are no notices of the turn."""
        if player.way.name != "daily":
            return 0
        here = [datetime.fromtimestamp(at, ZoneInfo(player.way.zone)) for at in told]
        hours = {each.date() for each in here if 0 <= _since(each) < DAILY_SECONDS}
        return max(0, len(hours) - 1)


def _since(here: datetime) -> float:
    return (here - here.replace(hour=DAILY_HOUR, minute=0, second=0, microsecond=0)).total_seconds()


def _at(at: float) -> str:
    return f"{datetime.fromtimestamp(at, ZoneInfo('UTC')):%d. %H:%M:%S}"


def _span(turn: Turn) -> str:
    return f"{_at(turn.begin)} to {_at(turn.end)}"


def _turns(connection: sqlite3.Connection, game: int) -> list[Turn]:
    """The turns of a game's log: each lasts from what came before it in the match to the move of its player."""
    seats: list[int | None] = []
    found: list[Turn] = []
    since, nudged, spent = 0.0, False, False
    rows = connection.execute("SELECT kind, body, at FROM events WHERE game_id = ? ORDER BY version", (game,))
    for kind, body, at in rows.fetchall():
        now = seconds_of(at)
        if kind != "match":
            seats = _seated(seats, kind, body)
            nudged, spent = nudged or kind == "nudged", spent or kind in MISSED or '"away"' in body
            continue
        first = body.split()[0]
        if first.isdigit() and (person := seats[int(first)]) is not None:
            found.append(Turn(person, since, now, spent, nudged))
        since, nudged, spent = now, False, False
    return found


def _seated(seats: list[int | None], kind: str, body: str) -> list[int | None]:
    said = json.loads(body) if body else {}
    if kind == "opened":
        return [said["opener"]["id"]]
    return [*seats, said["person"]["id"]] if kind == "joined" else seats
