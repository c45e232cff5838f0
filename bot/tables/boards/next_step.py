"""The next need of a table's public message: one pure decision, which `table_message` hands over."""

from __future__ import annotations

from datetime import datetime

from bot.platform.kit.live_message import MessageStep, is_old
from bot.platform.transport.trouble import ARCHIVED, UNKNOWN_MESSAGE
from bot.platform.transport.turns import Priority
from bot.tables.boards.public_message import PublicMessage
from bot.tables.live.view import TableView
from bot.tables.log.events import Phase

Moment = tuple[object, ...]
"""Tells apart the states of a match without hurry for which its message is worth an edit, however old it is."""


def next_step(
    view: TableView,
    message: PublicMessage,
    now: datetime,
    *,
    shows: bool = False,
    said_below: bool = False,
    edited: Moment | None = None,
    probing: bool = False,
) -> MessageStep:
    """Decide what a table's message needs.

    A further round, and the result, have a message of their own: the older one keeps the score of its round. One that
    is replaced for its age only says where the table is. In a match without hurry nearly all messages are old: there
    one is edited once a turn, and replaced when a person's turn comes if something else was said below it.

    Args:
        view: the newest state.
        message: the table's message.
        now: the present instant.
        shows: whether the message is known to show that state.
        said_below: whether somebody is known to have written below it.
        edited: the moment for which it was edited last.
        probing: whether a request has to show if the bot may write again.
    """
    if ended_quietly(view):
        return MessageStep.NOTHING if message.id is None else MessageStep.EDIT
    if message.id is None or message.is_before_page_of(view):
        return MessageStep.POST
    if shows:
        return MessageStep.NOTHING  # and it may grow old: a game in which nothing happens needs no new message
    old = message.posted_at is not None and is_old(message.posted_at, now)
    if old and view.unhurried and view.phase is Phase.PLAYING and not probing:
        moment = moment_of(view)
        if moment is None or moment == edited:
            return MessageStep.NOTHING
        comes = said_below and not view.restored and view.person_at_turn is not None
        return MessageStep.REPLACE if comes else MessageStep.EDIT
    if old and not view.over and not view.restored:
        return MessageStep.REPLACE  # but a last edit gets through, and a restarted bot has nothing new to show
    return MessageStep.EDIT


def moment_of(view: TableView) -> Moment | None:
    """The moment that a match has reached: a turn, what others are asked or may do in it, whether its clock stands, and
    the hour of its deadline, which an outage may have moved.

    None while a computer is about to move.
    """
    match = view.match
    if match is None or (match.turn is not None and view.person_at_turn is None and not view.waiting):
        return None
    cards = sum(match.hand_counts) + (match.laid is not None)
    others = (view.question, view.overdue, view.claimable, view.waiting, view.pause, view.holiday)
    hour = None if view.deadline is None else view.deadline.timestamp() // 3600
    return (match.round_number, match.deal, match.turn, cards, hour, *others)


def reposts(view: TableView, code: int) -> bool:
    """Whether the table gets another message after Discord has refused an edit, by its error code."""
    if code == ARCHIVED:
        return not ended_quietly(view)
    return code == UNKNOWN_MESSAGE and not view.over


def priority_of(step: MessageStep, view: TableView) -> Priority:
    if view.restored:
        return Priority.RESTORED
    return Priority.LIVE if step in (MessageStep.EDIT, MessageStep.NOTHING) else Priority.POST


def ended_quietly(view: TableView) -> bool:
    """Whether the table is over without a result, for which no message is worth posting."""
    return view.over and view.phase is not Phase.FINISHED
