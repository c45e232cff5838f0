"""The hard level: plays the round to its end in thought, many times, with the hidden cards where they may well be.

Each draw of the hidden cards is tried with every move that is still in question, so that luck is the same for all;
after some draws the worse half of them is dropped. How many draws there are depends on the position only: the same
seed makes the same move, on whatever machine. The last deal of two players hides nothing, and is solved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bot.engine.round import Move
from bot.engine.rules import Duty
from bot.engine.views import SeatView
from bot.players.characters import Character, preferred
from bot.players.fast_round import FastMove, FastRound
from bot.players.forecast import forecaster
from bot.players.greed import style_of
from bot.players.hidden import Hidden, fast_move
from bot.players.last_deal import margin, solved
from bot.players.outlook import Outlook
from bot.players.reading import Reading
from bot.players.rng import Rng
from bot.players.weights import Weights

Stop = Callable[[], bool]
"""Whether to make do with what has been found; asked now and then."""

WORK: Final = 100_000
"""What a search may cost, by `_roll_outs`; some 15 to 30 ms."""
MOST: Final = 1_500
"""More roll-outs than this find nothing new."""
CANDIDATES: Final = 12
"""More moves than this are not tried: those that `normal` likes best."""
PRIOR: Final = 6.0
"""`normal`'s opinion of a move counts as so many draws."""
SOLVED_OPEN: Final = 6
"""With at most so many cards left, none of them hidden, every line of play is gone through."""
SOLVED_HIDDEN: Final = {Duty.COMPULSORY: 6, Duty.CLAIMABLE: 4, Duty.OPTIONAL: 4}
"""The same with hidden cards, for each draw of them; where captures may be missed there are many more lines."""
SOLVED_WORK: Final = 12
"""What a draw that is solved counts as, in roll-outs."""
AHEAD: Final = 1
"""Between two players roll-outs go on for so many deals after this one, and what comes then is foretold."""
_HALF: Final = 20
_TWO: Final = 2
_WEIGHTS: Final = Weights()


def never() -> bool:
    """Think to the end."""
    return False


def think(
    view: SeatView, rng: Rng, *, character: Character | None = None, effort: float = 1.0, stop: Stop = never
) -> Move:
    """The best move found for the seat at turn, which has at least two.

    Args:
        view: what it sees.
        rng: where chance comes from.
        character: who decides between moves that are as good as equal; None: chance.
        effort: how much of the usual work to do.
        stop: ends the search early; the result then depends on when.
    """
    hidden = Hidden(view)
    side = view.public.seating.side_of(view.seat)
    worth = Outlook.of(view, _WEIGHTS).worth
    prior = {move: worth(move) for move in view.moves}
    moves = sorted(view.moves, key=lambda move: -prior[move])
    if hidden.open and hidden.left <= SOLVED_OPEN:
        state = hidden.with_cards(hidden.unseen)
        return preferred(view, moves, [solved(state, fast_move(move), side) for move in moves], character)
    search = _Search(view, hidden, side, moves[:CANDIDATES], prior)
    found, worths = search.best(rng, max(1, round(effort * _roll_outs(hidden))), stop)
    return preferred(view, found, worths, character)


class _Search:
    __slots__ = (
        "_drawn",
        "_ends",
        "_forecast",
        "_hidden",
        "_moves",
        "_numbers",
        "_prior",
        "_reading",
        "_side",
        "_style",
        "_sums",
        "_until",
    )

    def __init__(self, view: SeatView, hidden: Hidden, side: int, moves: list[Move], prior: dict[Move, float]) -> None:
        public = view.public
        self._hidden = hidden
        self._side = side
        self._moves = moves
        self._numbers = [fast_move(move) for move in moves]
        self._prior = [prior[move] for move in moves]
        self._style = style_of(public.rules, public.seating, most_cards_won=max(public.pile_counts) > _HALF)
        self._reading = Reading(view, self._style)
        self._ends = not hidden.stock and hidden.left <= SOLVED_HIDDEN[public.rules.duty]
        self._until = _until(hidden)
        self._forecast = forecaster(public.rules)
        self._sums = [0.0] * len(moves)
        self._drawn = 0

    def best(self, rng: Rng, roll_outs: int, stop: Stop) -> tuple[list[Move], list[float]]:
        """The two moves that are left when the worse half has been dropped again and again, and what each is worth."""
        tried = list(range(len(self._moves)))
        if self._ends:
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
        drawn = self._hidden.likely(rng, self._reading)
        for index in tried:
            self._sums[index] += self._outcome(drawn, self._numbers[index])
        self._drawn += 1

    def _outcome(self, drawn: FastRound, move: FastMove) -> float:
        if self._ends:
            return solved(drawn, move, self._side)
        after = drawn.copy()
        after.play(move)
        after.go_on(self._style, self._until)
        if self._until:
            ahead = self._forecast(after.piles, after.escobas)
            return ahead if self._side == 0 else -ahead
        return margin(after.points(), self._side)

    def _worth(self, index: int) -> float:
        return (self._sums[index] + PRIOR * self._prior[index]) / (self._drawn + PRIOR)


def _roll_outs(hidden: Hidden) -> int:
    """How many roll-outs a search makes: each costs by the cards to play and how many there are to choose from."""
    hand = hidden.base.hand
    cost = 2 * (4 + hand) if hidden.base.seats == _TWO else 3 + hand  # between two, replies are looked at
    return min(MOST, WORK // ((hidden.left - _until(hidden)) * cost))


def _until(hidden: Hidden) -> int:
    """How many cards are still unplayed when a roll-out ends."""
    if hidden.base.seats != _TWO:
        return 0
    return max(0, hidden.stock - AHEAD * hidden.base.hand * _TWO)
