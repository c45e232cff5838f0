"""One panel per person, in whatever order Discord answers: the last one opened is kept up to date, the others go."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.operating.meter import Unmeasured
from bot.tables.log.events import Phase
from bot.ui.boards.panels import Panels
from bot.ui.screens.display import Display
from bot.ui.screens.layout import Layout
from bot.ui.transport.gallery import Gallery
from bot.ui.transport.reply import EphemeralMessage, Reply
from bot.ui.words.texts import words

NOW = datetime(2026, 8, 1, tzinfo=UTC)
ANA = 7


class Slow(Reply):
    """A reply that Discord accepts when the test says so; records what then happens to the message."""

    def __init__(self, room: Room, interaction: Any) -> None:
        super().__init__(interaction)
        self.taken = asyncio.Event()
        self.room = room
        self.number = interaction.id

    async def send_private(self, layout: Layout) -> EphemeralMessage:
        await self.taken.wait()
        self.room.there.append(self.number)

        async def edit(*_: object) -> Any:
            if self.number in self.room.dismissed:
                raise discord.NotFound(SimpleNamespace(status=404, reason="gone"), "gone")  # type: ignore[arg-type]
            self.room.edits.append(self.number)

        async def delete() -> None:
            self.room.there.remove(self.number)

        return EphemeralMessage(edit, delete)


class Room:
    """A table's panels and their messages on Discord, numbered by the clicks that opened them."""

    def __init__(self) -> None:
        self.there: list[int] = []
        self.edits: list[int] = []
        self.dismissed: set[int] = set()
        self.tasks: list[asyncio.Task[Any]] = []
        self.version = 1
        table: Any = SimpleNamespace(
            id=1,
            channel_id=1,
            phase=Phase.PLAYING,
            view=lambda: SimpleNamespace(version=self.version),
            seat_of=lambda _: None,
        )
        clock = SimpleNamespace(now=lambda: NOW, schedule=lambda *_: None, cancel=lambda *_: None)
        gallery = Gallery(None, lambda: NOW, Unmeasured(), lambda: None)
        manager = SimpleNamespace(meter=Unmeasured())
        display = Display(words("en"))
        tools: Any = SimpleNamespace(
            gallery=gallery, clock=clock, manager=manager, spawn=self.spawn, display=lambda *_: display
        )
        self.panels = Panels(table, tools)

    def spawn(self, work: Any) -> None:
        self.tasks.append(asyncio.create_task(work))

    def open(self, number: int) -> Slow:
        """Ana opens her panel."""
        client = SimpleNamespace(words=lambda *_: words("en"))
        locale = SimpleNamespace(value="en")
        interaction: Any = SimpleNamespace(
            id=number, user=SimpleNamespace(id=ANA), extras={}, client=client, locale=locale, guild_id=1, message=None
        )
        reply = Slow(self, interaction)
        self.spawn(self.panels.panel_for(interaction).open(interaction))
        return reply

    async def breathe(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    async def change(self) -> list[int]:
        """Change the table; returns which messages were updated."""
        self.version += 1
        self.edits.clear()
        self.panels.bring_up_to_date()
        await self.breathe()
        return self.edits


@pytest.fixture
async def room() -> Room:
    return Room()


async def opened(room: Room, number: int) -> None:
    room.open(number).taken.set()
    await room.breathe()


async def test_the_panel_opened_last_is_updated_and_the_older_one_goes(room: Room):
    await opened(room, 10)
    await opened(room, 20)
    assert room.there == [20]
    assert await room.change() == [20]


@pytest.mark.parametrize("first", [10, 20])
async def test_of_two_panels_opened_at_once_the_last_stays_whichever_discord_accepts_first(room: Room, first: int):
    replies = {10: room.open(10), 20: room.open(20)}
    await room.breathe()
    for number in (first, 30 - first):
        replies[number].taken.set()
        await room.breathe()
    assert room.there == [20]
    assert await room.change() == [20]


@pytest.mark.parametrize("first", [20, 30])
async def test_dismissing_a_panel_while_others_are_opened_leaves_none_stale(room: Room, first: int):
    await opened(room, 10)
    replies = {20: room.open(20)}
    await room.breathe()
    room.dismissed.add(10)
    await asyncio.sleep(0)
    panel = next(iter(room.panels))
    panel.stop_following()  # as a running edit of the dismissed message does
    replies[30] = room.open(30)
    await room.breathe()
    for number in (first, 50 - first):
        replies[number].taken.set()
        await room.breathe()
        await room.change()
    assert room.there[-1:] == [30]
    assert 20 not in room.there
    assert await room.change() == [30]
    assert len(list(room.panels)) == 1


async def test_a_panel_that_wasnt_replaced_catches_up_with_what_it_missed(room: Room):
    await opened(room, 10)
    reply = room.open(20)
    await room.breathe()
    next(iter(room.panels)).stop_following()
    assert await room.change() == []
    reply.taken.set()
    await room.breathe()
    assert room.edits == [20], "it was opened before the change"
    assert await room.change() == [20]
