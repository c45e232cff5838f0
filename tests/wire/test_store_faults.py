"""When the disk is full or the file can't be written, players get a clear private answer and no match is corrupted."""

import re
import resource
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.wire.ledger import Ledger
from tests.wire.table import Table, tables
from tests.wire.world import Wire, wire

UNLIMITED = resource.RLIM_INFINITY


def _mounted(folder: Path) -> bool:
    """Mount a file system of 4 MB on a folder; returns whether that is allowed."""
    command = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    with suppress(OSError):
        return subprocess.run(command, check=False, capture_output=True).returncode == 0
    return False


def _unmount(folder: Path) -> None:
    subprocess.run(["umount", "-l", str(folder)], check=True)


def _can_mount() -> bool:
    with tempfile.TemporaryDirectory() as name:
        if mounted := _mounted(Path(name)):
            _unmount(Path(name))
        return mounted


CAN_MOUNT = _can_mount()


class Disk:
    """Where a test keeps the database: a small disk if mounting is allowed, otherwise a folder with process limits."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = folder / "escoba.sqlite3"
        self._filler = folder / "filler"

    def fill(self, pid: int) -> None:
        """Fill the disk; without a mounted one, stop the process from making any file longer."""
        if not CAN_MOUNT:
            self.limit(pid)
            return
        with suppress(OSError), self._filler.open("wb", buffering=0) as full:
            while full.write(b"\0" * 4096):
                pass

    def free(self, pid: int) -> None:
        """Make room again, and lift the process's limit."""
        self._filler.unlink(missing_ok=True)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (UNLIMITED, UNLIMITED))

    def limit(self, pid: int) -> None:
        """Stop the process from making any file longer."""
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, UNLIMITED))

    def protect(self, on: bool) -> None:
        """Make the disk read-only, or writable again."""
        if CAN_MOUNT:
            subprocess.run(["mount", "-o", f"remount,{'ro' if on else 'rw'}", str(self.folder)], check=True)
        else:
            self.database.chmod(0o444 if on else 0o644)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """A small disk."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if CAN_MOUNT:
        _mounted(folder)
    yield Disk(folder)
    if CAN_MOUNT:
        _unmount(folder)


async def _check_refused_without_change(w: Wire, table: Table) -> None:
    version, text = table.version, table.shown.text
    for _ in range(2):
        shot = table.move()
        await shot.end()
        assert shot.got is not None
        assert shot.got.private or all(request.viewer for request in shot.later)
        assert "saved" in shot.texts or "again" in shot.texts, f"the answer must say why: {shot.texts}"
    await w.settle()
    assert table.version == version
    assert table.shown.text == text
    ledger = Ledger(w.database).read()
    ledger.check(w.requests)
    assert ledger.findings == []


@pytest.mark.parametrize("how", ["the disk is full", "files can't grow"])
async def test_moves_that_cannot_be_stored_are_refused_until_there_is_room_again(
    tmp_path: Path, disk: Disk, how: str
) -> None:
    async with tables(tmp_path, database=disk.database) as (w, [table]):
        (disk.fill if how == "the disk is full" else disk.limit)(w.bot.pid)
        await _check_refused_without_change(w, table)
        if how == "the disk is full" and CAN_MOUNT:  # otherwise the log can't grow either
            reason = f"cannot write to the database {disk.database}: database or disk is full (disk_full)"
            assert w.log_has(re.escape(f"the store refused an entry: {reason}"))
        refused = w.send_slash(w.people[0], w.realm.add_channel("otra"), "escoba play")
        await refused.end()
        assert refused.texts.strip()
        assert w.rows("SELECT count(*) FROM games") == [(1,)]
        disk.free(w.bot.pid)
        version = table.version
        await table.moves(2)
        await table.catches_up(version + 2)


async def test_a_bot_that_cannot_write_its_database_says_so_and_exits(tmp_path: Path, disk: Disk) -> None:
    async with wire(tmp_path, database=disk.database, check=False) as w:
        await w.term()
        before = w.rows("SELECT count(*) FROM key_values")
        disk.protect(True)
        await w.start_bot(connect=False)
        code = await w.bot.ended()
        disk.protect(False)
        last = w.log.strip().splitlines()[-1]
        assert code == 2, last
        assert str(disk.database) in last
        assert "Traceback" not in w.log
        await w.start_bot()
        assert w.rows("SELECT count(*) FROM key_values") == before
