"""The level of the robots that are added by default: as strong as the weakest of those who play against them."""

import logging
from collections.abc import Collection
from datetime import datetime

from bot.club.rules.rating import POINTS, PRIOR_SIGMA, Rating
from bot.club.store.newcomers import Newcomers
from bot.club.store.ratings import Ratings
from bot.platform.database.errors import StoreError
from bot.players import Level
from bot.players.characters import rating_of

log = logging.getLogger(__name__)


def fitting_level(preset: str, rating: Rating) -> Level:
    """Find the level whose fixed rating is nearest to a person's, compared as equally certain ones.

    Nobody meets the hard level unasked before their rating is settled.
    """
    strength = POINTS * (rating.mu - PRIOR_SIGMA)
    levels = [level for level in Level if rating.settled or level is not Level.HARD]
    return min(levels, key=lambda level: abs(rating_of(preset, level) - strength))


async def default_level(
    newcomers: Newcomers, ratings: Ratings, people: Collection[int], preset: str, guild_id: int | None, at: datetime
) -> Level:
    """Find the level of a robot for these people: the easy one beside anybody who has never won, else by their ratings.

    The normal one where there are none: without a server, or while the store can't be read.
    """
    try:
        if await newcomers.winless(people):
            return Level.EASY
        if guild_id is None:
            return Level.NORMAL
        known = await ratings.current(guild_id, people, at)
    except StoreError as error:
        log.info("Could not find out which robot fits: %s", error)
        return Level.NORMAL
    levels = list(Level)
    return min((fitting_level(preset, rating) for rating in known.values()), key=levels.index, default=Level.NORMAL)
