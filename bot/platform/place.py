"""A place on Discord, for those who know it only by its ids."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spot:
    """A channel of a server."""

    channel_id: int
    guild_id: int
