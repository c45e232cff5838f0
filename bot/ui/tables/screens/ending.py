"""The confirmations before a game is ended or left."""

from __future__ import annotations

from datetime import datetime

from discord import ButtonStyle
from discord.utils import format_dt

from bot.tables.view import TableView
from bot.ui.kit.ids.game import Ref, Verb
from bot.ui.layout import Component, Layout, button, layout_of, row
from bot.ui.tables.screens.table import is_counted
from bot.ui.words.names import seat_name
from bot.ui.words.tables.scores import side_name
from bot.ui.words.texts import Words


def cancel_question(view: TableView, t: Words) -> Layout:
    text = t("Close this table for everyone? It won't count.")
    if view.forfeits:
        text = t("End this match for everyone? Whoever left it before lost it.")
    if view.fixture is not None:
        text = t("End this match for everyone? The tournament's organiser then decides how it counts.")
    elif is_counted(view):
        text += "\n-# " + t(
            "People with the Manage Server permission can see that you ended a rated match, and at what score."
        )
    return _question(view.id, text, Verb.CONFIRM_CANCEL, t("Close the table"), t)


def propose_question(view: TableView, t: Words) -> Layout:
    """Asks the player of a rated match to confirm that the others are asked."""
    text = t(
        "A rated match that has started ends early only if everyone who plays it agrees. Ask the others? If they "
        "don't agree, it goes on."
    )
    return _question(view.id, text, Verb.PROPOSE_END, t("Ask the others"), t)


def leave_question(view: TableView, seat: int, t: Words, *, may_propose: bool = False) -> Layout:
    """Asks a seat's player to confirm leaving a match, and says what would follow. `may_propose`: they can ask the
    others to end it instead."""
    if view.fixture is not None:
        return _question(view.id, _leaving_fixture(view, t), Verb.CONFIRM_LEAVE, t("Leave the table"), t)
    others = any(other.may_return for index, other in enumerate(view.seats) if index != seat)
    if view.default_winner is not None:
        text = t("Leave? You already won this match: it ends, and counts as a win for you.")
        return _question(view.id, text, Verb.CONFIRM_LEAVE, t("Leave the table"), t)
    if not others:
        text = t("Leave? Nobody else is here, so the match ends and doesn't count.")
    elif is_counted(view) and view.fixture is None and len(won := view.playing_besides(seat)) == 1:
        assert view.match is not None, "it counts"
        winner = side_name(view.match, min(won), view.seats)
        text = t("Leave? You lose this match at once, and it counts as a win for {winner}.", winner=winner)
    elif is_counted(view):
        text = t("Leave? A robot plays on for you, and the match counts as a loss.")
    else:
        text = t("Leave? A robot plays on for you.")
    propose = [button(Ref(view.id).custom_id(Verb.PROPOSE_END), t("Propose an end"))] if may_propose else []
    return _question(view.id, text, Verb.CONFIRM_LEAVE, t("Leave the table"), t, *propose)


def _leaving_fixture(view: TableView, t: Words) -> str:
    """Say what becomes of a tournament's match when one of its players leaves."""
    duplicate, pairs = view.fixture is not None and bool(view.fixture.boards), len(view.seats) > 2
    if duplicate and pairs:
        return t(
            "Leave? This tournament match is then over and lost for you and your partner: boards that aren't played "
            "to the end are 0% for both of you."
        )
    if duplicate:
        return t(
            "Leave? This tournament match is then over, and you lose it: boards that aren't played to the end are 0%."
        )
    if pairs:
        return t("Leave? This tournament match is then over, and lost for you and your partner.")
    return t("Leave? This tournament match is then over, and you lose it.")


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
    question = t("Close it for everyone and open a new table? It won't count.")
    end = button(ref.custom_id(Verb.CONFIRM_CLEAR), t("Close it"), style=ButtonStyle.danger)
    keep = button(ref.with_args().custom_id(Verb.KEEP), t("Let it run"))
    return layout_of(f"{where}\n{text}\n{question}", row(end, keep))


def _question(game_id: int, text: str, verb: Verb, label: str, t: Words, *others: Component) -> Layout:
    ref = Ref(game_id)
    confirm = button(ref.custom_id(verb), label, style=ButtonStyle.danger)
    return layout_of(text, row(confirm, *others, button(ref.custom_id(Verb.KEEP), t("Keep playing"))))
