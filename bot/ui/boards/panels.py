"""Players' private panels: each follows its table for as long as Discord lets the bot edit it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import discord

from bot.operating.meter import Showing
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.log.events import Phase
from bot.tables.table import Table
from bot.ui.boards.surface import Surface
from bot.ui.boards.tools import Tools
from bot.ui.pictures.scenes import Scene
from bot.ui.screens.display import Display
from bot.ui.screens.layout import Layout, notice
from bot.ui.screens.panel import panel_layout, stale_layout
from bot.ui.screens.picking import Picking
from bot.ui.screens.score import result_panel
from bot.ui.transport.gallery import ANSWER_SECONDS, EDIT_SECONDS
from bot.ui.transport.reply import NETWORK, EphemeralMessage, is_passing, reply_to
from bot.ui.transport.shown import Shown
from bot.ui.words.refusals import refusal

log = logging.getLogger(__name__)

TOKEN_LIFE: Final = timedelta(minutes=14)
"""An interaction's token lives 15 minutes; a panel says good-bye before."""
RETRY_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class _Answered:
    """The latest answer to a click: at which version, with what note and choice under way."""

    version: int
    note: str | None
    picking: Picking | None


class Panel:
    """A player's private panel: the message that was opened last, for as long as a token can edit it.

    `display`: how tables are shown to its player.
    """

    __slots__ = (
        "_answered",
        "_closed",
        "_lacking",
        "_opened_by",
        "_person_id",
        "_sent",
        "_shown",
        "_shown_id",
        "_table",
        "_tools",
        "display",
        "surface",
    )

    def __init__(self, table: Table, tools: Tools, person_id: int, display: Display) -> None:
        self.display = display
        self.surface: Surface[Layout | None] = Surface(lambda: _PanelTurn(self), self._show)
        self._person_id = person_id
        self._table = table
        self._tools = tools
        self._opened_by = 0
        """The newest click that opened it: a message that is older than that is being deleted."""
        self._sent: EphemeralMessage | None = None
        """The message that is followed, with the newest token for it; None while nothing can be edited."""
        self._answered = _Answered(0, None, None)
        self._shown = Shown()
        self._shown_id: int | None = None
        """The message of which it is known what it shows, if its id is known."""
        self._lacking: Scene | None = None
        """What its newest layout would show a picture of, if that had been there in time."""
        self._closed = False

    # -------------------------------------------------------------------- answers to clicks and commands

    async def open(self, interaction: discord.Interaction[Any]) -> None:
        """Answer with a new message. An older one is deleted, which may be this one if Discord is slow with it."""
        with self.surface.held():
            mark = self.surface.mark()
            layout = await self._illustrated(self._answer(None, None), ANSWER_SECONDS, editing=False)
            shown, send = Shown(), reply_to(interaction).send_private
            sent = await self._tools.gallery.post(self._table.channel_id, layout, shown, send)
            if interaction.id <= self._opened_by:
                older = sent
            else:
                older, self._sent, self._opened_by = self._sent, None, interaction.id
                self._shown, self._shown_id = shown, None
                self._follow(sent)
                self.surface.answer_shown(mark)
        if older is not None:
            self._tools.spawn(self._delete(older))

    async def answer(self, interaction: discord.Interaction[Any], note: str | None, picking: Picking | None) -> None:
        """Answer a click on it. `note` is a line for this moment only."""
        with self.surface.held():
            mark = self.surface.mark()
            layout = await self._illustrated(self._answer(note, picking), ANSWER_SECONDS)
            shown, send = self._shown_on(interaction.message), reply_to(interaction).update
            await self._tools.gallery.edit(self._table.channel_id, layout, shown, send)
            # A message has a higher id than the click that opened it. An older one was clicked while another replaced
            # it: it is being deleted, and must not be followed instead of that.
            if interaction.message is not None and interaction.message.id > self._opened_by:
                self._follow(EphemeralMessage.original(interaction))
                self.surface.answer_shown(mark)

    def _answer(self, note: str | None, picking: Picking | None) -> Layout:
        """What its player sees in answer to a click."""
        self._answered = _Answered(self._table.view().version, note, picking)
        return self._layout(note, picking)

    def _refreshed(self) -> Layout:
        """What its player sees when something else happened: a choice under way stays until the turn is over."""
        answered = self._answered
        if answered.version != self._table.view().version:
            return self._layout(None, None)
        return self._layout(answered.note, answered.picking)

    def _layout(self, note: str | None, picking: Picking | None) -> Layout:
        table = self._table
        seat = table.seat_of(self._person_id)
        view = None if seat is None else table.seat_view(seat)
        if table.phase is Phase.FINISHED:
            return result_panel(table.view(), seat, self.display)
        if view is None or table.phase is not Phase.PLAYING:
            over = RefusalCode.NOT_SEATED if table.phase is Phase.PLAYING else RefusalCode.GAME_OVER
            return notice(refusal(Refusal(over), self.display.words))
        return panel_layout(table.view(), view, self.display, note=note, picking=picking)

    # -------------------------------------------------------------------- its picture

    async def _illustrated(self, layout: Layout, seconds: float, *, editing: bool = True) -> Layout:
        made = await self._tools.gallery.illustrated(
            layout, self._table.channel_id, seconds, self._picture_came, editing=editing
        )
        self._lacking = made.drawing.scene if made.drawing is not None and made.picture is None else None
        return made

    def _picture_came(self, scene: Scene) -> None:
        """A picture is ready that wasn't in time: show it, unless something newer was shown meanwhile."""
        if scene == self._lacking:
            self.surface.invalidate()

    def _shown_on(self, message: discord.Message | None) -> Shown:
        """What is known of a message that was clicked."""
        if message is None or message.id <= self._opened_by:
            return Shown()
        if self._shown_id not in (None, message.id):
            self._shown = Shown()
        self._shown_id = message.id
        return self._shown

    # -------------------------------------------------------------------- following the table

    async def prepare(self) -> Layout | None:
        """Wait for the picture of what is to be shown; returns None if that has changed meanwhile."""
        if self._sent is None:
            return None
        view, answered, layout = self._table.view(), self._answered, self._refreshed()
        await self._tools.gallery.illustrated(layout, self._table.channel_id, EDIT_SECONDS, editing=True)
        return layout if view is self._table.view() and answered is self._answered else None

    async def _show(self, prepared: Layout | None) -> None:
        sent, shown = self._sent, self._shown
        if sent is None:
            return
        try:
            layout = await self._illustrated(prepared or self._refreshed(), 0)
            with self._tools.manager.meter.showing(Showing.PANEL):
                await self._tools.gallery.edit(self._table.channel_id, layout, shown, sent.edit)
        except NETWORK as error:
            log.debug("A panel could not be brought up to date (%s)", type(error).__name__)
            if self._sent is not sent:
                return
            if is_passing(error):
                wait = error.retry_after if isinstance(error, discord.RateLimited) else RETRY_SECONDS
                self._tools.clock.after(("again", *self._key), wait, self._try_again)
            else:
                self.stop_following()  # dismissed or expired: its player opens another when they want one

    async def _try_again(self) -> None:
        self.surface.invalidate()

    def _follow(self, sent: EphemeralMessage) -> None:
        """Edit it through a fresh token from now on, even if an older one has just failed."""
        if self._closed:
            return
        self._sent = sent
        self.surface.reopen()
        self._tools.clock.schedule(self._key, self._tools.clock.now() + TOKEN_LIFE, self._say_goodbye)

    def stop_following(self) -> None:
        """Edit its message no longer; a click on that makes it follow again."""
        self._sent = None
        self._shown, self._shown_id = Shown(), None
        self.surface.close()
        self.cancel_goodbye()

    def close(self) -> None:
        """Follow nothing any more: the bot stops."""
        self._closed = True
        self.surface.close()

    def cancel_goodbye(self) -> None:
        """Nothing has to be said when its token expires."""
        self._tools.clock.cancel(self._key)

    async def _say_goodbye(self) -> None:
        """Leave nothing but the button that brings it back on a message that can't be followed any longer."""
        sent, table = self._sent, self._table
        self.stop_following()
        await self.surface.settle()
        if sent is None:
            return
        try:
            await sent.edit(stale_layout(table.id, self.display.words))
        except NETWORK as error:
            log.debug("A panel stays as it is (%s)", type(error).__name__)

    async def say_back_soon(self) -> None:
        """Say on it that the bot stops. Its buttons stay: the first click on one brings it back."""
        sent, shown, view = self._sent, self._shown, self._table.view()
        if sent is None or view.over or self._table.phase is not Phase.PLAYING:
            return
        answered, t = self._answered, self.display.words
        note = t("⏳ I'll be back in a moment. Nothing is lost: your buttons will work again then.")
        picking = answered.picking if answered.version == view.version else None
        try:
            layout = await self._illustrated(self._layout(note, picking), EDIT_SECONDS)
            await self._tools.gallery.edit(self._table.channel_id, layout, shown, sent.edit)
        except NETWORK as error:
            log.debug("A panel doesn't say that the bot stops (%s)", type(error).__name__)

    async def _delete(self, sent: EphemeralMessage) -> None:
        try:
            await sent.delete()
        except NETWORK as error:
            log.debug("An older panel stays (%s)", type(error).__name__)

    @property
    def _key(self) -> tuple[str, int, int]:
        """What the clock knows it by."""
        return ("panel", self._table.id, self._person_id)


class _PanelTurn:
    """When a panel may be edited: nothing limits that, but its picture is waited for."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel

    async def __aenter__(self) -> Layout | None:
        return await self._panel.prepare()

    async def __aexit__(self, *_: object) -> None:
        pass


class Panels:
    """A table's panels, one a person; each is kept until the table is over."""

    __slots__ = ("_by_person", "_closed", "_table", "_tools")

    def __init__(self, table: Table, tools: Tools) -> None:
        self._table = table
        self._tools = tools
        self._by_person: dict[int, Panel] = {}
        self._closed = False

    def __iter__(self) -> Iterator[Panel]:
        return iter(list(self._by_person.values()))

    def panel_for(self, interaction: discord.Interaction[Any]) -> Panel:
        """The panel of the person who asks, in their language."""
        person_id = interaction.user.id
        display = self._tools.display(interaction.locale.value, interaction.guild_id)
        if person_id not in self._by_person:
            self._by_person[person_id] = Panel(self._table, self._tools, person_id, display)
            if self._closed:
                self._by_person[person_id].close()
        panel = self._by_person[person_id]
        panel.display = display
        return panel

    def held(self, person_id: int) -> AbstractContextManager[None]:
        """While this lasts a click on somebody's panel is being answered."""
        panel = self._by_person.get(person_id)
        return nullcontext() if panel is None else panel.surface.held()

    def bring_up_to_date(self) -> None:
        """The table has changed: show it on all of them."""
        for panel in self:
            panel.surface.invalidate()

    def close(self) -> None:
        """Begin no more edits."""
        self._closed = True
        for panel in self:
            panel.close()
