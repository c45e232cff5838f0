"""Players notice nothing when the gateway connection is cut and resumed, or its session is lost for good."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import aiohttp
import pytest

from bot.process.turns import RESERVE
from tests.support.ports import free_port
from tests.wire.faults import SENDS
from tests.wire.table import Table, tables
from tests.wire.world import Wire, wire

DISRUPTIONS: dict[str, Callable[[Wire], Awaitable[None]]] = {
    "closed with a code that can be resumed": lambda w: w.gateway.close(4000),
    "asked to reconnect": lambda w: w.gateway.reconnect(),
    "invalid but resumable": lambda w: w.gateway.invalidate(resumable=True),
}


async def test_clicks_during_a_gap_are_served_when_the_session_is_resumed(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        for how, disrupt in DISRUPTIONS.items():
            try:
                await check_gap(w, table, disrupt)
            except AssertionError as error:
                error.add_note(f"when the connection was {how}")
                raise


async def check_gap(w: Wire, table: Table, disrupt: Callable[[Wire], Awaitable[None]]) -> None:
    version, message, since = table.version, table.shown.id, len(w.requests)
    resumes, replayed = w.gateway.resumes, w.gateway.replayed
    w.gateway.hold()
    await disrupt(w)
    shot = table.move()  # while the bot isn't connected
    await w.bot.until(lambda: w.gateway.resumes == resumes + 1)
    w.gateway.release()
    await shot.end()
    await table.catches_up(version + 1)
    await table.moves(2)
    await table.catches_up()
    assert w.gateway.identifies == 1
    assert w.gateway.replayed > replayed
    assert table.version == version + 3
    assert table.shown.id == message
    assert w.sent("POST", SENDS, since=since) == []


async def test_a_lost_session_changes_nothing_for_players(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        version, message, since = table.version, table.shown.id, len(w.requests)
        panels = {member.id: table.panel(member).id for member in w.people}
        await w.gateway.close(4009, forget=True)
        await w.bot.until(lambda: w.gateway.identifies == 2 and w.gateway.online)
        await w.settle()
        assert len(w.requests) - since <= 1, "a new session is no reason to send anything"
        await table.moves(2)
        await table.catches_up()
        assert table.version == version + 2
        assert table.shown.id == message
        assert {member.id: table.panel(member).id for member in w.people} == panels


async def test_a_bot_answers_a_request_for_a_heartbeat_and_its_session_lives_on(tmp_path: Path) -> None:
    async with wire(tmp_path, 1) as w:
        await w.bot.until(lambda: w.gateway.heartbeats == 1)
        await w.gateway.ask_for_heartbeats()
        await w.bot.until(lambda: w.gateway.heartbeats == 2)
        await w.slash(w.people[0], w.channels[0], "escoba play")
        assert w.gateway.identifies == 1


@pytest.mark.thorough
async def test_late_events_are_served(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        version = table.version
        w.gateway.delay = 1.5
        answer = await table.move().answer()  # within the three seconds that Discord allows
        assert answer.seconds > 1.5
        await table.catches_up(version + 1)


async def test_shards_resume_at_once_while_one_before_them_waits_to_start_a_session(tmp_path: Path) -> None:
    async with wire(tmp_path, 1, started=False, launch={"WIRE_TURNS": "60"}) as w:
        w.gateway.shards = w.gateway.starts.max_concurrency = 3
        await w.start_bot()
        await w.bot.until(lambda: w.gateway.shards_online == {0, 1, 2})
        await w.gateway.close(4009, forget=True, shard=0)
        await w.settle()
        await w.gateway.close(4000)
        await w.bot.until(lambda: w.gateway.resumes == 2)
        assert w.gateway.identifies == 3, "the first can't identify yet"


# ------------------------------------------------------------------------------------- the day's sessions
LIMIT = "/gateway/bot"
WAITS = r"lets this token start only \d+ more .* until 20\d\d-\d\d-\d\d \d\d:\d\d UTC"


async def invalidate_often(w: Wire, times: int = 20) -> int:
    """Make sessions invalid, one after the other, until the bot waits for its budget; returns the IDENTIFYs spent."""
    before = w.gateway.identifies
    for _ in range(times):
        identifies = w.gateway.identifies
        await w.gateway.invalidate()
        await w.bot.until(
            lambda number=identifies: w.log_has(WAITS) or (w.gateway.identifies > number and w.gateway.online)
        )
    return w.gateway.identifies - before


@pytest.mark.parametrize(
    ("left", "spent"), [(3, 0), (25, 5), pytest.param(1000, 20, marks=pytest.mark.thorough)], ids=str
)
async def test_invalid_sessions_leave_the_reserve_of_the_day_untouched(tmp_path: Path, left: int, spent: int) -> None:
    async with wire(tmp_path, 1) as w:
        w.gateway.starts.resets_token, w.gateway.starts.used = True, 1000 - left
        assert await invalidate_often(w) == spent
        assert w.gateway.online == (left > spent + RESERVE)


async def test_a_bot_that_waits_for_sessions_says_so_and_stops_at_once_when_told_to(tmp_path: Path) -> None:
    port = free_port()
    async with wire(tmp_path, 1, health_address=f"127.0.0.1:{port}") as w:
        w.gateway.starts.used = 1000
        await w.gateway.invalidate()
        await w.bot.until(lambda: w.log_has(WAITS))
        async with aiohttp.ClientSession() as client, client.get(f"http://127.0.0.1:{port}/ready") as answer:
            assert (await answer.json())["reasons"] == {"gateway": "session_limit"}
        assert w.gateway.identifies == 1
        assert await w.term() == 0


async def test_a_session_that_can_be_resumed_does_not_wait_for_the_budget(tmp_path: Path) -> None:
    async with wire(tmp_path, 1, started=False) as w:
        w.gateway.shards = w.gateway.starts.max_concurrency = 2
        await w.start_bot()
        await w.bot.until(lambda: w.gateway.shards_online == {0, 1})
        w.gateway.starts.used = 1000
        await w.gateway.close(4009, forget=True, shard=0)
        await w.bot.until(lambda: w.log_has(WAITS))
        await w.gateway.close(4000)
        await w.bot.until(lambda: w.gateway.resumes == 1)
        assert w.gateway.shards_online == {1}
        assert w.gateway.identifies == 2


async def test_shards_that_lose_their_sessions_together_ask_once_and_leave_the_reserve_between_them(
    tmp_path: Path,
) -> None:
    async with wire(tmp_path, 1, started=False) as w:
        w.gateway.shards = w.gateway.starts.max_concurrency = 6
        await w.start_bot()
        await w.bot.until(lambda: len(w.gateway.shards_online) == 6)
        w.gateway.starts.used = 976
        asked = len(w.sent("GET", LIMIT))
        await w.gateway.invalidate()
        await w.bot.until(lambda: len(w.gateway.shards_online) == 4 and w.log_has(WAITS))
        await w.settle()
        assert (len(w.sent("GET", LIMIT)) - asked, w.gateway.starts.used) == (1, 980)


@pytest.mark.parametrize(("left", "spent"), [(22, 2), pytest.param(20, 0, marks=pytest.mark.thorough)], ids=str)
async def test_sessions_are_counted_on_while_discord_does_not_say_how_many_are_left(
    tmp_path: Path, left: int, spent: int
) -> None:
    async with wire(tmp_path, 1, started=False) as w:
        w.gateway.starts.used = 1000 - left - 1
        await w.start_bot()
        w.faults.add("GET", LIMIT, 404)
        assert await invalidate_often(w, times=5) == spent
