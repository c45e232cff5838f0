"""The private panel: one's cards as buttons, the choice of a capture, and the table, so that a whole game can be
played from it."""

from __future__ import annotations

from typing import Any

import discord
from discord.ui import ActionRow, LayoutView, TextDisplay

from bot.engine.cards import Card, CardSet
from bot.engine.match import Stage
from bot.engine.round import Play
from bot.engine.rules import Duty
from bot.engine.views import SeatView
from bot.tables.view import TableView
from bot.ui import play_items as items
from bot.ui.board import choice_rows, table_text, turn_text
from bot.ui.cards import face, faces, label
from bot.ui.colours import QUIET, TURN
from bot.ui.ids import Ref, pack
from bot.ui.layout import box_of, line, row, rows, view_of
from bot.ui.picking import MENU, Picking
from bot.ui.score import total_lines
from bot.ui.telling import recent_lines
from bot.ui.texts import Words

_NAMED_CARDS = 3
Part = ActionRow[Any] | str


def panel_layout(
    view: TableView, seat: SeatView, t: Words, *, note: str | None = None, picking: Picking | None = None
) -> LayoutView:
    """A player's private panel. `note` is a line for this moment only."""
    match = seat.public
    ref = Ref(view.id, match.version)
    colour = TURN if seat.at_turn else QUIET
    if match.stage is not Stage.TO_PLAY:
        over = t("The round is over. Your cards come with the next deal.")
        next_round = items.NextRoundButton.make(ref, t("Next round"), style=discord.ButtonStyle.success)
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


def stale_layout(game_id: int, version: int, t: Words) -> LayoutView:
    """What a panel shows when it can no longer follow the game by itself."""
    text = t("This panel has stopped following the game. Press **Refresh** to see your cards.")
    return view_of(TextDisplay(text), row(_refresh(Ref(game_id, version), t)))


def _refresh(ref: Ref, t: Words) -> items.PanelButton:
    return items.PanelButton.make(ref, t("Refresh"), emoji="🔄")


def _hand(ref: Ref, seat: SeatView, t: Words) -> list[Part]:
    title = t("**Your hand**")
    if not seat.hand:
        last_deal = seat.public.deal == seat.public.deals
        title = t("You have no cards left.") if last_deal else t("**Your hand** is empty until the next deal.")
    last: list[items.GameButton] = [_refresh(ref, t)]
    if seat.public.rules.duty is Duty.CLAIMABLE:
        last.append(items.ClaimButton.make(ref, t("Claim"), emoji="✋", disabled=not seat.at_turn))
    return [title, *rows(_card_button(ref, card, seat, t) for card in seat.hand), row(*last)]


def _card_button(ref: Ref, card: Card, seat: SeatView, t: Words) -> items.CardButton:
    text = label(card, t)
    style = discord.ButtonStyle.secondary
    if seat.at_turn and seat.public.rules.duty is Duty.COMPULSORY:
        groups = [
            move.captured for move in seat.moves if isinstance(move, Play) and move.card is card and move.captured
        ]
        text = f"{text} · {_effect(groups, seat.public.table, t)}"
        if groups:
            style = discord.ButtonStyle.success
    elif seat.at_turn:
        style = discord.ButtonStyle.primary
    return items.CardButton.make(
        Ref(ref.game, ref.version, (card.notation,)), text, style=style, disabled=not seat.at_turn
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
    question = t("What does **{card}** take?", card=face(card))
    back = items.TakeBackButton.make(ref, t("Back"))
    if buttons := choice_rows(ref, card, seat.public, t):
        return [question, *buttons, row(back)]
    picking = picking or Picking(card)
    return [question, *_picking(ref, picking, seat, t), row(_take_button(ref, picking, t), back)]


def _picking(ref: Ref, picking: Picking, seat: SeatView, t: Words) -> list[Part]:
    """Menus of the table's cards, with those chosen so far; two when the table has more cards than a menu has room."""
    text = (
        t("Which cards make the missed capture? Include the card just laid.")
        if picking.card is None
        else t("Your card: **{card}**. Choose what it takes.", card=label(picking.card, t))
    )
    if picking.chosen:
        text += "\n" + t("Chosen: {cards}", cards=faces(picking.chosen))
    parts: list[Part] = [text]
    cards = list(seat.public.table)
    for number, first in enumerate(range(0, len(cards), MENU)):
        options = [
            discord.SelectOption(label=label(card, t), value=card.notation, default=card in picking.chosen)
            for card in cards[first : first + MENU]
        ]
        menu = Ref(ref.game, ref.version, (picking.argument, pack(picking.chosen), str(number)))
        placeholder = t("Cards on the table")
        parts.append(row(items.PickSelect.make(menu, options, placeholder=placeholder, least=0, most=len(options))))
    return parts


def _take_button(ref: Ref, picking: Picking, t: Words) -> items.TakeButton:
    args = (picking.argument, pack(picking.chosen))
    return items.TakeButton.make(
        Ref(ref.game, ref.version, args),
        t("Take them"),
        style=discord.ButtonStyle.success,
        disabled=not picking.chosen,
    )


def _picking_row(ref: Ref, picking: Picking, t: Words) -> ActionRow[Any]:
    buttons: list[items.GameButton] = [_take_button(ref, picking, t)]
    if picking.card is not None:
        lay = Ref(ref.game, ref.version, (picking.card.notation,))
        buttons.append(items.LayButton.make(lay, t("Lay it on the table")))
    return row(*buttons, items.PanelButton.make(ref, t("Back")))
