"""When a table's pings are sent, edited and deleted, on a channel whose requests wait for their turn."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.platform.kit.host import Tools
from bot.platform.operating.meter import Meter
from bot.platform.place import Spot
from bot.platform.transport.channels import NOBODY
from bot.platform.transport.turns import Priority
from bot.tables.boards.pings import Pings
from bot.tables.live.view import TableView
from bot.tables.settings import TurnNotice
from tests.support.errors import Expected
from tests.tables.screens.test_next_ping import AWAY, BEA, CANCELLED, MOVED_ON, NOON, PLAYING, STARTED_OVER


class Channel:
    """A table's channel: requests wait until `gate` is open."""

    def __init__(self, view: TableView = PLAYING) -> None:
        self.gate = asyncio.Event()
        self.gate.set()
        self.view = view
        self.notice = TurnNotice.LATER
        self.asked: list[Priority] = []
        self.sent: list[tuple[str, int, str, list[int]]] = []
        self.noted: dict[str, str | None] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.preferences = SimpleNamespace(cached=lambda person_id, kind: kind(turn_notice=self.notice))
        self.clock = SimpleNamespace(now=lambda: NOON, after=lambda key, seconds, again: self.waits.append(seconds))
        self.waits: list[float] = []
        self.errors: list[Exception] = []
        """The errors that the next requests raise."""
        table: Any = SimpleNamespace(id=1, spot=Spot(1, 1), locale="en", view=lambda: self.view)
        tools: Any = SimpleNamespace(
            channels=self,
            preferences=self.preferences,
            pingable=lambda _: self.notice is not TurnNotice.NEVER,
            meter=Meter(),
            willing=lambda people: Tools.willing(tools, people),
            tellable=lambda people: Tools.tellable(tools, people),
            clock=self.clock,
            values=self,
            spawn=self.spawn,
        )
        self.message: Any = SimpleNamespace(url="https://discord.example/1")
        self.pings = Pings(table, tools, self.message)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def settle(self) -> None:
        while self.tasks:
            await asyncio.gather(*self.tasks)

    async def wait_in_line(self) -> None:
        """Let every task run until it waits for its turn."""
        for _ in range(5):
            await asyncio.sleep(0)

    # ------------------------------------------------------------------ as the bot calls it

    @asynccontextmanager
    async def turn(self, table: object, priority: Priority, *, edits: bool = True) -> AsyncIterator[str]:
        self.asked.append(priority)
        await self.gate.wait()
        yield "ticket"

    async def post_text(self, ticket: str, table: object, text: str, *, nonce: str, allowed_mentions: Any) -> int:
        number = 100 + len(self.sent)
        self.send("post", number, text, allowed_mentions)
        return number

    async def edit_text(self, ticket: str, table: object, number: int, text: str, *, allowed_mentions: Any) -> None:
        self.send("edit", number, text, allowed_mentions)

    async def delete(self, ticket: str, table: object, number: int) -> None:
        self.send("delete", number, "", NOBODY)

    async def unarchive(self, ticket: str, table: object) -> None:
        self.send("unarchive", 0, "", NOBODY)

    def send(self, what: str, number: int, text: str, allowed_mentions: Any) -> None:
        if self.errors:
            raise self.errors.pop(0)
        self.sent.append((what, number, text, [user.id for user in allowed_mentions.users or ()]))

    async def set(self, key: str, value: str | None) -> None:
        self.noted[key] = value

    @property
    def what(self) -> list[str]:
        return [each[0] for each in self.sent]


ANA = PLAYING.seats[0].person_id or 0


@pytest.mark.parametrize("how", ["moved", "clicked", "away"])
async def test_whether_it_is_still_their_turn_is_checked_just_before_sending(how: str):
    channel = Channel()
    channel.gate.clear()
    channel.pings.ping()
    await channel.wait_in_line()
    assert channel.asked == [Priority.POST]
    if how == "clicked":
        channel.pings.seen_by(ANA)
    else:
        channel.view = MOVED_ON if how == "moved" else AWAY
        channel.pings.bring_up_to_date()
    channel.gate.set()
    await channel.settle()
    assert channel.sent == []


async def test_a_click_of_somebody_else_stops_no_ping():
    channel = Channel()
    channel.gate.clear()
    channel.pings.ping()
    await channel.wait_in_line()
    channel.pings.seen_by(BEA)
    channel.gate.set()
    await channel.settle()
    assert channel.what == ["post"]


async def test_a_click_while_its_ping_is_being_sent_deletes_it():
    channel = Channel()
    post = channel.post_text

    async def slow(*args: Any, **rest: Any) -> int:
        channel.pings.seen_by(ANA)
        return await post(*args, **rest)

    channel.post_text = slow
    channel.pings.ping()
    await channel.settle()
    assert channel.what == ["post", "delete"]
    assert set(channel.noted.values()) == {None}


async def test_editing_and_deleting_have_low_priority():
    channel = Channel()
    channel.pings.ping()
    await channel.settle()
    channel.view = AWAY
    channel.pings.bring_up_to_date()
    await channel.settle()
    channel.pings.seen_by(ANA)
    await channel.settle()
    assert channel.what == ["post", "edit", "delete"]
    assert channel.asked == [Priority.POST, Priority.LEFT_BEHIND, Priority.LEFT_BEHIND]


async def test_an_edit_that_waits_is_not_sent_before_the_message_is_deleted():
    channel = Channel()
    channel.pings.ping()
    await channel.settle()
    channel.gate.clear()
    channel.view = AWAY
    channel.pings.bring_up_to_date()
    await channel.wait_in_line()
    channel.pings.seen_by(ANA)
    channel.pings.bring_up_to_date()
    channel.gate.set()
    await channel.settle()
    assert channel.what == ["post", "delete"]


async def test_a_ping_keeps_its_mention_when_it_is_edited():
    channel = Channel()
    channel.pings.ping()
    await channel.settle()
    channel.pings.ping(warns=True)
    await channel.settle()
    channel.view = AWAY
    channel.pings.bring_up_to_date()
    await channel.settle()
    assert channel.what == ["post", "edit", "edit"]
    assert all(f"<@{ANA}>" in text and users == [ANA] for _, _, text, users in channel.sent)
    assert [text.count("⏰") for _, _, text, _ in channel.sent] == [0, 1, 0]


async def test_people_who_never_want_to_be_notified_are_mentioned_without_being_notified():
    channel = Channel()
    channel.notice = TurnNotice.NEVER
    channel.pings.ping(warns=True)
    await channel.settle()
    channel.view = AWAY
    channel.pings.bring_up_to_date()
    await channel.settle()
    assert [(what, users) for what, _, _, users in channel.sent] == [("post", []), ("delete", [])]


async def test_a_silent_ping_stays_silent_when_it_is_edited():
    channel = Channel()
    channel.notice = TurnNotice.NEVER
    channel.pings.ping(warns=True)
    await channel.settle()
    channel.view = STARTED_OVER
    channel.pings.bring_up_to_date()
    await channel.settle()
    assert [(what, users) for what, _, _, users in channel.sent] == [("post", []), ("edit", [])]


def refusal(status: int, code: int = 0) -> discord.HTTPException:
    kind = discord.Forbidden if status == 403 else discord.HTTPException
    return kind(SimpleNamespace(status=status, reason=""), {"code": code, "message": ""})  # pyright: ignore


async def test_a_ping_that_could_not_be_deleted_goes_when_the_table_changes_next():
    channel = Channel()
    channel.pings.ping()
    await channel.settle()
    channel.errors = [refusal(503)]
    channel.pings.seen_by(ANA)
    await channel.settle()
    assert channel.what == ["post"]
    assert None not in channel.noted.values(), "a restarted bot would delete it, too"
    channel.pings.bring_up_to_date()
    await channel.settle()
    assert channel.what == ["post", "delete"]
    assert set(channel.noted.values()) == {None}


@pytest.mark.parametrize("view", [AWAY, MOVED_ON], ids=["edited", "deleted"])
async def test_a_ping_in_an_archived_thread_is_changed_once_that_is_unarchived(view: TableView):
    channel = Channel()
    channel.pings.ping()
    await channel.settle()
    channel.errors, channel.view = [*channel.errors, refusal(400, 50083)], view
    channel.pings.bring_up_to_date()
    await channel.settle()
    assert channel.what == ["post", "unarchive", "edit" if view is AWAY else "delete"]


async def test_a_game_that_ends_without_a_result_leaves_its_thread_and_pings_as_they_are():
    channel = Channel()
    channel.pings.ping()
    await channel.settle()
    channel.errors, channel.view = [*channel.errors, refusal(400, 50083)], CANCELLED
    channel.pings.bring_up_to_date()
    await channel.settle()
    assert channel.what == ["post"]


@pytest.mark.parametrize("errors", [[(403, 50013)], [(400, 50083), (403, 50013)]], ids=["no permission", "locked"])
async def test_in_a_channel_that_takes_no_changes_a_ping_waits_for_the_tables_next_message(
    errors: list[tuple[int, int]],
):
    channel = Channel()
    channel.pings.ping()
    await channel.settle()
    channel.errors += [refusal(*each) for each in errors]
    channel.view = AWAY
    for _ in range(3):
        channel.pings.bring_up_to_date()
        await channel.settle()
    assert len(channel.asked) == 2, "each further attempt would count towards a ban"
    channel.view = MOVED_ON
    channel.message.url = "https://discord.example/2"
    channel.pings.bring_up_to_date()
    await channel.settle()
    assert channel.what == ["post", "delete"]


async def test_nothing_is_kept_of_a_ping_that_takes_no_changes_when_the_game_is_over():
    channel = Channel()
    channel.pings.ping()
    await channel.settle()
    channel.errors = [refusal(403, 50013)]
    channel.pings.seen_by(ANA)
    await channel.settle()
    channel.view = CANCELLED
    channel.pings.bring_up_to_date()
    await channel.settle()
    assert channel.what == ["post"]
    assert set(channel.noted.values()) == {None}


async def test_a_ping_that_discord_objects_to_is_an_error_for_the_log(expected_errors: Expected):
    expected_errors.append(("bot.tables.boards.pings", "refused a ping"))
    channel = Channel()
    channel.errors = [refusal(400, 50035)]
    for _ in range(2):
        channel.pings.ping()
        await channel.settle()
    assert len(channel.asked) == 1


async def test_a_ping_that_discord_limits_is_not_tried_again_before_discord_says():
    channel = Channel()
    channel.errors.append(discord.RateLimited(600))
    channel.pings.ping()
    await channel.settle()
    assert len(channel.waits) == 1
    assert channel.waits[0] >= 600


async def test_another_bot_takes_over_a_ping():
    channel = Channel()
    channel.pings.ping()
    await channel.settle()
    [text] = channel.noted.values()
    assert text is not None
    later = Channel()
    assert later.pings.recall(text), "its player has been notified"
    await later.settle()
    assert later.sent == []
    later.pings.seen_by(ANA)
    await later.settle()
    assert later.what == ["delete"]
    moved = Channel(replace(MOVED_ON))
    assert not moved.pings.recall(text)
    await moved.settle()
    assert moved.what == ["delete"]
