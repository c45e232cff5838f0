"""The faces that people show at tables, players and onlookers. No log has them."""

from collections.abc import Collection, Mapping
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.schema.tables import faces

Shown = Mapping[int, str]
"""By user, the face that they show."""

_THERE: Final = faces.c.game_id == sa.bindparam("game")
_OF_GAME: Final = sa.select(faces.c.user_id, faces.c.deal, faces.c.face).where(_THERE)
_TAKE_BACK: Final = sa.delete(faces).where(
    _THERE, (faces.c.user_id == sa.bindparam("person")) | (faces.c.deal != sa.bindparam("now"))
)


async def press(connection: AsyncConnection, game_id: int, user_id: int, deal: str, face: str) -> Shown:
    """Show a user's face in place of another, or take it back if it is shown; drop those of earlier deals.

    Returns those of this deal that are shown from now on.
    """
    rows = await connection.execute(_OF_GAME, {"game": game_id})
    shown = {person: kept for person, then, kept in rows if then == deal}
    await connection.execute(_TAKE_BACK, {"game": game_id, "person": user_id, "now": deal})
    if shown.pop(user_id, None) != face:
        await connection.execute(sa.insert(faces).values(game_id=game_id, user_id=user_id, deal=deal, face=face))
        shown[user_id] = face
    return shown


async def of_games(connection: AsyncConnection, game_ids: Collection[int]) -> dict[int, tuple[str, Shown]]:
    """Read the faces of the latest deal in which any was shown, and that deal, by game; none for most games."""
    found: dict[int, tuple[str, dict[int, str]]] = {}
    rows = sa.select(faces.c.game_id, faces.c.user_id, faces.c.deal, faces.c.face).where(faces.c.game_id.in_(game_ids))
    for game_id, user_id, deal, face in await connection.execute(rows):
        found.setdefault(game_id, (deal, {}))[1][user_id] = face
    return {**found}


async def of_user(connection: AsyncConnection, user_id: int) -> tuple[tuple[int, str], ...]:
    """List a user's faces, each as (game, face)."""
    own = sa.select(faces.c.game_id, faces.c.face).where(faces.c.user_id == user_id)
    return tuple((row[0], row[1]) for row in await connection.execute(own.order_by(faces.c.game_id)))


async def forget(connection: AsyncConnection, user_id: int) -> int:
    """Take back a user's faces in all games; returns how many there were."""
    return (await connection.execute(sa.delete(faces).where(faces.c.user_id == user_id))).rowcount


async def drop(connection: AsyncConnection, found: Collection[int]) -> None:
    """Drop the faces of some games."""
    await connection.execute(sa.delete(faces).where(faces.c.game_id.in_(found)))
