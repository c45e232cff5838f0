"""The parts that the handlers of the leaderboards and statistics use."""

from __future__ import annotations

from dataclasses import dataclass

from bot.training.practice import Practice


@dataclass(frozen=True, slots=True)
class ClubParts:
    """The sources of the leaderboards and statistics.

    Attributes:
        rate_matches: how many matches a player needs to appear on the leaderboard by rate.
        practice: knows what somebody has learned.
    """

    rate_matches: int
    practice: Practice
