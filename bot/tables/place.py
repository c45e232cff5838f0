"""The place of a game: a channel, or a person who plays alone in private. Each has at most one open table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Alone:
    """A person who plays alone in private."""

    person_id: int


Place = int | Alone
"""A channel or thread, by its id, or a person."""


class Placed(Protocol):
    """A game that has a place. Without a channel it is that of its opener, and belongs to no server."""

    @property
    def channel_id(self) -> int | None: ...
    @property
    def opener_id(self) -> int: ...


def place_of(game: Placed) -> Place:
    return Alone(game.opener_id) if game.channel_id is None else game.channel_id
