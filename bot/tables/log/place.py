"""The place of a game: a channel, or a person who plays alone in private. Each has at most one open table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.platform.place import Spot


@dataclass(frozen=True, slots=True)
class Alone:
    """A person who plays alone in private."""

    person_id: int


Place = int | Alone
"""A channel or thread, by its id, or a person."""


class Placed(Protocol):
    """A game that has a place. Without a channel it is that of its opener, and belongs to no server."""

    @property
    def guild_id(self) -> int | None: ...
    @property
    def channel_id(self) -> int | None: ...
    @property
    def opener_id(self) -> int: ...


def place_of(game: Placed) -> Place:
    return Alone(game.opener_id) if game.channel_id is None else game.channel_id


def spot_of(game: Placed) -> Spot:
    """Return a game's channel on its server; it must have one."""
    channel_id, guild_id = game.channel_id, game.guild_id
    assert channel_id is not None, "it isn't played in private"
    assert guild_id is not None, "a channel is on a server"
    return Spot(channel_id, guild_id)
