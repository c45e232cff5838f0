"""The private panel: one's cards as buttons, the choice of a capture, and the table, so that a whole game can be
played from it."""

from __future__ import annotations

from discord import ButtonStyle

from bot.engine.cards import Card, CardSet
from bot.engine.match import Stage
from bot.engine.round import Play
from bot.engine.rules import Duty
from bot.engine.views import SeatView
from bot.tables.view import TableView
from bot.ui.screens.board import choice_rows, table_text, turn_text
from bot.ui.screens.colours import QUIET, TURN
from bot.ui.screens.ids import Ref, Verb, pack
from bot.ui.screens.layout import Component, Layout, box_of, button, layout_of, line, menu, option, row, rows
from bot.ui.screens.picking import MENU, Picking
from bot.ui.screens.score import total_lines
from bot.ui.words.cards import faces, on_button, shown, shown_all, told
from bot.ui.words.telling import recent_lines
from bot.ui.words.texts import Words

_NAMED_CARDS = 3
Part = Component | str


def panel_layout(
    view: TableView, seat: SeatView, t: Words, *, note: str | None = None, picking: Picking | None = None
) -> Layout:
    """A player's private panel. `note` is a line for this moment only."""
    match = seat.public
    ref = Ref(view.id, match.version)
    colour = TURN if seat.at_turn else QUIET
    if match.stage is not Stage.TO_PLAY:
        over = t("The round is over. Your cards come with the next deal.")
        next_round = button(ref.custom_id(Verb.NEXT_ROUND), t("Next round"), style=ButtonStyle.success)
        totals = "\n".join(total_lines(match, view.seats, t))
        return box_of(colour, note, over, totals, row(next_round, _refresh(ref, t)))
    moves = recent_lines(match.recent, view.seats, t, most=len(view.seats))
    head = t("### Your turn!") if seat.at_turn else turn_text(view, match, t)
    if seat.at_turn and match.laid is not None:
        parts = _choice(ref, match.laid, seat, picking, t)
    elif seat.at_turn and picking is not None and match.rules.duty is not Duty.COMPULSORY:
        parts = [*_picking(ref, picking, seat, t), _picking_row(ref, picking, t)]
    else:
        parts = _hand(ref, seat, t)
    return box_of(
        colour,
        note,
        "\n".join((*(f"-# {move}" for move in moves), head)),
        table_text(match.table, match.laid, t),
        line(),
        *parts,
    )


def stale_layout(game_id: int, version: int, t: Words) -> Layout:
    """What a panel shows when it can no longer follow the game by itself."""
    text = t("This panel has stopped following the game. Press **Refresh** to see your cards.")
    return layout_of(text, row(_refresh(Ref(game_id, version), t)))


def _refresh(ref: Ref, t: Words) -> Component:
    return button(ref.custom_id(Verb.PANEL), t("Refresh"), emoji="🔄")


def _hand(ref: Ref, seat: SeatView, t: Words) -> list[Part]:
    title = t("**Your hand**")
    if not seat.hand:
        last_deal = seat.public.deal == seat.public.deals
        title = t("You have no cards left.") if last_deal else t("**Your hand** is empty until the next deal.")
    last = [_refresh(ref, t)]
    if seat.public.rules.duty is Duty.CLAIMABLE:
        last.append(button(ref.custom_id(Verb.CLAIM), t("Claim"), emoji="✋", disabled=not seat.at_turn))
    return [title, *rows(_card_button(ref, card, seat, t) for card in seat.hand), row(*last)]


def _card_button(ref: Ref, card: Card, seat: SeatView, t: Words) -> Component:
    text, emoji = on_button(card, t)
    style = ButtonStyle.secondary
    if seat.at_turn and seat.public.rules.duty is Duty.COMPULSORY:
        groups = [
            move.captured for move in seat.moves if isinstance(move, Play) and move.card is card and move.captured
        ]
        text = f"{text} · {_effect(groups, seat.public.table, t)}"
        if groups:
            style = ButtonStyle.success
    elif seat.at_turn:
        style = ButtonStyle.primary
    return button(
        ref.with_args(card.notation).custom_id(Verb.CARD), text, style=style, emoji=emoji, disabled=not seat.at_turn
    )


def _effect(groups: list[CardSet], table: CardSet, t: Words) -> str:
    """What a card would do: "to the table", "takes 5🏆 3🗡️", "escoba!", "3 captures"."""
    if not groups:
        return t("to the table")
    if len(groups) > 1:
        return t.plural("{n} capture", "{n} captures", len(groups))
    if groups[0] == table:
        return t("escoba!") + " 🧹"
    if len(groups[0]) > _NAMED_CARDS:
        return t.plural("takes {n} card", "takes {n} cards", len(groups[0]))
    return t("takes {cards}", cards=faces(groups[0]))


def _choice(ref: Ref, card: Card, seat: SeatView, picking: Picking | None, t: Words) -> list[Part]:
    """The captures of the laid card as buttons, or past twenty as a menu of table cards; and Back."""
    question = t("What does **{card}** take?", card=shown(card, t))
    back = button(ref.custom_id(Verb.TAKE_BACK), t("Back"))
    if buttons := choice_rows(ref, card, seat.public, t):
        return [question, *buttons, row(back)]
    picking = picking or Picking(card)
    return [question, *_picking(ref, picking, seat, t), row(_take_button(ref, picking, t), back)]


def _picking(ref: Ref, picking: Picking, seat: SeatView, t: Words) -> list[Part]:
    """Menus of the table's cards, with those chosen so far; two when the table has more cards than a menu has room."""
    text = (
        t("Which cards make the missed capture? Include the card just laid.")
        if picking.card is None
        else t("Your card: **{card}**. Choose what it takes.", card=told(picking.card, t))
    )
    if picking.chosen:
        text += "\n" + t("Chosen: {cards}", cards=shown_all(picking.chosen, t))
    parts: list[Part] = [text]
    cards = list(seat.public.table)
    for number, first in enumerate(range(0, len(cards), MENU)):
        options = [
            option(text, card.notation, chosen=card in picking.chosen, emoji=emoji)
            for card in cards[first : first + MENU]
            for text, emoji in (on_button(card, t),)
        ]
        custom_id = ref.with_args(picking.argument, pack(picking.chosen), str(number)).custom_id(Verb.PICK)
        parts.append(row(menu(custom_id, options, placeholder=t("Cards on the table"), least=0, most=len(options))))
    return parts


def _take_button(ref: Ref, picking: Picking, t: Words) -> Component:
    taken = ref.with_args(picking.argument, pack(picking.chosen))
    return button(taken.custom_id(Verb.TAKE), t("Take them"), style=ButtonStyle.success, disabled=not picking.chosen)


def _picking_row(ref: Ref, picking: Picking, t: Words) -> Component:
    buttons = [_take_button(ref, picking, t)]
    if picking.card is not None:
        laid = ref.with_args(picking.card.notation)
        buttons.append(button(laid.custom_id(Verb.LAY), t("Lay it on the table")))
    return row(*buttons, button(ref.custom_id(Verb.PANEL), t("Back")))
