"""One up-to-date panel per person, below the table, in whatever order Discord answers; older ones are deleted."""

from __future__ import annotations

import asyncio
from collections import deque
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.cards.pictures.emojis import common_form
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.layout import Layout, notice
from bot.platform.operating.meter import Meter
from bot.platform.transport.channels import EphemeralMessage
from bot.platform.transport.files import Sent
from bot.platform.transport.gallery import Gallery
from bot.platform.transport.picture_access import UploadRoute
from bot.platform.transport.reply import Reply
from bot.platform.transport.webhooks import FollowUps
from bot.tables.boards import panel as panel_module
from bot.tables.boards.board import Panels
from bot.tables.boards.greeter import Greeter
from bot.tables.boards.panel import TOKEN_LIFE, Panel
from bot.tables.log.events import Phase
from bot.tables.screens.picking import Picking

NOW = datetime(2026, 8, 1, tzinfo=UTC)
ANA = 7
STALE = "This panel has stopped updating"


def refusal(status: int = 404, code: int = 10008) -> discord.HTTPException:
    kind = discord.NotFound if status == 404 else discord.HTTPException
    response: Any = SimpleNamespace(status=status, reason="refused")
    return kind(response, {"code": code, "message": "refused"})


class Interaction:
    """A click, on a private message if `clicked` is given; its token reaches only what it could on Discord."""

    def __init__(self, room: Room, number: int, clicked: int | None) -> None:
        self.room = room
        self.id = number
        self.token = f"token-{number}"
        self.user = SimpleNamespace(id=ANA)
        self.extras: dict[str, Any] = {}
        self.client = SimpleNamespace(words=lambda *_: words("en"))
        self.locale = SimpleNamespace(value="en")
        self.guild_id = self.channel_id = 1
        self.message = None if clicked is None else SimpleNamespace(id=clicked)
        self.original = clicked
        self.sent: list[int] = []
        self.followup: Any = self

    async def edit_original_response(self, *, view: Any, **_: Any) -> Any:
        return await self.room.write("PATCH", self.original, view)

    async def delete_original_response(self) -> None:
        await self.room.write("DELETE", self.original)

    async def send(self, *, view: Any, **_: Any) -> Any:
        """A follow-up."""
        await self.room.tools.follow_ups.turn(self.token, new=True)
        message = await self.room.write("POST", None, view)
        self.sent.append(message.id)
        return message

    async def edit_message(self, message_id: int, *, view: Any, **_: Any) -> Any:
        assert message_id in self.sent, "another token has sent it"
        return await self.room.write("PATCH", message_id, view)

    async def delete_message(self, message_id: int) -> None:
        assert message_id in self.sent, "another token has sent it"
        await self.room.write("DELETE", message_id)


class Slow(Reply):
    """A reply that Discord accepts when the test says so."""

    def __init__(self, room: Room, interaction: Any) -> None:
        super().__init__(interaction)
        self.taken = asyncio.Event()
        self.room = room
        self.interaction = interaction
        self.acknowledged = False

    @property
    def route(self) -> UploadRoute:
        return UploadRoute.ANSWERS

    async def send_private(self, layout: Layout) -> EphemeralMessage:
        await self.taken.wait()
        self.interaction.original = self.room.post(layout.components[0]["content"])
        if (gate := self.room.gates.get("answer")) is not None:
            await gate.wait()
        return EphemeralMessage.original(self.interaction, self.interaction.original)

    async def update(self, layout: Layout, files: Any = None, **_: Any) -> Sent:
        await self.taken.wait()
        if self.interaction.original not in self.room.there:
            raise refusal()
        self.room.there[self.interaction.original] = layout.components[0]["content"]
        self.acknowledged = True
        return Sent(self.interaction.original, None)

    async def ignore(self) -> None:
        self.acknowledged = True


class Room:
    """A table's panels and their messages on Discord."""

    def __init__(self) -> None:
        self.there: dict[int, str] = {}
        """What each private message says."""
        self.ids = 100
        self.requests: list[tuple[str, int | None]] = []
        self.gates: dict[str, asyncio.Event] = {}
        """Kinds of requests to which Discord responds slowly."""
        self.refuses: dict[str, deque[Exception]] = {}
        self.tasks: list[asyncio.Task[Any]] = []
        self.version = 1
        self.seat: int | None = 0
        self.now = NOW
        self.goodbyes: list[tuple[datetime, Any]] = []
        self.waits: list[float] = []
        self.table: Any = SimpleNamespace(
            id=1,
            guild_id=1,
            channel_id=1,
            alone=False,
            is_at=lambda *where: where == (1, 1),
            phase=Phase.PLAYING,
            view=lambda: SimpleNamespace(version=self.version, over=False, unhurried=False, slow=False),
            seat_of=lambda _: self.seat,
            seat_view=lambda _: SimpleNamespace(),
        )
        self.message: Any = SimpleNamespace(posted=SimpleNamespace(id=None))
        clock = SimpleNamespace(
            now=lambda: self.now,
            schedule=lambda _, when, back: self.goodbyes.append((when, back)),
            after=lambda _, seconds, back: self.waits.append(seconds),
            cancel=lambda *_: None,
        )
        self.tools: Any = SimpleNamespace(
            gallery=Gallery(None, lambda: NOW, Meter(), lambda: None, common_form),
            clock=clock,
            manager=SimpleNamespace(awaiting=lambda _: []),
            meter=Meter(),
            spawn=self.spawn,
            display_for=lambda *_: Display(words("en")),
            follow_ups=FollowUps(30, lambda: 0.0),
        )
        self.panels = Panels(self.table, self.tools, self.message, Greeter(self.table, self.tools))

    @property
    def panel(self) -> Panel:
        return next(iter(self.panels))

    def spawn(self, work: Any) -> None:
        self.tasks.append(asyncio.create_task(work))

    def post(self, text: str) -> int:
        self.ids += 1
        self.there[self.ids] = text
        return self.ids

    async def write(self, method: str, message_id: int | None, view: Any = None) -> Any:
        self.requests.append((method, message_id))
        if (gate := self.gates.get(method)) is not None:
            await gate.wait()
        if refused := self.refuses.get(method):
            raise refused.popleft()
        if method == "POST":
            message_id = self.post(view.to_components()[0]["content"])
            if (gate := self.gates.get("response")) is not None:
                await gate.wait()
        assert message_id is not None
        if message_id not in self.there:
            raise refusal()
        if method == "DELETE":
            del self.there[message_id]
        elif method == "PATCH":
            self.there[message_id] = view.to_components()[0]["content"]
        return SimpleNamespace(id=message_id)

    def slow(self, method: str) -> asyncio.Event:
        self.gates[method] = asyncio.Event()
        return self.gates[method]

    def open(self, number: int) -> Slow:
        """Ana opens her panel."""
        interaction: Any = Interaction(self, number, None)
        reply = Slow(self, interaction)
        self.spawn(self.panels.panel_for(interaction).open(interaction))
        return reply

    def click(self, number: int, message_id: int, note: str | None = None, picking: Picking | None = None) -> Slow:
        """Ana clicks on a private message."""
        interaction: Any = Interaction(self, number, message_id)
        reply = Slow(self, interaction)
        self.spawn(self.panels.panel_for(interaction).answer(interaction, note, picking))
        return reply

    async def opened(self, number: int) -> int:
        self.open(number).taken.set()
        await self.breathe()
        return self.ids

    def posts_table(self) -> int:
        """The table is posted afresh."""
        self.ids += 1
        self.message.posted = SimpleNamespace(id=self.ids)
        self.panels.bring_up_to_date()
        return self.ids

    async def breathe(self) -> None:
        for _ in range(40):
            await asyncio.sleep(0)

    async def change(self) -> list[int]:
        """Change the table; returns which messages were updated."""
        self.version += 1
        self.requests.clear()
        self.panels.bring_up_to_date()
        await self.breathe()
        return [message_id or 0 for method, message_id in self.requests if method == "PATCH"]


def drawn(view: Any, *_: Any, note: str | None, picking: Picking | None, **__: Any) -> Layout:
    return notice(f"{view.version} {note} {'choosing' if picking else ''}")


@pytest.fixture
async def room(monkeypatch: pytest.MonkeyPatch) -> Room:
    monkeypatch.setattr(panel_module, "panel_layout", drawn)
    return Room()


# ------------------------------------------------------------------ opened several times


async def test_the_panel_opened_last_is_updated_and_the_older_one_goes(room: Room):
    await room.opened(10)
    last = await room.opened(20)
    assert list(room.there) == [last]
    assert await room.change() == [last]


@pytest.mark.parametrize("first", [10, 20])
async def test_of_two_panels_opened_at_once_the_one_that_discord_posts_last_stays(room: Room, first: int):
    replies = {10: room.open(10), 20: room.open(20)}
    await room.breathe()
    for number in (first, 30 - first):
        replies[number].taken.set()
        await room.breathe()
    assert list(room.there) == [room.ids]
    assert await room.change() == [room.ids]


@pytest.mark.parametrize("first", [20, 30])
async def test_dismissing_a_panel_while_others_are_opened_leaves_none_stale(room: Room, first: int):
    dismissed = await room.opened(10)
    replies = {20: room.open(20)}
    await room.breathe()
    del room.there[dismissed]
    room.panel.stop_following()  # as a running edit of the dismissed message does
    replies[30] = room.open(30)
    await room.breathe()
    for number in (first, 50 - first):
        replies[number].taken.set()
        await room.breathe()
        await room.change()
    assert list(room.there) == [room.ids]
    assert await room.change() == [room.ids]
    assert len(list(room.panels)) == 1


async def test_a_panel_that_wasnt_replaced_catches_up_with_what_it_missed(room: Room):
    await room.opened(10)
    reply = room.open(20)
    await room.breathe()
    room.panel.stop_following()
    assert await room.change() == []
    reply.taken.set()
    await room.breathe()
    assert [room.ids] == [number for method, number in room.requests if method == "PATCH"], "opened before the change"
    assert await room.change() == [room.ids]


# ------------------------------------------------------------------ the table posted afresh


async def test_a_panel_is_posted_again_below_the_table_and_the_older_one_deleted_after_that(room: Room):
    older = await room.opened(10)
    table = room.posts_table()
    await room.breathe()
    [newer] = room.there
    assert newer > table
    assert room.requests == [("POST", None), ("DELETE", older)]
    assert await room.change() == [newer]
    assert room.there == {newer: "2 None "}


async def test_it_stays_where_it_is_while_it_is_below_the_table(room: Room):
    room.posts_table()
    only = await room.opened(10)
    assert await room.change() == [only]
    assert list(room.there) == [only]


async def test_a_choice_under_way_and_its_note_go_with_it(room: Room):
    message_id = await room.opened(10)
    room.click(20, message_id, "Not fifteen.", Picking()).taken.set()
    await room.breathe()
    room.posts_table()
    await room.breathe()
    assert list(room.there.values()) == ["1 Not fifteen. choosing"]


async def test_a_table_posted_twice_in_a_row_ends_up_above_one_panel(room: Room):
    await room.opened(10)
    posting = room.slow("POST")
    room.posts_table()
    await room.breathe()
    newest = room.posts_table()
    room.gates.clear()
    posting.set()
    await room.breathe()
    assert len(room.there) == 1
    assert min(room.there) > newest
    newest = room.posts_table()
    await room.breathe()
    assert len(room.there) == 1
    assert min(room.there) > newest


async def test_without_room_for_a_follow_up_a_panel_goes_on_where_it_is(room: Room):
    message_id = await room.opened(10)
    for _ in range(20):
        await room.tools.follow_ups.turn("of others", new=True)
    table = room.posts_table()
    await room.breathe()
    assert await room.change() == [message_id]
    room.click(20, message_id).taken.set()
    await room.breathe()
    assert room.requests == [("PATCH", message_id)], "a click doesn't change where the panel is, and needs no edit"
    room.tools.follow_ups = FollowUps(30, lambda: 0.0)
    await room.change()
    assert len(room.there) == 1
    assert min(room.there) > table


async def test_a_panel_whose_token_is_gone_comes_below_the_table_with_the_next_click_on_it(room: Room):
    message_id = await room.opened(10)
    room.now += TOKEN_LIFE
    await room.goodbyes[-1][1]()
    assert STALE in room.there[message_id]
    table = room.posts_table()
    await room.breathe()
    assert list(room.there) == [message_id], "nothing can be sent"
    room.click(20, message_id).taken.set()
    await room.breathe()
    assert len(room.there) == 1
    assert min(room.there) > table


async def test_a_refused_follow_up_is_not_tried_again_below_the_same_table(room: Room):
    message_id = await room.opened(10)
    room.refuses["POST"] = deque([refusal(403, 50013)])
    room.posts_table()
    await room.breathe()
    assert room.requests == [("POST", None), ("PATCH", message_id)], "it is brought up to date where it is"
    assert await room.change() == [message_id]
    assert await room.change() == [message_id]
    table = room.posts_table()
    await room.breathe()
    assert len(room.there) == 1
    assert min(room.there) > table


@pytest.mark.parametrize(("status", "code"), [(404, 10008), (401, 50027), (404, 10015), (502, 0)])
async def test_an_older_panel_that_cant_be_deleted_goes_with_the_first_click_on_it(room: Room, status: int, code: int):
    older = await room.opened(10)
    room.refuses["DELETE"] = deque([refusal(status, code)])
    room.posts_table()
    await room.breathe()
    assert len(room.there) == 2
    newer = max(room.there)
    reply = room.click(20, older, "Not fifteen.", Picking())
    await room.breathe()
    assert reply.acknowledged
    assert room.there == {newer: "1 Not fifteen. choosing"}
    assert await room.change() == [newer]


@pytest.mark.parametrize("answered", ["before", "after"])
async def test_a_click_on_the_older_panel_while_the_newer_is_posted_is_shown_on_that(room: Room, answered: str):
    older = await room.opened(10)
    posting = room.slow("POST")
    room.posts_table()
    await room.breathe()
    room.now += timedelta(minutes=5)
    reply = room.click(20, older, "Not fifteen.", Picking())
    await room.breathe()
    for ready in [reply.taken, posting] if answered == "before" else [posting, reply.taken]:
        ready.set()
        await room.breathe()
    assert list(room.there.values()) == ["1 Not fifteen. choosing"]
    assert reply.acknowledged
    newer = max(room.there)
    assert newer != older
    assert await room.change() == [newer]
    assert room.goodbyes[-1][0] == NOW + TOKEN_LIFE, "its token is that of the first click, and lives no longer"


async def test_a_click_that_comes_while_the_older_panel_is_deleted_resurrects_nothing(room: Room):
    older = await room.opened(10)
    deleting = room.slow("DELETE")
    room.posts_table()
    await room.breathe()
    reply = room.click(20, older, "Not fifteen.", Picking())
    await room.breathe()
    deleting.set()
    await room.breathe()
    assert [number for method, number in room.requests if method == "DELETE"] == [older], "it is deleted only once"
    assert reply.acknowledged
    assert list(room.there.values()) == ["1 Not fifteen. choosing"]
    assert older not in room.there
    assert await room.change() == list(room.there)


@pytest.mark.parametrize("how", ["posted again", "opened"])
async def test_a_click_that_comes_before_discord_says_that_the_newer_panel_is_there_counts_on_it(room: Room, how: str):
    older = await room.opened(10)
    response = room.slow("response" if how == "posted again" else "answer")
    table = room.posts_table()
    if how == "opened":
        room.tools.follow_ups = FollowUps(1, lambda: 0.0)  # no room
        room.open(20).taken.set()
    await room.breathe()
    newer = max(room.there)
    assert newer > table
    room.click(30, newer, "Not fifteen.", Picking()).taken.set()
    await room.breathe()
    response.set()
    await room.breathe()
    assert room.there == {newer: "1 Not fifteen. choosing"}
    assert older != newer
    assert await room.change() == [newer]


@pytest.mark.parametrize("first", ["open", "post"])
async def test_opening_a_panel_while_it_is_posted_again_leaves_the_lower_one(room: Room, first: str):
    await room.opened(10)
    posting = room.slow("POST")
    table = room.posts_table()
    await room.breathe()
    reply = room.open(20)
    await room.breathe()
    for ready in [reply.taken, posting] if first == "open" else [posting, reply.taken]:
        ready.set()
        await room.breathe()
    assert list(room.there) == [room.ids]
    assert room.ids > table
    assert await room.change() == [room.ids]


async def test_a_panel_opened_above_the_one_that_is_posted_again_goes_even_if_discord_says_so_late(room: Room):
    await room.opened(10)
    posting, answering = room.slow("POST"), room.slow("answer")
    room.posts_table()
    await room.breathe()
    room.open(20).taken.set()
    await room.breathe()
    opened = max(room.there)
    posting.set()
    await room.breathe()
    answering.set()
    await room.breathe()
    [newer] = room.there
    assert newer > opened
    assert await room.change() == [newer]


async def test_a_panel_that_is_given_up_while_it_is_posted_again_comes_back_nowhere(room: Room):
    older = await room.opened(10)
    posting = room.slow("POST")
    room.posts_table()
    await room.breathe()
    room.panel.stop_following()  # the channel is gone
    posting.set()
    await room.breathe()
    assert list(room.there) == [older]
    assert await room.change() == []


async def test_a_goodbye_goes_to_the_panel_that_is_being_posted(room: Room):
    await room.opened(10)
    posting = room.slow("POST")
    table = room.posts_table()
    await room.breathe()
    room.now += TOKEN_LIFE
    room.spawn(room.goodbyes[-1][1]())
    await room.breathe()
    posting.set()
    await room.breathe()
    [(newer, says)] = room.there.items()
    assert newer > table
    assert STALE in says


async def test_a_goodbye_that_a_click_has_overtaken_leaves_the_panel_following(room: Room):
    message_id = await room.opened(10)
    room.now += TOKEN_LIFE
    due = room.goodbyes[-1][1]
    room.click(20, message_id).taken.set()
    await room.breathe()
    await due()
    assert await room.change() == [message_id]


async def test_a_stopping_bot_finishes_posting_and_deleting_and_says_so_on_the_newer(room: Room):
    older = await room.opened(10)
    posting = room.slow("POST")
    room.posts_table()
    await room.breathe()
    room.panels.close()
    settling = asyncio.create_task(room.panel.surface.settle())
    await room.breathe()
    assert not settling.done()
    posting.set()
    await room.breathe()
    assert settling.done()
    [newer] = room.there
    assert newer != older
    await room.panel.say_back_soon()
    assert "I'll be back" in room.there[newer]


@pytest.mark.parametrize("phase", [Phase.CANCELLED, Phase.ABANDONED])
async def test_nothing_is_posted_for_a_game_without_a_result_or_somebody_without_a_seat(room: Room, phase: Phase):
    message_id = await room.opened(10)
    if phase is Phase.CANCELLED:
        room.table.phase = phase
    else:
        room.seat = None
    room.posts_table()
    await room.breathe()
    assert room.requests == [("PATCH", message_id)]


async def test_after_each_further_failure_a_panel_waits_longer_until_one_of_its_edits_succeeds(room: Room):
    await room.opened(10)
    for failures in (1, 1, 0, 1):
        room.refuses["PATCH"] = deque([refusal(503, 0)] * failures)
        await room.change()
    first, second, third = room.waits
    assert second == 2 * first
    assert third == first
