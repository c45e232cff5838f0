"""What each of a seat's moves comes to, and of what that is made: for a person who asks, not for a computer's move.

All moves are tried with the same draws of the hidden cards, so that luck is the same for all and the *difference*
between two of them is known well. A single value is of no use by itself: nobody plays on as the roll-outs do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import sqrt
from typing import Final

from bot.engine.round import Move
from bot.engine.scoring import Item
from bot.engine.views import SeatView
from bot.players.counting import scorers
from bot.players.fast_round import FastMove, FastRound
from bot.players.greed import style_of
from bot.players.hard import CANDIDATES, SOLVED_HIDDEN, SOLVED_OPEN, SOLVED_WORK, Stop, never
from bot.players.hidden import Hidden, fast_move
from bot.players.last_deal import margin, played_out
from bot.players.outlook import Outlook
from bot.players.reading import Reading
from bot.players.rng import Rng
from bot.players.weights import Weights

FIRST_LOOK: Final = 200
"""After so many draws, and then every so many, moves that are far behind are tried no longer."""
FAR: Final = 0.5
"""How many points that is, at the least."""
SURELY: Final = 5.0
"""How many standard errors that is, at the least."""
_TWO_SIDES: Final = 2
_HALF: Final = 20
_WEIGHTS: Final = Weights()


class Term(StrEnum):
    """What the points of a move are made of, each less the mean of the others'. The value is what a worker sends."""

    ESCOBAS = "escobas"
    """One's own, which count for one; `AGAINST` are the others'."""
    AGAINST = "against"
    CARDS = "cards"
    OROS = "oros"
    SEVEN_OF_OROS = "seven_of_oros"
    SEVENS = "sevens"
    PRIME = "prime"


@dataclass(frozen=True, slots=True)
class Rating:
    """What a move comes to on average, in points of the round.

    `points` are one's side's less the mean of the others', and `terms` add up to them. `last` is how often one's side
    takes last. `behind` is what the move loses against the best one, and `error` that difference's standard error.
    """

    move: Move
    points: float
    terms: dict[Term, float]
    last: float
    behind: float
    error: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """A seat's moves, the best first; `exact`: nothing was hidden, and every line of play was gone through."""

    ratings: tuple[Rating, ...]
    exact: bool

    @property
    def best(self) -> Rating:
        """The best move."""
        return self.ratings[0]

    def rating_of(self, move: Move) -> Rating:
        """What a move comes to that was rated."""
        return next(rating for rating in self.ratings if rating.move == move)


@dataclass(slots=True)
class _Tally:
    """What a move came to in the draws so far."""

    move: Move
    number: FastMove
    terms: list[float]
    values: list[float] = field(default_factory=list[float])
    last: int = 0

    @property
    def mean(self) -> float:
        return sum(self.values) / len(self.values)

    def behind(self, other: _Tally) -> tuple[float, float]:
        """How much less than another move it came to in the draws that both have seen, and the standard error."""
        lost = [theirs - own for theirs, own in zip(other.values, self.values, strict=False)]
        count = len(lost)
        mean = sum(lost) / count
        if count == 1:
            return mean, 0.0
        return mean, sqrt(sum((each - mean) ** 2 for each in lost) / (count - 1) / count)


def analyse(view: SeatView, rng: Rng, *, draws: int, played: Move | None = None, stop: Stop = never) -> Analysis:
    """What the moves of the seat at turn come to.

    Args:
        view: what it sees; all that may be known.
        rng: where chance comes from.
        draws: how many draws of the hidden cards.
        played: a move that is rated by all draws, however bad it is.
        stop: ends it early, with fewer draws.
    """
    return _Analyst(view, played).analysis(rng, draws, stop)


class _Analyst:
    __slots__ = ("_end", "_exact", "_hidden", "_played", "_reading", "_scorers", "_side", "_tallies", "_terms", "_work")

    def __init__(self, view: SeatView, played: Move | None) -> None:
        public, hidden = view.public, Hidden(view)
        self._hidden, self._played = hidden, played
        self._side = public.seating.side_of(view.seat)
        found = scorers(public.rules)
        self._scorers = [found[item] for item in Item if item in found]
        self._terms = [Term.ESCOBAS, Term.AGAINST, *(Term(item.value) for item in Item if item in found)]
        worth = Outlook.of(view, _WEIGHTS).worth
        moves = sorted(view.moves, key=lambda move: -worth(move))
        tried = moves[:CANDIDATES]
        if played is not None and played not in tried:
            tried.append(played)
        self._tallies = {move: _Tally(move, fast_move(move), [0.0] * len(self._terms)) for move in tried}
        open_end = hidden.open and hidden.left <= SOLVED_OPEN
        self._exact = open_end and public.seating.sides == _TWO_SIDES
        style = style_of(public.rules, public.seating, most_cards_won=max(public.pile_counts) > _HALF)
        self._reading = Reading(view, style)

        def rolled_out(drawn: FastRound, move: FastMove) -> FastRound:
            after = drawn.copy()
            after.play(move)
            after.finish(style)
            return after

        ends = open_end or (not hidden.stock and hidden.left <= SOLVED_HIDDEN[public.rules.duty])
        self._end: Callable[[FastRound, FastMove], FastRound] = played_out if ends else rolled_out
        self._work = SOLVED_WORK if ends else 1

    def analysis(self, rng: Rng, draws: int, stop: Stop) -> Analysis:
        """The moves by what they came to."""
        tried = list(self._tallies.values())
        if self._hidden.open and self._work > 1:
            self._try(self._hidden.with_cards(self._hidden.unseen), tried)  # there is but one draw
        else:
            for drawn in range(1, max(1, draws // self._work) + 1):
                self._try(self._hidden.likely(rng, self._reading), tried)
                if stop():
                    break
                if drawn % FIRST_LOOK == 0:
                    tried = self._hopeful(tried)
        return self._told()

    def _try(self, drawn: FastRound, tried: Sequence[_Tally]) -> None:
        side = self._side
        for tally in tried:
            end = self._end(drawn, tally.number)
            escobas, piles = end.escobas, end.piles
            own = escobas[side]
            terms = tally.terms
            value = margin(escobas, side)
            terms[0] += own
            terms[1] += value - own
            for place, score in enumerate(self._scorers, 2):
                points = [0] * len(piles)
                score(points, piles)
                term = margin(points, side)
                terms[place] += term
                value += term
            tally.values.append(value)
            tally.last += end.taker == side

    def _hopeful(self, tried: list[_Tally]) -> list[_Tally]:
        """Those of the moves that may still be the best, and the one that is to be known well."""
        best = max(tried, key=lambda tally: tally.mean)
        found: list[_Tally] = []
        for tally in tried:
            lost, error = tally.behind(best)
            if tally is best or tally.move == self._played or lost < max(FAR, SURELY * error):
                found.append(tally)
        return found

    def _told(self) -> Analysis:
        most = max(len(tally.values) for tally in self._tallies.values())
        tallies = list(self._tallies.values())
        # Of those that were given up early none is the best: their means are of other draws.
        best = max((tally for tally in tallies if len(tally.values) == most), key=lambda tally: tally.mean)
        ratings: list[Rating] = []
        for tally in tallies:
            count = len(tally.values)
            lost, error = (0.0, 0.0) if tally is best else tally.behind(best)
            terms = {name: total / count for name, total in zip(self._terms, tally.terms, strict=True)}
            ratings.append(Rating(tally.move, tally.mean, terms, tally.last / count, max(0.0, lost), error))
        ratings.sort(key=lambda rating: (rating.behind, rating.move != best.move))
        return Analysis(tuple(ratings), self._exact)
