"""Picking cards on a panel, what it shows or hides, and the buttons of those who play alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from discord import ButtonStyle

from bot.cards.words.cards import named, on_button, shown_all, sum_of
from bot.engine.cards import EMPTY, Card, CardSet
from bot.engine.facts import CantosSung, CardPlayed, DealMade
from bot.engine.rules import Capture, Duty
from bot.engine.views import PublicView
from bot.platform.language.texts import Words
from bot.platform.layout import Component, button, menu, option, row, rows
from bot.tables.ids.game import Ref, Verb, pack
from bot.tables.live.view import TableView


def solo_button(t: Words) -> Component:
    """The button that opens one's own match against robots. It is about no game in particular."""
    return button(Ref(0).custom_id(Verb.SOLO), t("Solo match"), emoji="🤖")


def stop_buttons(ref: Ref, view: TableView, t: Words) -> list[Component]:
    """The button that ends such a match, after a question; none in other matches."""
    return [button(ref.custom_id(Verb.CANCEL), t("End match"), emoji="🏳️")] if view.alone else []


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


_SMALL_HAND = 5
_FEWER = 10
"""Toggles that fit beside a larger hand: a message has at most forty components."""


def choice_parts(
    ref: Ref, picking: Picking, match: PublicView, t: Words, *, hand_buttons: int = 0
) -> list[Component | str]:
    """The choice so far and its sum, and the table's cards to choose from.

    `hand_buttons` is the number of cards of the hand that are buttons on the same panel.
    """
    choosing = toggle_rows(ref, picking, match, t, hand_buttons=hand_buttons) or _menus(ref, picking, match, t)
    return [_choice_so_far(picking, match, t), *choosing]


def toggle_rows(ref: Ref, picking: Picking, match: PublicView, t: Words, *, hand_buttons: int = 0) -> list[Component]:
    """A button for each table card, in its place; none if there are too many."""
    if len(match.table) > (TOGGLES if hand_buttons <= _SMALL_HAND else _FEWER):
        return []
    return rows(_toggle(ref, picking, card, t) for card in match.places if card is not None)


def take_button(ref: Ref, picking: Picking, t: Words) -> Component:
    taken = ref.with_args(picking.argument, pack(picking.chosen))
    text = t("Claim them") if picking.claim else t("Take them")
    return button(taken.custom_id(Verb.TAKE), text, style=ButtonStyle.success, disabled=not picking.chosen)


def _toggle(ref: Ref, picking: Picking, card: Card, t: Words) -> Component:
    chosen = card in picking.chosen
    after = ref.with_args(picking.argument, pack(picking.toggled(card).chosen))
    text, emoji = on_button(card, t)
    return button(
        after.custom_id(Verb.CHOOSE),
        f"✓ {text}" if chosen else text,
        style=ButtonStyle.primary if chosen else ButtonStyle.secondary,
        emoji=emoji,
    )


def _choice_so_far(picking: Picking, match: PublicView, t: Words) -> str:
    lines: list[str] = []
    if picking.claim:
        lines.append(t("**Claim:** choose every card of the missed capture, including the one just played."))
    elif picking.card is not None:
        lines.append(t("Your card: **{card}**. Choose what it takes.", card=named(picking.card, t)))
    if picking.chosen:
        capture = match.rules.capture
        lines.append(t("Chosen: {cards}", cards=shown_all(picking.chosen, t)))
        terms = picking.terms(capture)
        if picking.begun or len(terms) > 1:
            lines.append(sum_of(terms, picking.aim(capture) if picking.begun else None, t))
    return "\n".join(lines)


def _menus(ref: Ref, picking: Picking, match: PublicView, t: Words) -> list[Component | str]:
    """Menus of the table's cards: two when they don't fit in one."""
    made: list[Component | str] = []
    cards = list(match.table)
    for number, first in enumerate(range(0, len(cards), MENU)):
        options = [
            option(text, card.notation, chosen=card in picking.chosen, emoji=emoji)
            for card in cards[first : first + MENU]
            for text, emoji in (on_button(card, t),)
        ]
        custom_id = ref.with_args(picking.argument, pack(picking.chosen), str(number)).custom_id(Verb.PICK)
        label = t("Cards on the table")
        made += [f"**{label}**", row(menu(custom_id, options, placeholder=label, least=0, most=len(options)))]
    return made


def picking_row(ref: Ref, picking: Picking, hint: list[Component], t: Words) -> Component:
    """The buttons below a choice: take what is chosen, lay the card instead, or go back."""
    buttons = [take_button(ref, picking, t)]
    if picking.card is not None:
        laid = ref.with_args(picking.card.notation)
        buttons.append(button(laid.custom_id(Verb.LAY), t("To the table")))
    return row(*buttons, button(ref.custom_id(Verb.PANEL), t.context("button", "Back")), *hint)
