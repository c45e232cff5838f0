"""Ratings of a seat's moves and their parts: for people who ask for advice, not for computers' moves.

All moves are tried with the same draws of the hidden cards, so that they share the same luck and the *difference*
between two of them is known well. A single value means little by itself: nobody plays on as the roll-outs do.

No clock ends an analysis early: what people are told a decision is worth must not depend on how busy the machine is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import sqrt
from operator import mul, sub
from typing import Final

from bot.engine.moves import Move
from bot.engine.rules import Rules
from bot.engine.scoring import Item
from bot.engine.views import SeatView
from bot.players.counting import scorers
from bot.players.fast_round import FastMove, FastRound, Met
from bot.players.last_deal import played_out
from bot.players.lookahead import CANDIDATES, SOLVED_WORK, Lookahead, Stop, fast_move, never
from bot.players.rng import Rng

FIRST_LOOK: Final = 200
"""Each time this many draws have been made, moves that are far behind are dropped."""
FAR: Final = 0.5
"""The least that counts as far behind, in points."""
SURELY: Final = 5.0
"""The least that counts as far behind, in standard errors."""
LEAST_DRAWS: Final = 600
"""The least draws after which an analysis may end early."""
ERROR: Final = 0.05
"""The standard error of a loss, in points, from which on it is known well enough."""
CLEARLY: Final = 2.5
"""Standard errors by which the loss of the move that was played is to be clear of the limits between grades."""
LIMITS: Final = (0.15, 0.4, 1.0)
"""The losses at which one grade of a move ends and the next begins, in points."""
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
    the latest capture. `behind` is what the move loses against the best one, and `error` the standard error of that;
    `errors` are those of the terms' differences from the best move's, where they are known.
    """

    move: Move
    points: float
    terms: dict[Term, float]
    last: float
    behind: float
    error: float
    errors: Mapping[Term, float] = field(default_factory=dict[Term, float])


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
    """The results of a move in the draws so far: a column of leads for each term, times the number of other sides, so
    that they are whole numbers."""

    move: Move
    number: FastMove
    columns: list[list[int]]
    values: list[int] = field(default_factory=list[int])
    last: int = 0

    def add(self, columns: Sequence[Sequence[int]], last: int) -> None:
        """Add the results of further draws."""
        for column, more in zip(self.columns, columns, strict=True):
            column.extend(more)
        self.values += map(sum, zip(*columns, strict=True))
        self.last += last

    @property
    def mean(self) -> float:
        return sum(self.values) / len(self.values)


def _behind(best: Sequence[int], other: Sequence[int]) -> tuple[float, float]:
    """Compute the mean loss against the best in the draws that both were tried with, and its standard error."""
    losses = list(map(sub, best, other))
    count, total = len(losses), sum(losses)
    if count == 1:
        return total, 0.0
    squares = sum(map(mul, losses, losses)) - total * total / count
    return total / count, sqrt(max(0.0, squares) / (count - 1) / count)


def analyse(view: SeatView, rng: Rng, *, draws: int, played: Move | None = None, settle: bool = False) -> Analysis:
    """Rate the moves of the seat at turn.

    Args:
        view: the seat's view; nothing else may be used.
        rng: the source of randomness.
        draws: the number of times to draw the hidden cards.
        played: a move to rate with all draws, however bad it is.
        settle: whether to end early, once more draws would hardly change what is said of the moves.
    """
    return Trials(view, played).analysis(rng, draws, settle=settle)


def terms_of(rules: Rules) -> tuple[Term, ...]:
    """List the terms that make up a round's points under these rules."""
    sung = (Item.CANTOS,) if rules.cantos else ()
    found = scorers(rules)
    return (Item.ESCOBAS, Others.ESCOBAS, *sung, *(item for item in Item if item in found))


Tallies = list[tuple[list[list[int]], int]]
"""For each move, in the order of `Lookahead.moves`: for each term a column of its side's leads, one for each draw and
times the number of other sides; and how often its side made the latest capture."""


def tried_on(view: SeatView, moves: Sequence[Move], rng: Rng, draws: int, stop: Stop) -> Tallies:
    """Try moves with one draw or, until it is time to stop, with more."""
    trials = Trials(view, None)
    tried = [trials.tally(move) for move in moves]
    trials.run(tried, rng, draws, stop)
    return [(tally.columns, tally.last) for tally in tried]


def merged(view: SeatView, parts: Sequence[Tallies]) -> Analysis:
    """Add up these parts of an analysis.

    Raises:
        ValueError: if a part doesn't belong to this view.
    """
    return Trials(view, None).merged(parts)


class Trials:
    """Tries of a seat's moves, and what has come of them."""

    def __init__(self, view: SeatView, played: Move | None) -> None:
        self._ahead = ahead = Lookahead(view)
        self._played = played
        self._terms = terms_of(view.public.rules)
        found = scorers(view.public.rules)
        self._scorers = [found[item] for item in Item if item in found]
        self._cantos = view.public.rules.cantos
        self._others = view.public.seating.sides - 1
        tried = ahead.moves[:CANDIDATES]
        if played is not None and played not in tried:
            tried.append(played)
        self._tallies = {move: self.tally(move) for move in tried}
        self._work = SOLVED_WORK if ahead.solvable else 1

    def analysis(self, rng: Rng, draws: int, *, settle: bool) -> Analysis:
        """Try the moves and compare them."""
        for tried, count in self.looks(draws, settle=settle):
            self.run(tried, rng, count)
        return self.result()

    def looks(self, draws: int, *, settle: bool) -> Iterator[tuple[list[Tally], int]]:
        """Yield the moves still in question and how many draws to try them with before they are looked at again.

        `settle`: as for `analyse`.
        """
        tried = list(self._tallies.values())
        left = 1 if self._ahead.open_end else max(1, draws // self._work)  # at an open end only one draw is possible
        look, least, drawn = FIRST_LOOK // self._work, LEAST_DRAWS // self._work, 0
        while left:
            count = min(left, look)
            yield tried, count
            left -= count
            drawn += count
            if count == look:
                tried = self._promising(tried)
                if settle and drawn >= least and self._settled(tried):
                    return

    def tally(self, move: Move) -> Tally:
        """A tally without a draw."""
        return Tally(move, fast_move(move), [[] for _ in self._terms])

    def run(self, tried: Sequence[Tally], rng: Rng, draws: int, stop: Stop = never) -> None:
        """Try moves with one draw or, until it is time to stop, with more."""
        for _ in range(draws):
            self._try(self._ahead.hidden.unseen if self._ahead.open_end else self._ahead.draw(rng), tried)
            if stop():
                break

    def merged(self, parts: Sequence[Tallies]) -> Analysis:
        """Add up the results of parts tried elsewhere, and compare the moves."""
        for part in parts:
            for tally, (columns, last) in zip(self._tallies.values(), part, strict=True):
                tally.add(columns, last)
        return self.result()

    def _end(self, cards: list[int], move: FastMove, met: Met) -> FastRound:
        if self._ahead.solvable:
            return played_out(self._ahead.hidden.with_cards(cards), move)
        after = self._ahead.after(move, cards)
        after.finish(self._ahead.style, met)
        return after

    def _try(self, cards: list[int], tried: Sequence[Tally]) -> None:
        side, sides, met = self._ahead.side, self._others + 1, Met()
        for tally in tried:
            end = self._end(cards, tally.number, met)
            escobas, piles = end.escobas, end.piles
            own = self._others * escobas[side]
            row = [own, sides * escobas[side] - sum(escobas) - own]
            if self._cantos:
                row.append(sides * end.cantos[side] - sum(end.cantos))
            for score in self._scorers:
                points = [0] * len(piles)
                score(points, piles)
                row.append(sides * points[side] - sum(points))
            for column, lead in zip(tally.columns, row, strict=True):
                column.append(lead)
            tally.values.append(sum(row))
            tally.last += end.taker == side

    def _promising(self, tried: list[Tally]) -> list[Tally]:
        """Keep the moves that may still be the best, and the one that was played."""
        best = max(tried, key=lambda tally: tally.mean)
        found: list[Tally] = []
        for tally in tried:
            lost, error = self._lost(best, tally)
            if tally is best or tally.move == self._played or lost < max(FAR, SURELY * error):
                found.append(tally)
        return found

    def _lost(self, best: Tally, tally: Tally) -> tuple[float, float]:
        """Compute how many points a move loses against the best, and the standard error of that."""
        lost, error = _behind(best.values, tally.values)
        return lost / self._others, error / self._others

    def _settled(self, tried: list[Tally]) -> bool:
        """Whether it is known which moves are as good as the best, and how good the one is that was played."""
        best = max(tried, key=lambda tally: tally.mean)
        for tally in tried:
            if tally is best:
                continue
            lost, error = self._lost(best, tally)
            if tally.move == self._played:
                if error > ERROR or any(abs(lost - limit) < CLEARLY * error for limit in LIMITS):
                    return False
            elif error > ERROR and lost < LIMITS[0] + CLEARLY * error:
                return False
        return True

    def result(self) -> Analysis:
        """Compare the moves by what has been tried."""
        most = max(len(tally.values) for tally in self._tallies.values())
        tallies = list(self._tallies.values())
        # The best can't be one that was given up early: its mean is over fewer draws.
        best = max((tally for tally in tallies if len(tally.values) == most), key=lambda tally: tally.mean)
        ratings: list[MoveRating] = []
        for tally in tallies:
            parts = len(tally.values) * self._others
            lost, error = self._lost(best, tally)
            terms = {name: sum(column) / parts for name, column in zip(self._terms, tally.columns, strict=True)}
            errors = {
                name: _behind(of_best, column)[1] / self._others
                for name, of_best, column in zip(self._terms, best.columns, tally.columns, strict=True)
            }
            ratings.append(
                MoveRating(
                    tally.move,
                    tally.mean / self._others,
                    terms,
                    tally.last / len(tally.values),
                    max(0.0, lost),
                    error,
                    errors,
                )
            )
        ratings.sort(key=lambda rating: (rating.behind, rating.move != best.move))
        exact = self._ahead.open_end and len(self._ahead.hidden.base.piles) == _TWO_SIDES
        return Analysis(tuple(ratings), exact)
