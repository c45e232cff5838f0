"""The confirmations before a game is ended or left."""

from datetime import datetime
from typing import Final

from discord import ButtonStyle
from discord.utils import format_dt

from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout, button, layout_of, row
from bot.platform.people import safe
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.view import TableView
from bot.tables.log.events import Phase
from bot.tables.screens.table import is_counted
from bot.tables.words.scores import side_name

LOBBY: Final = "l"
"""The argument of the button that leaves a lobby, and never a match that has begun since."""


def end_button(view: TableView, t: Words) -> Component:
    """The button for whoever may end the match, or close the lobby, for everybody; a question follows."""
    return button(Ref(view.id).custom_id(Verb.CANCEL), _end(view, t), emoji="🛑")


def take_out_button(view: TableView, t: Words) -> Component:
    """The button for a moderator, who may take a rated match out of the channel, but not end it."""
    return button(Ref(view.id).custom_id(Verb.TAKE_OUT), t("Take it out of the channel"), emoji="📤")


def offer_layout(offered: Component, t: Words) -> Layout:
    """Tells a moderator that they may end the match, close the lobby, or take a match out of the channel."""
    return layout_of(t("You can do this as a moderator:"), row(offered))


def cancel_question(view: TableView, t: Words) -> Layout:
    text = t("End this match for everyone? It won't count.")
    if view.alone:
        text = t("End this match? It won't count.")
    elif view.phase is Phase.LOBBY:
        text = t("Close this table for everyone?")
    elif view.forfeits:
        text = t("End this match for everyone? Whoever left it before lost it.")
    if view.fixture is not None:
        text = t("End this match for everyone? The tournament's organiser then decides how it counts.")
    elif is_counted(view):
        text += "\n-# " + t(
            "People with the Manage Server permission can see that you ended a rated match, and at what score."
        )
    return _question(view.id, text, Verb.CONFIRM_CANCEL, _end(view, t), t("Let it run"))


def lobby_question(view: TableView, t: Words) -> Layout:
    """Asks the host of a lobby where others sit whether to leave it to them, or to close it."""
    ref = Ref(view.id)
    leave = button(ref.with_args(LOBBY).custom_id(Verb.CONFIRM_LEAVE), t.context("button", "Leave"))
    close = button(ref.custom_id(Verb.CONFIRM_CANCEL), _end(view, t), style=ButtonStyle.danger)
    keep = button(ref.custom_id(Verb.KEEP), t("Let it run"))
    return layout_of(t("Leave the table to the others, or close it for everyone?"), row(leave, close, keep))


def leave_question(view: TableView, seat: int, t: Words, *, may_propose: bool = False, may_end: bool = False) -> Layout:
    """Asks a seat's player to confirm leaving a match, and says what would follow.

    `may_propose`: they can ask the others to end it instead. `may_end`: they can end it for everybody.
    """
    others = any(other.may_return for index, other in enumerate(view.seats) if index != seat)
    if view.fixture is not None:
        text = _leaving_fixture(view, t)
    elif view.default_winner is not None:
        text = t("Leave? You already won this match: it ends, and counts as a win for you.")
    elif not others:
        text = t("Leave? Nobody else is here, so the match ends and doesn't count.")
    elif is_counted(view) and len(won := view.playing_besides(seat)) == 1:
        assert view.match is not None, "it counts"
        winner = side_name(view.match, min(won), view.names)
        text = t("Leave? You lose this match at once, and it counts as a win for {winner}.", winner=winner)
    elif is_counted(view):
        text = t("Leave? A robot plays on for you, and the match counts as a loss.")
    else:
        text = t("Leave? A robot plays on for you.")
    instead = [button(Ref(view.id).custom_id(Verb.PROPOSE_END), t("Propose an end"))] if may_propose else []
    if may_end and others:
        instead.append(end_button(view, t))
    return _question(view.id, text, Verb.CONFIRM_LEAVE, t("Leave the table"), t("Keep playing"), *instead)


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
    people = ", ".join(f"**{safe(seat.name)}**" for seat in view.seats if seat.may_return)
    text = t("At the table: {people}. The last move was {time}.", people=people, time=format_dt(moved_at, "R"))
    question = t("Close it for everyone and open a new table? It won't count.")
    end = button(ref.custom_id(Verb.CONFIRM_CLEAR), t("Close it"), style=ButtonStyle.danger)
    keep = button(ref.with_args().custom_id(Verb.KEEP), t("Let it run"))
    return layout_of(f"{where}\n{text}\n{question}", row(end, keep))


def _end(view: TableView, t: Words) -> str:
    return t("Close table") if view.phase is Phase.LOBBY else t("End match")


def _question(game_id: int, text: str, verb: Verb, yes: str, no: str, *others: Component) -> Layout:
    ref = Ref(game_id)
    confirm = button(ref.custom_id(verb), yes, style=ButtonStyle.danger)
    return layout_of(text, row(confirm, *others, button(ref.custom_id(Verb.KEEP), no)))
