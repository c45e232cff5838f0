"""Ratings of a seat's moves and their parts: for people who ask for advice, not for computers' moves.

All moves are tried with the same draws of the hidden cards, so that they share the same luck and the *difference*
between two of them is known well. A single value means little by itself: nobody plays on as the roll-outs do.

No clock ends an analysis early: what people are told a decision is worth must not depend on how busy the machine is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import sqrt
from typing import Final

from bot.engine.round import Move
from bot.engine.rules import Rules
from bot.engine.scoring import Item
from bot.engine.views import SeatView
from bot.players.counting import scorers
from bot.players.fast_round import FastMove, FastRound
from bot.players.hidden import fast_move
from bot.players.last_deal import margin, played_out
from bot.players.lookahead import CANDIDATES, SOLVED_WORK, Lookahead, Stop, never
from bot.players.rng import Rng

FIRST_LOOK: Final = 200
"""Each time this many draws have been made, moves that are far behind are dropped."""
FAR: Final = 0.5
"""The least that counts as far behind, in points."""
SURELY: Final = 5.0
"""The least that counts as far behind, in standard errors."""
_TWO_SIDES: Final = 2


class Others(StrEnum):
    """A term that isn't an item of one's own score."""

    ESCOBAS = "against"
    """The others' escobas, which count against one."""


Term = Item | Others
"""A term of a move's expected points, each a lead over the mean of the others. Worker processes send its value."""
TERMS: Final[tuple[Term, ...]] = (*Item, *Others)
_BY_VALUE: Final = {term.value: term for term in TERMS}


def is_term(value: str) -> bool:
    """Whether there is a term with a value."""
    return value in _BY_VALUE


def term_of(value: str) -> Term:
    """The term with a value.

    Raises:
        ValueError: if there is none.
    """
    if not is_term(value):
        raise ValueError(f"not a term: {value[:20]!r}")
    return _BY_VALUE[value]


@dataclass(frozen=True, slots=True)
class MoveRating:
    """The expected result of a move, in points of the round.

    `points` is the side's lead over the mean of the others, and the sum of `terms`. `last` is how often the side makes
    the latest capture. `behind` is what the move loses against the best one, and `error` the standard error of that.
    """

    move: Move
    points: float
    terms: dict[Term, float]
    last: float
    behind: float
    error: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """The ratings of a seat's moves, best first. `exact`: nothing was hidden, and every line of play was searched."""

    ratings: tuple[MoveRating, ...]
    exact: bool

    @property
    def best(self) -> MoveRating:
        return self.ratings[0]

    def rating_of(self, move: Move) -> MoveRating:
        return next(rating for rating in self.ratings if rating.move == move)


@dataclass(slots=True)
class Tally:
    """The results of a move in the draws so far; `terms` are sums."""

    move: Move
    number: FastMove
    terms: list[float]
    values: list[float] = field(default_factory=list[float])
    last: int = 0

    def add(self, values: Sequence[float], terms: list[float], last: int) -> None:
        """Go on with more values, and with the sums of terms that they lead to."""
        self.values += values
        self.terms = terms
        self.last += last

    @property
    def mean(self) -> float:
        return sum(self.values) / len(self.values)

    def behind(self, other: Tally) -> tuple[float, float]:
        """Compute the mean loss against another move in the draws that both were tried with, and its standard error."""
        lost = [theirs - own for theirs, own in zip(other.values, self.values, strict=False)]
        count = len(lost)
        mean = sum(lost) / count
        if count == 1:
            return mean, 0.0
        return mean, sqrt(sum((each - mean) ** 2 for each in lost) / (count - 1) / count)


def analyse(view: SeatView, rng: Rng, *, draws: int, played: Move | None = None) -> Analysis:
    """Rate the moves of the seat at turn.

    Args:
        view: the seat's view; nothing else may be used.
        rng: the source of randomness.
        draws: the number of times to draw the hidden cards.
        played: a move to rate with all draws, however bad it is.
    """
    return Trials(view, played).analysis(rng, draws)


def terms_of(rules: Rules) -> tuple[Term, ...]:
    """List the terms that make up a round's points under these rules."""
    sung = (Item.CANTOS,) if rules.cantos else ()
    found = scorers(rules)
    return (Item.ESCOBAS, Others.ESCOBAS, *sung, *(item for item in Item if item in found))


Tallies = list[tuple[list[float], list[float], int]]
"""For each move, in the order of `Lookahead.moves`: its value in each draw, the sums of its terms, and how often its
side made the latest capture."""


def tallied(view: SeatView, rng: Rng, *, draws: int) -> Tallies:
    """Make part of an analysis in which no move is dropped; one draw is enough for a `Lookahead.open_end`."""
    return Trials(view, None).tallied(rng, draws)


def tried_on(
    view: SeatView, moves: Sequence[Move], sums: Sequence[Sequence[float]], rng: Rng, draws: int, stop: Stop
) -> Tallies:
    """Try moves with one draw or, until it is time to stop, with more; `sums` are those of their terms before."""
    trials = Trials(view, None)
    tried = [Tally(move, fast_move(move), list(terms)) for move, terms in zip(moves, sums, strict=True)]
    trials.run(tried, rng, draws, stop)
    return [(tally.values, tally.terms, tally.last) for tally in tried]


def merged(view: SeatView, parts: Sequence[Tallies]) -> Analysis:
    """Add up these parts of an analysis.

    Raises:
        ValueError: if a part doesn't belong to this view.
    """
    return Trials(view, None).merged(parts)


class Trials:
    """Tries of a seat's moves, and what has come of them."""

    __slots__ = ("_ahead", "_cantos", "_end", "_played", "_scorers", "_tallies", "_terms", "_work")

    def __init__(self, view: SeatView, played: Move | None) -> None:
        self._ahead = ahead = Lookahead(view)
        self._played = played
        self._terms = terms_of(view.public.rules)
        found = scorers(view.public.rules)
        self._scorers = [found[item] for item in Item if item in found]
        self._cantos = view.public.rules.cantos
        tried = ahead.moves[:CANDIDATES]
        if played is not None and played not in tried:
            tried.append(played)
        self._tallies = {move: Tally(move, fast_move(move), [0.0] * len(self._terms)) for move in tried}
        self._end: Callable[[FastRound, FastMove], FastRound] = played_out if ahead.solvable else self._rolled_out
        self._work = SOLVED_WORK if ahead.solvable else 1

    def analysis(self, rng: Rng, draws: int) -> Analysis:
        """Try the moves and compare them."""
        for tried, count in self.looks(draws):
            self.run(tried, rng, count)
        return self.result()

    def looks(self, draws: int) -> Iterator[tuple[list[Tally], int]]:
        """Yield the moves still in question and how many draws to try them with before they are looked at again."""
        tried = list(self._tallies.values())
        left = 1 if self._ahead.open_end else max(1, draws // self._work)  # at an open end only one draw is possible
        while left:
            count = min(left, FIRST_LOOK)
            yield tried, count
            left -= count
            if count == FIRST_LOOK:
                tried = self._promising(tried)

    def run(self, tried: Sequence[Tally], rng: Rng, draws: int, stop: Stop = never) -> None:
        """Try moves with one draw or, until it is time to stop, with more."""
        for _ in range(draws):
            self._try(self._ahead.revealed() if self._ahead.open_end else self._ahead.draw(rng), tried)
            if stop():
                break

    def tallied(self, rng: Rng, draws: int) -> Tallies:
        """Try all moves `draws` times, without dropping any."""
        tried = list(self._tallies.values())
        self.run(tried, rng, 1 if self._ahead.open_end else draws)
        return [(tally.values, tally.terms, tally.last) for tally in tried]

    def merged(self, parts: Sequence[Tallies]) -> Analysis:
        """Add up the results of parts tried elsewhere, and compare the moves."""
        for part in parts:
            for tally, (values, terms, last) in zip(self._tallies.values(), part, strict=True):
                tally.values += values
                tally.terms = [before + more for before, more in zip(tally.terms, terms, strict=True)]
                tally.last += last
        return self.result()

    def _rolled_out(self, drawn: FastRound, move: FastMove) -> FastRound:
        after = drawn.copy()
        after.play(move)
        after.finish(self._ahead.style)
        return after

    def _try(self, drawn: FastRound, tried: Sequence[Tally]) -> None:
        side = self._ahead.side
        for tally in tried:
            end = self._end(drawn, tally.number)
            escobas, piles = end.escobas, end.piles
            own = escobas[side]
            terms = tally.terms
            value = margin(escobas, side)
            terms[0] += own
            terms[1] += value - own
            if self._cantos:
                term = margin(end.cantos, side)
                terms[2] += term
                value += term
            for place, score in enumerate(self._scorers, 2 + self._cantos):
                points = [0] * len(piles)
                score(points, piles)
                term = margin(points, side)
                terms[place] += term
                value += term
            tally.values.append(value)
            tally.last += end.taker == side

    def _promising(self, tried: list[Tally]) -> list[Tally]:
        """Keep the moves that may still be the best, and the one that was played."""
        best = max(tried, key=lambda tally: tally.mean)
        found: list[Tally] = []
        for tally in tried:
            lost, error = tally.behind(best)
            if tally is best or tally.move == self._played or lost < max(FAR, SURELY * error):
                found.append(tally)
        return found

    def result(self) -> Analysis:
        """Compare the moves by what has been tried."""
        most = max(len(tally.values) for tally in self._tallies.values())
        tallies = list(self._tallies.values())
        # The best can't be one that was given up early: its mean is over fewer draws.
        best = max((tally for tally in tallies if len(tally.values) == most), key=lambda tally: tally.mean)
        ratings: list[MoveRating] = []
        for tally in tallies:
            count = len(tally.values)
            lost, error = (0.0, 0.0) if tally is best else tally.behind(best)
            terms = {name: total / count for name, total in zip(self._terms, tally.terms, strict=True)}
            ratings.append(MoveRating(tally.move, tally.mean, terms, tally.last / count, max(0.0, lost), error))
        ratings.sort(key=lambda rating: (rating.behind, rating.move != best.move))
        exact = self._ahead.open_end and len(self._ahead.hidden.base.piles) == _TWO_SIDES
        return Analysis(tuple(ratings), exact)
