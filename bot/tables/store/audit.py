"""Games as they are stored, to be checked or counted in a database file."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from bot.platform.database.errors import as_store_errors
from bot.platform.database.tools.audit import Audit, Row
from bot.tables.store.deals import Deal

_TIMES: Final = (
    "SELECT max(at) FROM (SELECT max(at) AS at FROM events UNION ALL SELECT max(ended_at) FROM results"
    " UNION ALL SELECT max(opened_at) FROM games UNION ALL SELECT max(closed_at) FROM games)"
)
_HOW_MANY: Final = "SELECT count(*), count(*) - count(closed_at) FROM games"


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a database: the number of games, and the latest time in its rows, None if there is none."""

    games: int
    open_games: int
    newest: datetime | None


def contents_of(database: Path) -> Contents:
    """Count a database's games and find the latest time in it. Raises StoreUnavailable."""
    with as_store_errors("cannot read", database), closing(sqlite3.connect(database)) as connection:
        games, open_games = connection.execute(_HOW_MANY).fetchone()
        [stored] = connection.execute(_TIMES).fetchone()
    newest = None
    with suppress(ValueError):
        newest = datetime.fromisoformat(str(stored)).replace(tzinfo=UTC)
    return Contents(games, open_games, newest)


_GAMES: Final = "SELECT id, guild_id, channel_id, closed_at, gains_by_play FROM games ORDER BY id"
_RESULTS: Final = (
    "SELECT id, version, guild_id, channel_id, ended_at, preset, target, seating, rounds, ranked, friendly, rule_set"
    " FROM results WHERE game_id = ? ORDER BY id"
)
_PLAYERS: Final = (
    "SELECT seat, side, user_id, name, won, points, escobas, place, sources, stayed, played, gains, guild_id, ended_at,"
    " ranked"
    " FROM result_players WHERE result_id = ? ORDER BY seat"
)
_PARTICIPANTS: Final = "SELECT user_id FROM participants WHERE game_id = ?"
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
}
_RULE_SETS: Final = "SELECT id, guild_id, name, config, removed FROM rule_sets ORDER BY id"
_DEALS: Final = "SELECT game_id, seed, commitment, message_id, posted, dealt FROM deals ORDER BY game_id"


@dataclass(frozen=True, slots=True)
class RawGame:
    """A game's row, with any values that the file holds."""

    id: int
    guild_id: Any
    channel_id: Any
    closed_at: Any
    gains_by_play: Any


@dataclass(frozen=True, slots=True)
class RawResult:
    """A result with its players' rows, each of which is
    (seat, side, user_id, name, won, points, escobas, place, sources, stayed, played, gains, guild_id,
    ended_at, ranked).
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


def raw_games(audit: Audit) -> Iterator[RawGame]:
    return (RawGame(*row) for row in audit.rows(_GAMES))


def raw_results(audit: Audit, game_id: int) -> list[RawResult]:
    """Read the results written for a game: one, or none."""
    found = audit.rows(_RESULTS, game_id)
    return [RawResult(*row, players=tuple(audit.rows(_PLAYERS, row[0]))) for row in found]


def participants_of(audit: Audit, game_id: int) -> set[Any]:
    return {row[0] for row in audit.rows(_PARTICIPANTS, game_id)}


def raw_rule_sets(audit: Audit) -> list[Row]:
    """Read each server's own rule sets: id, server, name, config, and whether it is removed."""
    return audit.rows(_RULE_SETS)


def raw_deals(audit: Audit) -> list[tuple[int, Deal]]:
    """Read the seed that each game is dealt from, as it is stored."""
    return [(row[0], Deal(*row[1:])) for row in audit.rows(_DEALS)]


def crowded_channels(audit: Audit) -> list[tuple[int, str]]:
    """List the channels with several open games, and the games' ids."""
    return [(row[0], row[1]) for row in audit.rows(_CROWDED)]


def orphans_of_games(audit: Audit) -> list[str]:
    """Describe the rows that belong to a missing game or result."""
    return audit.orphans(_ORPHANS)
