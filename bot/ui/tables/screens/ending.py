"""The confirmations before a game is ended or left."""

from __future__ import annotations

from datetime import datetime

from discord import ButtonStyle
from discord.utils import format_dt

from bot.tables.view import TableView
from bot.ui.kit.ids.game import Ref, Verb
from bot.ui.layout import Layout, button, layout_of, row
from bot.ui.tables.screens.table import is_counted
from bot.ui.words.names import seat_name
from bot.ui.words.texts import Words


def cancel_question(game_id: int, t: Words) -> Layout:
    text = t("Do you want to end this game for everybody? It will count for nobody.")
    return _question(game_id, text, Verb.CONFIRM_CANCEL, t("End the game"), t)


def leave_question(view: TableView, seat: int, t: Words) -> Layout:
    """Asks a seat's player to confirm leaving a match, and says what would follow."""
    others = any(other.may_return for index, other in enumerate(view.seats) if index != seat)
    if not others:
        text = t("Do you want to leave? Nobody else is at the table, so the game ends and counts for nobody.")
    elif is_counted(view):
        text = t(
            "Do you want to leave? A computer plays your cards to the end, and the match counts as a loss for you."
        )
    else:
        text = t("Do you want to leave? A computer plays your cards to the end.")
    return _question(view.id, text, Verb.CONFIRM_LEAVE, t("Leave the game"), t)


def clear_question(ref: Ref, where: str, view: TableView, moved_at: datetime, t: Words) -> Layout:
    """Asks somebody who wants the channel to confirm ending a forgotten game there.

    Args:
        ref: refers to the table to open instead.
        where: the text that says that the channel has a game.
        view: the forgotten game.
        moved_at: when its last move was made.
    """
    people = ", ".join(f"**{seat_name(seat.name, computer=False)}**" for seat in view.seats if seat.may_return)
    text = t("At the table: {people}. The last move was {time}.", people=people, time=format_dt(moved_at, "R"))
    question = t("Do you want to end it for everybody and open a new table? It will count for nobody.")
    end = button(ref.custom_id(Verb.CONFIRM_CLEAR), t("End it, open a new one"), style=ButtonStyle.danger)
    keep = button(ref.with_args().custom_id(Verb.KEEP), t("Leave it"))
    return layout_of(f"{where}\n{text}\n{question}", row(end, keep))


def _question(game_id: int, text: str, verb: Verb, label: str, t: Words) -> Layout:
    ref = Ref(game_id)
    confirm = button(ref.custom_id(verb), label, style=ButtonStyle.danger)
    return layout_of(text, row(confirm, button(ref.custom_id(Verb.KEEP), t("Keep playing"))))
