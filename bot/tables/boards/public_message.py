"""A table's public message: what it is, what it consists of, and what it needs next.

The bot notes the id of each message that it posts. After Discord has accepted a message and before its id is noted, the
bot may stop, or lose the store; then there is a message with buttons that it doesn't know. If a message is sent again,
Discord returns that one, because the nonce is the same; and when an unknown message is clicked, its id shows whether it
is newer than the known one. The newest is the table, because that is the one people see at the bottom of the channel.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum, auto

from discord import AllowedMentions

from bot.club.rules.gains import Stakes, stakes_of
from bot.club.store.career import Aftermath, Careers
from bot.club.store.ratings import Ratings
from bot.platform.database.errors import StoreError
from bot.platform.kit.host import Tools
from bot.platform.kit.links import channel_url
from bot.platform.kit.live_message import MessageStep, is_old
from bot.platform.language.texts import Words
from bot.platform.layout import Layout, notice
from bot.platform.transport.trouble import ARCHIVED, OLD_MESSAGE, UNKNOWN_MESSAGE
from bot.platform.transport.turns import Priority
from bot.tables.live.table import Table
from bot.tables.live.view import TableView
from bot.tables.log.events import Phase
from bot.tables.screens.board import elsewhere_layout, moved_layout
from bot.tables.screens.lobby import arrival_layout, table_ready_layout
from bot.tables.screens.questions import unseen_text
from bot.tables.screens.table import is_counted, public_layout
from bot.tables.tools import TableTools


class Role(Enum):
    """The role of a public message for its table."""

    TABLE = auto()
    """It is the table."""
    OLDER = auto()
    """Another has replaced it: its buttons are gone, or about to go."""
    NEWER = auto()
    """It was posted, and never noted: it is the table from now on."""
    UNSETTLED = auto()
    """No message is known; or it is newer than the known one while another is being posted, which people may see before
    the bot gets its id."""


@dataclass(frozen=True, slots=True)
class PublicMessage:
    """A table's public message, as far as the bot knows.

    Attributes:
        id: None before one is posted.
        posted_at: when it was posted.
        over: whether it has shown how the match ended.
    """

    id: int | None = None
    posted_at: datetime | None = None
    over: bool = False

    @classmethod
    def recalled(
        cls, message_id: int | None, posted_at: datetime | None, ended_at: datetime | None = None
    ) -> PublicMessage:
        """After a restart: the message that was noted, which may have been replaced by one that wasn't.

        One that was posted after the end of the match shows its result.
        """
        over = ended_at is not None and posted_at is not None and ended_at <= posted_at
        return cls(message_id, posted_at, over)

    def role_of(self, message_id: int, *, posting: bool) -> Role:
        """Tell the role of a message that somebody has clicked. `posting`: another is being posted at this moment."""
        if message_id == self.id:
            return Role.TABLE
        if self.id is not None and message_id < self.id:
            return Role.OLDER
        return Role.UNSETTLED if posting or self.id is None else Role.NEWER

    def showing(self, view: TableView) -> PublicMessage:
        """The same message once it shows a view."""
        return replace(self, over=view.over)

    def moved(self, message_id: int | None, posted_at: datetime) -> PublicMessage:
        """The table's message once it is another one."""
        return replace(self, id=message_id, posted_at=posted_at)


def arrives(table: Table, message: PublicMessage) -> bool:
    """Whether a lobby has moved to a thread and has no message there yet: the first brings its people there."""
    return table.thread_id is not None and message.id is None and table.phase is Phase.LOBBY


def is_called(table: Table, message: PublicMessage) -> bool:
    """Whether a tournament's table has no message yet: the first calls its people."""
    return table.view().fixture is not None and message.id is None and table.phase is Phase.PLAYING


def arrival_mentions(table: Table, message: PublicMessage, tools: Tools) -> AllowedMentions:
    """Say whom a table's message pings, to bring them there: those who sit at the table, if it is the first in a
    thread or the first of a tournament's table."""
    brings = is_called(table, message) or arrives(table, message)
    return tools.willing(seat.person_id for seat in table.view().seats if brings)


async def newest_layout(view: TableView, table: Table, message: PublicMessage, tools: TableTools) -> Layout:
    """Lay out what a table's message is to show; its first in a thread names the people whom it brings there."""
    display = tools.display(table.locale, table.guild_id)
    stakes = await stakes_shown(view, tools.ratings, tools.clock.now())
    aftermath = await aftermath_of(view, tools.careers) if view.phase is Phase.FINISHED else None
    if tonight := await tools.tonight.before(view, table):
        view = replace(view, tonight=tonight)
    layout = public_layout(view, display, stakes, aftermath)
    if arrives(table, message):
        return arrival_layout(view, layout, display.words)
    return table_ready_layout(view, layout, display.words) if is_called(table, message) else layout


def pointer_to(table: Table, message: PublicMessage, t: Words) -> Layout:
    """Lay out an older message: where the table is now."""
    return moved_layout(url_of(table, message), t)


def pointer_to_thread(table: Table, t: Words) -> Layout:
    """Lay out a table's message when it has moved to a thread, or was taken out of the channel."""
    if table.taken_out:
        return notice(unseen_text(table.channel_id, t))
    return elsewhere_layout(_url_of_channel(table), t)


def url_of(table: Table, message: PublicMessage) -> str:
    return f"{_url_of_channel(table)}/{message.id}"


def _url_of_channel(table: Table) -> str:
    return channel_url(table.spot.guild_id, table.spot.channel_id)


async def aftermath_of(view: TableView, careers: Careers) -> Aftermath:
    """Read what a match that was won or forfeited has brought its people.

    Empty if it counts for nobody or the store can't be read.
    """
    people = [seat.person_id for seat in view.seats if seat.person_id is not None]
    if view.phase not in (Phase.FINISHED, Phase.FORFEITED) or view.guild_id is None or not is_counted(view):
        return Aftermath()
    try:
        found = await careers.aftermath(view.guild_id, view.id, people)
    except StoreError:
        return Aftermath()
    return found if found.result_id else Aftermath()  # a match to which nobody came has no result


async def stakes_shown(view: TableView, ratings: Ratings, now: datetime) -> Stakes | None:
    """Compute the stakes that a table's message shows: those of a challenge; a lobby has them in its options."""
    return await stakes_in(view, ratings, now) if view.challenge else None


async def stakes_in(view: TableView, ratings: Ratings, now: datetime) -> Stakes | None:
    """Compute what the match of a lobby would bring, once people have all the seats that it needs.

    None if it is friendly or the store can't be read.
    """
    people = [seat.person_id for seat in view.seats] + [person.id for person in view.missing]
    seating = view.config.seating(len(people))
    if view.phase is not Phase.LOBBY or not view.config.rated or seating is None or None in people:
        return None
    if view.guild_id is None:
        return None
    if view.missing and seating.in_teams:
        return None  # who will be whose partner depends on where they sit down
    known = [person_id for person_id in people if person_id is not None]
    try:
        lineup = await ratings.lineup(view.guild_id, known, now)
    except StoreError:
        return None
    sides = [(person_id, seating.side_of(index)) for index, person_id in enumerate(known)]
    return stakes_of(sides, lineup.ratings, lineup.nth, lineup.gains)


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

    A match has one message, from its lobby to its result. One that is replaced for its age only says where the table
    is. In a match without hurry nearly all messages are old: there one is edited once a turn, and replaced when a
    person's turn comes if something else was said below it; its result is posted, so that people see it.

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
    if message.id is None:
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
    if old and not message.over and not view.restored:
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
    others = (view.question, view.overdue, view.claimable, view.waiting, view.pause, view.holiday, view.may_nudge)
    hour = None if view.deadline is None else view.deadline.timestamp() // 3600
    return (match.round_number, match.deal, match.turn, cards, hour, *others)


def reposts(view: TableView, message: PublicMessage, code: int) -> bool:
    """Whether the table is worth another request after Discord has refused an edit, by its error code: a new message,
    or one to unarchive its thread. A result is, until it was shown once."""
    if code == ARCHIVED:
        return not ended_quietly(view)
    if code == OLD_MESSAGE and not view.over:
        return False
    return code in (UNKNOWN_MESSAGE, OLD_MESSAGE) and not message.over and not ended_quietly(view)


def priority_of(step: MessageStep, view: TableView) -> Priority:
    if view.restored:
        return Priority.RESTORED
    return Priority.LIVE if step in (MessageStep.EDIT, MessageStep.NOTHING) else Priority.POST


def ended_quietly(view: TableView) -> bool:
    """Whether the table is over without a result, for which no message is worth posting."""
    return view.over and view.phase is not Phase.FINISHED
