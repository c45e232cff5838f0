"""Reading of a database file for a check: its rows as they are, including those that nothing else would accept."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.store.database import BUSY_SECONDS
from bot.store.errors import CannotCopy, unavailable
from bot.store.migrations.before_release import check_file
from bot.store.migrations.upgrade import UNDER_WAY, unfinished
from bot.store.tables.deals import Deal

Row = tuple[Any, ...]

_GAMES: Final = "SELECT id, guild_id, channel_id, closed_at FROM games ORDER BY id"
_ENTRIES: Final = "SELECT version, kind, body, at FROM events WHERE game_id = ? ORDER BY version"
_RESULTS: Final = (
    "SELECT id, version, guild_id, channel_id, ended_at, preset, target, seating, rounds, ranked, friendly, rule_set"
    " FROM results WHERE game_id = ? ORDER BY id"
)
_PLAYERS: Final = (
    "SELECT seat, side, user_id, name, won, points, escobas, place, sources, stayed, guild_id, ended_at, ranked"
    " FROM result_players WHERE result_id = ? ORDER BY seat"
)
_PARTICIPANTS: Final = "SELECT user_id FROM participants WHERE game_id = ?"
_VALUE: Final = "SELECT value FROM key_values WHERE key = ?"
_HAS_TABLE: Final = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
_CROWDED: Final = (
    "SELECT channel_id, group_concat(id, ', ') FROM games"
    " WHERE closed_at IS NULL AND channel_id IS NOT NULL GROUP BY channel_id HAVING count(*) > 1"
)
_ORPHANS: Final = {
    "events of game": "SELECT DISTINCT game_id FROM events WHERE game_id NOT IN (SELECT id FROM games)",
    "a result of game": "SELECT DISTINCT game_id FROM results WHERE game_id NOT IN (SELECT id FROM games)",
    "a seed of game": "SELECT game_id FROM deals WHERE game_id NOT IN (SELECT id FROM games)",
    "people of game": "SELECT DISTINCT game_id FROM participants WHERE game_id NOT IN (SELECT id FROM games)",
    "players of result": (
        "SELECT DISTINCT result_id FROM result_players WHERE result_id NOT IN (SELECT id FROM results)"
    ),
    "events of tournament": (
        "SELECT DISTINCT tournament_id FROM tournament_events WHERE tournament_id NOT IN (SELECT id FROM tournaments)"
    ),
    "people of tournament": (
        "SELECT DISTINCT tournament_id FROM tournament_people WHERE tournament_id NOT IN (SELECT id FROM tournaments)"
    ),
    "a game of tournament": (
        "SELECT DISTINCT tournament_id FROM games"
        " WHERE tournament_id IS NOT NULL AND tournament_id NOT IN (SELECT id FROM tournaments)"
    ),
}
_RULE_SETS: Final = "SELECT id, guild_id, name, config, removed FROM rule_sets ORDER BY id"
_DEALS: Final = "SELECT game_id, seed, commitment, message_id, posted, dealt FROM deals ORDER BY game_id"
_TOURNAMENTS: Final = "SELECT id, closed_at FROM tournaments ORDER BY id"
_OF_TOURNAMENT: Final = "SELECT version, kind, body, at FROM tournament_events WHERE tournament_id = ? ORDER BY version"


@dataclass(frozen=True, slots=True)
class RawGame:
    """A game's row, with any values that the file holds."""

    id: int
    guild_id: Any
    channel_id: Any
    closed_at: Any


@dataclass(frozen=True, slots=True)
class RawEntry:
    """An entry of a log."""

    version: Any
    kind: Any
    body: Any
    at: Any


@dataclass(frozen=True, slots=True)
class RawResult:
    """A result with its players' rows, each of which is
    (seat, side, user_id, name, won, points, escobas, place, sources, stayed, guild_id, ended_at,
    ranked).
    """

    id: int
    version: Any
    guild_id: Any
    channel_id: Any
    ended_at: Any
    preset: Any
    target: Any
    seating: Any
    rounds: Any
    ranked: Any
    friendly: Any
    rule_set: Any
    players: tuple[Row, ...]


class Audit:
    """An open database file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def games(self) -> Iterator[RawGame]:
        return (RawGame(*row) for row in self._rows(_GAMES))

    def entries(self, game_id: int) -> list[RawEntry]:
        return [RawEntry(*row) for row in self._rows(_ENTRIES, game_id)]

    def results(self, game_id: int) -> list[RawResult]:
        """Read the results written for a game: one, or none."""
        return [RawResult(*row, players=tuple(self._rows(_PLAYERS, row[0]))) for row in self._rows(_RESULTS, game_id)]

    def value(self, key: str) -> str | None:
        found = self._rows(_VALUE, key)
        return str(found[0][0]) if found else None

    def participants(self, game_id: int) -> set[Any]:
        return {row[0] for row in self._rows(_PARTICIPANTS, game_id)}

    def tournaments(self) -> list[tuple[int, Any, list[RawEntry]]]:
        """Read each tournament's id, the time when it was closed, and its log."""
        found = self._rows(_TOURNAMENTS)
        return [(row[0], row[1], [RawEntry(*each) for each in self._rows(_OF_TOURNAMENT, row[0])]) for row in found]

    def rule_sets(self) -> list[Row]:
        """Read each server's own rule sets: id, server, name, config, and whether it is removed."""
        return self._rows(_RULE_SETS)

    def deals(self) -> list[tuple[int, Deal]]:
        """Read the seed that each game is dealt from, as it is stored."""
        return [(row[0], Deal(*row[1:])) for row in self._rows(_DEALS)]

    def crowded_channels(self) -> list[tuple[int, str]]:
        """List the channels with several open games, and the games' ids."""
        return [(row[0], row[1]) for row in self._rows(_CROWDED)]

    def orphans(self) -> list[str]:
        """Describe the rows that belong to something missing."""
        return [f"{what} {row[0]}" for what, query in _ORPHANS.items() for row in self._rows(query)]

    def _rows(self, query: str, *values: object) -> list[Row]:
        return self._connection.execute(query, values).fetchall()


@contextmanager
def auditing(path: Path) -> Generator[Audit]:
    """Open a database file for the block. Raises StoreUnavailable."""
    with _reading(path) as connection:
        yield Audit(connection)


def check_complete(path: Path, name: object) -> None:
    """Raise CannotCopy if the snapshot in a file is of a database into which a copy wasn't finished."""
    with _reading(path) as connection:
        if connection.execute(_HAS_TABLE, (UNDER_WAY.name,)).fetchall():
            [(source,)] = connection.execute(f"SELECT source FROM {UNDER_WAY.name}")  # noqa: S608 - our name
            raise CannotCopy(f"{name} isn't complete: {unfinished(source)}")


def damage(path: Path) -> list[str]:
    """Run SQLite's integrity check on a file and return what it finds wrong, in its words. Raises StoreUnavailable."""
    with _reading(path) as connection:
        found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check").fetchall()]
    return [] if found == ["ok"] else found


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


@contextmanager
def _reading(path: Path) -> Generator[sqlite3.Connection]:
    check_file(path)
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)) as connection:
            # Invalid UTF-8 is a finding, not a reason to stop.
            connection.text_factory = _text
            yield connection
    except sqlite3.Error as error:
        raise unavailable(error, f"cannot check the database {path}") from error
