"""How good a decision was, and why a move is better than another: codes, which `bot.ui.words` puts into sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.engine.captures import captures
from bot.engine.cards import Card, CardSet, Rank
from bot.engine.round import Claim, Move, Play
from bot.engine.rules import Capture
from bot.engine.scoring import SEVEN_OF_OROS
from bot.engine.views import SeatView
from bot.players.analysis import Analysis, Rating, Term

SMALL: Final = 0.15
"""What loses less, in points of the round, is good: nobody would notice, and 1,000 draws leave an error of a third."""
MISTAKE: Final = 0.4
"""What loses as much is a mistake: every second or third such decision costs a point."""
BLUNDER: Final = 1.0
"""A whole point given away."""
SURE: Final = 2.0
"""A loss of fewer standard errors may be chance, and isn't held against anybody."""
RIGHT: Final = 0.5
"""How right a decision is that gives away a point; none given away is 1, two are a half of a half."""
_FIFTEEN: Final = 15
_SECOND: Final = 0.5
"""A second reason is told when it is at least so large, beside the first."""
_LEAST: Final = 0.05
"""A difference that is smaller is no reason."""
_LAST: Final = 0.25
"""How much oftener one must take last for that to be the reason, in the last deal."""


class Grade(StrEnum):
    """How good a decision was."""

    GOOD = "good"
    SMALL = "small"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


def lost(rating: Rating) -> float:
    """The points that a decision gave away; 0 where that is too little to be told from chance."""
    return rating.behind if rating.behind >= max(SMALL, SURE * rating.error) else 0.0


def grade(rating: Rating) -> Grade:
    """How good a decision was, by what it lost against the best."""
    points = lost(rating)
    if points >= BLUNDER:
        return Grade.BLUNDER
    if points >= MISTAKE:
        return Grade.MISTAKE
    return Grade.SMALL if points else Grade.GOOD


def accuracy(losses: Iterable[float]) -> float:
    """How right some decisions were on average, 0 to 1; 1 if there were none.

    >>> accuracy([0.0, 1.0])
    0.75
    """
    right = [RIGHT**points for points in losses]
    return sum(right) / len(right) if right else 1.0


# ------------------------------------------------------------------------------ why


@dataclass(frozen=True, slots=True)
class TableAfter:
    """What a move leaves on the table: its sum, the worth of a card that would sweep it (None: no card does), and how
    many such cards the player hasn't seen. `empty`: it leaves nothing."""

    total: int
    need: int | None
    out: int

    @property
    def empty(self) -> bool:
        """Whether the table is swept."""
        return not self.total


@dataclass(frozen=True, slots=True)
class Why:
    """Why a move is better than what it is compared with.

    `terms` are where its points come from, the most important first, one or two of them; none: it comes to about the
    same. `left` is what it leaves, `other_left` what the other move would have left. `sweeps`: it is an escoba at once.
    `lays`: it takes nothing; `prepares` is then the card in hand that could take it. `seven`: it takes the seven of
    oros; `keeps_seven`: it keeps it in hand. `last`: what counts is to take last.
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
    """Why the best move is better than those that aren't as good."""
    best = analysis.best
    worse = [rating for rating in analysis.ratings if lost(rating)]
    return _why(view, best, worse, analysis.exact)


def why_better(view: SeatView, analysis: Analysis, played: Move) -> Why:
    """Why the best move would have been better than the one that was played."""
    return _why(view, analysis.best, [analysis.rating_of(played)], analysis.exact)


def _why(view: SeatView, best: Rating, worse: Sequence[Rating], exact: bool) -> Why:
    left = table_after(view, best.move)
    if not worse:
        return Why((), left, sweeps=_sweeps(left, best.move), exact=exact)
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
        sweeps=_sweeps(left, best.move),
        lays=not _taken(best.move),
        prepares=_prepared(view, best.move),
        seven=SEVEN_OF_OROS in _taken(best.move),
        keeps_seven=SEVEN_OF_OROS in view.hand
        and not (isinstance(best.move, Play) and best.move.card is SEVEN_OF_OROS),
        last=last and not {Term.ESCOBAS, Term.AGAINST} & set(terms[:1]),
        exact=exact,
    )


def table_after(view: SeatView, move: Move) -> TableAfter:
    """What a move leaves on the table."""
    table = view.public.table
    if isinstance(move, Claim):
        table = table - move.captured
    else:
        table = table - move.captured if move.captured else table.with_card(move.card)
    total = table.worth
    need = _FIFTEEN - total if view.public.rules.capture is Capture.FIFTEEN else total
    if not total or not Rank.ACE <= need <= Rank.REY:
        return TableAfter(total, None, 0)
    return TableAfter(total, need, sum(card.worth == need for card in view.unseen))


def _prepared(view: SeatView, move: Move) -> Card | None:
    """The card in hand that could take what a move lays, if nobody else does before."""
    if not isinstance(move, Play) or move.captured:
        return None
    table = view.public.table.with_card(move.card)
    for card in reversed(list(view.hand.without(move.card))):
        if any(move.card in group for group in captures(view.public.rules.capture, card, table)):
            return card
    return None


def _sweeps(left: TableAfter, move: Move) -> bool:
    return left.empty and bool(_taken(move))


def _taken(move: Move) -> CardSet:
    """What a move puts into the pile."""
    if isinstance(move, Claim):
        return move.captured
    return move.captured.with_card(move.card) if move.captured else move.captured


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)
