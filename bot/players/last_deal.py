"""The end of a round with open cards: what a move comes to when everybody plays as well as can be."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import inf
from typing import Final

from bot.players.fast_round import FastMove, FastRound

_TWO: Final = 2


def margin(points: Sequence[int], side: int) -> float:
    """What a side has more than the others have on average."""
    own = points[side]
    return own - (sum(points) - own) / (len(points) - 1)


def solved(state: FastRound, move: FastMove, side: int) -> float:
    """The margin that `side` reaches with a move when everybody then plays for the highest margin of their own side.

    For two sides that is exact: what one wins the other loses. Of moves that are equal to who makes them, more sides
    than two leave open which is made; the first is taken.
    """
    after = state.copy()
    after.play(move)
    if len(state.piles) == _TWO:
        return _solve(after, side, -inf, inf)
    return margin(_selfish(after), side)


def played_out(state: FastRound, move: FastMove) -> FastRound:
    """The round at its end after a move and then the best play of everybody, as `solved` understands it."""
    after = state.copy()
    after.play(move)
    while not after.over:
        moves, side = after.moves(), after.sides[after.turn]
        best = moves[0] if len(moves) == 1 else max(moves, key=partial(solved, after, side=side))
        after.play(best)
    if after.taker >= 0:
        after.piles[after.taker] |= after.table
    return after


def _selfish(state: FastRound) -> list[int]:
    """The points of each side when each plays for its own margin."""
    if state.over:
        return state.points()
    side = state.sides[state.turn]
    found: list[int] = []
    best = -inf
    for move in state.moves():
        after = state.copy()
        after.play(move)
        points = _selfish(after)
        if (value := margin(points, side)) > best:
            best, found = value, points
    return found


def _solve(state: FastRound, side: int, low: float, high: float) -> float:
    if state.over:
        return margin(state.points(), side)
    ours = state.sides[state.turn] == side
    # Large captures first: they decide most, and the sooner the best move is found the more others are cut off.
    for move in sorted(state.moves(), key=_size, reverse=True):
        after = state.copy()
        after.play(move)
        value = _solve(after, side, low, high)
        if ours:
            low = max(low, value)
        else:
            high = min(high, value)
        if low >= high:
            break
    return low if ours else high


def _size(move: FastMove) -> int:
    return move[1].bit_count()
