"""Queries over games and their logs: opening, continuing, closing, and the result a match ends with."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.shards import SNOWFLAKE_SHIFT, Shards
from bot.store import standing_rows
from bot.store.errors import ChannelBusy, GameClosed, UnknownGame, VersionConflict, is_unique_violation
from bot.store.rows import GameRow, LogEntry, MatchResult, OpenGame
from bot.store.schema import events, games, participants, result_players, results

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
_LOGS: Final = (
    sa.select(events.c.game_id, events.c.version, events.c.kind, events.c.body, events.c.at)
    .where(events.c.game_id.in_(sa.bindparam("games", expanding=True)))
    .order_by(events.c.game_id, events.c.version)
)
_ENTRY: Final = ["game_id", "version", "kind", "body", "at"]
_NEWEST: Final = sa.select(sa.func.coalesce(sa.func.max(events.c.version), sa.literal_column("0")).label("version"))
"""The version a log is at: 0 when it has no entries."""
# In PostgreSQL this waits for appends to the game and holds off others; SQLite has one writer at a time anyhow.
_HELD: Final = sa.select(games.c.id).where(games.c.id == sa.bindparam("game")).with_for_update()
STATE: Final = sa.select(
    _NEWEST.where(events.c.game_id == games.c.id).scalar_subquery().label("version"),
    games.c.closed_at.is_not(None).label("closed"),
).where(games.c.id == sa.bindparam("game"))
"""The version a game is at and whether it was closed; no row if there is no such game."""
_CLOSE: Final = sa.update(games).where(games.c.id == sa.bindparam("game")).values(closed_at=sa.bindparam("moment"))
_SET_MESSAGE: Final = (
    sa.update(games)
    .where(games.c.id == sa.bindparam("game"))
    .values(message_id=sa.bindparam("message"), message_at=sa.bindparam("moment"))
)


NEW_COLUMNS: Final[tuple[sa.ColumnClause[Any], ...]] = (
    sa.column("game_id", events.c.game_id.type),
    sa.column("follows", events.c.version.type),
    *(sa.column(each.name, each.type) for each in (events.c.version, events.c.kind, events.c.body, events.c.at)),
)
"""What `continuing` takes of each entry. `follows` is the version the game must be at, the same for all its entries."""


def continuing(count: int) -> sa.Insert:
    """The statement that continues logs by so many entries, and returns the ids of the games it has continued.

    A game that is closed, isn't there or isn't at the version that its entries follow is left out. The primary key
    refuses the statement if another process writes the same entry in the same moment, which in SQLite can't be.
    """
    values = [tuple(sa.bindparam(f"{each.name}_{n}", type_=each.type) for each in NEW_COLUMNS) for n in range(count)]
    new = sa.values(*NEW_COLUMNS, name="new").data(values).cte("new")
    # In PostgreSQL a game that is being closed is waited for; SQLite has one writer at a time anyhow.
    follow = _following(new, games).where(games.c.closed_at.is_(None)).with_for_update(read=True, of=games)
    return sa.insert(events).from_select(_ENTRY, follow).returning(events.c.game_id)


def continuing_arrays() -> sa.Insert:
    """The same for PostgreSQL and however many entries: its values are arrays, one for each of NEW_COLUMNS.

    It waits for no game: one that somebody else is changing is left out, too.
    """
    arrays = {each.name: sa.bindparam(each.name, type_=ARRAY(each.type)) for each in NEW_COLUMNS}
    new = sa.func.unnest(*arrays.values()).table_valued(*NEW_COLUMNS, name="new").render_derived()
    # Taken once a game, rather than once an entry: else one that is given back meanwhile would lose its first entries.
    free = (
        sa.select(games.c.id)
        .where(games.c.id == sa.any_(arrays["game_id"]), games.c.closed_at.is_(None))
        .with_for_update(read=True, skip_locked=True)
        .cte("free")
    )
    return sa.insert(events).from_select(_ENTRY, _following(new, free)).returning(events.c.game_id)


def _following(new: sa.FromClause, own: sa.FromClause) -> sa.Select[Any]:
    """The new entries that follow the logs of games which are in `own`."""
    found = _NEWEST.where(events.c.game_id == new.c.game_id).correlate(new).scalar_subquery()
    columns = [new.c[name] for name in _ENTRY]
    return sa.select(*columns).join(own, own.c.id == new.c.game_id).where(found == new.c.follows)


async def open_game(
    connection: AsyncConnection,
    guild_id: int,
    channel_id: int,
    opener_id: int,
    locale: str,
    at: datetime,
    entries: Sequence[LogEntry],
    joined: Collection[int],
) -> GameRow:
    """Insert a game with the first entries of its log, which name its opener and those who have joined."""
    if not _are_consecutive(entries, 1):
        raise VersionConflict(None, 1, None)
    opening = sa.insert(games).values(
        guild_id=guild_id,
        channel_id=channel_id,
        opener_id=opener_id,
        locale=locale,
        opened_at=at,
    )
    try:
        game_id = (await connection.execute(opening.returning(games.c.id))).scalar_one()
    except IntegrityError as error:
        if is_unique_violation(error):
            raise ChannelBusy(channel_id) from error
        raise
    await _insert_entries(connection, game_id, entries)
    await _insert_participants(connection, game_id, [opener_id, *joined])
    return GameRow(*(await connection.execute(_GAME.where(games.c.id == game_id))).one())


def check_order(game_id: int, entries: Sequence[LogEntry]) -> None:
    """Raise VersionConflict for entries that don't follow each other."""
    if entries and not _are_consecutive(entries, entries[0].version):
        raise VersionConflict(game_id, entries[0].version, None)


async def append(
    connection: AsyncConnection,
    game_id: int,
    entries: Sequence[LogEntry],
    joined: Collection[int],
    result: MatchResult | None,
    close: bool,
) -> None:
    """Continue a log, by which people have joined; write a result, close the game."""
    await connection.execute(_HELD, {"game": game_id})
    state = (await connection.execute(STATE, {"game": game_id})).one_or_none()
    first = entries[0].version if entries else None
    if state is None or state.closed or first not in (None, state.version + 1):
        raise conflict(game_id, first, state)
    await _insert_entries(connection, game_id, entries)
    played = [player.user_id for player in result.players if player.user_id is not None] if result else []
    await _insert_participants(connection, game_id, [*joined, *played])
    if result:
        await _insert_result(connection, game_id, state.version + len(entries), result)
    if close:
        moment = result.ended_at if result else entries[-1].at if entries else await _last_at(connection, game_id)
        await connection.execute(_CLOSE, {"game": game_id, "moment": moment})


def conflict(game_id: int, first: int | None, state: Sequence[Any] | None) -> UnknownGame | VersionConflict:
    """Why entries from a version on don't continue a game; None is for whatever would come next. `state`: of STATE."""
    if state is None:
        return UnknownGame(game_id)
    found, closed = state
    kind = GameClosed if closed else VersionConflict
    return kind(game_id, found + 1 if first is None else first, found)


async def set_message(connection: AsyncConnection, game_id: int, message_id: int | None, at: datetime | None) -> None:
    """Change a game's message."""
    values = {"game": game_id, "message": message_id, "moment": at}
    if (await connection.execute(_SET_MESSAGE, values)).rowcount != 1:
        raise UnknownGame(game_id)


async def set_locale(connection: AsyncConnection, game_id: int, locale: str) -> None:
    """Change the language of a game's public messages."""
    changed = await connection.execute(sa.update(games).where(games.c.id == game_id).values(locale=locale))
    if changed.rowcount != 1:
        raise UnknownGame(game_id)


async def open_games(connection: AsyncConnection) -> list[int]:
    """The ids of the games that are not closed, in order."""
    open_ones = sa.select(games.c.id).where(games.c.closed_at.is_(None)).order_by(games.c.id)
    return list(await connection.scalars(open_ones))


async def open_places(connection: AsyncConnection, playing: str, shards: Shards) -> list[OpenGame]:
    """The games of some shards that are not closed, in order; one whose log has an entry of the kind `playing` plays.

    Open games are few among all: the index over their channels finds them, and none over shards would pay.
    """
    begun = sa.exists().where(events.c.game_id == games.c.id, events.c.kind == playing)
    open_ones = sa.select(games.c.id, games.c.guild_id, games.c.channel_id, games.c.opener_id, begun)
    rows = await connection.execute(open_ones.where(games.c.closed_at.is_(None), of(shards)).order_by(games.c.id))
    return [OpenGame(*row[:4], playing=bool(row[4])) for row in rows]


async def unshown_ends(connection: AsyncConnection, shards: Shards) -> list[int]:
    """The ids of the closed games of some shards that have a public message still: nobody was shown their end."""
    ended = games.c.closed_at.is_not(None) & games.c.message_id.is_not(None)
    return list(await connection.scalars(sa.select(games.c.id).where(ended, of(shards)).order_by(games.c.id)))


def of(shards: Shards) -> sa.ColumnElement[bool]:
    """Whether a game's server is of one of these shards, as Discord deals them out."""
    if shards.complete:
        return sa.true()
    # The count of bits as a literal: PostgreSQL shifts by no bigint, which a parameter beside this column would be.
    shard = games.c.guild_id.bitwise_rshift(sa.literal_column(str(SNOWFLAKE_SHIFT))) % shards.count
    return shard.in_(shards.numbers)


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


async def games_and_logs(
    connection: AsyncConnection, game_ids: Collection[int]
) -> dict[int, tuple[GameRow, list[LogEntry]]]:
    """Some games by their ids, each with its entries by version."""
    rows = await connection.execute(_GAME.where(games.c.id.in_(game_ids)))
    found: dict[int, tuple[GameRow, list[LogEntry]]] = {row.id: (GameRow(*row), []) for row in rows}
    entries = await connection.execute(_LOGS, {"games": list(game_ids)})
    for game_id, *entry in entries:
        found[game_id][1].append(LogEntry(*entry))
    return found


def _are_consecutive(entries: Sequence[LogEntry], first: int) -> bool:
    return all(entry.version == version for version, entry in enumerate(entries, first))


async def _last_at(connection: AsyncConnection, game_id: int) -> datetime | None:
    """When the latest entry was made, or the game opened."""
    latest = sa.select(sa.func.max(events.c.at)).where(events.c.game_id == game_id).scalar_subquery()
    return await connection.scalar(sa.select(sa.func.coalesce(latest, games.c.opened_at)).where(games.c.id == game_id))


async def _insert_entries(connection: AsyncConnection, game_id: int, entries: Sequence[LogEntry]) -> None:
    if entries:
        rows = [
            {"game_id": game_id, "version": each.version, "kind": each.kind, "body": each.body, "at": each.at}
            for each in entries
        ]
        await connection.execute(sa.insert(events), rows)


async def _insert_participants(connection: AsyncConnection, game_id: int, people: Iterable[int]) -> None:
    new = {person for person in people if person > 0}  # those below stand for who was forgotten
    if new:
        there = sa.select(participants.c.user_id).where(participants.c.game_id == game_id)
        new -= set(await connection.scalars(there))
    if new:
        rows = [{"game_id": game_id, "user_id": person} for person in sorted(new)]
        await connection.execute(sa.insert(participants), rows)


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
        await standing_rows.add(connection, result_id, result)
