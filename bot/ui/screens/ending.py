"""The questions before a game is ended or left."""

from __future__ import annotations

from discord import ButtonStyle

from bot.ui.screens.ids import Ref, Verb
from bot.ui.screens.layout import Layout, button, layout_of, row
from bot.ui.words.texts import Words


def cancel_question(ref: Ref, t: Words) -> Layout:
    """The question before a game is cancelled."""
    text = t("Do you want to end this game for everybody? It will count for nobody.")
    return _question(ref, text, Verb.CONFIRM_CANCEL, t("End the game"), t)


def leave_question(ref: Ref, t: Words) -> Layout:
    """The question before somebody leaves a match."""
    text = t("Do you want to leave? A computer plays your cards to the end, and the match counts as lost for you.")
    return _question(ref, text, Verb.CONFIRM_LEAVE, t("Leave the game"), t)


def _question(ref: Ref, text: str, verb: Verb, label: str, t: Words) -> Layout:
    confirm = button(ref.custom_id(verb), label, style=ButtonStyle.danger)
    return layout_of(text, row(confirm, button(ref.custom_id(Verb.KEEP), t("Keep playing"))))
