"""Nothing that was shown is lost, whatever reads the database beside the bot, or takes its files away."""

import re
import socket
from pathlib import Path

import aiohttp
import pytest

from bot.platform.database.tools.backup_folder import BackupFolder
from tests.wire.dose import dose
from tests.wire.ledger import Ledger
from tests.wire.reading import reading, run
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


async def test_a_database_put_in_the_place_of_the_bots_costs_nobody_a_move(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        w.allowed.append("has deleted, moved or replaced")
        await table.moves(2)
        older = tmp_path / "older.sqlite3"
        assert not await run(w, ["backup", str(older)], 0)
        theirs = older.read_bytes()
        await table.moves(2)
        older.replace(w.database)
        await table.moves(2)
        shown = table.version
        [kept] = re.findall(r"what was there is kept as (\S+)", w.log)
        assert Path(kept).read_bytes() == theirs
        await w.kill()
        ledger = Ledger(w.database).read()
        ledger.check(w.requests)
        assert ledger.findings == []
        await w.start_bot()
        await table.party.play(until=lambda: table.version > shown)


async def test_while_the_files_cannot_be_put_back_the_bot_is_not_ready_and_then_goes_on(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        address = f"127.0.0.1:{unused.getsockname()[1]}"
    async with tables(tmp_path, health_address=address) as (w, [table]):
        w.allowed += ["has deleted, moved or replaced", "isn't back yet; it is tried again", "the store refused"]
        await table.moves(2)
        shown = table.version
        in_the_way = BackupFolder(w.database).path
        in_the_way.touch()
        Path(f"{w.database}-wal").unlink()
        shot = table.move()
        await shot.end()
        assert "saved" in shot.texts or "again" in shot.texts
        status, reasons = await ready(address)
        assert (status, reasons["store"]) == (503, "detached")
        in_the_way.unlink()
        await w.bot.until(lambda: "is complete again" in w.log)
        assert "store" not in (await ready(address))[1]
        await table.party.play(until=lambda: table.version > shown + 2)
        await w.kill()
        ledger = Ledger(w.database).read()
        ledger.check(w.requests)
        assert ledger.findings == []


async def ready(address: str) -> tuple[int, dict[str, str]]:
    """What the health endpoint says about being ready."""
    async with aiohttp.ClientSession() as session, session.get(f"http://{address}/ready") as answer:
        return answer.status, (await answer.json())["reasons"]
