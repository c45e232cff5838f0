"""What several judges keep books of: what a request shows, and what is stored."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.support.limits_components import TEXT, walk

if TYPE_CHECKING:
    from tests.simulation.network import Request
    from tests.simulation.town import Town

OF_GAME: Final = re.compile(r"e:([a-z]+):([0-9a-z]+):([0-9a-z]+)")
"""A control of a game: what it does, the game, and the version that it was made for, or 0."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a message shows: its text, and for each game that it has controls of the newest version named by them."""

    text: str
    games: dict[int, int]


def nodes_of(request: Request) -> list[Any]:
    """The components that a request sends, also those in others, gathered once for all judges."""
    if request.nodes is None:
        body = request.body if isinstance(request.body, dict) else {}
        body = body.get("data") or body
        request.nodes = [node for _, node in walk((body.get("components") or []) if isinstance(body, dict) else [])]
    return request.nodes


def shown_by(request: Request) -> Sheet | None:
    """Read the message that a request has sent or edited, once for all judges; None if it did neither."""
    if not (request.applied and isinstance(request.body, dict)):
        return None
    if request.sheet is None:
        request.sheet = _read(request)
    return request.sheet


def _read(request: Request) -> Sheet | None:
    body = request.body.get("data") or request.body
    if not isinstance(body, dict) or not (body.get("components") or body.get("content")):
        return None
    texts, games = [str(body.get("content") or "")], {}
    for node in nodes_of(request):
        if node.get("type") == TEXT:
            texts.append(str(node.get("content") or ""))
        elif found := OF_GAME.match(node.get("custom_id") or ""):
            game = int(found[2], 36)
            games[game] = max(games.get(game, 0), int(found[3], 36))
    return Sheet("\n".join(texts), games)


@contextmanager
def stored(town: Town, name: str) -> Iterator[sqlite3.Connection]:
    """Open a copy of what is stored now. `name`: the copy's, one for each judge."""
    copy = town.world.folder / f"{name}.sqlite3"
    for rest in ("", "-wal", "-shm"):
        Path(f"{copy}{rest}").unlink(missing_ok=True)
    town.world.disk.copy(copy)
    with closing(sqlite3.connect(copy)) as connection:
        yield connection


def seconds_of(stored_at: str) -> float:
    """The seconds since 1970 of a moment as it is stored."""
    return datetime.fromisoformat(stored_at).replace(tzinfo=UTC).timestamp()


def never_mentioned(connection: sqlite3.Connection, person_id: int) -> bool:
    """Whether somebody has chosen never to be mentioned in their turns."""
    return _chosen(connection, person_id).get("turn_notice") == "never"


def told_otherwise(connection: sqlite3.Connection, person_id: int) -> bool:
    """Whether somebody has chosen not to be mentioned in slow matches: to be told in private, or not at all."""
    return _chosen(connection, person_id).get("slow_notice", "mention") != "mention"


def _chosen(connection: sqlite3.Connection, person_id: int) -> dict[str, Any]:
    row = connection.execute("SELECT choices FROM people WHERE user_id = ?", (person_id,)).fetchone()
    return {} if row is None else json.loads(row[0])
