"""A table's public message: what it shows and needs, and the answers to the clicks on it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import discord

from bot.platform.database.errors import StoreError
from bot.platform.kit.host import Display
from bot.platform.kit.live_message import PATIENT_SECONDS, LiveMessage, MessageStep, Need
from bot.platform.layout import Layout
from bot.platform.operating.meter import Showing
from bot.platform.place import Spot
from bot.platform.transport.channels import NOBODY
from bot.platform.transport.files import Shown
from bot.platform.transport.gallery import ANSWER_SECONDS, EDIT_SECONDS
from bot.platform.transport.pacer import Ticket
from bot.platform.transport.reply import Reply
from bot.platform.transport.trouble import NETWORK
from bot.tables.boards.public_message import (
    Moment,
    PublicMessage,
    Role,
    arrival_mentions,
    moment_of,
    newest_layout,
    next_step,
    pointer_to,
    pointer_to_thread,
    priority_of,
    reposts,
    url_of,
)
from bot.tables.live.logbook import Restored
from bot.tables.live.table import Table
from bot.tables.live.view import TableView
from bot.tables.log.events import Phase
from bot.tables.tools import TableTools

log = logging.getLogger(__name__)

_Ended = Callable[[], Awaitable[None]]
NOTE_AGAIN_SECONDS: Final = 5.0
"""Seconds before a message is noted again, after the store has failed."""
END_TRIED: Final = timedelta(days=1)
"""How long it is tried to show the end of a table in a channel that takes no message."""
PROBE_WAIT_SECONDS: Final = 1.5
"""Longest wait of a click to learn whether the bot may write again."""
APPEARS_SECONDS: Final = 5.0
"""Longest wait for a message that nothing answers with."""
IN_TURN_SECONDS: Final = 1.0
"""Longest wait of an answer for those to earlier clicks on the same message."""
LEFT: Final = "left:"
"""Begins the keys of messages that tables have left, in channels whose evening isn't over: by channel and message, the
server and when that was, in seconds since 1970."""


class TableMessage(LiveMessage[TableView]):
    """Shows a table in its channel. `moved`: called when it is another message; `ended`: when its end is, or can't be,
    shown."""

    __slots__ = (
        "_answering",
        "_edited",
        "_ended",
        "_inviting",
        "_moved",
        "_own",
        "_posting",
        "_said_id",
        "posted",
        "table",
    )

    def __init__(self, table: Table, tools: TableTools, moved: Callable[[], None], ended: _Ended) -> None:
        super().__init__(tools, "Table", table.id)
        self.table = table
        self._own = tools
        self.posted: PublicMessage = PublicMessage()
        self._moved = moved
        self._ended = ended
        self._inviting = False
        """Whether the message that is about to be posted pings those invited."""
        self._posting = False
        """Whether a message is being posted whose id isn't known yet."""
        self._answering = asyncio.Lock()
        """Held by the answer to a click. Of two at once nobody would know which came last, which costs an edit."""
        self._said_id = 0
        """The newest message of somebody else in the channel, as far as clicks have told."""
        self._edited: Moment | None = None
        """The moment of the match for which it was edited last."""

    def recall(self, restored: Restored, digest: str | None) -> None:
        """Take over the message of a restored table. `digest`: of what it is known to show."""
        row = restored.row
        self.posted = PublicMessage.recalled(row.message_id, row.message_at, row.closed_at)
        self.recalled, self.shown.digest = True, digest
        if (since := self.table.unseen.since) is not None and not self.table.taken_out:
            self.access.recall(since)
        self.surface.invalidate()

    @property
    def url(self) -> str | None:
        """Its web address; None if there is no message."""
        return None if self.posted.id is None else url_of(self.table, self.posted)

    # -------------------------------------------------------------------- what it shows and needs

    @property
    def place(self) -> Spot:
        return self.table.spot

    @property
    def message_id(self) -> int | None:
        return self.posted.id

    def view(self) -> TableView:
        return self.table.view()

    def need(self, view: TableView, *, shows: bool = False) -> Need:
        step = next_step(
            view,
            self.posted,
            self._tools.clock.now(),
            shows=shows,
            said_below=self._said_id > (self.posted.id or 0),
            edited=self._edited,
            probing=self.access.probing,
        )
        return Need(step, priority_of(step, view))

    async def layout(self, view: TableView) -> Layout:
        return await newest_layout(view, self.table, self.posted, self._own)

    def first_nonce(self, view: TableView) -> str:
        return f"t{self.table.thread_id or self.table.id}"

    def mentions(self, view: TableView, *, posting: bool) -> discord.AllowedMentions:
        if not posting:
            return self._at_turn(view)
        return self._invited(view) if self._inviting else arrival_mentions(self.table, self.posted, self._tools)

    def _invited(self, view: TableView) -> discord.AllowedMentions:
        return self._tools.willing(person.id for person in view.missing)

    def _at_turn(self, view: TableView) -> discord.AllowedMentions:
        return self._tools.willing([view.person_at_turn])

    def patience(self, view: TableView) -> float:
        # A restarted bot has no pictures ready yet, and its messages show theirs already.
        return PATIENT_SECONDS if view.restored else EDIT_SECONDS

    def reposts(self, view: TableView, code: int) -> bool:
        return reposts(view, self.posted, code)

    async def _edit(self, view: TableView, layout: Layout, ticket: Ticket) -> None:
        with self._tools.meter.showing(Showing.EDIT):
            await super()._edit(view, layout, ticket)
        self.posted = self.posted.showing(view)
        self._edited = moment_of(view)

    async def _post(self, view: TableView, step: MessageStep, layout: Layout, ticket: Ticket) -> None:
        if (counting := _posted_once_more(view)) is not view:
            layout = await self.illustrated(await self.layout(counting), self.patience(view), editing=False)
        with self._tools.meter.showing(Showing.POST), self._being_posted():
            await super()._post(view, step, layout, ticket)

    @contextmanager
    def _being_posted(self) -> Generator[None]:
        """Context manager for posting a message: until it ends, the message's id isn't known."""
        self._posting = True
        try:
            yield
        finally:
            self._posting = False

    async def adopt(self, view: TableView, step: MessageStep, message_id: int | None) -> Layout | None:
        self.posted, self._inviting = self.posted.showing(view), False
        await self._move(message_id, self._tools.clock.now())
        return self._pointer() if step is MessageStep.REPLACE else None

    async def _move(self, message_id: int | None, posted_at: datetime) -> None:
        """Make another message the table's public one, and note it."""
        older, self.posted = self.posted.id, self.posted.moved(message_id, posted_at)
        self._moved()
        await self.note()
        if older not in (None, message_id) and self.view().of_evening:
            await self._note_left(f"{LEFT}{self.place.channel_id}:{older}")

    async def _note_left(self, key: str) -> None:
        """Note a message that the table has left, to delete it once the evening is over."""
        try:
            left_at = int(self._tools.clock.now().timestamp())
            await self._own.values.set(key, f"{self.place.guild_id}:{left_at}")
        except StoreError as error:
            log.warning("Table %s: could not note the message that it has left: %s", self.table.id, error)

    async def note(self) -> None:
        """Note the message, so that a restarted bot knows it; nothing is dealt before the first one is noted.

        If the store fails, try again for as long as the table is open.
        """
        if not await self._store(self.posted.id, self.posted.posted_at):
            self._tools.clock.after(("note", self.table.id), NOTE_AGAIN_SECONDS, self._note_again)

    async def _note_again(self) -> None:
        if self.table.phase.open:
            await self.note()

    async def mark_end_shown(self) -> None:
        """Note that the table's end is shown, so that it isn't shown again after a restart."""
        try:
            await self._own.evenings.end_shown(self.table.id, self.posted.id)
        except StoreError as error:
            log.warning("Table %s: could not note that its end is shown: %s", self.table.id, error)

    async def _store(self, message_id: int | None, posted_at: datetime | None) -> bool:
        try:
            posted = await self._own.games.set_message(self.table.id, message_id, posted_at)
        except StoreError as error:
            log.warning("Table %s: could not note its message: %s", self.table.id, error)
            return False
        known = self.table.view().posted
        self.table.note_posted(posted)
        if posted not in (None, known):
            self.surface.invalidate()  # the message may have been noted late, or found again instead of posted
        return True

    async def done(self, view: TableView) -> None:
        if view.unseen and self.access.refused_since is None:
            self.table.set_unseen(False)
        # Judged by the view that was shown: the table's end may be yet to be shown, as is what was sealed.
        if view.over and not view.sealed:
            await self._ended()

    async def refused(self, view: TableView, error: BaseException) -> None:
        if view.over:
            log.info("Table %s is over, and can't be shown any more (%s)", self.table.id, type(error).__name__)
            await self._ended()
        else:
            await super().refused(view, error)

    async def unseen(self, view: TableView, refused_for: timedelta) -> None:
        if not view.over:
            self.table.set_unseen(True)
        elif refused_for >= END_TRIED:
            await self._ended()

    async def lost(self, view: TableView) -> None:
        await (self._ended() if view.over else self._own.manager.lose(self.table))

    @property
    def _display(self) -> Display:
        return self._tools.display(self.table.locale, self.table.guild_id)

    def _pointer(self) -> Layout:
        return pointer_to(self.table, self.posted, self._display.words)

    @property
    def pointer_to_thread(self) -> Layout:
        """The layout of the table's message once it has moved to a thread, or was taken out of the channel."""
        return pointer_to_thread(self.table, self._display.words)

    def move_from(self, channel_id: int) -> None:
        """Leave the table's message in a channel, for a place where there is none yet; nothing waits for that."""
        older, self.posted = self.posted.id, PublicMessage()
        self.shown.forget()
        if older is not None:
            place = Spot(channel_id, self.table.spot.guild_id)
            self._tools.spawn(self.leave(older, self.pointer_to_thread, place=place))

    def _point_from(self, message_id: int) -> None:
        """Make an older message show where the table is; nothing waits for that."""
        self._tools.spawn(self.leave(message_id, self._pointer()))

    # -------------------------------------------------------------------- answers to clicks and commands

    def note_said(self, message_id: int) -> None:
        """Note the newest message of somebody else in the channel."""
        self._said_id = message_id

    async def note_clicked(self, message: discord.Message) -> None:
        """Note a click on a public message of the table, which may be one that the bot has forgotten."""
        if not self.table.phase.open or message.channel.id != self.table.channel_id:
            return
        role = self.posted.role_of(message.id, posting=self._posting)
        if role is Role.OLDER:
            self._point_from(message.id)
        elif role is Role.NEWER:
            known = self.posted.id
            self.shown.forget()
            await self._move(message.id, message.created_at)
            self.surface.invalidate()
            if known is not None:
                self._point_from(known)

    async def answer(self, reply: Reply, clicked_id: int | None) -> None:
        """Answer a click on a public message of the table with what that message is to show, after earlier answers."""
        in_turn = await self._in_turn()
        try:
            await self._answer(reply, clicked_id)
        finally:
            if in_turn:
                self._answering.release()

    async def _in_turn(self) -> bool:
        """Wait until earlier clicks are answered, but not for long; returns whether they are."""
        try:
            async with asyncio.timeout(IN_TURN_SECONDS):
                return await self._answering.acquire()
        except TimeoutError:
            return False

    async def _answer(self, reply: Reply, clicked_id: int | None) -> None:
        view, role = self.table.view(), Role.UNSETTLED
        if clicked_id is not None:
            role = self.posted.role_of(clicked_id, posting=self._posting)
        if role is Role.UNSETTLED:
            # It is the message being posted, whose id is about to come: it is edited once more then.
            await self.update(reply, await self.layout(view), Shown(), self._at_turn(view))
        elif role is not Role.TABLE:
            await self.update(reply, self._pointer(), Shown())
        else:
            await self.answer_with(reply, view)
            self.posted = self.posted.showing(view)
            await self.done(view)

    async def post(self, reply: Reply, *, inviting: bool = False) -> None:
        """Answer a command or click with the table, in place of an older message; `inviting` pings those invited."""
        view = self.table.view()
        invited = self._invited(view) if inviting else NOBODY
        with self.surface.held():
            mark = self.surface.mark()
            layout = await self.layout(_posted_once_more(view))
            layout = await self.illustrated(layout, ANSWER_SECONDS, editing=False)
            how = partial(reply.send_public, allowed_mentions=invited)
            try:
                with self._being_posted():
                    sent = await self._tools.gallery.post(
                        self.place.channel_id, layout, self.shown, how, route=reply.route
                    )
            except NETWORK as error:
                log.info("Could not post table %s as an answer (%s)", self.table.id, type(error).__name__)
                self.surface.invalidate()
                return
            older, message_id = self.posted.id, sent.message_id
            self.posted = self.posted.showing(view)
            await self._move(message_id, self._tools.clock.now())
            self.surface.answer_shown(mark)
        self.look_for_picture()
        if older is not None and older != message_id:
            self._point_from(older)

    async def appear(self, *, inviting: bool) -> None:
        """Post a table that has no message yet, and wait for that, but not for long; `inviting` as in `post`."""
        self._inviting = inviting
        self.surface.invalidate()
        await self.settled(APPEARS_SECONDS)

    async def probe(self) -> bool:
        """Try to write where the bot is muted; returns False if Discord has just refused that.

        Answers to interactions don't show that: Discord takes them even where it takes no messages.
        """
        if not self.access.probe():
            return False
        self.surface.invalidate()
        await self.settled(PROBE_WAIT_SECONDS)
        return not self.access.muted or self.access.probing  # the attempt may come after the answer to another click


def _posted_once_more(view: TableView) -> TableView:
    """Count the posting of a lobby's message that is about to be made: until the first deal, how often it was posted is
    all that its players have against a bot that looks for an id which suits it."""
    counts = view.phase is Phase.LOBBY and view.commitment is not None and view.posted
    return replace(view, posted=view.posted + 1) if counts else view
