"""The seeds and messages that the decks of games are drawn with."""

from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.database import Store
from bot.schema.servers import of_server
from bot.schema.tables import deals, events, games, participants


@dataclass(frozen=True, slots=True)
class Seal:
    """A new game's seed, and the commitment to it, as text."""

    seed: str
    commitment: str


@dataclass(frozen=True, slots=True)
class Deal:
    """The seed and message that a game's decks are drawn with.

    Attributes:
        seed: secret, like all that is drawn from it until that round is over.
        commitment: what is shown of the seed.
        message_id: the message whose id the decks are also drawn with; before the first deal the latest, if any.
        posted: how often the table was posted before its first deal.
        dealt: how many rounds, from the first, were dealt by these; later rounds were dealt otherwise.
    """

    seed: str
    commitment: str
    message_id: int | None
    posted: int
    dealt: int


@dataclass(frozen=True, slots=True)
class Draw:
    """A round that is dealt by a message's id."""

    round: int
    message_id: int


_DEAL: Final = sa.select(*(deals.c[name] for name in Deal.__dataclass_fields__)).where(
    deals.c.game_id == sa.bindparam("game")
)


async def of(connection: AsyncConnection, game_id: int) -> Deal | None:
    row = (await connection.execute(_DEAL, {"game": game_id})).one_or_none()
    return None if row is None else Deal(*row)


async def latest(connection: AsyncConnection, guild_id: int | None, user_id: int, begun: str, limit: int) -> list[int]:
    named = sa.select(games.c.id).join(participants, participants.c.game_id == games.c.id)
    played = sa.exists().where(events.c.game_id == games.c.id, events.c.kind == begun)
    mine = named.where(of_server(games.c.guild_id, guild_id), participants.c.user_id == user_id, played)
    return list(await connection.scalars(mine.order_by(games.c.id.desc()).limit(limit)))


async def begin(connection: AsyncConnection, game_id: int, seal: Seal) -> None:
    """Store a new game's seed and the commitment to it."""
    await connection.execute(
        sa.insert(deals).values(game_id=game_id, seed=seal.seed, commitment=seal.commitment, posted=0, dealt=0)
    )


async def note_message(connection: AsyncConnection, game_id: int, message_id: int | None) -> int | None:
    """Deal the game by this message from now on, if nothing has been dealt yet; None: it no longer has a message.

    Returns how often it has been posted, or None if nothing changes.
    """
    again = sa.case((deals.c.message_id == message_id, 0), else_=1) if message_id is not None else 0
    change = sa.update(deals).where(deals.c.game_id == game_id, deals.c.dealt == 0)
    change = change.values(message_id=message_id, posted=deals.c.posted + again)
    return (await connection.execute(change.returning(deals.c.posted))).scalar_one_or_none()


async def note_draw(connection: AsyncConnection, game_id: int, draw: Draw) -> bool:
    """Note that a round is dealt by a message; returns whether that is the game's message and the round is due."""
    due = (deals.c.game_id == game_id, deals.c.message_id == draw.message_id, deals.c.dealt == draw.round - 1)
    return (await connection.execute(sa.update(deals).where(*due).values(dealt=draw.round))).rowcount == 1


class Deals(Store):
    """The seeds and messages that the decks of games are drawn with."""

    async def of(self, game_id: int) -> Deal | None:
        """Read what a game is dealt with; None if it is dealt otherwise, or if its log is no longer kept."""
        return await self.database.read(of, game_id)

    async def latest(self, guild_id: int | None, user_id: int, begun: str, *, limit: int) -> list[int]:
        """The latest games on a server, or anywhere, that name a user in their logs, the newest first.

        Only games whose log has an entry of the kind `begun`.
        """
        return await self.database.read(latest, guild_id, user_id, begun, limit)
