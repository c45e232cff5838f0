"""The end of a round with all cards known: the result of a move when everybody plays perfectly."""

from collections.abc import Sequence
from functools import partial
from math import inf
from typing import Final

from bot.players.fast_round import SING, FastMove, FastRound

_TWO: Final = 2


def margin(points: Sequence[int], side: int) -> float:
    """Compute a side's lead over the mean of the others."""
    own = points[side]
    return own - (sum(points) - own) / (len(points) - 1)


def solved(state: FastRound, move: FastMove, side: int) -> float:
    """Compute the margin that `side` reaches with a move when everybody then maximises their own side's margin.

    For two sides this is exact: what one wins the other loses. With more sides, moves that are equal for the player
    who makes them may differ for the others; the first is assumed.
    """
    after = state.copy()
    after.play(move)
    if len(state.piles) == _TWO:
        return _solve(after, side, -inf, inf)
    return margin(_selfish(after), side)


def played_out(state: FastRound, move: FastMove) -> FastRound:
    """Play the round to its end after a move, with everybody's best play, as in `solved`."""
    after = state.copy()
    after.play(move)
    while not after.over:
        moves, side = _worth_trying(after), after.sides[after.turn]
        best = moves[0] if len(moves) == 1 else max(moves, key=partial(solved, after, side=side))
        after.play(best)
    if after.taker >= 0:
        after.piles[after.taker] |= after.table
    return after


def leftovers_won(state: FastRound, move: FastMove, side: int) -> frozenset[bool]:
    """Whether `side` gets cards for the latest capture if both sides play their best after a move.

    Both values are in the result if that depends on which of several best moves somebody makes.
    """
    after = state.copy()
    after.play(move)
    return _lines(after, side, {})[1]


def _worth_trying(state: FastRound) -> list[FastMove]:
    """List the moves that a search has to try: only singing if possible, since it gives away nothing new."""
    return [(SING, 0)] if state.can_sing() else state.moves()


Lines = tuple[float, frozenset[bool]]
"""The margin with the best play of both sides, and whether a side wins the leftovers in the lines of such play."""


def _lines(state: FastRound, side: int, known: dict[object, Lines]) -> Lines:
    """Search every line of play from here on."""
    if state.over:
        return margin(state.points(), side), frozenset([state.taker == side and state.table > 0])
    # Nothing is dealt any more, so every other card is in the hand that it has been in all along.
    key = (state.turn, state.table, state.claimable, state.taker, *state.piles, *state.escobas, *state.cantos)
    found = known.get(key)
    if found is None:
        following: list[Lines] = []
        for move in _worth_trying(state):
            after = state.copy()
            after.play(move)
            following.append(_lines(after, side, known))
        best = (max if state.sides[state.turn] == side else min)(value for value, _ in following)
        won = frozenset[bool]().union(*(won for value, won in following if value == best))
        found = known[key] = best, won
    return found


def _selfish(state: FastRound) -> list[int]:
    """Count the points of each side when each maximises its own margin."""
    if state.over:
        return state.points()
    side = state.sides[state.turn]
    found: list[int] = []
    best = -inf
    for move in _worth_trying(state):
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
    # Large captures first: they decide most, and the sooner the best move is found the more is pruned.
    for move in sorted(_worth_trying(state), key=_size, reverse=True):
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
