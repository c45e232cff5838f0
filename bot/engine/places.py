"""The places of the table cards, so that cards keep their places while others come and go."""

from __future__ import annotations

from bot.engine.cards import Card, CardSet

Places = tuple[Card | None, ...]
"""The table cards by place; None where one was taken. The last place is never free."""


def placed(before: Places, table: CardSet) -> Places:
    """The places for the cards now on the table: those that stayed keep theirs, new ones fill the gaps first."""
    left = table.mask
    filled: list[Card | None] = []
    for one in before:
        stays = one is not None and left & one.bit
        filled.append(one if stays else None)
        left ^= stays or 0
    new = iter(CardSet(left))
    filled = [one or next(new, None) for one in filled]
    filled += new
    while filled and filled[-1] is None:
        filled.pop()
    return tuple(filled)
