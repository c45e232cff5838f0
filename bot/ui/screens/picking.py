"""A choice of table cards under way on a private panel. Its state is in the custom_ids of the menus, nowhere else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.engine.cards import EMPTY, Card, CardSet

CLAIM: Final = "claim"
"""The argument that stands for a claim where otherwise a card stands."""
MENU: Final = 25
"""How many cards a menu has room for."""


@dataclass(frozen=True, slots=True)
class Picking:
    """What is chosen so far: for a card of one's own, or (None) for a claim."""

    card: Card | None
    chosen: CardSet = EMPTY

    @property
    def argument(self) -> str:
        """How a custom_id names it."""
        return CLAIM if self.card is None else self.card.notation


def menu_of(table: CardSet, number: int) -> CardSet:
    """The table cards of one menu, by its number from 0."""
    return CardSet.of(list(table)[number * MENU : (number + 1) * MENU])
