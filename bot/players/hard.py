"""The hard level: simulates the round to its end many times, with plausible hidden cards.

Each draw of the hidden cards is tried with every move still in question, so that they share the same luck; the worse
half of the moves is dropped from time to time. How many draws there are depends only on the position: the same seed
makes the same move on any machine. The last deal of two players hides nothing, and is solved.
"""

from __future__ import annotations

from typing import Final

from bot.engine.moves import Move
from bot.engine.views import SeatView
from bot.players.characters import Character, preferred
from bot.players.fast_round import FastMove, FastRound
from bot.players.forecast import forecaster
from bot.players.hidden import Hidden, fast_move
from bot.players.last_deal import margin, solved
from bot.players.lookahead import CANDIDATES, SOLVED_WORK, Lookahead, Stop, never
from bot.players.rng import Rng

WORK: Final = 100_000
"""Most that a search may cost, in the units of `_roll_outs`; about 15 to 30 ms."""
MOST: Final = 1_500
"""Most roll-outs that are worth making: more find nothing new."""
PRIOR: Final = 6.0
"""Draws that the normal level's opinion of a move counts as."""
AHEAD: Final = 1
"""Deals after the current one that a roll-out plays between two players; the rest is forecast."""
_TWO: Final = 2


def think(
    view: SeatView, rng: Rng, *, character: Character | None = None, effort: float = 1.0, stop: Stop = never
) -> Move:
    """Find the best move for the seat at turn, which must have at least two.

    Args:
        view: the seat's view.
        rng: the source of randomness.
        character: decides between moves that are practically equal; None: chance decides.
        effort: the fraction of the usual work to do.
        stop: ends the search early; the result then depends on when that happens.
    """
    ahead = Lookahead(view)
    if ahead.open_end:
        state = ahead.revealed()
        worths = [solved(state, fast_move(move), ahead.side) for move in ahead.moves]
        return preferred(view, ahead.moves, worths, character)
    roll_outs = max(1, round(effort * _roll_outs(ahead.hidden)))
    found, worths = _Search(view, ahead).best(rng, roll_outs, stop)
    return preferred(view, found, worths, character)


class _Search:
    def __init__(self, view: SeatView, ahead: Lookahead) -> None:
        self._ahead = ahead
        self._moves = ahead.moves[:CANDIDATES]
        self._numbers = [fast_move(move) for move in self._moves]
        self._prior = [ahead.prior[move] for move in self._moves]
        self._until = _until(ahead.hidden)
        self._forecast = forecaster(view.public.rules)
        self._sums = [0.0] * len(self._moves)
        self._drawn = 0

    def best(self, rng: Rng, roll_outs: int, stop: Stop) -> tuple[list[Move], list[float]]:
        """Find the two moves that remain after dropping the worse half again and again, and the worth of each."""
        tried = list(range(len(self._moves)))
        if self._ahead.solvable:
            roll_outs //= SOLVED_WORK
        stages = max(1, (len(tried) - 1).bit_length())
        for stage in range(stages):
            if stage:
                tried.sort(key=self._worth, reverse=True)
                del tried[(len(tried) + 1) // 2 :]
            for _ in range(max(1, roll_outs // (stages * len(tried)))):
                self._try(tried, rng)
                if stop():
                    break
        return [self._moves[index] for index in tried], [self._worth(index) for index in tried]

    def _try(self, tried: list[int], rng: Rng) -> None:
        """Play each of the moves once, with the same hidden cards."""
        drawn = self._ahead.draw(rng)
        for index in tried:
            self._sums[index] += self._outcome(drawn, self._numbers[index])
        self._drawn += 1

    def _outcome(self, drawn: FastRound, move: FastMove) -> float:
        side = self._ahead.side
        if self._ahead.solvable:
            return solved(drawn, move, side)
        after = drawn.copy()
        after.play(move)
        after.go_on(self._ahead.style, self._until)
        if self._until:
            lead = self._forecast(after.piles, after.escobas) + after.cantos[0] - after.cantos[1]
            return lead if side == 0 else -lead
        return margin(after.points(), side)

    def _worth(self, index: int) -> float:
        return (self._sums[index] + PRIOR * self._prior[index]) / (self._drawn + PRIOR)


def _roll_outs(hidden: Hidden) -> int:
    """Compute the number of roll-outs a search makes; one costs more the more cards it plays and chooses from."""
    hand = max(hidden.base.sizes.values())
    cost = 2 * (4 + hand) if hidden.base.seats == _TWO else 3 + hand  # between two players, replies count
    return min(MOST, WORK // ((hidden.left - _until(hidden)) * cost))


def _until(hidden: Hidden) -> int:
    """Compute the number of cards still unplayed when a roll-out ends."""
    if hidden.base.seats != _TWO:
        return 0
    size = hidden.base.sizes.get(hidden.stock, 0)
    return max(0, hidden.stock - AHEAD * size * _TWO)
