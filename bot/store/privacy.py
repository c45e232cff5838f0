"""Queries over one user, in all guilds: what the rows hold about them, and taking them out of the rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import people, reviews, standing_rows
from bot.store.rows import GameRow, MatchResult, PersonalRows, PlayerResult
from bot.store.schema import events, games, participants, result_players, results

Rewrite = Callable[[str, str], str | None]
"""Given the kind and body of an entry: the body without the user; None if it doesn't name them."""

Rewriter = Callable[[int], Rewrite]
"""Given a game's id: what rewrites its entries. Asked once for each game."""

NOBODY: Final = "—"
"""The name of who was forgotten."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry in whose body the user's id occurs."""

    game_id: int
    version: int
    kind: str
    body: str


async def personal_data(connection: AsyncConnection, user_id: int) -> PersonalRows:
    """The rows about a user."""
    played = sa.select(results.c.game_id).join(result_players).where(result_players.c.user_id == user_id)
    own_games = await connection.execute(
        sa.select(*(games.c[name] for name in GameRow.__dataclass_fields__))
        .where((games.c.opener_id == user_id) | games.c.id.in_(_sat_in(user_id)) | games.c.id.in_(played))
        .order_by(games.c.id)
    )
    own_results = await connection.execute(
        sa.select(
            results.c.game_id,
            *(results.c[name] for name in MatchResult.__dataclass_fields__ if name != "players"),
            *(result_players.c[name] for name in PlayerResult.__dataclass_fields__),
        )
        .join_from(result_players, results)
        .where(result_players.c.user_id == user_id)
        .order_by(results.c.id)
    )
    width = len(PlayerResult.__dataclass_fields__)
    return PersonalRows(
        tuple(GameRow(*row) for row in own_games),
        tuple((row[0], MatchResult(*row[1:-width], players=(PlayerResult(*row[-width:]),))) for row in own_results),
        await people.get(connection, user_id),
        tuple(await reviews.of_user(connection, user_id)),
    )


async def forget(connection: AsyncConnection, user_id: int, rewriter: Rewriter, open_games: Collection[int]) -> int:
    """Take a user out of all rows, but for the open games that aren't among `open_games`; returns how many changed."""
    if connection.dialect.name == "sqlite":
        # What is overwritten is to be gone from the file too, not only from its rows.
        await connection.exec_driver_sql("PRAGMA secure_delete=ON")
    may_change = games.c.closed_at.is_not(None) | games.c.id.in_(open_games)
    touched = await _rewrite(connection, rewriter, await _entries(connection, user_id, may_change))
    free = sa.select(games.c.id).where(may_change)
    await connection.execute(
        sa.delete(participants).where(participants.c.user_id == user_id, participants.c.game_id.in_(free))
    )
    openers = await connection.execute(
        sa.update(games).where(games.c.opener_id == user_id, may_change).values(opener_id=0)
    )
    players = await connection.execute(
        sa.update(result_players).where(result_players.c.user_id == user_id).values(user_id=None, name=NOBODY)
    )
    touched += await reviews.forget(connection, user_id)
    chosen = await people.put(connection, user_id, None)
    for guild_id in await standing_rows.servers_of(connection, user_id):
        await standing_rows.recount(connection, guild_id, [user_id])
    return touched + openers.rowcount + players.rowcount + chosen


def without_stand_ins(result: MatchResult) -> MatchResult:
    """The result as it is kept: who was forgotten while the match went on has a negative id in it, and is nobody."""
    if all(player.user_id is None or player.user_id >= 0 for player in result.players):
        return result
    players = (
        replace(player, user_id=None, name=NOBODY) if player.user_id is not None and player.user_id < 0 else player
        for player in result.players
    )
    return replace(result, players=tuple(players))


def _sat_in(user_id: int) -> sa.Select[tuple[int]]:
    """The games in whose logs the user is named."""
    return sa.select(participants.c.game_id).where(participants.c.user_id == user_id)


async def _entries(connection: AsyncConnection, user_id: int, may_change: sa.ColumnElement[bool]) -> list[_Entry]:
    """The entries that may name the user: whoever wrote the id into a body wrote it in decimal digits."""
    rows = await connection.execute(
        sa.select(events.c.game_id, events.c.version, events.c.kind, events.c.body)
        .join_from(events, games)
        .where(
            events.c.game_id.in_(_sat_in(user_id)), events.c.body.contains(str(user_id), autoescape=True), may_change
        )
    )
    return [_Entry(*row) for row in rows]


async def _rewrite(connection: AsyncConnection, rewriter: Rewriter, entries: Iterable[_Entry]) -> int:
    by_game: defaultdict[int, list[_Entry]] = defaultdict(list)
    for entry in entries:
        by_game[entry.game_id].append(entry)
    changes: list[dict[str, object]] = []
    for game_id, own in by_game.items():
        rewrite = rewriter(game_id)
        for entry in own:
            body = rewrite(entry.kind, entry.body)
            if body is not None:
                changes.append({"game": game_id, "at_version": entry.version, "new_body": body})
    if changes:
        statement = (
            sa.update(events)
            .where(events.c.game_id == sa.bindparam("game"), events.c.version == sa.bindparam("at_version"))
            .values(body=sa.bindparam("new_body"))
        )
        await connection.execute(statement, changes)
    return len(changes)
