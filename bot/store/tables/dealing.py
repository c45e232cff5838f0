"""What games are dealt with. Seeds leave the store only here: to deal, and to check what was dealt."""

from __future__ import annotations

from bot.store.database import Database
from bot.store.tables import deals
from bot.store.tables.deals import Deal


class Deals:
    """What the decks of games are drawn with. Each method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._read = database.read

    async def of(self, game_id: int) -> Deal | None:
        """What a game is dealt with; None if it is dealt otherwise, or if its log is no longer kept."""
        return await self._read(deals.of, game_id)

    async def latest(self, guild_id: int, user_id: int, begun: str, *, limit: int) -> list[int]:
        """The latest games on a server that name a user in their logs, the newest first.

        Only games whose log has an entry of the kind `begun`.
        """
        return await self._read(deals.latest, guild_id, user_id, begun, limit)
