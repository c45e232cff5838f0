"""A message of ours in a server's channel that is kept up to date: how it lives on Discord, for every subject.

It is posted, edited while it is fresh, and replaced by a new one. What a subject adds is a view of its newest state,
the layout of a view, and a pure decision of what a view needs (`Need`).

- For some minutes Discord answers a nonce with the message that was posted under it. So one that was posted while the
  bot stopped, or while the connection broke, is found again under the same nonce; but it shows the state of then.
- Edits collapse, and a slower one never overwrites a newer one: see `Surface`. Each request waits for its turn.
- Where Discord lets the bot write nothing, it falls silent for an hour, or until something suggests that it may again.
  After another failure it tries again, later and later: see `ChannelAccess`. A channel isn't believed to be gone before
  `Channels.is_gone` says so.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Hashable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from functools import partial
from typing import Any, Final, Generic, TypeVar

import discord

from bot.platform.database.errors import StoreError
from bot.platform.kit.channel_access import Backoff, ChannelAccess
from bot.platform.kit.host import Tools
from bot.platform.kit.surface import Surface
from bot.platform.layout import Layout
from bot.platform.transport.channels import NOBODY, Place
from bot.platform.transport.files import Shown
from bot.platform.transport.gallery import AGAIN_SECONDS, ANSWER_SECONDS
from bot.platform.transport.pacer import Ticket
from bot.platform.transport.picture_access import UploadRoute
from bot.platform.transport.reply import Reply
from bot.platform.transport.trouble import ARCHIVED, NETWORK, OLD_MESSAGE, UNKNOWN_MESSAGE, Trouble, trouble_of
from bot.platform.transport.turns import Priority

log = logging.getLogger(__name__)

FRESH: Final = timedelta(minutes=50)
"""Discord throttles edits of messages over an hour old: an older one is replaced before that, or edited rarely."""
PATIENT_SECONDS: Final = 30.0
"""Seconds to wait for a picture where nothing is urgent, as when a message is edited for the last time."""


class MessageStep(Enum):
    """The next thing to do with a message."""

    WAIT = auto()
    """Nothing yet."""
    NOTHING = auto()
    """Nothing: it shows the newest state, or nobody needs to see that."""
    EDIT = auto()
    """It is edited."""
    POST = auto()
    """A message is posted; an older one, if there is one, keeps what belongs on it."""
    REPLACE = auto()
    """A message is posted in place of an older one."""


@dataclass(frozen=True, slots=True)
class Need:
    """A message's need, and the priority of the request. `look_at`: until when it waits, if not for a change."""

    step: MessageStep
    priority: Priority = Priority.LIVE
    look_at: datetime | None = None


def is_old(posted_at: datetime, now: datetime) -> bool:
    """Whether Discord will soon throttle a message's edits."""
    return now - posted_at > FRESH


V = TypeVar("V")

_INSTEAD: Final = {UNKNOWN_MESSAGE: MessageStep.POST, OLD_MESSAGE: MessageStep.REPLACE, ARCHIVED: MessageStep.EDIT}
"""The remedy after a refused edit, by Discord's code: a deleted message is posted again, one that was edited too often
is replaced, and one in an archived thread is edited once that is unarchived."""


class LiveMessage(ABC, Generic[V]):
    """Keeps a message up to date; `V` is the type of its subject's views.

    Args:
        tools: what it is sent with.
        name: names it in the log.
        number: the subject's id.
        backoff: how long to wait after failures; the usual time if not given.

    Attributes:
        shown: what the message is known to show.
        recalled: whether the bot before this one may have posted a message without noting it.
    """

    __slots__ = ("_name", "_nonce_sent", "_tools", "access", "recalled", "shown", "surface")

    def __init__(self, tools: Tools, name: str, number: int, backoff: Backoff | None = None) -> None:
        self._tools = tools
        self._name = f"{name} {number}"
        self.shown = Shown()
        self.surface: Surface[Ticket | None] = Surface(self.turn, self._show)
        self.access = ChannelAccess(tools.clock, self._name, backoff or Backoff(number), self.surface.invalidate)
        self.recalled = False
        self._nonce_sent: str | None = None

    # -------------------------------------------------------------------- what a subject says

    @property
    @abstractmethod
    def place(self) -> Place:
        """The place of the message."""

    @property
    @abstractmethod
    def message_id(self) -> int | None:
        """The message; None if there is none."""

    @abstractmethod
    def view(self) -> V:
        """The newest state."""

    @abstractmethod
    def need(self, view: V, *, shows: bool = False) -> Need:
        """Decide what the message needs to show a view; `shows`: whether it is known to show that."""

    @abstractmethod
    async def layout(self, view: V) -> Layout:
        """Lay out what the message shows of a view; its picture isn't drawn yet."""

    @abstractmethod
    def first_nonce(self, view: V) -> str:
        """The nonce of a message that replaces no other; at most 25 characters, as every nonce."""

    @abstractmethod
    async def adopt(self, view: V, step: MessageStep, message_id: int | None) -> Layout | None:
        """Make the message that was just posted the one that is kept up to date, and note it.

        Returns what the older one shows from now on; None if it stays as it is.
        """

    def reposts(self, view: V, code: int) -> bool:
        """Whether a view is worth another request after Discord has refused an edit, by its error code."""
        return True

    def mentions(self, view: V, *, posting: bool) -> discord.AllowedMentions:
        """Say whom the message may ping."""
        return NOBODY

    def patience(self, view: V) -> float:
        """Return the seconds to wait for the picture."""
        return PATIENT_SECONDS

    async def done(self, view: V) -> None:
        """Go on from a view that is shown, or needn't be."""

    async def refused(self, view: V, error: BaseException) -> None:
        """React to Discord's refusal of what the message was to show; trying again won't help."""
        log.error("%s could not be shown: Discord refused it (%s)", self._name, error)

    async def unseen(self, view: V, refused_for: timedelta) -> None:
        """React to a channel that takes no message for now. `refused_for`: how long it has taken none."""

    async def lost(self, view: V) -> None:
        """React to the loss of the channel, which is for good."""

    # -------------------------------------------------------------------- answers to clicks

    async def answer_with(self, reply: Reply, view: V) -> None:
        """Answer a click on the message with a view."""
        with self.surface.held():
            mark = self.surface.mark()
            await self.update(reply, await self.layout(view), self.shown, self.mentions(view, posting=False))
            self.surface.answer_shown(mark)
        self.look_for_picture()

    async def update(
        self, reply: Reply, layout: Layout, shown: Shown, allowed_mentions: discord.AllowedMentions = NOBODY
    ) -> Layout:
        """Answer a click by changing the clicked message; returns what that was to show."""
        layout = await self.illustrated(layout, ANSWER_SECONDS, editing=True)
        how = partial(reply.update, allowed_mentions=allowed_mentions)
        await self._tools.gallery.edit(self.place.channel_id, layout, shown, how, route=reply.route)
        return layout

    async def settled(self, seconds: float) -> None:
        """Wait until what is under way is shown, but not for long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.surface.settle()

    # -------------------------------------------------------------------- what happened without a click

    def look_at(self, when: datetime) -> None:
        """See at that time what the message needs."""
        self._tools.clock.schedule(("look", self._name), when, self._look)

    async def _look(self) -> None:
        self.surface.invalidate()

    def _need(self, view: V, digest: str | None = None) -> Need:
        """Decide what the message needs to show a view; `digest`: of the layout that shows it, once there is one."""
        if self.access.closed:
            return Need(MessageStep.WAIT)
        shows = digest is not None and self.shown.shows(digest)
        return self.need(view, shows=shows and not self.access.probing)  # a probe has to send something

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[Ticket | None]:
        """Wait until something may be sent; yields None if nothing is to be."""
        need = self._need(self.view())
        if need.look_at is not None:
            self.look_at(need.look_at)
        if need.step in (MessageStep.WAIT, MessageStep.NOTHING):
            yield None
            return
        async with self._tools.channels.turn(self.place, need.priority) as ticket:
            yield ticket

    async def _show(self, ticket: Ticket | None) -> None:
        """Bring the message to the newest state; never raises."""
        view = self.view()
        step = self._need(view).step  # again: the wait for a turn may have been long
        if step is MessageStep.WAIT or (ticket is None and step is not MessageStep.NOTHING):
            return
        try:
            if ticket is not None:
                await self._take_step(view, step, ticket)
        except StoreError as error:
            self.access.retry_after(error)
        except NETWORK as error:
            await self._failed(view, trouble_of(error), error)
        except Exception as error:
            log.exception("%s could not be shown", self._name)
            self.access.retry_after(error)
        else:
            self.look_for_picture()
            await self.done(view)

    async def _failed(self, view: V, trouble: Trouble, error: BaseException) -> None:
        """Find out what a failure to show a view means."""
        if trouble.passes:
            self.access.retry_after(error)
            return
        code = getattr(error, "code", 0)
        given_up = code in _INSTEAD and not self.reposts(view, code)
        if given_up or trouble not in (Trouble.SILENCED, Trouble.SERVER, Trouble.GONE):
            await self.refused(view, error)
            return
        refused_for = self.access.note_refused()
        log.info("%s can't be shown in its channel (%s)", self._name, error)
        if trouble is Trouble.GONE and await self._tools.channels.is_gone(self.place, refused_for):
            self.access.close()
            await self.lost(view)
            return
        if trouble is Trouble.GONE:
            self.access.retry_after(error)
        else:
            self.fall_silent()
        await self.unseen(view, refused_for)

    def fall_silent(self) -> None:
        """Send nothing for a while, or until something suggests that the channel takes messages again."""
        self.access.mute()
        for place_id in (self.place.guild_id, self.place.channel_id):
            self._tools.refusing[place_id].add(self.access)

    async def _take_step(self, view: V, step: MessageStep, ticket: Ticket) -> None:
        layout = await self.layout(view)
        if self.shown.shows(layout.whole_digest):
            step = self._need(view, layout.whole_digest).step
        if step is not MessageStep.NOTHING:  # after a restart most are shown already, and no picture need be drawn
            layout = await self.illustrated(layout, self.patience(view), editing=step is MessageStep.EDIT)
            if self.shown.shows(layout.digest):
                step = self._need(view, layout.digest).step
        if step is MessageStep.EDIT:
            try:
                await self._edit(view, layout, ticket)
            except discord.HTTPException as error:
                instead = _INSTEAD.get(error.code)
                if instead is None or not self.reposts(view, error.code):
                    raise
                again = Priority.LIVE if instead is MessageStep.EDIT else Priority.POST
                async with self._tools.channels.turn(self.place, again) as another:
                    if instead is MessageStep.EDIT:
                        await self._tools.channels.unarchive(another, self.place)
                        await self._edit(view, layout, another)
                    else:
                        await self._post(view, instead, layout, another)
        elif step in (MessageStep.POST, MessageStep.REPLACE):
            await self._post(view, step, layout, ticket)

    async def _edit(self, view: V, layout: Layout, ticket: Ticket) -> None:
        message_id, allowed = self.message_id, self.mentions(view, posting=False)
        assert message_id is not None, "there is a message to edit"
        how = partial(self._tools.channels.edit, ticket, self.place, message_id, allowed_mentions=allowed)
        await self._tools.gallery.edit(self.place.channel_id, layout, self.shown, how)
        self.access.open()

    async def _post(self, view: V, step: MessageStep, layout: Layout, ticket: Ticket) -> None:
        nonce, allowed = self.nonce(view), self.mentions(view, posting=True)
        older = self.message_id
        shown = self.shown.picture_only()
        again = self.recalled or nonce == self._nonce_sent
        self._nonce_sent = nonce
        how = partial(self._tools.channels.post, ticket, self.place, allowed_mentions=allowed)
        try:
            sent = await self._tools.gallery.post(self.place.channel_id, layout, self.shown, partial(how, nonce=nonce))
        except discord.HTTPException as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            # Somebody has deleted what was posted under this nonce, and Discord remembers it for some minutes.
            again = False
            self._nonce_sent = nonce = f"d{int(self._tools.clock.now().timestamp() * 1000)}"
            sent = await self._tools.gallery.post(self.place.channel_id, layout, self.shown, partial(how, nonce=nonce))
        self.recalled = False
        self.access.open()
        left = await self.adopt(view, step, sent.message_id)
        if older is not None and left is not None:
            self._tools.spawn(self.leave(older, left, shown))
        if again:
            self.shown.forget()
            self.surface.invalidate()  # Discord may have returned the message of an earlier attempt, as it was then

    def nonce(self, view: V) -> str:
        """The nonce of a message to replace the present one, the same in every attempt of every process."""
        return self.first_nonce(view) if self.message_id is None else f"m{self.message_id}"

    # -------------------------------------------------------------------- messages that were replaced

    async def leave(
        self, message_id: int, layout: Layout, shown: Shown | None = None, *, place: Place | None = None
    ) -> None:
        """Edit a message for the last time; nothing depends on whether that succeeds. Discord may delay it for long.

        `shown`: what is known of its picture; `place`: where it is, if not where newer ones are posted.
        """
        channels, place = self._tools.channels, place or self.place
        layout = await self._tools.gallery.illustrated(layout, place.channel_id, PATIENT_SECONDS, editing=True)
        try:
            async with channels.turn(place, Priority.LEFT_BEHIND) as ticket:
                how = partial(channels.edit, ticket, place, message_id)
                await self._tools.gallery.edit(place.channel_id, layout, shown or Shown(), how)
        except NETWORK as error:
            log.debug("%s: could not edit the older message (%s)", self._name, type(error).__name__)

    # -------------------------------------------------------------------- what is drawn

    async def illustrated(self, layout: Layout, seconds: float, *, editing: bool) -> Layout:
        """The layout with its picture; one that comes late is shown later, if the message still lacks it."""
        return await self._tools.gallery.illustrated(
            layout, self.place.channel_id, seconds, lambda _: self.surface.invalidate(), editing=editing
        )

    def look_for_picture(self) -> None:
        """Show later the picture that the message lacks because its upload failed."""
        look_for_picture(self._tools, self._name, lambda: self.shown, UploadRoute.EDITS, self.surface)


def look_for_picture(
    tools: Tools, name: Hashable, shown: Callable[[], Shown], route: UploadRoute, surface: Surface[Any]
) -> None:
    """Show later the picture that a message lacks because its upload failed.

    `name`: of the message, for the clock; `shown`: what it is known to show, when that is looked at.
    """

    async def again() -> None:
        if tools.gallery.rests(route):
            look_for_picture(tools, name, shown, route, surface)
        else:
            surface.invalidate()

    if shown().lacks_picture:
        tools.clock.after(("picture", name), AGAIN_SECONDS, again)


async def finish(messages: Iterable[LiveMessage[Any]]) -> None:
    """Finish the edits of messages that are under way, and begin no more."""
    surfaces = [message.surface for message in messages]
    for surface in surfaces:
        surface.close()
    await asyncio.gather(*(surface.settle() for surface in surfaces), return_exceptions=True)
