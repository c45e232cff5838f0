"""Where the cards of the table lie, so that those who look at it find them again."""

from __future__ import annotations

from itertools import chain, repeat

from bot.engine.cards import Card, CardSet

Places = tuple[Card | None, ...]
"""The table's cards in their places; None where one was taken. The last place is never free."""


def placed(before: Places, table: CardSet) -> Places:
    """The places once the cards on the table are these: those that stay keep theirs, new ones fill what is free."""
    kept = [card if card is not None and card in table else None for card in before]
    new = iter([card for card in table if card not in kept])
    filled = [card or next(new, None) for card in chain(kept, repeat(None, len(table)))]
    while filled and filled[-1] is None:
        filled.pop()
    return tuple(filled)
