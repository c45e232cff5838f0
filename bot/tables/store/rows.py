"""Games as the database has them."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game of a channel; it is open while `closed_at` is None. The message is the game's public one.

    The game of somebody who plays alone in private has neither a server nor a channel.

    `commitment` is the commitment to the seed of its decks, if they are drawn with one; `posted` is how often the table
    was posted before the first deal. `gains_by_play`: people gain by its match only what they play for themselves.
    """

    id: int
    guild_id: int | None
    channel_id: int | None
    opener_id: int
    locale: str
    opened_at: datetime
    closed_at: datetime | None
    message_id: int | None
    message_at: datetime | None
    commitment: str | None = None
    posted: int = 0
    gains_by_play: bool = True


@dataclass(frozen=True, slots=True)
class OpenGame:
    """The place of an open game, and whether its match has begun: all that is known without reading its log."""

    id: int
    guild_id: int | None
    channel_id: int | None
    opener_id: int
    playing: bool
