"""Queries over games and their logs: opening, continuing, closing, and the result a match ends with."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.errors import ChannelBusy, GameClosed, UnknownGame, VersionConflict, is_unique_violation
from bot.store.rows import GameRow, LogEntry, MatchResult
from bot.store.schema import events, games, result_players, results

# Statements that run with every click are made once; only their values change.
_GAME: Final = sa.select(
    games.c.id,
    games.c.guild_id,
    games.c.channel_id,
    games.c.opener_id,
    games.c.locale,
    games.c.opened_at,
    games.c.closed_at,
    games.c.message_id,
    games.c.message_at,
)
_LOG: Final = (
    sa.select(events.c.version, events.c.kind, events.c.body, events.c.at)
    .where(events.c.game_id == sa.bindparam("game"))
    .order_by(events.c.version)
)
_ADVANCE: Final = (
    sa.update(games)
    .where(
        games.c.id == sa.bindparam("game"),
        games.c.version == sa.bindparam("before"),
        games.c.closed_at.is_(None),
    )
    .values(version=sa.bindparam("after"))
)
_ADVANCE_AND_CLOSE: Final = _ADVANCE.values(closed_at=sa.bindparam("closing"))
_SET_MESSAGE: Final = (
    sa.update(games)
    .where(games.c.id == sa.bindparam("game"))
    .values(message_id=sa.bindparam("message"), message_at=sa.bindparam("moment"))
)


async def open_game(
    connection: AsyncConnection,
    guild_id: int,
    channel_id: int,
    opener_id: int,
    locale: str,
    at: datetime,
    entries: Sequence[LogEntry],
) -> GameRow:
    """Insert a game with the first entries of its log."""
    if not _are_consecutive(entries, 1):
        raise VersionConflict(None, 1, None)
    opening = sa.insert(games).values(
        guild_id=guild_id,
        channel_id=channel_id,
        opener_id=opener_id,
        locale=locale,
        opened_at=at,
        version=len(entries),
    )
    try:
        game_id = (await connection.execute(opening.returning(games.c.id))).scalar_one()
    except IntegrityError as error:
        if is_unique_violation(error):
            raise ChannelBusy(channel_id) from error
        raise
    await _insert_entries(connection, game_id, entries)
    return GameRow(*(await connection.execute(_GAME.where(games.c.id == game_id))).one())


async def append(
    connection: AsyncConnection,
    game_id: int,
    entries: Sequence[LogEntry],
    result: MatchResult | None,
    close: bool,
) -> None:
    """Continue a log; write a result, close the game."""
    if entries and not _are_consecutive(entries, entries[0].version):
        raise VersionConflict(game_id, entries[0].version, None)
    before = entries[0].version - 1 if entries else await _version(connection, game_id)
    after = before + len(entries)
    values: dict[str, Any] = {"game": game_id, "before": before, "after": after}
    if close:
        if result:
            values["closing"] = result.ended_at
        else:
            values["closing"] = entries[-1].at if entries else await _last_at(connection, game_id)
    statement = _ADVANCE_AND_CLOSE if close else _ADVANCE
    if (await connection.execute(statement, values)).rowcount != 1:
        raise await _conflict(connection, game_id, before + 1)
    await _insert_entries(connection, game_id, entries)
    if result:
        await _insert_result(connection, game_id, after, result)


async def set_message(connection: AsyncConnection, game_id: int, message_id: int | None, at: datetime | None) -> None:
    """Change a game's message."""
    values = {"game": game_id, "message": message_id, "moment": at}
    if (await connection.execute(_SET_MESSAGE, values)).rowcount != 1:
        raise UnknownGame(game_id)


async def open_games(connection: AsyncConnection) -> list[int]:
    """The ids of the games that are not closed, in order."""
    open_ones = sa.select(games.c.id).where(games.c.closed_at.is_(None)).order_by(games.c.id)
    return list(await connection.scalars(open_ones))


async def unshown_ends(connection: AsyncConnection) -> list[int]:
    """The ids of the closed games that still have a public message: nobody was shown their end."""
    ended = games.c.closed_at.is_not(None) & games.c.message_id.is_not(None)
    return list(await connection.scalars(sa.select(games.c.id).where(ended).order_by(games.c.id)))


async def give_up(connection: AsyncConnection, game_id: int, at: datetime) -> None:
    """Close a game whose rows nobody can read, without reading them."""
    closed_at = sa.case((games.c.closed_at.is_(None), at), else_=games.c.closed_at)
    values = {"closed_at": closed_at, "message_id": None, "message_at": None}
    await connection.execute(sa.update(games).where(games.c.id == game_id).values(values))


async def game(connection: AsyncConnection, game_id: int) -> GameRow | None:
    """One game."""
    row = (await connection.execute(_GAME.where(games.c.id == game_id))).one_or_none()
    return None if row is None else GameRow(*row)


async def log(connection: AsyncConnection, game_id: int) -> list[LogEntry]:
    """One game's entries by version."""
    return [LogEntry(*row) for row in await connection.execute(_LOG, {"game": game_id})]


def _are_consecutive(entries: Sequence[LogEntry], first: int) -> bool:
    return all(entry.version == version for version, entry in enumerate(entries, first))


async def _version(connection: AsyncConnection, game_id: int) -> int:
    version = await connection.scalar(sa.select(games.c.version).where(games.c.id == game_id))
    if version is None:
        raise UnknownGame(game_id)
    return version


async def _last_at(connection: AsyncConnection, game_id: int) -> datetime | None:
    """When the latest entry was made, or the game opened."""
    latest = sa.select(sa.func.max(events.c.at)).where(events.c.game_id == game_id).scalar_subquery()
    return await connection.scalar(sa.select(sa.func.coalesce(latest, games.c.opened_at)).where(games.c.id == game_id))


async def _conflict(connection: AsyncConnection, game_id: int, first: int) -> UnknownGame | VersionConflict:
    """Why a game could not be advanced."""
    state = sa.select(games.c.version, games.c.closed_at).where(games.c.id == game_id)
    row = (await connection.execute(state)).one_or_none()
    if row is None:
        return UnknownGame(game_id)
    kind = VersionConflict if row.closed_at is None else GameClosed
    return kind(game_id, first, row.version)


async def _insert_entries(connection: AsyncConnection, game_id: int, entries: Sequence[LogEntry]) -> None:
    if entries:
        rows = [
            {"game_id": game_id, "version": each.version, "kind": each.kind, "body": each.body, "at": each.at}
            for each in entries
        ]
        await connection.execute(sa.insert(events), rows)


async def _insert_result(connection: AsyncConnection, game_id: int, version: int, result: MatchResult) -> None:
    match = {
        "guild_id": result.guild_id,
        "ended_at": result.ended_at,
        "ranked": result.ranked,
    }
    row = sa.insert(results).values(
        **match,
        game_id=game_id,
        version=version,
        channel_id=result.channel_id,
        preset=result.preset,
        target=result.target,
        seating=result.seating,
        rounds=result.rounds,
    )
    result_id = (await connection.execute(row.returning(results.c.id))).scalar_one()
    seats = [
        {
            **match,
            "result_id": result_id,
            "seat": player.seat,
            "side": player.side,
            "user_id": player.user_id,
            "name": player.name,
            "won": player.won,
            "points": player.points,
            "escobas": player.escobas,
        }
        for player in result.players
    ]
    if seats:
        await connection.execute(sa.insert(result_players), seats)
