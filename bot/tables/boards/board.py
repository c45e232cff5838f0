"""All that is shown of one table: its public message, the pings below it, and its players' private panels."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

import discord

from bot.platform.database.errors import StoreError
from bot.platform.settings.language import LanguagePreference
from bot.platform.transport.reply import is_private, reply_to
from bot.platform.transport.trouble import NETWORK
from bot.tables.boards.greeter import Greeter
from bot.tables.boards.handover import archive_after
from bot.tables.boards.panel import Panel
from bot.tables.boards.pings import Pings
from bot.tables.boards.table_message import TableMessage
from bot.tables.live.table import Table
from bot.tables.live.view import TableView
from bot.tables.live.waiting import UNSEEN_KEY
from bot.tables.log.events import Phase
from bot.tables.screens.picking import Picking
from bot.tables.screens.questions import unseen_text
from bot.tables.screens.table import is_dealt
from bot.tables.settings import TablePreferences, in_private
from bot.tables.tools import TableTools

log = logging.getLogger(__name__)

HANDING_OUT: Final = timedelta(minutes=10)
"""The time for which an interaction in the lobby may bring its person's panel: its token lives for 15 minutes."""
BETWEEN_REPOSTS: Final = timedelta(seconds=30)


class Panels:
    """A table's panels, one per person; each is kept until the table is over. `message`: what they stay below;
    `greeter`: says whether the lobby of somebody who plays alone offers a first lesson."""

    __slots__ = ("_by_person", "_closed", "_greeter", "_message", "_offers", "_table", "_tools", "_waiting")

    def __init__(self, table: Table, tools: TableTools, message: TableMessage, greeter: Greeter) -> None:
        self._table = table
        self._tools = tools
        self._greeter = greeter
        self._message = message
        self._by_person: dict[int, Panel] = {}
        self._closed = False
        self._offers = False
        """Whether it does: for as long as it is open."""
        self._waiting: dict[int, tuple[discord.Interaction[Any], datetime]] = {}
        """By person, their latest interaction in the lobby and its time: with it their panel is sent."""

    def __iter__(self) -> Iterator[Panel]:
        return iter(list(self._by_person.values()))

    def panel_for(self, interaction: discord.Interaction[Any]) -> Panel:
        """The panel of the person who asks, in their language."""
        person_id = interaction.user.id
        display = self._tools.display_for(interaction)
        if person_id not in self._by_person:
            self._by_person[person_id] = Panel(self._table, self._tools, self._message, person_id, display)
            if self._closed:
                self._by_person[person_id].close()
        panel = self._by_person[person_id]
        panel.display = replace(display, lesson=self._offers)
        return panel

    async def open(self, interaction: discord.Interaction[Any]) -> None:
        """Answer with a new panel; an older one of the same person is deleted."""
        self.forget_waiting(interaction.user.id)
        offers = self._table.alone and await self._greeter.lesson_due(interaction.user.id)
        self._offers |= offers
        await self.panel_for(interaction).open(interaction)
        if offers:
            await self._greeter.lesson_drawn(interaction.user.id)

    def forget_waiting(self, person_id: int) -> None:
        """Send no panel to somebody when the cards are dealt: what they have just pressed may answer with it."""
        self._waiting.pop(person_id, None)

    def await_deal(self, interaction: discord.Interaction[Any]) -> None:
        """Note an interaction with which its person's panel can be sent when the cards are dealt."""
        self._waiting[interaction.user.id] = interaction, self._tools.clock.now()

    def deal_begun(self) -> None:
        """Send their panels to those who wait for the deal, and haven't opened one."""
        waiting, self._waiting = self._waiting, {}
        for interaction, since in waiting.values():
            if self._tools.clock.now() - since < HANDING_OUT and self._tools.follow_ups.has_room(interaction.token):
                self._tools.spawn(self._hand_out(interaction))

    async def _hand_out(self, interaction: discord.Interaction[Any]) -> None:
        person_id = interaction.user.id
        if self._closed or person_id in self._by_person or self._table.seat_of(person_id) is None:
            return
        try:
            await self.open(interaction)
        except NETWORK as error:  # My hand opens one
            log.debug("Could not send a panel when the cards were dealt (%s)", type(error).__name__)

    def held(self, person_id: int) -> AbstractContextManager[None]:
        """Context manager for answering a click on somebody's panel: no edit of it begins meanwhile."""
        panel = self._by_person.get(person_id)
        return nullcontext() if panel is None else panel.surface.held()

    def bring_up_to_date(self) -> None:
        """Show on all of them that the table has changed, or move them below the message that it is now."""
        for panel in self:
            panel.surface.invalidate()

    def close(self) -> None:
        """Begin no more edits."""
        self._closed = True
        for panel in self:
            panel.close()


class Board:
    """A table as Discord shows it. `released` is called when nothing more of it will be shown."""

    __slots__ = (
        "_end_noted",
        "_newest",
        "_released",
        "_reposted_at",
        "_spot",
        "_tools",
        "greeter",
        "message",
        "panels",
        "pings",
        "table",
    )

    def __init__(self, table: Table, tools: TableTools, released: Callable[[Board], None]) -> None:
        self.table = table
        self._spot = None if table.alone else table.spot
        self._tools = tools
        self._newest = table.view()
        # The panels are there by the time that it calls for them.
        self.message = TableMessage(table, tools, lambda: self.panels.bring_up_to_date(), self._ended)  # noqa: PLW0108
        if table.alone or table.taken_out:
            self.message.access.close()
        self.pings = Pings(table, tools, self.message)
        self.greeter = Greeter(table, tools)
        self.panels = Panels(table, tools, self.message, self.greeter)
        self._reposted_at: datetime | None = None
        """The time when somebody last had the table posted at the bottom of the channel."""
        self._released = released
        self._end_noted = False

    @property
    def over(self) -> bool:
        """Whether nothing more can happen at its table; its end may not have been shown yet."""
        return not self.table.phase.open

    def bring_up_to_date(self) -> None:
        """Show everywhere that the table has changed."""
        if self._spot is not None and self._spot != self.table.spot:
            self.message.move_from(self._spot.channel_id)  # to a thread without a message so far, or out of the channel
            self._spot = self.table.spot
            if self.table.taken_out:
                self.silence()
        before, self._newest = self._newest, self.table.view()
        if before.restored and not self._newest.restored:
            self.message.surface.ask_again()  # with the priority of a table at which something happens
        if is_dealt(self._newest) and not is_dealt(before):
            self.panels.deal_begun()
        self.message.surface.invalidate()
        if _differ_by_crowd(before, self._newest):
            return  # the answer to the press that has brought another face or vote shows it
        if not (self.table.alone and self.table.phase is Phase.LOBBY):  # whose options may be on the panel's message
            self.panels.bring_up_to_date()
        self.pings.bring_up_to_date()
        if self._newest.unseen is not before.unseen or (self.over and self.table.unseen.noted()):
            self._tools.spawn(self._note_unseen())
        if self._newest.unseen and not before.unseen:
            self._tools.spawn(self._tell_unseen())
        if self.over and self.message.access.shut:
            self.release() if self.table.alone else self._tools.spawn(self._ended())

    async def _note_unseen(self) -> None:
        """Store in which times the channel has taken no message, so that a restart forgets none."""
        noted = None if self.over else self.table.unseen.noted()
        try:
            await self._tools.values.set(f"{UNSEEN_KEY}{self.table.id}", noted)
        except StoreError as error:
            log.warning("Table %s: could not note that its channel takes no message: %s", self.table.id, error)

    async def _tell_unseen(self) -> None:
        """Tell those who get a private message about their matches where this one goes on; others read it on their
        panels. Only those whose private channel is known: their daily message tells the rest."""
        view, preferences = self.table.view(), self._tools.preferences
        people = [seat.person_id for seat in view.seats if seat.person_id is not None and seat.may_return]
        for person_id in people if view.unhurried else ():
            chosen = preferences.cached(person_id, TablePreferences)
            told = in_private(preferences, person_id) and await self._tools.members.has(view.guild_id, person_id)
            if not told or chosen.digest_channel is None:
                continue
            language = preferences.cached(person_id, LanguagePreference).language
            t = self._tools.display(language or chosen.digest_locale, None).words
            try:
                text, nonce = unseen_text(view.channel_id, t), f"u{self.table.id}"
                await self._tools.channels.tell(int(chosen.digest_channel), text, nonce=nonce)
                self.table.note_heard(person_id)
            except NETWORK as error:
                log.info("Could not tell somebody where their match goes on (%s)", type(error).__name__)

    def show_again(self) -> None:
        """Show the table in public even if its message is believed to show it: somebody has pressed an older button.

        A process that served the table before may have overwritten the message with what it was about to show.
        """
        self.message.shown.forget()
        self.message.surface.invalidate()

    def ping(self, *, warns: bool = False, pressed: bool = False) -> None:
        """Notify the player whose turn it is. `warns`: the deadline is near; `pressed`: somebody nudges them."""
        if not self.message.access.muted:
            self.pings.ping(warns=warns, pressed=pressed)

    def note_newest(self, interaction: discord.Interaction[Any]) -> None:
        """Note the channel's newest message, which a click brings along, unless it belongs to the table itself."""
        newest: int | None = getattr(interaction.channel, "last_message_id", None)
        own = {*self.pings.message_ids, *(panel.message_id for panel in self.panels)}
        if newest is not None and newest not in own and interaction.channel_id == self.table.channel_id:
            self.message.note_said(newest)

    @contextmanager
    def held(self, interaction: discord.Interaction[Any]) -> Generator[None]:
        """Context manager in which no edit of the clicked message begins: the answer will show what the click did."""
        panel_held = self.panels.held(interaction.user.id) if is_private(interaction) else nullcontext()
        with self.message.surface.held(), panel_held:
            yield

    def follow_deal(self, interaction: discord.Interaction[Any]) -> None:
        """Send the panel of the person who asks as soon as the cards are dealt, if they have a seat in the lobby."""
        if self.table.phase is Phase.LOBBY and self.table.seat_of(interaction.user.id) is not None:
            self.panels.await_deal(interaction)

    async def answer(self, interaction: discord.Interaction[Any], note: str | None, picking: Picking | None) -> None:
        """Answer a click with the newest state of the clicked message; `note` and `picking` are for a private panel."""
        if is_private(interaction):
            await self.panels.panel_for(interaction).answer(interaction, note, picking)
        elif interaction.channel_id != self.table.channel_id:  # the lobby has moved to a thread
            await reply_to(interaction).update(self.message.pointer_to_thread)
        else:
            clicked = None if interaction.message is None else interaction.message.id
            await self.message.answer(reply_to(interaction), clicked)

    def claim_repost(self) -> bool:
        """Whether the table may be posted afresh because somebody asks, once in `BETWEEN_REPOSTS`; if so, that counts.

        Without that limit a few people could fill the channel with tables.
        """
        now = self._tools.clock.now()
        if self._reposted_at is not None and now - self._reposted_at < BETWEEN_REPOSTS:
            return False
        self._reposted_at = now
        return True

    def release_repost(self) -> None:
        """Undo `claim_repost`, as the table was not posted after all: somebody may ask again at once."""
        self._reposted_at = None

    def silence(self) -> None:
        """Show nothing more in the channel, which is gone; a match goes on in its panels."""
        self.message.access.close()
        self.pings.forget()
        if self.table.phase is Phase.LOBBY:
            self.stop_following()

    def stop_following(self) -> None:
        """Edit no panel any more until it is clicked."""
        for panel in self.panels:
            panel.stop_following()

    async def _ended(self) -> None:
        """Release the board, as its table's end was shown, perhaps for the second time, or never can be."""
        if not self._end_noted:
            self._end_noted = True
            await self.message.mark_end_shown()
            if self.table.thread_id is not None and not self.table.taken_out:
                self._tools.spawn(archive_after(self._tools, self.table))
        self.release()

    def release(self) -> None:
        """Forget the table, whose end is shown or can't be."""
        self._released(self)
        for panel in self.panels:
            panel.cancel_goodbye()

    def close(self) -> None:
        """Begin no more edits."""
        self.message.surface.close()
        self.panels.close()

    async def settle(self) -> None:
        """Wait until the edits under way are done."""
        surfaces = [self.message.surface, *(panel.surface for panel in self.panels)]
        await asyncio.gather(*(surface.settle() for surface in surfaces), return_exceptions=True)


def _differ_by_crowd(before: TableView, view: TableView) -> bool:
    """Whether nothing but faces and votes is different."""
    same = (before.faces, before.poll) == (view.faces, view.poll)
    return not same and replace(before, faces=view.faces, poll=view.poll) == view
