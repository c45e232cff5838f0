"""What everybody may see of a table: what renderers get instead of its state."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.engine.views import PublicView
from bot.tables.state import Config, Phase, Seat


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as everybody sees it.

    `version` is what buttons name: the log's in the lobby, the match's in a match. `deadline` is when the player at
    turn, or the pause after a round, is over; `waiting`: all people are away and nothing moves; `restored`:
    the bot was restarted during this turn, and the deadline begins anew.
    """

    id: int
    guild_id: int
    channel_id: int
    opener_id: int
    locale: str
    phase: Phase
    config: Config
    seats: tuple[Seat, ...]
    version: int
    match: PublicView | None
    deadline: datetime | None
    waiting: bool
    restored: bool

    @property
    def over(self) -> bool:
        """Whether nothing can happen at it any more."""
        return not self.phase.open
