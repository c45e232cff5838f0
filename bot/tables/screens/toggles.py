"""Choosing table cards one by one: with a toggle button for each, or menus where there are too many."""

from __future__ import annotations

from discord import ButtonStyle

from bot.cards.words.cards import named, on_button, shown_all, sum_of
from bot.engine.cards import Card
from bot.engine.views import PublicView
from bot.platform.language.texts import Words
from bot.platform.layout import Component, button, menu, option, row, rows
from bot.tables.ids.game import Ref, Verb, pack
from bot.tables.screens.picking import MENU, TOGGLES, Picking

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
