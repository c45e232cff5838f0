"""People's ratings: before a match, after it, and over time."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from bot.store.club import ratings
from bot.store.club.ratings import Lineup, RatingChange, RatingPoint
from bot.store.database import Database


class Ratings:
    """Each method is one transaction, as in `Store`."""

    def __init__(self, database: Database) -> None:
        self._read = database.read

    async def lineup(self, guild_id: int, people: Collection[int], at: datetime) -> Lineup:
        """What these people would bring to a match at that time, newcomers included."""
        return await self._read(ratings.lineup, guild_id, people, at)

    async def changes(self, game_id: int) -> tuple[RatingChange, ...]:
        """How the finished match of a game has changed its people's ratings, by seat; empty if it changed none."""
        return await self._read(ratings.changes, game_id)

    async def history(self, guild_id: int, user_id: int) -> tuple[RatingPoint, ...]:
        """A person's ratings after their matches, the oldest first; evenly spaced in time if there are many."""
        return await self._read(ratings.history, guild_id, user_id)
