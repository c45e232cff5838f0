"""The scoring items and the cantos in words."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from bot.cards.words.cards import figure_name
from bot.engine.cards import Canto, Rank, Suit, card
from bot.platform.language.texts import N_, Words

_NAMES: Final = {Canto.TRES_DE_NUEVE: "tres de nueve"}
"""Names that differ from the code's. They are the same in all languages: they are what players sing."""
_MEANINGS: Final = {
    Canto.ESCALERA: N_("three values in a row; {figures} follow the 7"),
    Canto.FLOR: N_("three of one suit"),
    Canto.MISERIA: N_("worth 7 or less together"),
    Canto.TRES_DE_NUEVE: N_("worth 9 together"),
    Canto.CHORIZO: N_("three of a rank"),
}


def canto_name(canto: Canto) -> str:
    return _NAMES.get(canto, canto.value)


def canto_meaning(canto: Canto, t: Words) -> str:
    """Describe the three cards that a canto takes."""
    figures = t.listed([figure_name(card(rank, Suit.OROS), t) for rank in (Rank.SOTA, Rank.CABALLO, Rank.REY)])
    return t(_MEANINGS[canto], figures=figures)


def sung_text(cantos: Iterable[Canto]) -> str:
    """Write cantos as a sum, those sung more than once with their number.

    >>> sung_text((Canto.FLOR, Canto.MISERIA, Canto.FLOR))
    '2 × flor + miseria'
    """
    counted = Counter(cantos)
    return " + ".join(f"{n} × {canto_name(canto)}" if n > 1 else canto_name(canto) for canto, n in counted.items())
