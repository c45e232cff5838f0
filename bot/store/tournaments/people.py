"""The people named in tournaments' logs: noting them, and erasing one from all tournaments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.shards import Shards
from bot.store import due, news
from bot.store.schema import tournament_events, tournament_people, tournaments

Rewrite = Callable[[str], str | None]
"""Given the body of an entry: the body without the user; None if it doesn't name them."""
Rewriter = Callable[[int], Rewrite]
"""Given a tournament's id: the function that rewrites its entries. Called once per tournament."""


async def note(connection: AsyncConnection, tournament_id: int, joined: Iterable[int]) -> None:
    """Note people as named in a tournament's log; negative ids stand for people who were erased."""
    new = {person for person in joined if person > 0}
    if new:
        named = tournament_people.c.tournament_id == tournament_id
        new -= set(await connection.scalars(sa.select(tournament_people.c.user_id).where(named)))
    if new:
        rows = [{"tournament_id": tournament_id, "user_id": person} for person in sorted(new)]
        await connection.execute(sa.insert(tournament_people), rows)


async def forget(
    connection: AsyncConnection, user_id: int, rewriter: Rewriter, open_ones: Collection[int], shards: Shards
) -> int:
    """Erase a user from all tournaments that are closed or among `open_ones`; returns how many rows changed.

    Open ones of other shards are noted, and counted, for their own processes.
    """
    may_change = tournaments.c.closed_at.is_not(None) | tournaments.c.id.in_(open_ones)
    touched = await _forget_where(connection, user_id, rewriter, may_change)
    rows = await connection.execute(_named(user_id).where(~may_change))
    elsewhere = [row.id for row in rows if not shards.has(row.guild_id)]
    for tournament_id in elsewhere:
        await due.note(connection, due.Place.TOURNAMENT, tournament_id, user_id)
    if elsewhere:
        await news.publish(connection, news.News.ERASURES)
    return touched + len(elsewhere)


async def forget_in(connection: AsyncConnection, tournament_id: int, user_id: int, rewriter: Rewriter) -> int:
    """Erase a user from one tournament, and remove the note that this is due."""
    touched = await _forget_where(connection, user_id, rewriter, tournaments.c.id == tournament_id)
    await due.done(connection, due.Place.TOURNAMENT, tournament_id, user_id)
    return touched


async def erasures_due(connection: AsyncConnection, shards: Shards) -> list[tuple[int, int]]:
    """(tournament, user): the erasures still due in tournaments of some shards."""
    noted = await due.noted(connection, due.Place.TOURNAMENT)
    if not noted:
        return noted
    servers = sa.select(tournaments.c.id, tournaments.c.guild_id)
    rows = await connection.execute(servers.where(tournaments.c.id.in_([each for each, _ in noted])))
    mine = {row.id for row in rows if shards.has(row.guild_id)}
    return [each for each in noted if each[0] in mine]


def _named(user_id: int) -> sa.Select[Any, Any]:
    """The tournaments that name a user, with their servers."""
    named = sa.select(tournament_people.c.tournament_id).where(tournament_people.c.user_id == user_id)
    theirs = (tournaments.c.organiser_id == user_id) | tournaments.c.id.in_(named)
    return sa.select(tournaments.c.id, tournaments.c.guild_id).where(theirs).order_by(tournaments.c.id)


async def _forget_where(
    connection: AsyncConnection, user_id: int, rewriter: Rewriter, may_change: sa.ColumnElement[bool]
) -> int:
    if connection.dialect.name == "sqlite":
        # Overwritten data must be gone from the file too, not only from its rows.
        await connection.exec_driver_sql("PRAGMA secure_delete=ON")
    found = [row.id for row in await connection.execute(_named(user_id).where(may_change))]
    touched, entries = 0, tournament_events.c
    for tournament_id in found:
        rewrite = rewriter(tournament_id)
        own = (entries.tournament_id == tournament_id) & entries.body.contains(str(user_id), autoescape=True)
        for version, body in (await connection.execute(sa.select(entries.version, entries.body).where(own))).all():
            new = rewrite(body)
            if new is not None:
                there = (entries.tournament_id == tournament_id) & (entries.version == version)
                await connection.execute(sa.update(tournament_events).where(there).values(body=new))
                touched += 1
    theirs = (tournament_people.c.user_id == user_id) & tournament_people.c.tournament_id.in_(found)
    await connection.execute(sa.delete(tournament_people).where(theirs))
    organised = (tournaments.c.organiser_id == user_id) & tournaments.c.id.in_(found)
    openers = await connection.execute(sa.update(tournaments).where(organised).values(organiser_id=0))
    return touched + openers.rowcount
