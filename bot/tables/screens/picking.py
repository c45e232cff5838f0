"""A choice of table cards in progress on a private panel. Its state is held only in the panel's custom_ids."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from bot.engine.cards import EMPTY, Card, CardSet
from bot.engine.facts import CantosSung, CardPlayed, DealMade
from bot.engine.rules import Capture, Duty
from bot.engine.views import PublicView

CLAIM: Final = "claim"
"""The argument for a claim, in place of a card."""
ANY: Final = "any"
"""The argument while the table cards are chosen first, in place of a card not yet named."""
MENU: Final = 25
"""Cards that fit in a menu."""
TOGGLES: Final = 15
"""Up to this many table cards are a button each; more go into menus."""


@dataclass(frozen=True, slots=True)
class Picking:
    """The cards chosen so far: for a card of the hand, for one not yet named (None), or for a claim."""

    card: Card | None = None
    chosen: CardSet = EMPTY
    claim: bool = False

    @property
    def argument(self) -> str:
        """The purpose of the choice, as custom_ids say it."""
        if self.claim:
            return CLAIM
        return ANY if self.card is None else self.card.notation

    @property
    def begun(self) -> bool:
        """Whether it is known what the choice is for: before that, the table cards may go with any card of the hand."""
        return self.claim or self.card is not None

    def toggled(self, card: Card) -> Picking:
        """The choice with a table card added, or removed if it was in it."""
        without = self.chosen - CardSet.of([card])
        return replace(self, chosen=self.chosen.with_card(card) if without == self.chosen else without)

    def aim(self, capture: Capture) -> int | None:
        """Find what the cards must sum to; None where that isn't known yet."""
        if capture is Capture.FIFTEEN:
            return 15
        return None if self.card is None else self.card.worth

    def terms(self, capture: Capture) -> list[Card]:
        """The cards to sum: those chosen, preceded in fifteens by the player's own card."""
        own = [self.card] if self.card is not None and capture is Capture.FIFTEEN else []
        return [*own, *self.chosen]


def menu_of(table: CardSet, number: int) -> CardSet:
    """The table cards of a menu, which are numbered from 0."""
    return CardSet.of(list(table)[number * MENU : (number + 1) * MENU])


def claim_of(match: PublicView) -> Picking | None:
    """The start of a claim, with the card just laid chosen: it is in any missed capture. None if there can't be one.

    Whether that card could have taken something is for the players to find out.
    """
    last = next((fact for fact in reversed(match.recent) if not isinstance(fact, DealMade | CantosSung)), None)
    if match.rules.duty is not Duty.CLAIMABLE or not isinstance(last, CardPlayed):
        return None
    alone = len(match.table) == 1
    return None if last.captured or alone else Picking(chosen=CardSet.of([last.card]), claim=True)
