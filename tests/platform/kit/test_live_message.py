"""How a message of ours lives on Discord: posted, edited, replaced, found again, and quiet where it may not be."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Hashable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.cards.pictures.emojis import common_form
from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.kit.channel_access import (
    FIRST_WAIT,
    LONGEST_WAIT,
    MUTED_WAIT,
    PROBE_SECONDS,
    Backoff,
    RefusingChannels,
)
from bot.platform.kit.live_message import LiveMessage, MessageStep, Need, finish
from bot.platform.layout import Layout, notice
from bot.platform.operating.meter import Meter
from bot.platform.transport.files import Sent
from bot.platform.transport.gallery import AGAIN_SECONDS, Gallery
from bot.platform.transport.picture_access import FEW, REST, UploadRoute
from bot.platform.transport.trouble import ARCHIVED, OLD_MESSAGE, UNKNOWN_MESSAGE
from bot.platform.transport.turns import Priority
from tests.platform.transport.test_gallery import refusal
from tests.platform.transport.test_shown import ONE, with_picture
from tests.support.errors import Expected

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
MUTED, UNKNOWN, BROKEN = refusal(403, 50013), refusal(404, 10003), refusal(503)


class Clock:
    def __init__(self) -> None:
        self.time = NOON
        self.due: dict[Hashable, tuple[datetime, Callable[[], Awaitable[None]]]] = {}

    def now(self) -> datetime:
        return self.time

    def schedule(self, key: Hashable, when: datetime, callback: Callable[[], Awaitable[None]]) -> None:
        self.due[key] = when, callback

    def after(self, key: Hashable, seconds: float, callback: Callable[[], Awaitable[None]]) -> datetime:
        self.schedule(key, when := self.time + timedelta(seconds=seconds), callback)
        return when

    def cancel(self, key: Hashable) -> None:
        self.due.pop(key, None)


class Channel:
    """A channel on a Discord that knows nonces; `errors`: what the next requests meet, None for nothing."""

    def __init__(self) -> None:
        self.there: dict[int, str] = {}
        self.nonces: dict[str, int] = {}
        self.requests: list[str] = []
        self.asked: list[Priority] = []
        self.errors: list[Exception | None] = []
        self.gone = False
        self.judged: list[timedelta] = []
        self.loses_answer = False
        """Whether the connection breaks once the next message is posted."""
        self.gate = asyncio.Event()
        self.gate.set()
        self.ids = 100

    async def is_gone(self, place: Any, refused_for: timedelta) -> bool:
        self.judged.append(refused_for)
        return self.gone

    @asynccontextmanager
    async def turn(self, place: object, priority: Priority, *, edits: bool = True) -> AsyncGenerator[str]:
        self.asked.append(priority)
        await self.gate.wait()
        yield "ticket"

    def _request(self, what: str) -> None:
        self.requests.append(what)
        if self.errors and (error := self.errors.pop(0)) is not None:
            raise error

    async def post(self, ticket: str, place: object, layout: Layout, *, nonce: str, allowed_mentions: Any) -> Sent:
        self._request("post")
        if nonce not in self.nonces:
            self.ids += 1
            self.nonces[nonce] = self.ids
            self.there[self.ids] = text_of(layout)
        if self.loses_answer:
            self.loses_answer = False
            raise ConnectionError
        if self.nonces[nonce] not in self.there:
            raise refusal(404, UNKNOWN_MESSAGE)
        return Sent(self.nonces[nonce], None)

    async def edit(
        self, ticket: str, place: object, number: int, layout: Layout, files: Any, *, allowed_mentions: Any = None
    ) -> Sent:
        self._request("edit")
        if number not in self.there:
            raise refusal(404, UNKNOWN_MESSAGE)
        self.there[number] = text_of(layout)
        return Sent(number, None)

    async def unarchive(self, ticket: str, place: object) -> None:
        self._request("unarchive")


def text_of(layout: Layout) -> str:
    first = layout.components[0]
    return first["content"] if "content" in first else first["components"][0]["content"]


class Message(LiveMessage[str]):
    """A message that shows a word."""

    def __init__(self, channel: Channel, clock: Clock, message_id: int | None = None) -> None:
        self.tasks: list[asyncio.Task[None]] = []
        self.tools: Any = SimpleNamespace(
            channels=channel,
            clock=clock,
            gallery=Gallery(None, clock.now, Meter(), lambda: None, common_form),
            spawn=self.spawn,
            refusing=RefusingChannels(),
        )
        super().__init__(self.tools, "Message", 1)
        self.channel = channel
        self.clock = clock
        self.id = message_id
        self.word = "one"
        self.needs: Need | None = None
        self.wants_new = False
        self.worth_reposting = True
        self.fails: Exception | None = None
        self.told: list[str] = []

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self.tasks.append(asyncio.create_task(work))

    @property
    def place(self) -> Any:
        return SimpleNamespace(channel_id=1, guild_id=1)

    @property
    def message_id(self) -> int | None:
        return self.id

    def view(self) -> str:
        return self.word

    def need(self, view: str, *, shows: bool = False) -> Need:
        if self.needs is not None:
            return self.needs
        if self.id is None or self.wants_new:
            return Need(MessageStep.POST if self.id is None else MessageStep.REPLACE, Priority.POST)
        return Need(MessageStep.NOTHING if shows else MessageStep.EDIT)

    async def layout(self, view: str) -> Layout:
        if (error := self.fails) is not None:
            self.fails = None
            raise error
        return notice(view)

    def first_nonce(self, view: str) -> str:
        return "first"

    async def adopt(self, view: str, step: MessageStep, message_id: int | None) -> Layout | None:
        self.told.append(step.name)
        self.id, self.wants_new = message_id, False
        return notice("further down") if step is MessageStep.REPLACE else None

    def reposts(self, view: str, code: int) -> bool:
        return self.worth_reposting

    async def done(self, view: str) -> None:
        self.told.append(f"done {view}")

    async def refused(self, view: str, error: BaseException) -> None:
        self.told.append("refused")

    async def unseen(self, view: str, refused_for: timedelta) -> None:
        self.told.append(f"unseen for {refused_for}")

    async def lost(self, view: str) -> None:
        self.told.append("lost")

    # ------------------------------------------------------------------ what the tests do

    async def change(self, word: str) -> None:
        self.word = word
        self.surface.invalidate()
        await self.settle()

    async def settle(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)
        await self.surface.settle()

    async def wait(self, seconds: float) -> None:
        self.clock.time += timedelta(seconds=seconds)
        for key, (when, callback) in list(self.clock.due.items()):
            if when <= self.clock.time:
                del self.clock.due[key]
                await callback()
        await self.settle()

    @property
    def shows(self) -> str | None:
        return None if self.id is None else self.channel.there.get(self.id)


@pytest.fixture
async def message() -> Message:
    return Message(Channel(), Clock())


async def test_it_is_posted_once_and_edited_from_then_on(message: Message) -> None:
    for word in ("one", "two", "two"):
        await message.change(word)
    assert message.channel.requests == ["post", "edit"]
    assert message.channel.asked == [Priority.POST, Priority.LIVE, Priority.LIVE]
    assert message.channel.there == {101: "two"}
    assert message.told == ["POST", "done one", "done two", "done two"]


async def test_where_nothing_is_needed_no_turn_is_taken(message: Message) -> None:
    message.needs = Need(MessageStep.NOTHING)
    await message.change("two")
    assert message.channel.asked == []
    assert message.told == ["done two"]


async def test_it_waits_until_the_time_that_the_decision_names(message: Message) -> None:
    message.needs = Need(MessageStep.WAIT, look_at=NOON + timedelta(seconds=9))
    await message.change("two")
    await message.wait(8)
    message.needs = None
    assert (message.channel.asked, message.told) == ([], [])
    await message.wait(1)
    assert message.shows == "two"


async def test_whether_it_has_to_wait_is_asked_again_when_its_turn_has_come(message: Message) -> None:
    message.channel.gate.clear()
    message.surface.invalidate()
    await asyncio.sleep(0)
    message.needs = Need(MessageStep.WAIT)
    message.channel.gate.set()
    await message.settle()
    assert (message.channel.requests, message.told) == ([], [])


# ------------------------------------------------------------------ nonces


async def test_a_message_whose_answer_got_lost_is_found_again_and_shows_the_newest_state(message: Message) -> None:
    message.channel.loses_answer = True
    await message.change("one")
    await message.change("two")
    assert message.channel.there == {101: "two"}, "Discord has returned it as it was"
    assert message.channel.requests == ["post", "post", "edit"]


@pytest.mark.parametrize("older", [None, 100])
async def test_after_a_restart_a_message_that_was_not_noted_is_found_again_and_brought_up_to_date(
    older: int | None,
) -> None:
    channel, clock = Channel(), Clock()
    before, after = Message(channel, clock, older), Message(channel, clock, older)
    before.wants_new = after.wants_new = after.recalled = True
    await before.change("one")
    await after.change("two")
    assert channel.there == {101: "two"}
    assert list(channel.nonces) == ["first" if older is None else "m100"]


async def test_a_message_that_replaces_another_has_a_nonce_of_its_own(message: Message) -> None:
    await message.change("one")
    message.channel.there.clear()
    await message.change("two")
    assert list(message.channel.nonces) == ["first", "m101"]
    assert message.shows == "two"
    assert message.channel.requests == ["post", "edit", "post"], "what it shows is known"


# ------------------------------------------------------------------ refused edits


@pytest.mark.parametrize(
    ("code", "step"),
    [
        pytest.param(UNKNOWN_MESSAGE, MessageStep.POST, id="a deleted message is posted again"),
        pytest.param(OLD_MESSAGE, MessageStep.REPLACE, id="one that was edited too often is replaced"),
    ],
)
async def test_a_refused_edit_is_made_up_for_by_a_message(message: Message, code: int, step: MessageStep) -> None:
    await message.change("one")
    message.channel.errors = [refusal(400, code)]
    await message.change("two")
    assert (message.shows, message.id) == ("two", 102)
    assert message.told[2:] == [step.name, "done two"]
    assert message.channel.asked[1:3] == [Priority.LIVE, Priority.POST]


async def test_a_message_in_an_archived_thread_is_edited_once_that_is_unarchived(message: Message) -> None:
    await message.change("one")
    message.channel.errors = [refusal(400, ARCHIVED)]
    await message.change("two")
    assert (message.shows, message.id) == ("two", 101)
    assert message.channel.requests == ["post", "edit", "unarchive", "edit"]


async def test_one_in_a_locked_thread_waits_as_in_any_channel_that_refuses_it(message: Message) -> None:
    await message.change("one")
    message.channel.errors = [refusal(400, ARCHIVED), refusal(403, 50013)]
    await message.change("two")
    assert message.channel.requests == ["post", "edit", "unarchive"]
    assert message.told[2:] == ["unseen for 0:00:00"]


@pytest.mark.parametrize(("code", "worth"), [(UNKNOWN_MESSAGE, False), (50035, True)])
async def test_otherwise_its_subject_is_told(message: Message, code: int, worth: bool) -> None:
    await message.change("one")
    message.worth_reposting = worth
    message.channel.errors = [refusal(400, code)]
    await message.change("two")
    assert message.told[2:] == ["refused"]
    await message.wait(2 * LONGEST_WAIT)
    assert message.channel.requests == ["post", "edit"], "trying again wouldn't help"


# ------------------------------------------------------------------ falling silent


async def test_where_it_is_muted_it_is_left_alone_until_a_probe(message: Message) -> None:
    await message.change("one")
    message.channel.errors = [MUTED]
    await message.change("two")
    for word in ("three", "two"):
        await message.change(word)
        await message.wait(2 * LONGEST_WAIT)
    assert message.channel.requests == ["post", "edit"], "each further attempt would count towards a ban"
    assert message.access.probe()
    await message.change("three")
    assert message.shows == "three"
    assert message.told[2:] == ["unseen for 0:00:00", "done three"]
    assert not message.access.muted


async def test_where_it_is_muted_it_tries_again_every_hour(message: Message) -> None:
    await message.change("one")
    message.channel.errors = [MUTED, MUTED]
    await message.change("two")
    hour = MUTED_WAIT * 1.25
    await message.wait(hour)
    assert message.channel.requests == ["post", "edit", "edit"]
    await message.wait(hour)
    assert (message.shows, message.access.muted) == ("two", False)


async def test_where_it_is_muted_it_tries_again_when_something_has_changed_on_the_server(message: Message) -> None:
    await message.change("one")
    message.channel.errors = [MUTED]
    await message.change("two")
    message.tools.refusing.look_again(2)
    await message.settle()
    assert message.channel.requests == ["post", "edit"], "that was another server"
    message.tools.refusing.look_again(1)
    await message.settle()
    assert message.shows == "two"


async def test_one_answer_that_the_channel_is_unknown_is_not_believed(message: Message) -> None:
    await message.change("one")
    message.channel.errors = [UNKNOWN]
    await message.change("two")
    assert message.told[2:] == ["unseen for 0:00:00"]
    assert message.channel.judged == [timedelta()]
    await message.wait(FIRST_WAIT * 1.25)
    assert message.shows == "two"
    message.channel.errors = [UNKNOWN]
    await message.change("three")
    assert message.channel.judged[1:] == [timedelta()], "it has taken a message meanwhile"


async def test_a_channel_that_is_judged_to_be_gone_is_left_alone_for_good(message: Message) -> None:
    await message.change("one")
    message.channel.gone = True
    message.channel.errors = [UNKNOWN]
    await message.change("two")
    assert message.told[2:] == ["lost"]
    message.tools.refusing.look_again(1)
    await message.change("three")
    await message.wait(100 * MUTED_WAIT)
    assert message.channel.requests == ["post", "edit"]


async def test_a_probe_sends_something_even_if_it_is_known_to_show_everything(message: Message) -> None:
    await message.change("one")
    message.access.mute()
    assert message.access.probe()
    await message.change("one")
    assert message.channel.requests == ["post", "edit"]
    assert not message.access.muted


@pytest.mark.parametrize("refused", [MUTED, UNKNOWN], ids=["muted", "unknown"])
async def test_after_a_refused_probe_no_other_is_made_for_a_moment(message: Message, refused: Exception) -> None:
    message.channel.errors = [MUTED, refused]
    await message.change("one")
    assert message.access.probe()
    await message.change("two")
    assert not message.access.probe()
    await message.change("three")
    assert message.channel.requests == ["post", "post"]
    await message.wait(PROBE_SECONDS)
    assert message.access.probe()


# ------------------------------------------------------------------ trying again


@pytest.mark.parametrize("error", [BROKEN, ConnectionError()], ids=["server error", "no connection"])
async def test_after_a_passing_failure_it_is_tried_again_later_and_later(message: Message, error: Exception) -> None:
    message.channel.errors = [error, error]
    await message.change("one")
    await message.wait(FIRST_WAIT * 1.3)
    assert message.channel.requests == ["post", "post"]
    await message.wait(FIRST_WAIT * 1.3)
    assert message.channel.requests == ["post", "post"]
    await message.wait(FIRST_WAIT)
    assert message.shows == "one"
    message.channel.errors = [error]
    await message.change("two")
    await message.wait(FIRST_WAIT * 1.3)
    assert message.shows == "two", "after a success it begins again"


async def test_a_change_is_tried_at_once_and_a_success_needs_no_further_attempt(message: Message) -> None:
    message.channel.errors = [BROKEN, BROKEN]
    await message.change("one")
    due = dict(message.clock.due)
    await message.change("two")
    assert message.clock.due == due, "the next attempt stays when it was scheduled"
    await message.change("three")
    assert message.shows == "three"
    assert message.clock.due == {}


async def test_a_message_that_replaces_one_that_could_not_be_edited_needs_no_further_attempt(message: Message) -> None:
    await message.change("one")
    message.channel.errors = [BROKEN]
    await message.change("two")
    message.wants_new = True
    await message.change("two")
    assert message.channel.requests[:3] == ["post", "edit", "post"]
    assert message.clock.due == {}


async def test_nothing_is_sent_before_the_time_that_discord_names(message: Message) -> None:
    message.channel.errors = [discord.RateLimited(600)]
    await message.change("one")
    await message.wait(599)
    await message.change("two")
    assert message.channel.requests == ["post"]
    await message.wait(600 * 0.3)
    assert message.shows == "two"


async def test_if_the_store_fails_it_is_tried_again(message: Message) -> None:
    message.fails = StoreUnavailable(Fault.DISK_FULL, "the disk is full")
    await message.change("one")
    assert message.channel.requests == []
    await message.wait(FIRST_WAIT * 1.3)
    assert message.shows == "one"


async def test_an_unexpected_failure_is_logged_and_tried_again(message: Message, expected_errors: Expected) -> None:
    expected_errors.append(("bot.platform.kit.live_message", r"(?s)^Message 1 could not be shown.*on purpose"))
    message.fails = ValueError("on purpose")
    await message.change("one")
    await message.wait(FIRST_WAIT * 1.3)
    assert message.shows == "one"


def test_waits_double_up_to_the_longest_and_begin_again_after_a_success() -> None:
    backoff = Backoff(1, first=10, longest=60)
    assert [backoff.seconds_after(BROKEN) for _ in range(5)] == [10, 20, 40, 60, 60]
    backoff.reset()
    assert backoff.seconds_after(BROKEN) == 10


def test_waits_are_as_long_as_discord_says_and_differ() -> None:
    limited = [Backoff(number).seconds_after(discord.RateLimited(600)) for number in range(1, 100)]
    assert all(600 <= each <= 750 for each in limited)
    assert len(set(limited)) == len(limited)


# ------------------------------------------------------------------ what was replaced, and the end


async def test_a_replaced_message_shows_what_its_subject_says_and_nothing_depends_on_that(message: Message) -> None:
    await message.change("one")
    message.wants_new = True
    await message.change("two")
    await asyncio.gather(*message.tasks)
    assert message.channel.there[101] == "further down"
    for error in (BROKEN, MUTED):
        message.channel.errors = [error]
        await message.leave(101, notice("elsewhere"))
    assert message.channel.there[101] == "further down"
    assert message.channel.asked[-1] is Priority.LEFT_BEHIND
    assert not message.access.muted


async def test_nothing_is_sent_before_a_time_that_its_subject_names_unless_there_is_a_reason(message: Message) -> None:
    message.access.close_until(NOON + timedelta(minutes=2))
    await message.change("one")
    assert message.channel.requests == []
    await message.wait(120)
    assert message.shows == "one"
    message.access.close_until(NOON + timedelta(minutes=9))
    message.access.open()
    await message.change("two")
    assert message.shows == "two"


async def test_a_click_is_answered_with_the_newest_state_and_needs_no_edit(message: Message) -> None:
    await message.change("one")
    answers: list[str] = []

    async def update(layout: Layout, files: Any, *, allowed_mentions: Any) -> Sent:
        answers.append(text_of(layout))
        return Sent(message.id, None)

    reply: Any = SimpleNamespace(update=update, route=UploadRoute.ANSWERS)
    with message.surface.held():
        message.word = "two"
        message.surface.invalidate()
        await message.answer_with(reply, message.view())
    await message.settle()
    assert (answers, message.channel.requests) == (["two"], ["post"])
    assert message.channel.asked == [Priority.POST], "nor a turn to find that out"
    await message.change("two")
    assert message.channel.requests == ["post"], "it is known to show that"


async def test_in_the_end_what_is_under_way_is_finished_and_nothing_begins(message: Message) -> None:
    posting = asyncio.Event()
    post = message.channel.post

    async def slow(*args: Any, **options: Any) -> Sent:
        await posting.wait()
        return await post(*args, **options)

    message.channel.post = slow
    message.surface.invalidate()
    await asyncio.sleep(0.001)
    finishing = asyncio.create_task(finish([message]))
    await asyncio.sleep(0)
    assert not finishing.done()
    posting.set()
    await finishing
    await message.change("two")
    assert message.channel.there == {101: "one"}


async def test_a_message_whose_nonce_was_used_by_a_deleted_one_is_posted_with_another(message: Message) -> None:
    channel = message.channel
    await message.change("one")
    assert message.id is not None
    del channel.there[message.id]
    message.id = None
    await message.change("two")
    assert channel.there == {message.id: "two"}
    assert channel.requests == ["post", "post", "post"]


class Pictured(Message):
    """A message that shows a picture, too."""

    async def layout(self, view: str) -> Layout:
        return with_picture(ONE, view)


async def test_a_picture_that_did_not_get_through_is_shown_later() -> None:
    message = Pictured(channel := PictureChannel(), Clock())
    channel.errors = [BROKEN]
    await message.change("one")
    assert channel.pictures == [False]
    await message.wait(AGAIN_SECONDS)
    assert channel.pictures == [False, True]
    await message.wait(AGAIN_SECONDS)
    assert channel.pictures == [False, True]


async def test_while_pictures_rest_a_message_waits_for_its_own_in_words() -> None:
    message = Pictured(channel := PictureChannel(), Clock())
    channel.errors = [BROKEN, None] * (1 + FEW)
    for word in "abcd":  # it is posted, and then edited
        await message.change(word)
    in_words = [False] * (1 + FEW)
    assert channel.pictures == in_words
    await message.wait(AGAIN_SECONDS)
    assert channel.pictures == in_words
    message.clock.time += REST
    await message.wait(AGAIN_SECONDS)
    assert channel.pictures == [*in_words, True]


class PictureChannel(Channel):
    """Records which of the messages and edits that it takes have a picture."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures: list[bool] = []

    async def post(self, ticket: str, place: object, layout: Layout, *, nonce: str, allowed_mentions: Any) -> Sent:
        sent = await super().post(ticket, place, layout, nonce=nonce, allowed_mentions=allowed_mentions)
        self.pictures.append(layout.picture is not None)
        return sent

    async def edit(
        self, ticket: str, place: object, number: int, layout: Layout, files: Any, *, allowed_mentions: Any = None
    ) -> Sent:
        sent = await super().edit(ticket, place, number, layout, files, allowed_mentions=allowed_mentions)
        self.pictures.append(layout.picture is not None)
        return sent
