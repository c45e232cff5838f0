"""Whatever becomes of files and of first answers on the way, a click is answered in time, and shows what it should."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, NamedTuple

import aiohttp
import discord
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cards.pictures.emojis import common_form
from bot.platform.layout import Layout
from bot.platform.operating.meter import Meter
from bot.platform.transport.files import Shown
from bot.platform.transport.gallery import Gallery
from bot.platform.transport.picture_access import FEW, REST, UploadRoute
from bot.platform.transport.reply import LAST_SECONDS, Reply
from tests.platform.transport.test_gallery import refusal
from tests.platform.transport.test_shown import ONE, with_picture
from tests.support.dose import dose

IN_TIME = 1.5
GIVEN_UP = 3.0


class QuickLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes at once whenever nothing is left to do."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds = 0.0
        selector: Any = self._selector  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
        select = selector.select

        def at_once(timeout: float | None = None) -> Any:
            found = select(0)
            if not found and timeout:
                self.seconds += timeout
            return found

        selector.select = at_once

    def time(self) -> float:
        return self.seconds


class Fate(NamedTuple):
    """What becomes of a request: whether Discord gets it, after how long, and what the bot hears (0: nothing)."""

    arrives: bool = True
    seconds: float = 0.05
    status: int = 200


@dataclass
class Sending:
    """A request: when it was sent, whether it is the first answer to the click, and with a file."""

    at: float
    first: bool
    upload: bool


class BadDay:
    """A Discord on which each request has a fate, by its kind. It takes one first answer within three seconds."""

    def __init__(self, fates: dict[str, list[Fate]]) -> None:
        self.fates = fates
        self.sent: list[Sending] = []
        self.answered = False
        self.shows = ""
        self._on_the_way: set[asyncio.Task[Any]] = set()

    async def request(self, content: str, *, first: bool, upload: bool) -> Any:
        """Send a request, which goes on even if the bot no longer waits for it."""
        now = asyncio.get_running_loop().time()
        self.sent.append(Sending(now, first, upload))
        kind = f"{'first' if first else 'edit'} {'upload' if upload else 'words'}"
        fates = self.fates.get(kind, [])
        fate = fates.pop(0) if fates else Fate()
        task = asyncio.create_task(self._serve(fate, content, first=first))
        self._on_the_way.add(task)
        task.add_done_callback(lambda done: self._on_the_way.discard(done) or done.exception())
        await asyncio.wait({task})  # not shield: from Python 3.14 on, that logs whatever happens once nobody waits
        return task.result()

    async def _serve(self, fate: Fate, content: str, *, first: bool) -> Any:
        await asyncio.sleep(fate.seconds)
        if fate.arrives and first:
            if self.answered:
                raise refusal(400, 40060)
            if asyncio.get_running_loop().time() > GIVEN_UP:
                raise refusal(404, 10062)
            self.answered = True
        if fate.arrives:
            self.shows = content
        if not fate.status:
            raise aiohttp.ClientConnectionError
        if fate.status >= 500:
            raise refusal(fate.status)
        return SimpleNamespace(id=1, message_id=1, resource=None, attachments=[], components=[])

    async def over(self) -> None:
        """Wait for all that is on the way."""
        while self._on_the_way:
            await asyncio.wait(set(self._on_the_way))


class Click:
    """discord.py's interaction and response, as far as they are used for a click."""

    def __init__(self, day: BadDay) -> None:
        self.id = 1
        self.type = discord.InteractionType.component
        self.message = object()
        self.extras: dict[str, Any] = {}
        self.response = self
        self._day = day
        self._done = False

    def is_done(self) -> bool:
        return self._done

    async def _first(self, content: str, *, upload: bool) -> Any:
        answer = await self._day.request(content, first=True, upload=upload)
        self._done = True
        return answer

    async def defer(self) -> None:
        await self._first("as before", upload=False)

    async def edit_message(self, *, view: Any, attachments: list[Any], allowed_mentions: Any) -> Any:
        return await self._first("the picture" if attachments else "words", upload=bool(attachments))

    async def edit_original_response(self, *, view: Any, attachments: list[Any], allowed_mentions: Any) -> Any:
        upload = bool(attachments)
        return await self._day.request("the picture" if upload else "words", first=False, upload=upload)


def on(day: BadDay, play: Callable[[Reply, Gallery, Layout], Any]) -> bool:
    """Answer a click on that day; returns whether the bot believes that it has."""

    async def answering() -> bool:
        interaction: Any = Click(day)
        now = datetime(2026, 3, 14, tzinfo=UTC)
        gallery = Gallery(None, lambda: now, Meter(), lambda: None, common_form)
        try:
            async with Reply(interaction) as reply:
                await play(reply, gallery, with_picture(ONE))
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            return False
        finally:
            await day.over()
        return True

    with asyncio.Runner(loop_factory=QuickLoop) as runner:
        return runner.run(answering())


async def at_once(reply: Reply, gallery: Gallery, layout: Layout) -> None:
    await gallery.edit(1, layout, Shown(), reply.update)


async def after_work(reply: Reply, gallery: Gallery, layout: Layout) -> None:
    await asyncio.sleep(2.0)
    await at_once(reply, gallery, layout)


fate = st.builds(
    Fate, st.booleans(), st.sampled_from([0.05, 0.4, 1.1, 2.5, 6.0]), st.sampled_from([0, 200, 500, 502, 503])
).filter(lambda each: each.arrives or each.status != 200)
fates = st.dictionaries(
    st.sampled_from(["first upload", "first words", "edit upload", "edit words"]), st.lists(fate, max_size=4)
)


@given(fates, st.sampled_from([at_once, after_work]))
@settings(max_examples=dose("EXAMPLES", 150))
def test_no_click_is_unanswered_for_which_discord_takes_any_answer(
    fates: dict[str, list[Fate]], play: Callable[[Reply, Gallery, Layout], Any]
) -> None:
    day = BadDay(fates)
    said = on(day, play)
    assert any(each.first and each.at < IN_TIME for each in day.sent), "something was sent in time"
    words = [each.at for each in day.sent if each.first and not each.upload]
    if day.sent[0].upload:
        assert not words or words[0] <= IN_TIME, "words overtake a file"
    if not day.answered:
        assert not said
        assert max(words) > LAST_SECONDS - IN_TIME, "words are sent again as long as there is time"
    if said:
        assert day.shows in ("the picture", "words")


def test_a_file_that_does_not_get_through_is_overtaken_by_words() -> None:
    day = BadDay({"first upload": [Fate(seconds=6.0)]})
    assert on(day, at_once)
    assert [(each.at, each.upload) for each in day.sent] == [(0.0, True), (1.0, False)]
    assert day.shows == "words"


def test_a_file_that_discord_took_without_saying_so_is_replaced_by_an_edit() -> None:
    day = BadDay({"first upload": [Fate(seconds=0.05, status=502)]})
    assert on(day, at_once)
    assert [(each.first, each.upload) for each in day.sent] == [(True, True), (True, False), (False, False)]
    assert day.shows == "words"


def test_words_are_repeated_sooner_than_discord_gives_up() -> None:
    failing = Fate(arrives=False, status=500)
    day = BadDay({"first upload": [failing], "first words": [failing] * 2})
    assert on(day, at_once)
    assert len(day.sent) == 4
    assert day.sent[-1].at < IN_TIME


async def test_after_a_few_failed_uploads_pictures_rest_and_one_tries_again() -> None:
    now = datetime(2026, 3, 14, tzinfo=UTC)
    gallery = Gallery(None, lambda: now, Meter(), lambda: None, common_form)
    uploaded: list[bool] = []
    fails = True

    async def send(layout: Layout, files: list[Any]) -> Any:
        uploaded.append(bool(files))
        if files and fails:
            raise refusal(503)
        return SimpleNamespace(file=None)

    async def post(layout: Layout) -> Any:
        return SimpleNamespace(file=None)

    async def show() -> Shown:
        uploaded.clear()
        await gallery.edit(1, with_picture(ONE), shown := Shown(), send)
        return shown

    for _ in range(FEW):
        assert not gallery.rests(UploadRoute.EDITS)
        shown = await show()
        assert uploaded == [True, False]
        assert shown.lacks_picture
        await gallery.post(1, with_picture(ONE), Shown(), post)  # which says nothing about edits
    assert gallery.rests(UploadRoute.EDITS)
    assert not gallery.rests(UploadRoute.POSTS)
    shown = await show()
    assert uploaded == [False]
    assert shown.lacks_picture
    now += REST
    await show()
    assert uploaded == [True, False], "one tries whether files get through"
    await show()
    assert uploaded == [False], "and the others wait for another while"
    now += REST + timedelta(seconds=1)
    fails = False
    shown = await show()
    assert (uploaded, shown.lacks_picture, gallery.rests(UploadRoute.EDITS)) == ([True], False, False)
    await show()
    assert uploaded == [True]
