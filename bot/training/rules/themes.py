"""The theme of a decision: the idea that a player needs to find its best move."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from bot.coach.analysis import Analysis, Others, Term
from bot.coach.facts import sweeps
from bot.coach.grading import lost
from bot.engine.moves import Move, Sing
from bot.engine.scoring import Item
from bot.engine.views import SeatView


class Theme(StrEnum):
    """The theme of a decision. The value is stored with positions to practise."""

    ESCOBA = "escoba"
    """Making an escoba, at once or later."""
    LEFT_OPEN = "left_open"
    """Leaving the others no escoba."""
    SEVENS = "sevens"
    """The sevens, the seven of oros and the prime."""
    OROS = "oros"
    CARDS = "cards"
    """The most cards, or the most of some, and with them the latest capture."""
    CANTOS = "cantos"
    """Singing the hand."""
    COUNTING = "counting"
    """Nothing is hidden: counting what is left shows how the round ends."""


_THEMES: Final[Mapping[Term, Theme]] = {
    Item.ESCOBAS: Theme.ESCOBA,
    Others.ESCOBAS: Theme.LEFT_OPEN,
    Item.CANTOS: Theme.CANTOS,
    Item.OROS: Theme.OROS,
    Item.SEVEN_OF_OROS: Theme.SEVENS,
    Item.SEVENS: Theme.SEVENS,
    Item.PRIME: Theme.SEVENS,
}
"""The themes of what a decision is about; another item is about winning the most of some cards."""


def theme_of(view: SeatView, analysis: Analysis, played: Move | None = None) -> Theme:
    """Find the theme in which the best move is ahead of another.

    Args:
        view: the player's view.
        analysis: the ratings of the moves.
        played: the other move; None for the next best of those that aren't as good.
    """
    best = analysis.best
    if isinstance(best.move, Sing):
        return Theme.CANTOS
    if analysis.exact:
        return Theme.COUNTING
    other = next((rating for rating in analysis.ratings[1:] if lost(rating)), analysis.ratings[-1])
    if played is not None:
        other = analysis.rating_of(played)
    if sweeps(view, best.move) and not sweeps(view, other.move):
        return Theme.ESCOBA
    return _THEMES.get(max(best.terms, key=lambda term: best.terms[term] - other.terms[term]), Theme.CARDS)
