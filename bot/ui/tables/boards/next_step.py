"""What a table's public message needs next: one pure decision, which `table_message` carries out."""

from __future__ import annotations

from datetime import datetime
from enum import Enum, auto

from bot.tables.log.events import Phase
from bot.tables.view import TableView
from bot.ui.tables.boards.channel_access import Access
from bot.ui.tables.boards.public_message import PublicMessage
from bot.ui.transport.trouble import ARCHIVED, UNKNOWN_MESSAGE
from bot.ui.transport.turns import Priority


class Step(Enum):
    """What is done to a table's message."""

    WAIT = auto()
    """Nothing: the channel takes no messages now."""
    NOTHING = auto()
    """Nothing: it shows the newest state, or nobody needs to see that."""
    EDIT = auto()
    """It is edited."""
    POST = auto()
    """A message is posted, where there is none."""
    TURN_PAGE = auto()
    """A message is posted for the next round, or for the result; the older keeps the score of its own round."""
    REPLACE = auto()
    """A message is posted; the older, which can't be edited freely any more, only says where the table is."""


def next_step(
    view: TableView,
    message: PublicMessage,
    now: datetime,
    *,
    shows: bool = False,
    access: Access = Access.OPEN,
) -> Step:
    """What a table's message needs.

    Args:
        view: the newest state.
        message: the table's message.
        now: the present instant.
        shows: whether the message is known to show that state.
        access: whether the channel takes messages; while that is being tried out, something must be sent.
    """
    if access is Access.CLOSED:
        return Step.WAIT
    if ended_quietly(view):
        return Step.NOTHING if message.id is None else Step.EDIT
    if message.id is None:
        return Step.POST
    if message.is_before_page_of(view):
        return Step.TURN_PAGE
    if shows and access is not Access.PROBING:
        return Step.NOTHING  # and it may grow old: nobody needs a new message of a game in which nothing happens
    if message.is_old(now) and not view.over and not view.restored:
        return Step.REPLACE  # but a last edit gets through, and a restarted bot has nothing new to show
    return Step.EDIT


def step_instead(view: TableView, code: int) -> Step | None:
    """What to do when Discord has refused to edit the message, by its error code; None if nothing else helps."""
    if code == ARCHIVED and not ended_quietly(view):
        return Step.REPLACE  # which opens the thread again
    if code == UNKNOWN_MESSAGE and not view.over:
        return Step.POST
    return None


def priority_of(step: Step, view: TableView) -> Priority:
    if view.restored:
        return Priority.RESTORED
    return Priority.LIVE if step in (Step.EDIT, Step.NOTHING) else Priority.POST


def ended_quietly(view: TableView) -> bool:
    """Whether the table is over without a result, for which no message is worth posting."""
    return view.over and view.phase is not Phase.FINISHED
