"""How good a decision was, and why one move is better than another, in codes that `bot.ui.words` puts into words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.engine.captures import captures, target
from bot.engine.cards import Card, Rank
from bot.engine.round import Move, Play
from bot.engine.scoring import SEVEN_OF_OROS
from bot.engine.views import SeatView
from bot.players.analysis import Analysis, Rating, Term

SMALL: Final = 0.15
"""Losing fewer points of the round than this is good: nobody would notice, and the error of 1,000 draws is a third of
it."""
MISTAKE: Final = 0.4
"""Losing this much is a mistake: two or three such decisions cost a point."""
BLUNDER: Final = 1.0
"""A whole point given away."""
SURE: Final = 2.0
"""A loss of fewer standard errors than this may be chance, and isn't held against anybody."""
RIGHT: Final = 0.5
"""The accuracy of a decision that gives away one point; it is 1 with none given away, and a quarter with two."""
_SECOND: Final = 0.5
"""A second reason is given if it is at least this large compared with the first."""
_LEAST: Final = 0.05
"""A smaller difference is no reason."""
_LAST: Final = 0.25
"""In the last deal, how much more often a move must lead to the latest capture for that to be the reason."""


class Grade(StrEnum):
    """How good a decision was."""

    GOOD = "good"
    SMALL = "small"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


def lost(rating: Rating) -> float:
    """The points that a decision gave away; 0 if they can't be distinguished from chance."""
    return rating.behind if rating.behind >= max(SMALL, SURE * rating.error) else 0.0


def grade(rating: Rating) -> Grade:
    """How good a decision was, by what it lost against the best move."""
    points = lost(rating)
    if points >= BLUNDER:
        return Grade.BLUNDER
    if points >= MISTAKE:
        return Grade.MISTAKE
    return Grade.SMALL if points else Grade.GOOD


def accuracy(losses: Iterable[float]) -> float:
    """The mean accuracy of decisions, from 0 to 1, given what each lost; 1 if there are none.

    >>> accuracy([0.0, 1.0])
    0.75
    """
    right = [RIGHT**points for points in losses]
    return sum(right) / len(right) if right else 1.0


@dataclass(frozen=True, slots=True)
class TableAfter:
    """The table that a move leaves.

    `total` is its sum, `need` the worth of a card that would sweep it (None if none would), and `out` how many such
    cards the player hasn't seen.
    """

    total: int
    need: int | None
    out: int

    @property
    def empty(self) -> bool:
        """Whether the table is swept."""
        return not self.total


@dataclass(frozen=True, slots=True)
class Why:
    """Why a move is better than the moves it is compared with.

    `terms` are the one or two that gain most, the most important first; empty if the moves are about equal.
    `left` is the table it leaves, `other_left` the one that the other move would have left. `sweeps`: it is an escoba.
    `lays`: it captures nothing; `prepares` is then a card in hand that could capture the laid one. `seven`: it captures
    the seven of oros; `keeps_seven`: it keeps it in hand. `last`: what matters is to make the latest capture.
    """

    terms: tuple[Term, ...]
    left: TableAfter
    other_left: TableAfter | None = None
    sweeps: bool = False
    lays: bool = False
    prepares: Card | None = None
    seven: bool = False
    keeps_seven: bool = False
    last: bool = False
    exact: bool = False


def why_best(view: SeatView, analysis: Analysis) -> Why:
    """Why the best move is better than the moves that aren't as good."""
    best = analysis.best
    worse = [rating for rating in analysis.ratings if lost(rating)]
    return _why(view, best, worse, analysis.exact)


def why_better(view: SeatView, analysis: Analysis, played: Move) -> Why:
    """Why the best move would have been better than the one played."""
    return _why(view, analysis.best, [analysis.rating_of(played)], analysis.exact)


def _why(view: SeatView, best: Rating, worse: Sequence[Rating], exact: bool) -> Why:
    left, move = table_after(view, best.move), best.move
    sweeps = left.empty and bool(move.captured)
    if not worse:
        return Why((), left, sweeps=sweeps, exact=exact)
    gains = {term: value - _mean(rating.terms[term] for rating in worse) for term, value in best.terms.items()}
    reasons = [term for term in sorted(gains, key=lambda term: -gains[term]) if gains[term] >= _LEAST]
    terms = [term for term in reasons[:2] if gains[term] >= _SECOND * gains[reasons[0]]]
    last_deal = view.public.deal >= view.public.deals
    last = last_deal and best.last - _mean(rating.last for rating in worse) >= _LAST
    other = table_after(view, worse[0].move) if len(worse) == 1 else None
    return Why(
        terms=tuple(terms),
        left=left,
        other_left=other,
        sweeps=sweeps,
        lays=not move.captured,
        prepares=_prepared(view, move),
        seven=SEVEN_OF_OROS in move.gained,
        keeps_seven=SEVEN_OF_OROS in view.hand and not (isinstance(move, Play) and move.card is SEVEN_OF_OROS),
        last=last and not {Term.ESCOBAS, Term.AGAINST} & set(terms[:1]),
        exact=exact,
    )


def table_after(view: SeatView, move: Move) -> TableAfter:
    """The table that a move leaves, as the player sees it."""
    total = move.table_after(view.public.table).worth
    need = target(view.public.rules.capture, total)
    if not total or not Rank.ACE <= need <= Rank.REY:
        return TableAfter(total, None, 0)
    return TableAfter(total, need, sum(card.worth == need for card in view.unseen))


def _prepared(view: SeatView, move: Move) -> Card | None:
    """The card in hand that could capture what a move lays, if nobody else does first."""
    if not isinstance(move, Play) or move.captured:
        return None
    table = move.table_after(view.public.table)
    for card in reversed(list(view.hand.without(move.card))):
        if any(move.card in group for group in captures(view.public.rules.capture, card, table)):
            return card
    return None


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)
