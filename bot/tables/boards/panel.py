"""A player's private panel, which follows its table for as long as Discord lets the bot edit it."""

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import discord

from bot.engine.views import SeatView
from bot.platform.database.continuing import read_log
from bot.platform.database.errors import StoreError
from bot.platform.drawing.scenes import Scene
from bot.platform.kit.channel_access import Backoff
from bot.platform.kit.host import Display
from bot.platform.kit.live_message import look_for_picture
from bot.platform.kit.surface import Surface
from bot.platform.layout import BoxPart, Component, Layout, notice, without_rows
from bot.platform.operating.meter import Showing
from bot.platform.transport.channels import EphemeralMessage
from bot.platform.transport.files import Shown
from bot.platform.transport.gallery import ANSWER_SECONDS, EDIT_SECONDS
from bot.platform.transport.picture_access import UploadRoute
from bot.platform.transport.reply import reply_to
from bot.platform.transport.trouble import NETWORK, is_passing
from bot.tables.boards.public_message import aftermath_of
from bot.tables.boards.table_message import TableMessage
from bot.tables.ids.game import Ref
from bot.tables.live.ahead import may_name, next_turn
from bot.tables.live.table import Table
from bot.tables.log.events import Phase
from bot.tables.log.history import Happened, recap
from bot.tables.refusals import TableRefusal
from bot.tables.screens.ahead import ahead_menu
from bot.tables.screens.lobby import lobby_layout
from bot.tables.screens.panel import panel_layout, stale_layout
from bot.tables.screens.picking import Picking
from bot.tables.screens.table import end_panel
from bot.tables.tools import TableTools

log = logging.getLogger(__name__)

TOKEN_LIFE: Final = timedelta(minutes=14)
"""An interaction's token lives for 15 minutes; a panel says goodbye before that."""


@dataclass(frozen=True, slots=True)
class _Answered:
    """The latest answer to a click: the table's version then, the note, the choice under way, and what was missed."""

    version: int
    note: str | None
    picking: Picking | None
    missed: tuple[Happened, ...] = ()


class Panel:
    """A player's private panel: the message that was opened last, for as long as a token can edit it.

    When the table is posted afresh, the panel is posted again below it, and the older message is deleted.

    `display`: how tables are shown to its player.
    """

    __slots__ = (
        "_answered",
        "_backoff",
        "_closed",
        "_deleted",
        "_lacking",
        "_message",
        "_newest",
        "_person_id",
        "_place",
        "_seen",
        "_sent",
        "_shown",
        "_stays_above",
        "_table",
        "_tools",
        "_until",
        "display",
        "surface",
    )

    def __init__(
        self, table: Table, tools: TableTools, message: TableMessage, person_id: int, display: Display
    ) -> None:
        self.display = display
        self.surface: Surface[Layout | None] = Surface(lambda: _PanelTurn(self), self._show)
        self._person_id = person_id
        self._table = table
        self._place: tuple[int | None, int | None] = (table.guild_id, table.channel_id)
        """The server and channel that it is shown in."""
        self._tools = tools
        self._message = message
        self._newest = 0
        """The id of the message that is the panel. While it is followed, an older one is being deleted."""
        self._deleted: int | None = None
        """The id of the older message that was deleted last, or is being deleted."""
        self._sent: EphemeralMessage | None = None
        """The message that is followed, with the newest token for it; None while nothing can be edited."""
        self._until = tools.clock.now()
        """Until when that token may be used."""
        self._stays_above: int | None = None
        """The id of the table's message that the panel couldn't be posted below."""
        self._answered = _Answered(0, None, None)
        self._seen: int | None = None
        """The version of the match when its player last looked, if that was in this process."""
        self._shown = Shown()
        """The known state of the newest message."""
        self._lacking: Scene | None = None
        """The scene that its newest layout shows no picture of, because that wasn't ready in time."""
        self._closed = False
        self._backoff = Backoff(person_id)

    @property
    def message_id(self) -> int:
        """The message that is the panel; 0 before there is one."""
        return self._newest

    # -------------------------------------------------------------------- answers to clicks and commands

    async def open(self, interaction: discord.Interaction[Any]) -> None:
        """Answer with a new message. If that makes two, the one that Discord posted first is deleted."""
        with self.surface.held():
            mark = self.surface.mark()
            self._place = interaction.guild_id, interaction.channel_id
            layout = await self._illustrated(await self._answer(None, None), ANSWER_SECONDS, editing=False)
            shown, reply = Shown(), reply_to(interaction)
            sent = await self._tools.gallery.post(
                self._channel_id, layout, shown, reply.send_private, route=reply.route
            )
            message_id, older = sent.id or interaction.id, self._sent
            if self._is_replaced(message_id):
                self._keep_newest()
                self._delete_soon(sent)
                return
            if older is None or older.id != message_id:  # else it was clicked before Discord confirmed it
                self._sent = None
                self._newest = message_id
                self._shown = shown
                self._follow(sent)
                self.surface.answer_shown(mark)
        self._delete_soon(older, message_id)

    async def answer(self, interaction: discord.Interaction[Any], note: str | None, picking: Picking | None) -> None:
        """Answer a click on it. `note` is a line for this moment only."""
        assert interaction.message is not None, "something was clicked"
        message_id, reply = interaction.message.id, reply_to(interaction)
        with self.surface.held():
            mark = self.surface.mark()
            self._place = interaction.guild_id, interaction.channel_id
            layout = await self._answer(note, picking)
            if self._is_replaced(message_id):
                self._keep_newest()
                await reply.ignore()
                if message_id != self._deleted:  # it couldn't be deleted so far
                    self._delete_soon(EphemeralMessage.original(interaction, message_id))
                return
            if message_id != self._newest:
                self._newest, self._shown = message_id, Shown()
            shown = self._shown
            layout = await self._illustrated(layout, ANSWER_SECONDS)
            try:
                await self._tools.gallery.edit(self._channel_id, layout, shown, reply.update, route=reply.route)
            except NETWORK:
                if not self._is_replaced(message_id):
                    raise
            if self._is_replaced(message_id):  # meanwhile: its replacement shows what the click did
                self._keep_newest()
                await reply.ignore()
                return
            older = self._sent
            self._follow(EphemeralMessage.original(interaction, message_id))
            self.surface.answer_shown(mark)
            if self._may_move or not mark.alone:  # an edit that was under way may show an older choice
                self.surface.invalidate()
        self._delete_soon(older, message_id)

    async def take_over(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a click on another table's panel, in its place; an older message of this one is deleted."""
        older = self._sent
        await self.let_go()
        await self.answer(interaction, None, None)
        self._delete_soon(older, self._newest)

    async def let_go(self) -> None:
        """Leave its message as it is, once no edit of it is under way."""
        self.stop_following()
        await self.surface.settle()

    def _is_replaced(self, message_id: int) -> bool:
        """Whether a message isn't the panel any more, because another one is."""
        return self._sent is not None and message_id != self._sent.id and message_id < self._newest

    def _keep_newest(self) -> None:
        """Bring the message that has replaced the answered one up to date, where it is."""
        assert self._sent is not None, "it was replaced"
        self._place = self._sent.place
        self.surface.invalidate()

    async def _answer(self, note: str | None, picking: Picking | None) -> Layout:
        """Lay out what its player sees in answer to a click."""
        missed = () if self._sent is not None else await self._missed()
        view = self._table.view()
        self._answered = _Answered(view.version, note, picking, missed)
        self._seen = view.version if self._table.phase is Phase.PLAYING else None
        return await self._layout(note, picking)

    async def _missed(self) -> tuple[Happened, ...]:
        """Read what has happened since its player last looked; nothing where they come every few minutes."""
        seat, since = self._table.seat_of(self._person_id), self._seen
        if seat is None or not self._table.view().unhurried:
            return ()
        try:
            entries = await self._tools.games.log(self._table.id)
            return await read_log(lambda entries: recap(entries, seat, since), entries)
        except Exception as error:  # a damaged entry may raise anything; the latest moves are told all the same
            log.warning("Table %s: could not tell what somebody has missed (%s)", self._table.id, type(error).__name__)
            return ()

    async def _refreshed(self) -> Layout:
        """Lay out what its player sees when something else happened: a choice under way stays until the turn is
        over."""
        answered = self._answered
        if answered.version != self._table.view().version:
            return await self._layout(None, None)
        return await self._layout(answered.note, answered.picking)

    async def _layout(self, note: str | None, picking: Picking | None) -> Layout:
        missed = self._answered.missed if self._answered.version == self._table.view().version else ()
        table = self._table
        seat = table.seat_of(self._person_id)
        view = None if seat is None else table.seat_view(seat)
        if table.alone and table.phase is Phase.LOBBY:
            return lobby_layout(table.view(), self.display.words, lesson=self.display.lesson)
        if table.phase in (Phase.FINISHED, Phase.FORFEITED, Phase.AGREED) or (table.alone and not table.phase.open):
            ended = table.view()
            aftermath, offers = await aftermath_of(ended, self._tools.careers), await self._offers()
            end = end_panel(ended, self._person_id, aftermath, self.display, offers)
            here = table.alone or self._place == (table.guild_id, table.channel_id)  # not where it came from
            return end if here else without_rows(end, *self._way_there())
        if view is None or table.phase is not Phase.PLAYING:
            over = TableRefusal.NOT_SEATED if table.phase is Phase.PLAYING else TableRefusal.GAME_OVER
            return notice(self.display.words(over.value))
        waits = any(other is not table for other in self._tools.manager.awaiting(self._person_id))
        now, ahead = table.view(), await self._ahead(view)
        return panel_layout(
            now, view, self.display, note=note, picking=picking, another_waits=waits, missed=missed, ahead=ahead
        )

    async def _offers(self) -> list[Component]:
        """List what to offer below somebody's first result; mostly nothing."""
        try:
            return await self._tools.first_offers(self._table.id, self._person_id, self.display.words)
        except StoreError as error:
            log.info("Table %s: could not find out whether it was somebody's first match: %s", self._table.id, error)
            return []

    async def _ahead(self, seat: SeatView) -> list[BoxPart]:
        """The menu of a card for its player's next turn, with the one that they have named; none if they may not."""
        table = self._table
        if not may_name(table.view(), seat):
            return []
        try:
            ahead = await self._tools.games.ahead_of(table.id, self._person_id)
        except StoreError as error:
            log.warning("Table %s: could not read what was named ahead: %s", table.id, error)
            return []
        ahead = None if ahead is None or ahead.turn != next_turn(seat) else ahead
        return [ahead_menu(Ref(table.id), seat, ahead, self.display.words)]

    def _way_there(self) -> list[str]:
        """The link to the table, where what else its buttons offer can be done."""
        url = self._message.url
        return [] if url is None else [self.display.words("[Go to the table]({url})", url=url)]

    @property
    def _channel_id(self) -> int:
        """The channel that it is shown in: what Discord refuses of pictures is noted by that, and by person for those
        who play alone."""
        return self._place[1] or self._table.channel_id or self._person_id

    # -------------------------------------------------------------------- its picture

    async def _illustrated(self, layout: Layout, seconds: float, *, editing: bool = True) -> Layout:
        made = await self._tools.gallery.illustrated(
            layout, self._channel_id, seconds, self._picture_came, editing=editing
        )
        self._lacking = made.drawing.scene if made.drawing is not None and made.picture is None else None
        return made

    def _picture_came(self, scene: Scene) -> None:
        """Show a picture that wasn't ready in time, unless something newer was shown meanwhile."""
        if scene == self._lacking:
            self.surface.invalidate()

    # -------------------------------------------------------------------- following the table

    async def prepare(self) -> Layout | None:
        """Wait for the picture of what is to be shown; returns None if that has changed meanwhile."""
        if self._sent is None:
            return None
        view = self._table.view()
        answered = self._answered
        layout = await self._refreshed()
        await self._tools.gallery.illustrated(layout, self._channel_id, EDIT_SECONDS, editing=True)
        return layout if view is self._table.view() and answered is self._answered else None

    async def _show(self, prepared: Layout | None) -> None:
        if self._may_move and await self._move(prepared or await self._refreshed()):
            return
        sent, shown = self._sent, self._shown
        if sent is None:
            return
        try:
            layout = await self._illustrated(prepared or await self._refreshed(), 0)
            with self._tools.meter.showing(Showing.PANEL):
                await self._tools.gallery.edit(self._channel_id, layout, shown, sent.edit, route=UploadRoute.WEBHOOKS)
            self._backoff.reset()
            self._look_for_picture()
        except NETWORK as error:
            log.debug("Could not update a panel (%s)", type(error).__name__)
            if self._sent is not sent:
                return
            if is_passing(error):
                self._tools.clock.after(("again", *self._key), self._backoff.seconds_after(error), self._try_again)
            else:
                self.stop_following()  # dismissed or expired: its player opens another when they want one

    async def _try_again(self) -> None:
        self.surface.invalidate()

    def _follow(self, sent: EphemeralMessage) -> None:
        """Edit a message through its fresh token from now on, even if an older one has just failed."""
        if self._closed:
            return
        self._sent, self._place, self._until = sent, sent.place, self._tools.clock.now() + TOKEN_LIFE
        self.surface.reopen()
        if self._table.phase.open:  # what is shown at the end stays
            self._tools.clock.schedule(self._key, self._until, self._say_goodbye)
        self._look_for_picture()

    def _look_for_picture(self) -> None:
        look_for_picture(self._tools, self._key, lambda: self._shown, UploadRoute.WEBHOOKS, self.surface)

    def stop_following(self) -> None:
        """Stop editing the panel's message; a click on it makes the panel follow again."""
        self._sent = None
        self._shown = Shown()
        self.surface.close()
        self.cancel_goodbye()

    def close(self) -> None:
        """Stop following for good: the bot is stopping."""
        self._closed = True
        self.surface.close()

    def cancel_goodbye(self) -> None:
        """Say nothing when its token expires."""
        self._tools.clock.cancel(self._key)

    async def _say_goodbye(self) -> None:
        """Reduce a message that can't be followed any longer to the button that brings the panel back."""
        if self._until > self._tools.clock.now():
            return  # a click has brought a fresh token just now
        self.surface.close()
        await self.surface.settle()  # it may have been posted again just now
        sent = self._sent
        if sent is None or self._until > self._tools.clock.now():
            return  # a click has brought a fresh token
        self.stop_following()
        if self._table.phase is Phase.PLAYING and self._table.seat_of(self._person_id) is None:
            return  # they have left, as it says: the button would bring them nothing
        try:
            await sent.edit(stale_layout(self._table.id, self.display.words))
        except NETWORK as error:
            log.debug("Could not reduce an expiring panel to its button (%s)", type(error).__name__)

    async def say_back_soon(self) -> None:
        """Say on the panel that the bot is stopping. Its buttons stay: the first click on one brings the panel back."""
        sent = self._sent
        shown = self._shown
        view = self._table.view()
        if sent is None or view.over or self._table.phase is not Phase.PLAYING:
            return
        answered, t = self._answered, self.display.words
        note = t("⏳ I'll be back in a moment. Nothing is lost: your buttons will work again then.")
        picking = answered.picking if answered.version == view.version else None
        try:
            layout = await self._illustrated(await self._layout(note, picking), EDIT_SECONDS)
            await self._tools.gallery.edit(self._channel_id, layout, shown, sent.edit, route=UploadRoute.WEBHOOKS)
        except NETWORK as error:
            log.debug("Could not say on a panel that the bot is stopping (%s)", type(error).__name__)

    # -------------------------------------------------------------------- staying below the table

    @property
    def _may_move(self) -> bool:
        """Whether the table was posted below it, its player can use it there, and there is room for a follow-up."""
        sent = self._sent
        table = self._table
        table_id = self._message.posted.id
        if sent is None or sent.id is None or table_id is None or sent.id >= table_id or table_id == self._stays_above:
            return False
        wanted = table.phase in (Phase.PLAYING, Phase.FINISHED) and table.seat_of(self._person_id) is not None
        return wanted and table.is_at(*sent.place) and self._tools.follow_ups.has_room(sent.token)

    async def _move(self, layout: Layout) -> bool:
        """Post the panel again below the table, and delete the older message; returns whether that was possible.

        The new message is edited through the token of the older one, for no longer than that lives.
        """
        layout = await self._illustrated(layout, 0, editing=False)
        sent = self._sent
        until = self._until
        answered = self._answered
        shown = Shown()
        if sent is None or not self._may_move:
            return False
        try:
            with self._tools.meter.showing(Showing.PANEL):
                newer = await self._tools.gallery.post(
                    self._channel_id, layout, shown, sent.post_again, route=UploadRoute.WEBHOOKS
                )
        except NETWORK as error:
            log.debug("Could not post a panel below its table (%s)", type(error).__name__)
            self._stays_above = self._message.posted.id
            return False
        if self._sent is None or newer.id is None or newer.id < self._newest:
            older = newer  # it was given up, or its player has opened another
        elif self._sent.id == newer.id:
            return True  # it was clicked before Discord confirmed it
        else:
            older = self._sent
            self._sent = newer
            self._newest = newer.id
            self._shown = shown
            if self._until != until:  # a click on the older one meanwhile; its token doesn't reach this one
                self._until = until
                self._tools.clock.schedule(self._key, until, self._say_goodbye)
            if self._answered is not answered or not shown.shows(layout.digest):
                self.surface.invalidate()  # the older one has shown a choice, or this one's picture was refused
        await self._delete(older)
        return True

    def _delete_soon(self, sent: EphemeralMessage | None, followed_id: int | None = None) -> None:
        """Delete a message, if there is one, unless it is the one that is followed."""
        if sent is not None and (sent.id is None or sent.id != followed_id):
            self._tools.spawn(self._delete(sent))

    async def _delete(self, sent: EphemeralMessage) -> None:
        self._deleted = sent.id
        try:
            await sent.delete()
        except NETWORK as error:
            log.debug("Could not delete an older panel (%s)", type(error).__name__)
            self._deleted = None

    @property
    def _key(self) -> tuple[str, int, int]:
        return ("panel", self._table.id, self._person_id)


class _PanelTurn:
    """A panel's turn to be edited: nothing limits that, but it waits for the panel's picture."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel

    async def __aenter__(self) -> Layout | None:
        return await self._panel.prepare()

    async def __aexit__(self, *_: object) -> None: ...
