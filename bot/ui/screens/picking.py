"""A choice of table cards under way on a private panel. Its state is in the custom_ids there, nowhere else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from bot.engine.cards import EMPTY, Card, CardSet
from bot.engine.facts import CardPlayed, DealMade
from bot.engine.rules import Capture
from bot.engine.views import PublicView

CLAIM: Final = "claim"
"""The argument that stands for a claim where otherwise a card stands."""
ANY: Final = "any"
"""The argument that stands where a card will: the table cards are chosen first."""
MENU: Final = 25
"""How many cards a menu has room for."""
TOGGLES: Final = 15
"""Up to so many table cards are a button each; more are in menus."""


@dataclass(frozen=True, slots=True)
class Picking:
    """What is chosen so far: for a card of one's own, for one yet to be named (None), or for a claim."""

    card: Card | None = None
    chosen: CardSet = EMPTY
    claim: bool = False

    @property
    def argument(self) -> str:
        """How a custom_id names it."""
        if self.claim:
            return CLAIM
        return ANY if self.card is None else self.card.notation

    @property
    def begun(self) -> bool:
        """Whether it is known what for: table cards alone may still go with any card."""
        return self.claim or self.card is not None

    def toggled(self, card: Card) -> Picking:
        """The same choice with one table card more, or less."""
        without = self.chosen - CardSet.of([card])
        return replace(self, chosen=self.chosen.with_card(card) if without == self.chosen else without)

    def aim(self, capture: Capture) -> int | None:
        """What the cards are to sum to; None where that isn't settled."""
        if capture is Capture.FIFTEEN:
            return 15
        return None if self.card is None else self.card.worth

    def terms(self, capture: Capture) -> list[int]:
        """What is summed: the worths of the chosen cards, in fifteens after that of one's own."""
        own = [self.card.worth] if self.card is not None and capture is Capture.FIFTEEN else []
        return [*own, *(card.worth for card in self.chosen)]


def menu_of(table: CardSet, number: int) -> CardSet:
    """The table cards of one menu, by its number from 0."""
    return CardSet.of(list(table)[number * MENU : (number + 1) * MENU])


def claim_of(match: PublicView) -> Picking:
    """How the choice of a missed capture begins: with the card just laid, which belongs to any. Everybody saw it."""
    last = next((fact for fact in reversed(match.recent) if not isinstance(fact, DealMade)), None)
    if isinstance(last, CardPlayed) and not last.captured:
        return Picking(chosen=CardSet.of([last.card]), claim=True)
    return Picking(claim=True)
