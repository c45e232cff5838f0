"""The pace of a game, and the holidays that it makes allowance for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

LONGEST_WARNING: Final = 60 * 60
DAY: Final = 24 * 60 * 60
SLOW_MISSES: Final = 3
"""Slow turns in a row after which whoever missed them is away or, in a rated match of two, has lost."""


class Tempo(StrEnum):
    """A lobby's choice of the time for a turn."""

    QUICK = "quick"
    USUAL = "usual"
    """The server's time."""
    DAY = "day"
    THREE_DAYS = "three_days"
    WEEK = "week"
    OPEN = "open"
    """No deadline."""


_TURNS: Final = {Tempo.QUICK: 60, Tempo.DAY: DAY, Tempo.THREE_DAYS: 3 * DAY, Tempo.WEEK: 7 * DAY, Tempo.OPEN: 0}
"""The seconds of a turn."""


OK_SECONDS: Final = 60
"""Longest wait of a match's start for an OK on what has changed in its lobby, where people are at the table."""


def is_unhurried(tempo: Tempo, *, slow: bool) -> bool:
    """Whether people come when they can: turns take a day or more, or their lobby chose to have no deadline."""
    return slow or tempo is Tempo.OPEN


@dataclass(frozen=True, slots=True)
class Pace:
    """The waits at a table, in seconds.

    Attributes:
        turn: a turn's deadline; 0 for none.
        warning: how long before the deadline the player is warned; 0 for never.
        nudge: how long after the start of the turn the player is notified; 0 for never.
        computer: how long a computer player takes over a move.
        next_round: the pause after a round.
        abandon: how long a game is kept after the last person went away.
        lobby: how long a lobby is kept after its latest change.
        idle: how long a game without deadlines is kept after the last move; 0 for ever. A rated match is kept twice as
            long: its players may claim it first.
        forgotten: how long after the last move anybody may close the table.
        overdue: how long the others wait for a player without a deadline before they may have a computer play; 0 for
            ever.
        timeless: whether nothing but a computer's move happens by itself, whatever the lobby has chosen.
    """

    turn: float = 120
    warning: float = 30
    nudge: float = 45
    computer: float = 1.5
    next_round: float = 45
    abandon: float = 30 * 60
    lobby: float = 60 * 60
    idle: float = 14 * DAY
    forgotten: float = 10 * 60
    overdue: float = 10 * 60
    timeless: bool = False

    @property
    def claim(self) -> float:
        """How long the others wait in a turn without a deadline before they may claim a rated match; 0 for ever."""
        return 0 if self.turn else self.idle

    @property
    def answer(self) -> float:
        """How long a question to all players stays open."""
        return self.turn or DAY

    @property
    def slow(self) -> bool:
        """Whether a turn takes a day or more: people come when they can, and one missed turn costs one move."""
        return self.turn >= DAY

    @property
    def pausable(self) -> bool:
        """Whether a turn takes a day or more, or has no deadline: people may agree on a pause."""
        return self.slow or not self.turn

    def with_turn(self, turn: float) -> Pace:
        """The same pace with another deadline for turns.

        The warning comes when a quarter of the turn is left, but at least `warning` seconds and at most an hour, or a
        day if turns are slow, before the deadline. If the whole turn is no longer than that, it comes halfway through.
        With slow turns, a lobby is kept as long as a turn, and so is a game whose people are all away.
        """
        longest = DAY if turn >= DAY else LONGEST_WARNING
        warning = max(self.warning, min(turn / 4, longest)) if self.warning else 0
        pace = replace(self, turn=turn, warning=warning if warning < turn else turn / 2)
        return replace(pace, lobby=max(turn, self.lobby), abandon=max(turn, self.abandon)) if pace.slow else pace

    def at(self, tempo: Tempo) -> Pace:
        """The pace of a table whose lobby has chosen a tempo."""
        return self if tempo is Tempo.USUAL or self.timeless else self.with_turn(_TURNS[tempo])

    def ok_seconds(self, *tempos: Tempo) -> int:
        """Return the longest wait of a match's start for an OK on a change of its lobby, which chose these tempos."""
        slow = any(is_unhurried(tempo, slow=self.at(tempo).slow) for tempo in tempos)
        return DAY if slow else OK_SECONDS

    def alone(self) -> Pace:
        """The pace at which somebody plays alone: it waits for them, and for nobody else."""
        return replace(self, turn=0, warning=0, nudge=0, idle=0, overdue=0, timeless=True)
