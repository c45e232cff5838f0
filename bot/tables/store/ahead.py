"""The cards that people have named ahead. No log has them, and nobody else's data."""

from collections.abc import Collection
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine.cards import Card, CardSet
from bot.schema.tables import ahead_cards
from bot.tables.log.ahead import Ahead

_COLUMNS: Final = (ahead_cards.c.turn, ahead_cards.c.card, ahead_cards.c.captured, ahead_cards.c.untaken)
_OWN: Final = sa.select(*_COLUMNS).where(
    ahead_cards.c.game_id == sa.bindparam("game"), ahead_cards.c.user_id == sa.bindparam("person")
)


async def of(connection: AsyncConnection, game_id: int, user_id: int) -> Ahead | None:
    row = (await connection.execute(_OWN, {"game": game_id, "person": user_id})).one_or_none()
    return None if row is None else _ahead(*row)


async def put(connection: AsyncConnection, game_id: int, user_id: int, ahead: Ahead | None) -> None:
    """Keep a card in place of another, or none."""
    own = (ahead_cards.c.game_id == game_id, ahead_cards.c.user_id == user_id)
    await connection.execute(sa.delete(ahead_cards).where(*own))
    if ahead is not None:
        values = {"turn": ahead.turn, "card": str(ahead.card), "untaken": ahead.untaken}
        values |= {"game_id": game_id, "user_id": user_id, "captured": str(ahead.captured)}
        await connection.execute(sa.insert(ahead_cards).values(**values))


async def of_user(connection: AsyncConnection, user_id: int) -> tuple[tuple[int, Ahead], ...]:
    own = sa.select(ahead_cards.c.game_id, *_COLUMNS).where(ahead_cards.c.user_id == user_id)
    rows = await connection.execute(own.order_by(ahead_cards.c.game_id))
    return tuple((row[0], _ahead(*row[1:])) for row in rows)


async def forget(connection: AsyncConnection, user_id: int) -> int:
    """Forget what a user has named, in all games; returns how many there were."""
    return (await connection.execute(sa.delete(ahead_cards).where(ahead_cards.c.user_id == user_id))).rowcount


async def drop(connection: AsyncConnection, found: Collection[int]) -> None:
    """Drop what was named in some games."""
    await connection.execute(sa.delete(ahead_cards).where(ahead_cards.c.game_id.in_(found)))


def _ahead(turn: str, card: str, captured: str, untaken: bool) -> Ahead:
    return Ahead(turn, Card.parse(card), CardSet.of(map(Card.parse, captured.split())), untaken)
