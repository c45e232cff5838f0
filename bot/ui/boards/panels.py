"""Players' private panels: each follows its table for as long as Discord lets the bot write it."""

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
from bot.ui.boards.shown import Frame
from bot.ui.boards.surface import Surface
from bot.ui.boards.tools import Tools
from bot.ui.pictures.scenes import Scene
from bot.ui.screens.display import Display
from bot.ui.screens.layout import Layout, notice
from bot.ui.screens.panel import panel_layout, stale_layout
from bot.ui.screens.picking import Picking
from bot.ui.screens.score import result_panel
from bot.ui.transport.gallery import ANSWER_SECONDS, EDIT_SECONDS
from bot.ui.transport.reply import NETWORK, Private, Reply, is_passing
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
    """A player's private panel: who sees it, in which language, and what can write it for now."""

    __slots__ = (
        "_answered",
        "_frame",
        "_framed_id",
        "_lacking",
        "_panels",
        "_prepared",
        "_sent",
        "_table",
        "_tools",
        "display",
        "person_id",
        "surface",
    )

    def __init__(self, panels: Panels, person_id: int, display: Display) -> None:
        self.person_id = person_id
        self.display = display
        self.surface = Surface(self._refresh, self._ready)
        self._panels = panels
        self._table = panels.table
        self._tools = panels.tools
        self._sent: Private | None = None
        self._answered = _Answered(0, None, None)
        self._frame = Frame()
        self._framed_id: int | None = None
        """The message of the frame, if its id is known."""
        self._prepared: Layout | None = None
        """What the edit shows that is about to begin."""
        self._lacking: Scene | None = None
        """What its newest layout would show a picture of, if that had been there in time."""

    async def open(self, interaction: discord.Interaction[Any]) -> None:
        """Answer with a new message; an older one is taken away, which may be this one if Discord is slow with it."""
        with self.surface.held():
            mark = self.surface.mark()
            layout, frame = await self._illustrated(self._answer(None, None), ANSWER_SECONDS), Frame()

            async def send(each: Layout) -> Private:
                with frame.writing(each):
                    return await Reply.of(interaction).private(each)

            sent = await self._tools.gallery.send(self._table.channel_id, layout, send)
            other, newest = self._sent, self._panels.opened(self, interaction.id)
            if newest:
                self._frame, self._framed_id = frame, None
                self._follow(sent)
                self.surface.answered(mark)
        if not newest:
            self._tools.spawn(self._delete(sent))
        elif other is not None:
            self._tools.spawn(self._delete(other))

    async def answer(self, interaction: discord.Interaction[Any], note: str | None, picking: Picking | None) -> None:
        """Answer a click on it. `note` is a line for this moment only."""
        with self.surface.held():
            mark = self.surface.mark()
            layout = await self._illustrated(self._answer(note, picking), ANSWER_SECONDS)
            frame = self._frame_of(interaction.message)

            async def send(each: Layout) -> None:
                with frame.writing(each) as files:
                    await Reply.of(interaction).update(each, files=files)

            await self._tools.gallery.send(self._table.channel_id, layout, send)
            # A message is younger than the click that opened it. An older one was clicked while another took its
            # place: it is being taken away, and must not be followed instead of that.
            if interaction.message is not None and interaction.message.id > self._panels.opened_by(self.person_id):
                self._follow(Private.original(interaction))
                self.surface.answered(mark)

    def _answer(self, note: str | None, picking: Picking | None) -> Layout:
        """What its player sees in answer to a click."""
        self._answered = _Answered(self._table.view().version, note, picking)
        return self._layout(note, picking)

    def _refreshed(self) -> Layout:
        """What its player sees when something else happened: a choice under way stays, as long as the turn does."""
        answered = self._answered
        if answered.version != self._table.view().version:
            return self._layout(None, None)
        return self._layout(answered.note, answered.picking)

    def _layout(self, note: str | None, picking: Picking | None) -> Layout:
        table = self._table
        seat = table.seat_of(self.person_id)
        view = None if seat is None else table.seat_view(seat)
        if table.phase is Phase.FINISHED:
            return result_panel(table.view(), self.display)
        if view is None or table.phase is not Phase.PLAYING:
            over = RefusalCode.NOT_SEATED if table.phase is Phase.PLAYING else RefusalCode.GAME_OVER
            return notice(refusal(Refusal(over), self.display.words))
        return panel_layout(table.view(), view, self.display, note=note, picking=picking)

    def _follow(self, sent: Private) -> None:
        """Write it through a fresh token from now on, also if an older one has just failed it.

        Another panel may have taken its place while it was answered; that has the last word then.
        """
        if not self._panels.keeps(self):
            return
        self._sent = sent
        self.surface.reopen()
        self._tools.clock.schedule(self._key, self._tools.clock.now() + TOKEN_LIFE, self._say_goodbye)

    # -------------------------------------------------------------------- its picture

    async def _illustrated(self, layout: Layout, seconds: float) -> Layout:
        made = await self._tools.gallery.illustrated(layout, self._table.channel_id, seconds, self._picture_came)
        self._lacking = made.drawing.scene if made.drawing is not None and made.picture is None else None
        return made

    def _picture_came(self, scene: Scene) -> None:
        """A picture is there that wasn't in time: show it, if nothing newer was shown meanwhile."""
        if scene == self._lacking:
            self.surface.invalidate()

    def _frame_of(self, message: discord.Message | None) -> Frame:
        """What is known of the picture on a message that was clicked."""
        if message is None or message.id <= self._panels.opened_by(self.person_id):
            return Frame()
        if self._framed_id not in (None, message.id):
            self._frame = Frame()
        self._framed_id = message.id
        return self._frame

    async def _ready(self) -> None:
        """Wait for the picture of what is to be shown; when that has changed meanwhile, its own needn't be there."""
        self._prepared = None
        if self._sent is not None:
            view, answered, layout = self._table.view(), self._answered, self._refreshed()
            await self._tools.gallery.illustrated(layout, self._table.channel_id, EDIT_SECONDS)
            if view is self._table.view() and answered is self._answered:
                self._prepared = layout

    # -------------------------------------------------------------------- following the table

    async def _refresh(self) -> None:
        sent = self._sent
        if sent is None:
            return
        try:
            prepared, self._prepared = self._prepared, None
            layout, frame = await self._illustrated(prepared or self._refreshed(), 0), self._frame

            async def send(each: Layout) -> None:
                with frame.writing(each) as files:
                    await sent.edit(each, files)

            with self._tools.meter.showing(Showing.PANEL):
                await self._tools.gallery.send(self._table.channel_id, layout, send)
        except NETWORK as error:
            log.debug("A panel could not be brought up to date (%s)", type(error).__name__)
            if self._sent is not sent:
                return
            if is_passing(error):
                self._tools.clock.after(("again", *self._key), RETRY_SECONDS, self._again)
            else:
                # Dismissed or expired: its player opens another when they want one.
                self.drop()

    async def _again(self) -> None:
        self.surface.invalidate()

    def drop(self) -> None:
        """Follow the table no longer."""
        self._sent = None
        self.surface.close()
        self.forget()
        self._panels.dropped(self)

    def give_way(self) -> None:
        """Another panel of the same player takes its place: its message goes."""
        sent, self._sent = self._sent, None
        self.surface.close()
        if sent is not None:
            self._tools.spawn(self._delete(sent))

    def forget(self) -> None:
        """There is no good-bye to be said any more."""
        self._tools.clock.cancel(self._key)

    async def _say_goodbye(self) -> None:
        """Leave what can be followed no longer with nothing but the button that brings it back."""
        sent, table = self._sent, self._table
        self.drop()
        await self.surface.settle()
        if sent is None:
            return
        try:
            await sent.edit(stale_layout(table.id, table.view().version, self.display.words))
        except NETWORK as error:
            log.debug("A panel stays as it is (%s)", type(error).__name__)

    async def _delete(self, sent: Private) -> None:
        try:
            await sent.delete()
        except NETWORK as error:
            log.debug("An older panel stays (%s)", type(error).__name__)

    @property
    def _key(self) -> tuple[str, int, int]:
        """What the clock knows it by."""
        return ("panel", self._table.id, self.person_id)


class Panels:
    """A table's panels, one a person."""

    __slots__ = ("_by_person", "_closed", "_opened_by", "table", "tools")

    def __init__(self, table: Table, tools: Tools) -> None:
        self.table = table
        self.tools = tools
        self._by_person: dict[int, Panel] = {}
        self._opened_by: dict[int, int] = {}
        self._closed = False

    def __iter__(self) -> Iterator[Panel]:
        return iter(list(self._by_person.values()))

    def of(self, interaction: discord.Interaction[Any]) -> Panel:
        """The panel of who asks, in their language."""
        person_id = interaction.user.id
        display = self.tools.display(interaction.locale.value, interaction.guild_id)
        if person_id not in self._by_person:
            self._by_person[person_id] = Panel(self, person_id, display)
        panel = self._by_person[person_id]
        panel.display = display
        return panel

    def held(self, person_id: int) -> AbstractContextManager[None]:
        """While this lasts a click on somebody's panel is being answered."""
        panel = self._by_person.get(person_id)
        return nullcontext() if panel is None else panel.surface.held()

    def changed(self) -> None:
        """Bring all up to date."""
        for panel in self:
            panel.surface.invalidate()

    def opened_by(self, person_id: int) -> int:
        """The newest click that opened a panel of somebody: what is older than that is being taken away."""
        return self._opened_by.get(person_id, 0)

    def opened(self, panel: Panel, interaction_id: int) -> bool:
        """Whether a panel was opened by the newest click of its player. Then it is their panel from now on.

        While Discord was slow with that click another may have been made: of one that was dismissed meanwhile.
        """
        if interaction_id <= self.opened_by(panel.person_id):
            return False
        self._opened_by[panel.person_id] = interaction_id
        other = self._by_person.get(panel.person_id)
        if not self._closed:
            self._by_person[panel.person_id] = panel
        if other is not panel:
            panel.surface.invalidate()  # it wasn't told of what has happened meanwhile
            if other is not None:
                other.give_way()
        return True

    def keeps(self, panel: Panel) -> bool:
        """Whether a panel that was written is to be followed: another may have taken its place, or the bot may end."""
        if self._closed:
            return False
        kept = self._by_person.setdefault(panel.person_id, panel)
        if kept is not panel:
            kept.surface.invalidate()  # Discord may have applied what it showed before what was written just now
        return kept is panel

    def dropped(self, panel: Panel) -> None:
        """A panel is followed no longer."""
        if self._by_person.get(panel.person_id) is panel:
            del self._by_person[panel.person_id]

    def close(self) -> None:
        """Write no more."""
        self._closed = True
        for panel in self:
            panel.surface.close()
