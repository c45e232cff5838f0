"""The next need of a table's public message: one pure decision, which `table_message` hands over."""

from __future__ import annotations

from datetime import datetime

from bot.tables.log.events import Phase
from bot.tables.view import TableView
from bot.ui.kit.live_message import MessageStep, is_old
from bot.ui.tables.boards.public_message import PublicMessage
from bot.ui.transport.trouble import ARCHIVED, UNKNOWN_MESSAGE
from bot.ui.transport.turns import Priority


def next_step(view: TableView, message: PublicMessage, now: datetime, *, shows: bool = False) -> MessageStep:
    """Decide what a table's message needs.

    A further round, and the result, have a message of their own: the older one keeps the score of its round. One that
    is replaced for its age only says where the table is.

    Args:
        view: the newest state.
        message: the table's message.
        now: the present instant.
        shows: whether the message is known to show that state.
    """
    if ended_quietly(view):
        return MessageStep.NOTHING if message.id is None else MessageStep.EDIT
    if message.id is None or message.is_before_page_of(view):
        return MessageStep.POST
    if shows:
        return MessageStep.NOTHING  # and it may grow old: a game in which nothing happens needs no new message
    old = message.posted_at is not None and is_old(message.posted_at, now)
    if old and not view.over and not view.restored:
        return MessageStep.REPLACE  # but a last edit gets through, and a restarted bot has nothing new to show
    return MessageStep.EDIT


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
