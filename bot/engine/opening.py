"""The first cards on the table, which the dealer takes if they make fifteens."""

from typing import Final

from bot.engine.captures import FIFTEEN
from bot.engine.cards import CardSet
from bot.engine.rules import Opening

_TWO_GROUPS: Final = 2
_MOST_FIFTEENS: Final = 3


def opening_escobas(opening: Opening, table: CardSet) -> int:
    """Count the escobas that the dealer scores with the first table cards (000 "Escobas", 001 "Escoba de mano").

    With `Opening.PAIRS` the cards must all split into groups of 15; five cards make at most two (20).
    """
    fifteens, rest = divmod(table.worth, FIFTEEN)
    if opening is Opening.NONE or rest or fifteens > _MOST_FIFTEENS:
        return 0
    if opening is Opening.PAIRS and fifteens > 1 and not (fifteens == _TWO_GROUPS and _has_fifteen(table)):
        return 0
    return fifteens


def _has_fifteen(table: CardSet) -> bool:
    """Whether some of the cards are worth 15 together; keeps the reachable sums as the bits of one integer."""
    sums = 1
    for each in table:
        sums |= sums << each.worth
    return bool(sums >> FIFTEEN & 1)
