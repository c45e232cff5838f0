"""What the others' plays say about their hands: a draw in which somebody passed something good up is less likely.

For each play of this deal the table before it is known, and so is what the greedy way would give for each card there. A
drawn hand makes a play plausible when no other card of it would have been much better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from typing import Final

from bot.engine.facts import CaptureClaimed
from bot.engine.views import SeatView
from bot.players.counting import WORTHS
from bot.players.greed import SAFE, SHIFT, SWEPT, Style

DOUBT: Final = 80.0
"""In thousandths of a point: a play that is so much worse than the best is e times less likely."""
FLOOR: Final = 0.1
"""How plausible the least plausible play is: people have their reasons."""


class Reading:
    """The plays of others in this deal. It is false if there are none.

    Args:
        view: what the reader sees.
        style: the greedy way that is supposed of everybody.
    """

    __slots__ = ("_plays", "_risks")

    def __init__(self, view: SeatView, style: Style) -> None:
        # By play: who, what each card would have been worth, what the one played was, and the best of those that the
        # player held then and has played since.
        self._plays: list[tuple[int, list[int], int, int]] = []
        self._risks = _risks(view, style)
        since: dict[int, list[int]] = {}
        table = view.public.table.mask
        for play in reversed(view.memory.plays):
            if isinstance(play, CaptureClaimed):
                table |= play.captured.mask | play.card.bit
                continue
            table = table | play.captured.mask if play.captured else table & ~play.card.bit
            if play.seat == view.seat:
                continue
            worths = [self._worth(style, table, index) for index in range(len(WORTHS))]
            made = worths[play.card.index] if play.captured else self._lying(style, table, play.card.index)
            held = since.setdefault(play.seat, [])
            self._plays.append((play.seat, worths, made, max([made, *(worths[index] for index in held)])))
            held.append(play.card.index)

    def __bool__(self) -> bool:
        return bool(self._plays)

    def _worth(self, style: Style, table: int, index: int) -> int:
        look = style.greed.look(table)
        goal = style.greed.goals[index]
        if (group := look[goal]) > 0:
            return (group >> SHIFT) + style.takes[index] + self._risks[look[-1] - goal]
        return self._lying(style, table, index)

    def _lying(self, style: Style, table: int, index: int) -> int:
        return style.lays[index] + self._risks[style.greed.look(table)[-1] + WORTHS[index]]

    def plausibility(self, hands: Mapping[int, Sequence[int]]) -> float:
        """How plausible the plays were with these hands as they are now; 1 if all were the best."""
        found = 1.0
        for seat, worths, made, best in self._plays:
            for index in hands[seat]:
                if worths[index] > best:
                    best = worths[index]  # noqa: PLW2901 - the best of this play
            found *= FLOOR + (1 - FLOOR) * exp((made - best) / DOUBT)
        return found


def _risks(view: SeatView, style: Style) -> list[int]:
    """What leaving each sum costs, by how many cards could sweep it that the reader hasn't seen."""
    rest = len(view.unseen) + len(view.hand) + (view.public.laid is not None)
    unseen = [SAFE, *[0] * 10, SWEPT]
    for card in view.unseen:
        unseen[card.worth] += 1
    return [style.risks[rest][unseen[need]] for need in style.needs]
