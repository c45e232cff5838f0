"""The parts that the handlers of the leaderboards and statistics use."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.platform.language.texts import Words


@dataclass(frozen=True, slots=True)
class ClubParts:
    """The sources of the leaderboards and statistics.

    Attributes:
        rate_matches: how many matches a player needs to appear on the leaderboard by rate.
        own_lines: what only the player themselves reads below their statistics on a server, or everywhere, at a time.
    """

    rate_matches: int
    own_lines: Callable[[int | None, int, datetime, Words], Awaitable[Sequence[str]]]
