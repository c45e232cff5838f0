"""A look into a database file that is to be restored: how many games it has, and until when."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.platform.database.errors import as_store_errors

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
