"""Players notice nothing when the gateway connection is cut and resumed, or its session is lost for good."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

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
