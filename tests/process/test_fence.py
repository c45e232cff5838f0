"""What a process that doesn't have its shards may do: nothing that anybody would see, and nothing that is stored."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
import sqlalchemy as sa
from aiohttp import web

from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.database.ownership import Held, Owner, postgres
from bot.platform.database.ownership.postgres import STOPPED_SECONDS, SURE_SECONDS
from bot.platform.database.ownership.session import FROZEN_SECONDS
from bot.platform.eventlog import LogEntry
from bot.platform.kit.host import InFlight, Responsibility
from bot.platform.shards import Shards
from bot.platform.transport.pacer import NO_LIMIT, Pacer, harmless
from bot.process import service, stopping
from bot.process.parts import build_parts, fence_of
from bot.process.service import Service
from bot.process.stores import Stores
from bot.schema import SCHEMA
from tests.support.escoba import settings_for

HALF = Shards.parse("0-1/4")
ANSWER, PANEL, FOLLOW_UP, PING, TABLE = (
    ("POST", "/interactions/1/token/callback"),
    ("PATCH", "/webhooks/1/token/messages/@original"),
    ("POST", "/webhooks/1/token"),
    ("POST", "/channels/1/messages"),
    ("PATCH", "/channels/1/messages/2"),
)
LOGIN = ("GET", "/users/@me")
AT = datetime(2026, 1, 1, tzinfo=UTC)


class Owned(Owner):
    """A process whose shards are held, in doubt, or lost, as a test sets it."""

    held = Held.YES

    async def confirm(self) -> None:
        if self.held is not Held.YES:
            raise StoreUnavailable(Fault.CLOSED, "it doesn't have them")


class FakeDiscord:
    """Accepts every request that is sent in a session with a pacer, and records it."""

    def __init__(self, url: str, taken: list[tuple[str, str]]) -> None:
        self.url = url
        self.taken = taken

    async def takes(self, pacer: Pacer, *requests: tuple[str, str]) -> list[tuple[str, str]]:
        """Try to send these requests; returns those that arrive."""
        before = len(self.taken)
        async with aiohttp.ClientSession(trace_configs=[pacer.trace()]) as session:
            for method, path in requests:
                try:
                    async with session.request(method, self.url + path):
                        pass
                except ConnectionError as error:
                    assert str(error), "it says why"  # noqa: PT017 - others pass
        return self.taken[before:]


@asynccontextmanager
async def _serving(taken: list[tuple[str, str]]) -> AsyncIterator[str]:
    async def take(request: web.Request) -> web.Response:
        taken.append((request.method, request.path))
        return web.Response()

    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", take)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


@pytest.fixture
async def discord() -> AsyncIterator[FakeDiscord]:
    taken: list[tuple[str, str]] = []
    async with _serving(taken) as url:
        yield FakeDiscord(url, taken)


# ---------------------------------------------------------------------------------------------- what is sent
@pytest.mark.parametrize("held", list(Held))
async def test_nothing_is_sent_unless_the_shards_are_held(held: Held, discord: FakeDiscord) -> None:
    owner = Owned()
    owner.held = held
    pacer = Pacer(NO_LIMIT, fence=fence_of(owner))
    changes = [ANSWER, PANEL, FOLLOW_UP, PING, TABLE]
    assert await discord.takes(pacer, LOGIN, *changes) == [LOGIN, *changes * (held is Held.YES)]
    with harmless():
        unless_lost = [ANSWER, FOLLOW_UP] * (held in (Held.YES, Held.DOUBTFUL))
        assert await discord.takes(pacer, ANSWER, FOLLOW_UP) == unless_lost


async def test_a_first_answer_waits_only_a_moment_for_certainty(discord: FakeDiscord) -> None:
    class Slow(Owned):
        async def confirm(self) -> None:
            await asyncio.Event().wait()

    began = time.monotonic()
    assert await discord.takes(Pacer(NO_LIMIT, fence=fence_of(Slow())), ANSWER) == []
    assert time.monotonic() - began < SURE_SECONDS, "there must be time to ask the person to try again"


@pytest.mark.parametrize("when", ["on_connection_create_end", "on_request_headers_sent"])
async def test_a_process_that_loses_its_shards_before_it_writes_a_request_sends_nothing(
    when: str, discord: FakeDiscord
) -> None:
    owner = Owned()

    async def lose(*_: object) -> None:
        owner.held = Held.LOST

    losing = aiohttp.TraceConfig()
    getattr(losing, when).append(lose)
    traces = [Pacer(NO_LIMIT, fence=fence_of(owner)).trace(), losing]
    method, path = ANSWER
    async with aiohttp.ClientSession(trace_configs=traces) as session:
        with pytest.raises(aiohttp.ClientOSError):
            await session.request(method, discord.url + path, json={"type": 6})
    assert discord.taken == []


@pytest.mark.parametrize(("stopped", "sent"), [(SURE_SECONDS, [ANSWER]), (STOPPED_SECONDS, []), (FROZEN_SECONDS, [])])
@pytest.mark.parametrize("trouble", [ConnectionResetError(), TimeoutError()])
async def test_a_process_that_was_stopped_answers_no_click_until_it_knows_that_its_shards_are_still_its_own(
    stopped: float,
    trouble: Exception,
    sent: list[tuple[str, str]],
    discord: FakeDiscord,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fails() -> None:
        raise trouble

    monkeypatch.setattr(postgres, "WRITE_SECONDS", 0.05)
    owner = postgres.PostgresOwner(sa.make_url("postgresql://nowhere/"), SCHEMA, HALF)
    monkeypatch.setattr(owner._session, "ping", fails)
    owner._hold(time.monotonic() - FROZEN_SECONDS)
    owner._ran_at = time.monotonic() - stopped
    with pytest.raises(StoreUnavailable):
        await owner.confirm()  # for something else that is due when the process goes on
    for _ in range(2):
        with harmless():
            assert await discord.takes(Pacer(NO_LIMIT, fence=fence_of(owner)), ANSWER) == sent
        assert await discord.takes(Pacer(NO_LIMIT, fence=fence_of(owner)), ANSWER, PING) == []
    owner._hold(time.monotonic())
    assert await discord.takes(Pacer(NO_LIMIT, fence=fence_of(owner)), ANSWER, PING) == [ANSWER, PING]


async def test_a_process_that_was_stopped_while_it_took_its_shards_asks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now, asked = [0.0], asyncio.Event()

    async def take_long(*, first: bool) -> None:
        now[0] += FROZEN_SECONDS

    async def ping() -> None:
        asked.set()

    owner = postgres.PostgresOwner(sa.make_url("postgresql://nowhere/"), SCHEMA, HALF)
    monkeypatch.setattr(postgres, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(owner._session, "take", take_long)
    monkeypatch.setattr(owner._session, "ping", ping)
    assert await owner.take(lambda what, about: None)
    await owner.confirm()
    assert asked.is_set()
    await owner.close()


async def test_a_process_that_waits_for_its_shards_sends_and_stores_nothing(
    tmp_path: Path, discord: FakeDiscord
) -> None:
    first = await build_parts(settings_for(tmp_path))
    second = await build_parts(settings_for(tmp_path))
    assert await discord.takes(second.pacer, ANSWER, PANEL, FOLLOW_UP, PING, TABLE) == []
    assert await discord.takes(first.pacer, PING) == [PING]
    opening: dict[str, Any] = {"guild_id": 1, "channel_id": 2, "opener_id": 3, "locale": "en", "at": AT}
    game = await first.stores.games.open(**opening, entries=[LogEntry(1, "opened", "{}", AT)])
    move = [LogEntry(2, "moved", "{}", AT)]
    writes: list[Callable[[], Awaitable[Any]]] = [
        lambda: second.stores.games.append(game.id, move),
        lambda: second.stores.games.append(game.id, move, close=True),
        lambda: second.stores.preferences.put(3, "{}"),
        lambda: second.stores.games.set_message(game.id, 1, AT),
        lambda: second.stores.games.open(**{**opening, "channel_id": 4}, entries=[]),
    ]
    for write in writes:
        with pytest.raises(StoreUnavailable, match="doesn't have the lock"):
            await write()
    await first.stores.games.append(game.id, move)
    await second.close()
    await first.close()


async def test_a_process_on_a_server_commits_nothing_once_its_mark_is_gone(tmp_path: Path, postgres_url: str) -> None:
    parts = await build_parts(settings_for(tmp_path, database=postgres_url))
    await parts.stores.preferences.put(3, "nudge=never")
    other = await Stores.open(postgres_url)
    assert parts.owner.mark is not None
    await other.values.set(parts.owner.mark[0], "another process's")
    with pytest.raises(StoreUnavailable, match="another process has taken over"):
        await parts.stores.preferences.put(3, None)
    assert await other.preferences.get(3) == "nudge=never"
    await other.database.close()
    await parts.close()


# ------------------------------------------------------------------------------------------ what is answered
@pytest.mark.parametrize(
    ("held", "duty"),
    [
        (Held.YES, Responsibility.OURS),
        (Held.DOUBTFUL, Responsibility.DOUBTFUL),
        (Held.LOST, Responsibility.NONE),
        pytest.param(Held.WAITING, Responsibility.NONE, marks=pytest.mark.thorough),
        pytest.param(Held.NO, Responsibility.NONE, marks=pytest.mark.thorough),
    ],
)
async def test_an_interaction_is_for_the_process_that_has_the_shards(
    tmp_path: Path, held: Held, duty: Responsibility
) -> None:
    store, owner = await Stores.open(tmp_path / "a.sqlite3"), Owned()
    serving = Service(owner, store.values, HALF)
    await serving.begin(after_another=True)
    serving._contested_until = 0.0
    owner.held = held
    assert await serving.duty(1) is duty
    await store.database.close()


async def test_a_click_waits_a_moment_for_the_database_to_say_whose_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asyncio.Event()

    class Slow(Owned):
        async def confirm(self) -> None:
            asked.set()
            await asyncio.Event().wait()

    store, owner = await Stores.open(tmp_path / "a.sqlite3"), Slow()
    serving = Service(owner, store.values, HALF)
    await serving.begin(after_another=False)
    monkeypatch.setattr(service, "SURE_SECONDS", 0.01)
    owner.held = Held.DOUBTFUL
    assert await serving.duty(1) is Responsibility.DOUBTFUL
    assert asked.is_set()
    await store.database.close()


# ----------------------------------------------------------------------------------------- losing isn't stopping
class Stopping:
    """A bot that notes what it does before it disconnects; an interaction under way never ends."""

    def __init__(self, held: Held) -> None:
        self.done: list[str] = []
        self.parts: Any = SimpleNamespace(
            manager=SimpleNamespace(close=lambda: self.done.append("no new moves")),
            thinker=SimpleNamespace(close=self.note("thinking ends")),
            clock=SimpleNamespace(close=self.note("deadlines end")),
            owner=SimpleNamespace(held=held),
            outages=SimpleNamespace(close=self.note(ALIVE)),
        )
        parts = SimpleNamespace(
            tournaments=SimpleNamespace(close=self.nothing),
            day_boards=SimpleNamespace(close=self.nothing),
            boards=SimpleNamespace(close=self.nothing),
            reviews=SimpleNamespace(close=self.note("reviews end")),
            presenter=SimpleNamespace(
                close=self.note("edits end"),
                say_back_soon=self.note("says that it will be back"),
                give_up=lambda: self.done.append(GIVEN_UP),
            ),
        )
        self.host: Any = SimpleNamespace(in_flight=InFlight(), of=lambda subject: parts)
        self.luck: Any = SimpleNamespace(close=self.note("luck is left alone"))
        self.service: Any = SimpleNamespace(begun=True, note_handled=self.note("notes what was handled"))

    async def nothing(self) -> None:
        """There is no tournament."""

    def note(self, what: str) -> Callable[..., Awaitable[None]]:
        async def noted(*_: object) -> None:
            self.done.append(what)

        return noted


GIVEN_UP = "what is still under way is given up"
ALIVE = "notes when it was last alive"
ALWAYS = ["no new moves", "reviews end", "luck is left alone", "thinking ends", "deadlines end", "edits end"]


@pytest.mark.parametrize(
    ("held", "handing", "then"),
    [
        (Held.YES, False, ["says that it will be back", GIVEN_UP, ALIVE]),
        (Held.YES, True, [GIVEN_UP, ALIVE, "notes what was handled"]),
        (Held.LOST, False, [GIVEN_UP]),
        (Held.LOST, True, [GIVEN_UP]),
    ],
)
async def test_a_process_that_has_lost_its_shards_says_nothing_to_anybody(
    held: Held, handing: bool, then: list[str]
) -> None:
    bot = Stopping(held)
    await stopping.finish(bot, handing=handing)
    assert bot.done == ALWAYS + then


async def test_a_process_that_has_lost_its_shards_waits_for_no_interaction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, "HANDING_SECONDS", 0.01)
    bot, began = Stopping(Held.LOST), asyncio.Event()

    async def handle() -> None:
        with bot.host.in_flight.begun(1):
            began.set()
            await asyncio.Event().wait()

    handling = asyncio.create_task(handle())
    await began.wait()
    monkeypatch.setattr(stopping, "BEGUN_SECONDS", 1e6)
    await asyncio.wait_for(stopping.finish(bot, handing=False), 5)
    assert bot.host.in_flight.closed
    handling.cancel()
    await asyncio.wait([handling])
