"""Where the cards of the table lie, so that those who look at it find them again."""

from __future__ import annotations

from bot.engine.cards import Card, CardSet

Places = tuple[Card | None, ...]
"""The table's cards in their places; None where one was taken. The last place is never free."""


def placed(before: Places, table: CardSet) -> Places:
    """The places once the cards on the table are these: those that stay keep theirs, new ones fill what is free."""
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
