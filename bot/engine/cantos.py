"""The cantos of the Uruguayan rules: what three cards in hand may be sung as (RULES.md, decision 19)."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from bot.engine.cards import CardSet

SUNG_CARDS: Final = 3
"""Cantos are made of three cards, and are sung only in a deal of three."""
_MISERIA: Final = 7
_NINE: Final = 9


class Canto(StrEnum):
    """A combination that a hand of three can be sung as; all that apply are sung together."""

    ESCALERA = "escalera"
    """Three values in a row; sota, caballo and rey follow the 7."""
    FLOR = "flor"
    """Three of one suit."""
    MISERIA = "miseria"
    """Worth 7 or less together."""
    TRES_DE_NUEVE = "tres_de_nueve"
    """Worth 9 together."""
    CHORIZO = "chorizo"
    """Three of one rank."""

    @property
    def points(self) -> int:
        return _POINTS[self]


_POINTS: Final = {
    Canto.ESCALERA: 3,
    Canto.FLOR: 3,
    Canto.MISERIA: 2,
    Canto.TRES_DE_NUEVE: 3,
    Canto.CHORIZO: 20,
}


def cantos_of(hand: CardSet) -> tuple[Canto, ...]:
    """All that a hand can be sung as; nothing unless it has three cards."""
    if len(hand) != SUNG_CARDS:
        return ()
    low, middle, high = (card.worth for card in hand)
    worth = low + middle + high
    holds = {
        Canto.ESCALERA: low + 1 == middle == high - 1,
        Canto.FLOR: len({card.suit for card in hand}) == 1,
        Canto.MISERIA: worth <= _MISERIA,
        Canto.TRES_DE_NUEVE: worth == _NINE,
        Canto.CHORIZO: low == high,
    }
    return tuple(canto for canto in Canto if holds[canto])


def canto_points(cantos: Iterable[Canto]) -> int:
    return sum(canto.points for canto in cantos)
