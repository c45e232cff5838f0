"""One user's data in all guilds: what the rows hold about them, and erasing them from the rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.shards import Shards
from bot.store import due, news
from bot.store.club import achievements as achieved
from bot.store.club import rivals
from bot.store.club import rows as standing_rows
from bot.store.rows import PLAYER_COLUMNS, GameRow, MatchResult, PersonalRows, PlayerResult, RuleSetRow
from bot.store.schema import achievements, events, games, participants, result_players, results, rule_sets
from bot.store.server import preferences
from bot.store.tables.logs import GAME, in_shards
from bot.store.training import answers, lessons, practice, reviews

Rewrite = Callable[[str, str], str | None]
"""Given the kind and body of an entry: the body without the user; None if it doesn't name them."""

Rewriter = Callable[[int], Rewrite]
"""Given a game's id: the function that rewrites its entries. Called once per game."""

NOBODY: Final = "—"
"""The name shown for a person who was erased."""

_OF_RESULTS: Final = [name for name in MatchResult.__dataclass_fields__ if name != "players"]


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry in whose body the user's id occurs."""

    game_id: int
    version: int
    kind: str
    body: str


async def personal_data(connection: AsyncConnection, user_id: int) -> PersonalRows:
    played = sa.select(results.c.game_id).join(result_players).where(result_players.c.user_id == user_id)
    own_games = await connection.execute(
        GAME.where((games.c.opener_id == user_id) | games.c.id.in_(_sat_in(user_id)) | games.c.id.in_(played)).order_by(
            games.c.id
        )
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
    width = len(PLAYER_COLUMNS)
    return PersonalRows(
        tuple(GameRow(*row) for row in own_games),
        tuple((row[0], _own_result(row[1:-width], PlayerResult(*row[-width:]))) for row in own_results),
        await preferences.get(connection, user_id),
        tuple(await reviews.of_user(connection, user_id)),
        await rivals.of_user(connection, user_id, await standing_rows.servers_of(connection, user_id)),
        tuple(await practice.rows_of(connection, user_id)),
        lessons=tuple(await lessons.of_user(connection, user_id)),
        answers=tuple(await answers.of_user(connection, user_id)),
        achievements=await achieved.everywhere(connection, user_id),
        rule_sets=tuple(await _saved_rule_sets(connection, user_id)),
    )


async def _saved_rule_sets(connection: AsyncConnection, user_id: int) -> list[RuleSetRow]:
    columns = (rule_sets.c[name] for name in RuleSetRow.__dataclass_fields__)
    own = sa.select(*columns).where(rule_sets.c.saved_by == user_id).order_by(rule_sets.c.id)
    return [RuleSetRow(*row) for row in await connection.execute(own)]


def _own_result(values: Sequence[Any], player: PlayerResult) -> MatchResult:
    return MatchResult(**dict(zip(_OF_RESULTS, values, strict=True)), players=(player,))


async def forget(
    connection: AsyncConnection, user_id: int, rewriter: Rewriter, open_games: Collection[int], shards: Shards
) -> int:
    """Erase a user from all rows, except in open games that aren't among `open_games`; returns how many changed.

    Open games of other shards are noted, and counted, for their own processes.
    """
    may_change = games.c.closed_at.is_not(None) | games.c.id.in_(open_games)
    touched = await _forget_where(connection, user_id, rewriter, may_change)
    players = await connection.execute(
        sa.update(result_players)
        .where(result_players.c.user_id == user_id)
        # Their rating after a match would link each of their matches to the next one.
        .values(user_id=None, name=NOBODY, new_mu=None, new_sigma=None)
    )
    own = await connection.execute(sa.delete(achievements).where(achievements.c.user_id == user_id))
    touched += players.rowcount + own.rowcount + await reviews.forget(connection, user_id)
    for guild_id in await standing_rows.servers_of(connection, user_id):
        await standing_rows.recount(connection, guild_id, [user_id])
    if not shards.complete:
        touched += await _note_elsewhere(connection, user_id, shards)
    return touched + await preferences.forget(connection, user_id)


async def forget_in(connection: AsyncConnection, user_id: int, rewriter: Rewriter, game_id: int) -> int:
    """Erase a user from one game that has no result, and remove the note that this is due."""
    touched = await _forget_where(connection, user_id, rewriter, games.c.id == game_id)
    await due.done(connection, due.Place.GAME, game_id, user_id)
    return touched


async def erasures_due(connection: AsyncConnection, shards: Shards) -> list[tuple[int, int]]:
    """(game, user): the erasures still due in games of some shards."""
    noted = await due.noted(connection, due.Place.GAME)
    own = sa.select(games.c.id).where(games.c.id.in_([game for game, _ in noted]), in_shards(shards))
    mine = set(await connection.scalars(own)) if noted else set[int]()
    return [each for each in noted if each[0] in mine]


async def _note_elsewhere(connection: AsyncConnection, user_id: int, shards: Shards) -> int:
    named = (games.c.opener_id == user_id) | games.c.id.in_(_sat_in(user_id))
    elsewhere = sa.select(games.c.id).where(named, games.c.closed_at.is_(None), ~in_shards(shards))
    found = list(await connection.scalars(elsewhere))
    for game_id in found:
        await due.note(connection, due.Place.GAME, game_id, user_id)
    if found:
        await news.publish(connection, news.News.ERASURES)
    return len(found)


async def _forget_where(
    connection: AsyncConnection, user_id: int, rewriter: Rewriter, may_change: sa.ColumnElement[bool]
) -> int:
    """Erase a user from the rows of some games, except the results; returns how many changed."""
    if connection.dialect.name == "sqlite":
        # Overwritten data must be gone from the file too, not only from its rows.
        await connection.exec_driver_sql("PRAGMA secure_delete=ON")
    touched = await _rewrite(connection, rewriter, await _entries(connection, user_id, may_change))
    free = sa.select(games.c.id).where(may_change)
    await connection.execute(
        sa.delete(participants).where(participants.c.user_id == user_id, participants.c.game_id.in_(free))
    )
    openers = await connection.execute(
        sa.update(games).where(games.c.opener_id == user_id, may_change).values(opener_id=0)
    )
    return touched + openers.rowcount


def without_stand_ins(result: MatchResult) -> MatchResult:
    """The result as it is stored: a negative id stands for somebody erased during the match, and becomes nobody."""
    if all(player.user_id is None or player.user_id >= 0 for player in result.players):
        return result
    players = (
        replace(player, user_id=None, name=NOBODY) if player.user_id is not None and player.user_id < 0 else player
        for player in result.players
    )
    return replace(result, players=tuple(players))


def _sat_in(user_id: int) -> sa.Select[tuple[int]]:
    """The games whose logs name the user."""
    return sa.select(participants.c.game_id).where(participants.c.user_id == user_id)


async def _entries(connection: AsyncConnection, user_id: int, may_change: sa.ColumnElement[bool]) -> list[_Entry]:
    """The entries that may name the user: ids are written into bodies in decimal digits."""
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
