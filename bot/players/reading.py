"""Inferences about the others' hands from their plays: a draw in which somebody passed up a good move is less likely.

For each play in this deal we know the table before it, and so what the greedy way would make of any card there. A
drawn hand makes a play plausible if none of its other cards would have been much better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from typing import Final

from bot.engine.facts import CaptureClaimed
from bot.engine.views import SeatView
from bot.players.counting import WORTHS
from bot.players.greed import SHIFT, Style, count_by_worth

DOUBT: Final = 80.0
"""Thousandths of a point: a play that is worse than the best by this much is e times less likely."""
FLOOR: Final = 0.1
"""The plausibility of even the worst play: people have their reasons."""


class Reading:
    """The others' plays in this deal; falsy if there are none.

    Args:
        view: the view of the seat at turn.
        style: the greedy style that everybody is assumed to follow.
    """

    __slots__ = ("_plays", "_risks")

    def __init__(self, view: SeatView, style: Style) -> None:
        # For each play: the seat, what each card would have been worth, what the played card was worth, and the
        # highest worth among it and the cards that the player held then but has played since.
        self._plays: list[tuple[int, list[int], int, int]] = []
        self._risks = _risks(view, style)
        since: dict[int, list[int]] = {}
        table = view.public.table.mask
        for play in reversed(view.memory.plays):
            if isinstance(play, CaptureClaimed):
                table |= play.captured.mask | play.card.bit
                continue
            table = table | play.captured.mask if play.captured else table & ~play.card.bit
            if play.seat == view.seat or view.public.shown[play.seat]:
                continue  # there is nothing to infer about an open hand
            worths = [self._worth(style, table, index) for index in range(len(WORTHS))]
            made = worths[play.card.index] if play.captured else self._worth_of_laying(style, table, play.card.index)
            held = since.setdefault(play.seat, [])
            self._plays.append((play.seat, worths, made, max([made, *(worths[index] for index in held)])))
            held.append(play.card.index)

    def __bool__(self) -> bool:
        return bool(self._plays)

    def _worth(self, style: Style, table: int, index: int) -> int:
        """Compute the worth of playing a card on that table: its best capture, or else laying it."""
        look = style.greed.look(table)
        goal = style.greed.goals[index]
        if (group := look[goal]) > 0:
            return (group >> SHIFT) + style.takes[index] + self._risks[look[-1] - goal]
        return self._worth_of_laying(style, table, index)

    def _worth_of_laying(self, style: Style, table: int, index: int) -> int:
        return style.lays[index] + self._risks[style.greed.look(table)[-1] + WORTHS[index]]

    def plausibility(self, hands: Mapping[int, Sequence[int]]) -> float:
        """Compute how plausible the plays are if these are the hands now; 1 if every play was the best one."""
        found = 1.0
        for seat, worths, made, best in self._plays:
            for index in hands.get(seat, ()):
                if worths[index] > best:
                    best = worths[index]  # noqa: PLW2901 - the best of this play
            found *= FLOOR + (1 - FLOOR) * exp((made - best) / DOUBT)
        return found


def _risks(view: SeatView, style: Style) -> list[int]:
    """Compute the cost of leaving each sum, by the number of unseen cards that could sweep it."""
    others = sum(len(shown) for seat, shown in enumerate(view.public.shown) if seat != view.seat)
    rest = len(view.unseen) + others + len(view.hand) + (view.public.laid is not None)
    unseen = count_by_worth(card.index for card in view.unseen)
    return [style.risks[rest][unseen[need]] for need in style.needs]
