"""Several processes on one database: each serves its own shards, and takes over from one that ends, dies or hangs."""

import asyncio
import itertools
import re
import signal
import time
from pathlib import Path
from platform import node

import pytest

from bench.postgres import Cluster
from bot.platform.database.ownership.postgres import IDENTIFY_SECONDS, STOPPED_SECONDS
from bot.process.turns import BETWEEN_SECONDS
from tests.wire.dose import dose
from tests.wire.fleet import HALVES, SHARDS, Fleet, fleet
from tests.wire.ledger import Ledger
from tests.wire.sinking import sinking
from tests.wire.starts import Shard
from tests.wire.world import IDENTIFY_SECONDS as DISCORDS_SECONDS

CLICKABLE_SECONDS = 15.0
"""How long a table may wait, after its process has ended, until another process has taken over."""


async def check_all_is_well(f: Fleet, database: str) -> Ledger:
    """Check that nothing shown was lost, no result is stored twice, no card leaked, and no error was logged."""
    await f.settle()
    ledger = Ledger(database).read()
    ledger.check(f.requests)
    assert ledger.findings == []
    assert f.errors() == []
    return ledger


def metrics(text: str, name: str) -> dict[str, float]:
    """A metric's value for each shard."""
    return {shard: float(value) for shard, value in re.findall(rf'^{name}{{shard="(\d+)"}} (\S+)$', text, re.MULTILINE)}


# ------------------------------------------------------------------------------------------- side by side
@pytest.mark.thorough
async def test_each_process_serves_its_own_shards_and_they_begin_sessions_in_turn(
    tmp_path: Path, postgres_url: str
) -> None:
    apart = 1.5  # instead of Discord's five seconds
    async with fleet(tmp_path, postgres_url, started=False, turns=str(apart + 0.25)) as f:
        f.gateway.starts.max_concurrency, f.gateway.starts.seconds = 2, apart
        await f.start_all()
        assert f.gateway.starts.refused == 0
        for bucket in range(2):
            times = [at for at, shard in f.gateway.identified if shard.number % 2 == bucket]
            assert len(times) == 2
            assert all(later - earlier >= apart for earlier, later in itertools.pairwise(times))
        assert {shard for _, shard in f.gateway.identified} == {Shard(number, SHARDS) for number in range(SHARDS)}
        async with f.playing():
            await f.wait_for_moves(*f.parties)
        for process, halves in zip(f.processes, ("01", "23"), strict=True):
            _, text = await process.ask("/metrics")
            assert metrics(text, "escoba_shard_connected") == dict.fromkeys(halves, 1.0)
            assert metrics(text, "escoba_shard_open_tables") == dict.fromkeys(halves, 1.0)
            assert set(metrics(text, "escoba_shard_latency_seconds")) == set(halves)
            assert metrics(text, "escoba_shard_owned") == dict.fromkeys(halves, 1.0)
            assert f"escoba_shards {SHARDS}.0" in text
            assert "escoba_standing_by 0.0" in text
        await f.gateway.close(4000, shard=2)
        f.gateway.away = True
        await f.once(lambda: f.gateway.shards_online == {0, 1, 3})
        assert (await f.processes[0].ask("/ready"))[0] == 200
        assert (await f.processes[1].ask("/ready"))[1] == '{"ready": false, "reasons": {"gateway": "1_of_2_shards"}}'
        f.gateway.away = False
        f.allowed.append("Attempting a reconnect")
        await f.processes[1].ready()
        assert len(f.sent("PUT", "/applications/*/commands")) == 1, "only one of them registers the commands"
        await check_all_is_well(f, postgres_url)


def test_sessions_begin_further_apart_than_discord_requires() -> None:
    assert min(IDENTIFY_SECONDS, BETWEEN_SECONDS) > DISCORDS_SECONDS


# ------------------------------------------------------------------------------------------- taking over
@pytest.mark.thorough
async def test_a_waiting_process_takes_over_while_people_click(tmp_path: Path, postgres_url: str) -> None:
    async with fleet(tmp_path, postgres_url, (*HALVES, HALVES[0]), started=False, turn_seconds=600) as f:
        first, other, standby = f.processes
        await f.start(first, other)
        async with f.playing():
            await f.wait_for_moves(*f.parties)
            standby.start()
            await standby.has_logged(": waiting for shards 0-1/4")
            who = f"“escoba owner of shards 0-1/4 on {node()}, process {first.pid}” from this machine"
            assert f"Shards 0, 1 are held by {who}" in standby.log
            status, text = await standby.ask("/ready")
            assert status == 503
            assert '"shards": "held_by_another_process"' in text
            _, text = await standby.ask("/metrics")
            assert metrics(text, "escoba_shard_owned") == dict.fromkeys("01", 0.0)
            assert "escoba_standing_by 1.0" in text
            await standby.has_logged("Ready to take shards 0-1/4")
            _, text = await standby.ask("/metrics")
            assert "escoba_gateway_connected 1.0" in text, "otherwise an alert would go off"
            assert f"escoba_shards {SHARDS}.0" in text
            assert f.gateway.sessions_online(0) == f.gateway.sessions_online(1) == 2
            await f.wait_for_moves(*f.parties)
            first.signal(signal.SIGTERM)
            await f.wait_for_moves(*f.parties_of(other))
            assert await first.ended() == 0
            await f.wait_for_moves(*f.parties_of(standby), seconds=CLICKABLE_SECONDS)
            await standby.ready()
        assert f.gateway.identifies == SHARDS + 2, "the other process must not reconnect"
        await f.once(lambda: all(f.latest(party.channel_id, "hand", "next", "rematch") for party in f.parties))
        running = [shown for party in f.parties if (shown := f.table_of(party).shown).find("hand")]
        assert [shown.text for shown in running if ":R>" not in shown.text] == [], "every turn keeps its deadline"
        await check_all_is_well(f, postgres_url)


@pytest.mark.thorough
async def test_nothing_is_lost_when_one_of_the_processes_is_killed(tmp_path: Path, postgres_url: str) -> None:
    how = dose()
    figures = await sinking(tmp_path, postgres_url, kills=how.fleet_kills, seed=how.seed)
    assert figures.found == []
    assert figures.kills == how.fleet_kills
    assert figures.moves > how.fleet_kills


@pytest.mark.thorough
async def test_a_process_that_hung_until_another_took_over_ends_and_writes_and_sends_nothing(
    tmp_path: Path, postgres: Cluster, postgres_url: str
) -> None:
    async with fleet(tmp_path, postgres_url, (*HALVES, HALVES[0]), started=False, nudge_seconds=1) as f:
        first, other, standby = f.processes
        f.allowed.append("Another process has had the shards in the meantime: this one has lost shards 0-1/4")
        await f.start(first, other)
        async with f.playing():
            await f.wait_for_moves(*f.parties)
            standby.start()
            await standby.has_logged("waiting for shards 0-1/4")
            first.signal(signal.SIGSTOP)
            stopped_at = time.monotonic()
            # PostgreSQL does this by itself after some seconds of silence.
            mine = f"application_name = 'escoba owner of shards 0-1/4 on {node()}, process {first.pid}'"
            query = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {mine}"  # noqa: S608 - no user input
            assert postgres.run(query) == [(True,)]
            await standby.ready()
            await f.wait_for_moves(*f.parties)
            # By then its players are due a nudge, and clicks that it had received can't be answered any more.
            await asyncio.sleep(max(0.0, stopped_at + STOPPED_SECONDS - time.monotonic()))
            before = len(f.server.heard)
            first.signal(signal.SIGCONT)
            assert await first.ended() == 1, "the exit code of an error after which a restart may succeed"
            assert f.server.changes_by(first.name, before) == []
            await f.wait_for_moves(*f.parties)
        first.start()
        await first.has_logged("Ready to take shards 0-1/4")
        assert await first.terminated() == 0, "it can be stopped while it is waiting"
        await check_all_is_well(f, postgres_url)


@pytest.mark.thorough
async def test_processes_survive_a_restart_of_the_database_and_erase_a_person_in_all_of_them(
    tmp_path: Path, postgres: Cluster, postgres_url: str
) -> None:
    async with fleet(tmp_path, postgres_url) as f:
        async with f.playing():
            await f.wait_for_moves(*f.parties)
            await asyncio.to_thread(postgres.stop, signal.SIGINT)
            postgres.start()
            await f.wait_for_moves(*f.parties)
        assert all(process.running for process in f.processes)
        assert f.gateway.identifies == SHARDS
        await check_all_is_well(f, postgres_url)
        await _check_erasure(f)
        assert f.errors() == []


async def _check_erasure(f: Fleet) -> None:
    """Seat a person at tables of both processes, and have one process erase their data."""
    here, there = f.parties_of(f.processes[0])[0], f.parties_of(f.processes[1])[0]
    ana, bea = here.people[0], there.people[0]
    guild = f.guild_of(there)
    f.realm.backend.add_member(guild, ana.id)
    lobby = f.realm.add_channel("otra", guild)
    await f.settle()
    await f.slash(bea, lobby, "escoba play")
    await f.click(ana, f.table(lobby), f.table(lobby).one("join"))
    assert ana.name in f.table(lobby).text
    await f.slash(ana, here.channel_id, "escoba me")
    for button in ("p:see", "p:erase", "p:eraseyes"):
        screen = next(seen for seen in reversed(f.history(here.channel_id, ana)) if button in str(seen.payload))
        await f.click(ana, screen, button)
    await f.once(lambda: ana.name not in f.table(lobby).text)
    await f.once(lambda: f.rows("SELECT 1 FROM key_values WHERE key LIKE 'erase:%'") == [])
    assert f.rows("SELECT count(*) FROM participants WHERE user_id = ?", ana.id) == [(0,)]
    tables = [name for (name,) in f.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
    kept = {table: str(f.rows(f"SELECT * FROM {table}")) for table in tables}  # noqa: S608 - the server's own words
    assert [table for table, text in kept.items() if str(ana.id) in text or ana.name in text] == []
    assert bea.name in f.table(lobby).text
