"""How long things wait at a table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

LONGEST_WARNING: Final = 60 * 60
_GOLDEN: Final = 0.6180339887498949
"""Its multiples, taken without their whole parts, lie evenly between 0 and 1 however many there are."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things wait, in seconds.

    `turn` 0: no deadline; `warning`, before the deadline, 0: none; `nudge`, after the turn's beginning, 0: none;
    `paused`: while nobody can see the table; `idle`: for a move where there is no deadline, 0: for ever; `forgotten`:
    for a move before anybody may close the table.
    """

    turn: float = 120
    warning: float = 30
    nudge: float = 45
    computer: float = 1.5
    next_round: float = 45
    abandon: float = 30 * 60
    paused: float = 24 * 60 * 60
    lobby: float = 60 * 60
    idle: float = 14 * 24 * 60 * 60
    forgotten: float = 10 * 60

    def with_turn(self, turn: float) -> Pace:
        """The same with another deadline for turns. The longer it is the earlier comes the warning: at a quarter before
        the deadline and an hour at most, but not later than usual; and at half of a deadline for which that is early.
        """
        usual = self.warning
        warning = max(usual, min(turn / 4, LONGEST_WARNING)) if usual else 0
        return replace(self, turn=turn, warning=warning if warning < turn else turn / 2)


def spread(table_id: int) -> float:
    """By how much of itself a table's waiting is made longer, lest many tables do the same at the same instant.

    From 0 to a quarter, the same for a table each time, and as different as can be for tables that follow each other.
    """
    return (table_id - 1) * _GOLDEN % 1 / 4
