"""Nothing that was shown is lost, whatever reads the database beside the bot, or takes its files away."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import aiohttp
import pytest

from tests.wire.dose import dose
from tests.wire.ledger import Ledger
from tests.wire.reading import REFUSED, reading, run
from tests.wire.table import tables


@pytest.mark.thorough
async def test_nothing_that_was_shown_is_lost_beside_backups_and_every_command_that_reads(tmp_path: Path) -> None:
    how = dose()
    figures = await reading(tmp_path, kills=how.reads, tables=2, seed=how.seed)
    assert figures.found == []
    assert figures.kills == how.reads
    assert figures.backups >= how.reads
    assert figures.moves > how.reads


async def test_files_deleted_by_hand_cost_nobody_a_move(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        w.allowed.append("has deleted, moved or replaced")
        for _ in range(3):
            for end in ("-wal", "-shm"):
                Path(f"{w.database}{end}").unlink()
            await table.moves(2)
        shown = table.version
        await w.kill()
        ledger = Ledger(w.database).read()
        ledger.check(w.requests)
        assert ledger.findings == []
        assert table.version == shown
        await w.start_bot()
        await table.party.play(until=lambda: table.version > shown)


async def test_after_the_database_was_replaced_the_copy_that_the_log_names_has_every_move(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        address = f"127.0.0.1:{unused.getsockname()[1]}"
    async with tables(tmp_path, health_address=address) as (w, [table]):
        w.allowed += ["has deleted, moved or replaced", "is another file now, or gone", "the store refused"]
        await table.moves(2)
        shown = table.version
        older = tmp_path / "older.sqlite3"
        assert not await run(w, ["backup", str(older)], 0)
        await table.moves(2)
        older.replace(w.database)
        shot = table.move()
        await shot.end()
        assert "saved" in shot.texts or "again" in shot.texts
        assert await ready(address) == (503, {"store": "detached"})
        assert w.rows("SELECT max(version) FROM events") == [(shown,)], "nothing is written to the other file"
        [copy] = re.findall(r"everything that was stored is in (\S+)", w.log)
        assert not await run(w, ["restore", copy], REFUSED)
        assert await w.term() == 0
        assert not await run(w, ["restore", copy], 0)
        await w.start_bot()
        assert table.version >= shown + 2
        ledger = Ledger(w.database).read()
        ledger.check(w.requests)
        assert ledger.findings == []
        await table.party.play(until=lambda: table.version > shown + 2)


async def ready(address: str) -> tuple[int, dict[str, str]]:
    """What the health endpoint says about being ready."""
    async with aiohttp.ClientSession() as session, session.get(f"http://{address}/ready") as answer:
        return answer.status, (await answer.json())["reasons"]
