"""One user's data in all guilds: what the rows hold about them, and erasing them from the rows."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.shards import Shards
from bot.store.club import achievements as achieved
from bot.store.club import gains, rivals
from bot.store.club import rows as standing_rows
from bot.store.event_logs import Rewriter
from bot.store.postgres_server import lock_server
from bot.store.rows import NOBODY, PLAYER_COLUMNS, GameRow, MatchResult, PersonalRows, PlayerResult, RuleSetRow
from bot.store.schema.club import achievements
from bot.store.schema.server import rule_sets
from bot.store.schema.tables import games, result_players, results
from bot.store.server import preferences
from bot.store.server.retention import drop_whole
from bot.store.tables.logs import GAME, GAMES
from bot.store.training import answers, lessons, practice, reviews

_OF_RESULTS: Final = [name for name in MatchResult.__dataclass_fields__ if name != "players"]


async def personal_data(connection: AsyncConnection, user_id: int) -> PersonalRows:
    played = sa.select(results.c.game_id).join(result_players).where(result_players.c.user_id == user_id)
    own_games = await connection.execute(
        GAME.where(GAMES.naming(user_id) | games.c.id.in_(played)).order_by(games.c.id)
    )
    own_results = await connection.execute(
        sa.select(
            results.c.game_id,
            *(results.c[name] for name in _OF_RESULTS),
            *(result_players.c[name] for name in PLAYER_COLUMNS),
        )
        .join_from(result_players, results)
        .where(result_players.c.user_id == user_id)
        .order_by(results.c.id)
    )
    # In a thread, because there may be very many.
    games_, results_ = await asyncio.to_thread(lambda: ([GameRow(*row) for row in own_games], _results(own_results)))
    servers = await standing_rows.servers_of(connection, user_id)
    return PersonalRows(
        tuple(games_),
        tuple(results_),
        await preferences.get(connection, user_id),
        tuple(await reviews.of_user(connection, user_id)),
        await rivals.of_user(connection, user_id, servers),
        tuple(await practice.rows_of(connection, user_id)),
        lessons=tuple(await lessons.of_user(connection, user_id)),
        answers=tuple(await answers.of_user(connection, user_id)),
        achievements=await achieved.everywhere(connection, user_id),
        rule_sets=tuple(await _saved_rule_sets(connection, user_id)),
        gains=await gains.of_user(connection, user_id, servers),
        owed=await preferences.owed(connection, user_id),
    )


async def _saved_rule_sets(connection: AsyncConnection, user_id: int) -> list[RuleSetRow]:
    columns = (rule_sets.c[name] for name in RuleSetRow.__dataclass_fields__)
    own = sa.select(*columns).where(rule_sets.c.saved_by == user_id).order_by(rule_sets.c.id)
    return [RuleSetRow(*row) for row in await connection.execute(own)]


def _results(rows: Iterable[sa.Row[Any]]) -> list[tuple[int, MatchResult]]:
    width = len(PLAYER_COLUMNS)
    return [
        (
            row[0],
            MatchResult(**dict(zip(_OF_RESULTS, row[1:-width], strict=True)), players=(PlayerResult(*row[-width:]),)),
        )
        for row in rows
    ]


async def forget(
    connection: AsyncConnection,
    user_id: int,
    rewriter: Rewriter,
    open_games: Collection[int],
    shards: Shards,
    later: Collection[int],
) -> int:
    """Erase a user from all rows, except in open games that aren't among `open_games`; return how many changed.

    Open games of other shards, and those in `later`, are noted, and counted, for the processes that can do it. What
    they have played alone in private is deleted: it is nobody else's.
    """
    touched = await _drop_alone(connection, user_id)
    touched += await GAMES.forget(connection, user_id, rewriter, open_games, shards, later)
    for guild_id in await standing_rows.servers_of(connection, user_id):
        await lock_server(connection, guild_id)  # before its results are written to, as wherever these change
    players = await connection.execute(
        sa.update(result_players)
        .where(result_players.c.user_id == user_id)
        # Their rating after a match would link each of their matches to the next one.
        .values(user_id=None, name=NOBODY, new_mu=None, new_sigma=None, weight=None)
    )
    own = await connection.execute(sa.delete(achievements).where(achievements.c.user_id == user_id))
    touched += players.rowcount + own.rowcount + await reviews.forget(connection, user_id)
    for guild_id in await standing_rows.servers_of(connection, user_id):
        await standing_rows.recount(connection, guild_id, [user_id])
    return touched + await preferences.forget(connection, user_id)


async def _drop_alone(connection: AsyncConnection, user_id: int) -> int:
    own = sa.select(games.c.id).where(games.c.opener_id == user_id, games.c.channel_id.is_(None))
    played = sa.select(results.c.game_id).join(result_players)
    played = played.where(results.c.channel_id.is_(None), result_players.c.user_id == user_id)  # its log may be gone
    found = list(await connection.scalars(own.union(played)))
    for number in sorted(found):
        await GAMES.hold(connection, number)
    await drop_whole(connection, found)
    return len(found)


def without_stand_ins(result: MatchResult) -> MatchResult:
    """Replace the negative ids in a result before it is stored: they stand for people erased during the match."""
    if all(player.user_id is None or player.user_id >= 0 for player in result.players):
        return result
    players = (
        replace(player, user_id=None, name=NOBODY) if player.user_id is not None and player.user_id < 0 else player
        for player in result.players
    )
    return replace(result, players=tuple(players))
