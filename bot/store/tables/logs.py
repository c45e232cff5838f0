"""Games and their logs: opening, continuing, closing, and the result a match ends with."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.eventlog.log import LogEntry
from bot.shards import Shards
from bot.store.appended_logs import AppendedLogs
from bot.store.club import rows as standing_rows
from bot.store.errors import VersionConflict, is_unique_violation
from bot.store.event_logs import are_consecutive, in_shards
from bot.store.rows import GameRow, MatchResult, OpenGame
from bot.store.schema.tables import deals, events, games, participants, result_players, results
from bot.store.tables import deals as drawing
from bot.store.tables.deals import Draw, Seal
from bot.store.tables.errors import ChannelBusy, FixtureOpened, GameClosed, UnknownGame

GAMES: Final = AppendedLogs(
    owners=games,
    opener="opener_id",
    key="game_id",
    entries=events,
    people=participants,
    others=(deals,),
    place="erase:",
    unknown=UnknownGame,
    closed=GameClosed,
)

# Statements that run with every click are built once; only their values change.
GAME: Final = sa.select(
    games.c.id,
    games.c.guild_id,
    games.c.channel_id,
    games.c.opener_id,
    games.c.locale,
    games.c.opened_at,
    games.c.closed_at,
    games.c.message_id,
    games.c.message_at,
    deals.c.commitment,
    sa.func.coalesce(deals.c.posted, 0),
).select_from(games.outerjoin(deals))
"""The columns of a `GameRow`."""
_CLOSE: Final = (
    sa.update(games)
    .where(games.c.id == sa.bindparam("game"))
    .values(closed_at=sa.bindparam("moment"), broken_off=sa.bindparam("early"))
)
_SET_MESSAGE: Final = (
    sa.update(games)
    .where(games.c.id == sa.bindparam("game"))
    .values(message_id=sa.bindparam("message"), message_at=sa.bindparam("moment"))
)


async def open_game(
    connection: AsyncConnection,
    guild_id: int | None,
    channel_id: int | None,
    opener_id: int,
    locale: str,
    at: datetime,
    entries: Sequence[LogEntry],
    joined: Collection[int],
    fixture: tuple[int, str] | None,
    seal: Seal | None,
) -> GameRow:
    """Insert a game with the first entries of its log, which name its opener and the people who have joined."""
    if not are_consecutive(entries, 1):
        raise VersionConflict(None, 1, None)
    tournament_id, key = fixture or (None, None)
    if tournament_id is not None:
        same = sa.select(games.c.id).where(games.c.tournament_id == tournament_id, games.c.fixture == key)
        if await connection.scalar(same) is not None:
            raise FixtureOpened(tournament_id, str(key))
    opening = sa.insert(games).values(
        guild_id=guild_id,
        channel_id=channel_id,
        opener_id=opener_id,
        locale=locale,
        opened_at=at,
        tournament_id=tournament_id,
        fixture=key,
    )
    try:
        game_id = (await connection.execute(opening.returning(games.c.id))).scalar_one()
    except IntegrityError as error:
        if is_unique_violation(error):
            raise ChannelBusy(channel_id) from error
        raise
    if seal is not None:
        await drawing.begin(connection, game_id, seal)
    await GAMES.insert(connection, game_id, entries)
    await GAMES.note_people(connection, game_id, [opener_id, *joined])
    return GameRow(*(await connection.execute(GAME.where(games.c.id == game_id))).one())


def check_order(game_id: int, entries: Sequence[LogEntry]) -> None:
    """Raise VersionConflict for entries that aren't consecutive."""
    if entries and not are_consecutive(entries, entries[0].version):
        raise VersionConflict(game_id, entries[0].version, None)


async def append(
    connection: AsyncConnection,
    game_id: int,
    entries: Sequence[LogEntry],
    joined: Collection[int],
    result: MatchResult | None,
    close: bool,
    broken_off: bool,
    moved_to: int | None,
    draw: Draw | None,
) -> None:
    """Continue a log, note the people who joined, write a result, close the game or move it to another channel."""
    await GAMES.hold(connection, game_id)
    state = (await connection.execute(GAMES.state, {"owner": game_id})).one_or_none()
    first = entries[0].version if entries else None
    if state is None or state.closed or first not in (None, state.version + 1):
        raise GAMES.conflict(game_id, first, state)
    if draw is not None and not await drawing.note_draw(connection, game_id, draw):
        raise VersionConflict(game_id, state.version + 1, state.version)
    await GAMES.insert(connection, game_id, entries)
    played = [player.user_id for player in result.players if player.user_id is not None] if result else []
    await GAMES.note_people(connection, game_id, [*joined, *played])
    if result:
        await _insert_result(connection, game_id, state.version + len(entries), result)
    if moved_to is not None:
        await _move(connection, game_id, moved_to)
    if close:
        moment = result.ended_at if result else entries[-1].at if entries else await _last_at(connection, game_id)
        await connection.execute(_CLOSE, {"game": game_id, "moment": moment, "early": broken_off})


async def _move(connection: AsyncConnection, game_id: int, channel_id: int) -> None:
    values = {"channel_id": channel_id, "message_id": None, "message_at": None}
    await drawing.note_message(connection, game_id, None)
    try:
        await connection.execute(sa.update(games).where(games.c.id == game_id).values(values))
    except IntegrityError as error:
        if is_unique_violation(error):
            raise ChannelBusy(channel_id) from error
        raise


async def set_message(
    connection: AsyncConnection, game_id: int, message_id: int | None, at: datetime | None
) -> int | None:
    """Note a game's message; returns how often it was posted before its first deal, if that can still change."""
    values = {"game": game_id, "message": message_id, "moment": at}
    if (await connection.execute(_SET_MESSAGE, values)).rowcount != 1:
        raise UnknownGame(game_id)
    return None if message_id is None else await drawing.note_message(connection, game_id, message_id)


async def set_locale(connection: AsyncConnection, game_id: int, locale: str) -> None:
    changed = await connection.execute(sa.update(games).where(games.c.id == game_id).values(locale=locale))
    if changed.rowcount != 1:
        raise UnknownGame(game_id)


async def open_games(connection: AsyncConnection, playing: str, shards: Shards) -> list[OpenGame]:
    """The open games of some shards, by id. A game whose log has an entry of the kind `playing` is being played.

    The games of those who play alone in private are in no shard.

    Open games are few: the index over their channels finds them, and one over shards wouldn't pay.
    """
    begun = sa.exists().where(events.c.game_id == games.c.id, events.c.kind == playing)
    open_ones = sa.select(games.c.id, games.c.guild_id, games.c.channel_id, games.c.opener_id, begun)
    rows = await connection.execute(
        open_ones.where(
            games.c.closed_at.is_(None), games.c.guild_id.is_not(None), in_shards(games.c.guild_id, shards)
        ).order_by(games.c.id)
    )
    return [OpenGame(*row[:4], playing=bool(row[4])) for row in rows]


async def open_alone(connection: AsyncConnection, user_id: int, playing: str) -> OpenGame | None:
    """The open game of a user who plays alone in private."""
    begun = sa.exists().where(events.c.game_id == games.c.id, events.c.kind == playing)
    found = sa.select(games.c.id, games.c.guild_id, games.c.channel_id, games.c.opener_id, begun)
    own = (games.c.opener_id == user_id, games.c.channel_id.is_(None), games.c.closed_at.is_(None))
    row = (await connection.execute(found.where(*own))).one_or_none()
    return None if row is None else OpenGame(*row[:4], playing=bool(row[4]))


async def latest_alone(connection: AsyncConnection, user_id: int) -> int | None:
    """The latest game that a user has played alone in private, and that is over."""
    own = (games.c.opener_id == user_id, games.c.channel_id.is_(None), games.c.closed_at.is_not(None))
    return await connection.scalar(sa.select(games.c.id).where(*own).order_by(games.c.id.desc()).limit(1))


async def idle_alone(connection: AsyncConnection, before: datetime, limit: int) -> list[int]:
    """Some users whose open game, which they play alone in private, they haven't continued since a time."""
    later = sa.exists().where(events.c.game_id == games.c.id, events.c.at >= before)
    idle = (games.c.channel_id.is_(None), games.c.closed_at.is_(None), games.c.opened_at < before, ~later)
    return list(await connection.scalars(sa.select(games.c.opener_id).where(*idle).order_by(games.c.id).limit(limit)))


async def unshown_ends(connection: AsyncConnection, shards: Shards) -> list[int]:
    """The closed games of some shards that still have a public message, which doesn't show their end yet."""
    ended = games.c.closed_at.is_not(None) & games.c.message_id.is_not(None)
    return list(
        await connection.scalars(
            sa.select(games.c.id).where(ended, in_shards(games.c.guild_id, shards)).order_by(games.c.id)
        )
    )


async def newest_event(connection: AsyncConnection) -> datetime | None:
    """The time of the newest entry in the logs of all open games."""
    newest = sa.select(sa.func.max(events.c.at)).where(events.c.game_id == games.c.id, games.c.closed_at.is_(None))
    return await connection.scalar(newest)


async def give_up(connection: AsyncConnection, game_id: int, at: datetime) -> None:
    """Close a game without reading its rows, which are damaged."""
    closed_at = sa.case((games.c.closed_at.is_(None), at), else_=games.c.closed_at)
    values = {"closed_at": closed_at, "message_id": None, "message_at": None}
    await connection.execute(sa.update(games).where(games.c.id == game_id).values(values))


async def game(connection: AsyncConnection, game_id: int) -> GameRow | None:
    row = (await connection.execute(GAME.where(games.c.id == game_id))).one_or_none()
    return None if row is None else GameRow(*row)


async def broken_off(connection: AsyncConnection, guild_id: int, most: int) -> list[int]:
    """The latest games of a server that were broken off, the latest first, as the index has them."""
    found = sa.select(games.c.id).where(games.c.guild_id == guild_id, sa.text("broken_off"))
    return list(await connection.scalars(found.order_by(games.c.id.desc()).limit(most)))


async def opened_since(connection: AsyncConnection, before: GameRow, people: Collection[int]) -> bool:
    """Whether one of these people has opened a game on a server after this one."""
    later = (games.c.opener_id.in_(people), games.c.id > before.id, games.c.guild_id == before.guild_id)
    return await connection.scalar(sa.select(games.c.id).where(*later).limit(1)) is not None


async def games_and_logs(
    connection: AsyncConnection, game_ids: Collection[int]
) -> dict[int, tuple[GameRow, list[LogEntry]]]:
    """Games by id, each with its entries by version."""
    rows = await connection.execute(GAME.where(games.c.id.in_(game_ids)))
    entries = await GAMES.logs(connection, game_ids)
    return {row.id: (GameRow(*row), entries[row.id]) for row in rows}


async def _last_at(connection: AsyncConnection, game_id: int) -> datetime | None:
    """The time of the latest entry, or of the game's opening."""
    latest = sa.select(sa.func.max(events.c.at)).where(events.c.game_id == game_id).scalar_subquery()
    return await connection.scalar(sa.select(sa.func.coalesce(latest, games.c.opened_at)).where(games.c.id == game_id))


async def _insert_result(connection: AsyncConnection, game_id: int, version: int, result: MatchResult) -> None:
    if result.guild_id is not None:
        # Ratings follow the order of the ids, so the id is given while nobody else can end a match on that server.
        result = await standing_rows.lock_and_rate(connection, result)
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
        friendly=result.friendly,
        nth=result.nth,
        weight=result.weight,
        rule_set=result.rule_set,
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
            "place": player.place,
            "sources": player.sources,
            "stayed": player.stayed,
            "mu": player.mu,
            "sigma": player.sigma,
            "new_mu": player.new_mu,
            "new_sigma": player.new_sigma,
            "weight": player.weight,
            "known": player.known,
        }
        for player in result.players
    ]
    if seats:
        await connection.execute(sa.insert(result_players), seats)
    if seats and result.guild_id is not None:
        await standing_rows.add(connection, result_id, result)
