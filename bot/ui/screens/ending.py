"""The questions before a game is ended or left."""

from __future__ import annotations

from discord import ButtonStyle

from bot.tables.view import TableView
from bot.ui.screens.ids import Ref, Verb
from bot.ui.screens.layout import Layout, button, layout_of, row
from bot.ui.screens.table import counts
from bot.ui.words.texts import Words


def cancel_question(ref: Ref, t: Words) -> Layout:
    """The question before a game is cancelled."""
    text = t("Do you want to end this game for everybody? It will count for nobody.")
    return _question(ref, text, Verb.CONFIRM_CANCEL, t("End the game"), t)


def leave_question(view: TableView, seat: int, version: int, t: Words) -> Layout:
    """The question before the player of a seat leaves a match: what comes of it. `version` is the log's."""
    others = any(other.may_return for index, other in enumerate(view.seats) if index != seat)
    if not others:
        text = t("Do you want to leave? Nobody else is at the table, so the game ends and counts for nobody.")
    elif counts(view):
        text = t("Do you want to leave? A computer plays your cards to the end, and the match counts as lost for you.")
    else:
        text = t("Do you want to leave? A computer plays your cards to the end.")
    return _question(Ref(view.id, version), text, Verb.CONFIRM_LEAVE, t("Leave the game"), t)


def _question(ref: Ref, text: str, verb: Verb, label: str, t: Words) -> Layout:
    confirm = button(ref.custom_id(verb), label, style=ButtonStyle.danger)
    return layout_of(text, row(confirm, button(ref.custom_id(Verb.KEEP), t("Keep playing"))))
