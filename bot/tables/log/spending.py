"""The days of holidays that missed turns cost in a slow match."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bot.engine.events import LaterEvent, Played

MOST_SPENT: Final = 2
"""The days that a person's missed turns may cost in a match."""


@dataclass(frozen=True, slots=True)
class Spending:
    """The days that were spent in a match.

    Attributes:
        seats: the seats for whose missed turns one was spent, each once for every day.
        turn: the latest of those turns.
        resting: the seats for which none may be spent, each once for every turn of theirs that must pass first: that
            in which one was spent, and the next one.
    """

    seats: tuple[int, ...] = ()
    turn: tuple[int | None, ...] | None = None
    resting: tuple[int, ...] = ()

    def may(self, seat: int) -> bool:
        """Whether another may be spent for a seat: never in a row, nor a third one."""
        return self.seats.count(seat) < MOST_SPENT and seat not in self.resting

    def spent(self, seat: int, turn: tuple[int | None, ...]) -> Spending:
        return Spending((*self.seats, seat), turn, (*self.resting, seat, seat))

    def after(self, events: Iterable[LaterEvent]) -> Spending:
        """The same after moves. A card that played itself was no turn."""
        left = list(self.resting)
        for event in events:
            if isinstance(event, Played) and not event.forced and event.seat in left:
                left.remove(event.seat)
        return self if len(left) == len(self.resting) else Spending(self.seats, self.turn, tuple(left))


NOTHING: Final = Spending()
