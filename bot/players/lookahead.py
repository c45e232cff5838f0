"""Preparations of the hard level and of the coach, before they try a seat's moves against draws of the hidden cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Final

from bot.engine.rules import Duty
from bot.engine.views import SeatView
from bot.players.fast_round import FastRound
from bot.players.greed import Style, style_of
from bot.players.hidden import Hidden
from bot.players.outlook import Outlook
from bot.players.reading import Reading
from bot.players.rng import Rng
from bot.players.weights import WEIGHTS, most_cards_are_won

Stop = Callable[[], bool]
"""A function that is called now and then, and returns whether to end early with what has been found."""

CANDIDATES: Final = 12
"""The most moves that are tried: those that the normal level likes best."""
SOLVED_OPEN: Final = 6
"""The most cards left, none of them hidden, with which every line of play is searched."""
SOLVED_HIDDEN: Final = {Duty.COMPULSORY: 6, Duty.CLAIMABLE: 4, Duty.OPTIONAL: 4}
"""The same for each draw of hidden cards; where captures may be missed there are many more lines."""
SOLVED_WORK: Final = 12
"""The cost of solving a draw, in roll-outs."""


def never() -> bool:
    return False


class Lookahead:
    """A seat's decision: its moves as the normal level values them, and what is hidden from it.

    `prior` has the normal level's value of each move; `moves` are ordered by it, best first. `open_end` means that
    nothing is hidden and few cards are left; `solvable` that each draw of the hidden cards can be searched completely.
    """

    def __init__(self, view: SeatView) -> None:
        public = view.public
        self._view = view
        self.hidden = hidden = Hidden(view)
        self.side = public.seating.side_of(view.seat)
        worth = Outlook.from_view(view, WEIGHTS).worth
        self.prior = {move: worth(move) for move in view.moves}
        self.moves = sorted(view.moves, key=lambda move: -self.prior[move])
        self.open_end = hidden.open and hidden.left <= SOLVED_OPEN
        self.solvable = self.open_end or (not hidden.stock and hidden.left <= SOLVED_HIDDEN[public.rules.duty])

    @cached_property
    def style(self) -> Style:
        """The playing style of roll-outs."""
        public = self._view.public
        return style_of(public.rules, public.seating, most_cards_won=most_cards_are_won(public))

    @cached_property
    def _reading(self) -> Reading:
        return Reading(self._view, self.style)

    def revealed(self) -> FastRound:
        """Return the round, when nothing is hidden."""
        return self.hidden.with_cards(self.hidden.unseen)

    def draw(self, rng: Rng) -> FastRound:
        """Draw a round with the hidden cards at random, in line with the others' plays."""
        return self.hidden.sample_plausible(rng, self._reading)
