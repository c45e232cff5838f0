"""The best group of table cards for each sum, found by adding the cards one at a time.

A capture of either kind is a group with the right sum, so one pass over the table finds the best capture of every rank.
"""

from typing import Final, TypeVar

SUMS: Final = 15
"""No capture takes table cards worth 15 or more: fifteen minus an ace is 14, and an equal sum is 10 at most."""
NO_GROUP: Final = -1
"""A stand-in for a value: no group has that sum."""
Value = TypeVar("Value", int, float)


def add_card(best: list[Value], worth: int, value: Value) -> None:
    """Add a card to the table, in place.

    Args:
        best: for each sum below `SUMS`, the value of the best group so far; negative if there is none. The entry for 0
            is the empty group's value.
        worth: the amount the card adds to a sum.
        value: the amount it adds to a group's value.
    """
    for total in range(SUMS - 1, worth - 1, -1):
        if (before := best[total - worth]) >= 0 and (group := before + value) > best[total]:
            best[total] = group
