"""The daily backups: when they are made, what happens when one fails, and that a stopping bot waits for none."""

import asyncio
import errno
import math
import os
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.platform.database import private_files
from bot.platform.database.tools import backup_folder as copying
from bot.platform.database.tools.backup_folder import LOOK_SECONDS, BackupFolder
from bot.process.backups import FIRST_SECONDS, DailyBackups, backups_of
from bot.process.parts import build_parts
from tests.support.databases import with_tables
from tests.support.escoba import settings_for
from tests.support.patience import HANG_SECONDS
from tests.support.tables.timing import HandClock, Time

DAY = 24 * 3600


@dataclass
class Bench:
    """A database, its folder of backups, and a clock moved by hand."""

    folder: BackupFolder
    time: Time
    clock: HandClock
    backups: DailyBackups

    @property
    def made(self) -> list[str]:
        """The times of the backups, the newest first."""
        return [f"{at:%d %H:%M}" for at, _ in self.folder.backups()]

    async def after(self, seconds: float) -> None:
        """Advance the time and finish what is due by then."""
        await self.clock.advance(seconds)


def full(path: Path) -> None:
    """Stands in for flushing a file to a disk without room."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    folder = BackupFolder(with_tables(tmp_path / "escoba.sqlite3"))
    time = Time()
    clock = HandClock(time)
    clock.start()
    yield Bench(folder, time, clock, DailyBackups(folder, clock))
    await clock.close()


async def test_a_backup_is_made_each_day_and_after_a_restart_a_day_after_the_last(bench: Bench) -> None:
    assert math.isnan(bench.backups.age()), "it hasn't begun: another process may be making them"
    await bench.backups.start(lambda: False)
    await bench.after(FIRST_SECONDS + 1)
    assert bench.made == ["14 12:15"]
    assert bench.backups.age() == 1
    await bench.after(DAY)
    assert bench.made == ["15 12:15", "14 12:15"]
    for _ in range(3):  # starting again and again makes no more backups
        await bench.backups.start(lambda: False)
        await bench.after(2 * 3600)
    assert len(bench.made) == 2
    await bench.after(18 * 3600)
    assert bench.made[0] == "16 12:15"


async def test_a_backup_that_is_overdue_waits_until_the_bot_has_settled(bench: Bench) -> None:
    bench.folder.back_up(bench.time.now())
    await bench.after(5 * DAY)
    await bench.backups.start(lambda: False)
    assert bench.backups.age() == 5 * DAY
    await bench.after(FIRST_SECONDS)
    assert bench.made == ["19 12:15", "14 12:00"]


async def test_a_failed_backup_is_logged_leaves_nothing_and_is_tried_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await bench.backups.start(lambda: False)
    with monkeypatch.context() as patched:
        patched.setattr(private_files, "_flush", full)
        await bench.after(FIRST_SECONDS)
    assert "The daily backup failed" in caplog.text
    assert "No space left on device" in caplog.text
    assert [*bench.folder.path.iterdir()] == []
    assert bench.backups.age() == FIRST_SECONDS, "the alert counts from the start"
    await bench.after(LOOK_SECONDS)
    assert len(bench.made) == 1
    assert bench.backups.age() == 0


async def test_old_backups_go_even_if_no_new_one_can_be_made(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    for days in (40, 30, 5):
        bench.folder.back_up(bench.time.now() - timedelta(days=days))
    monkeypatch.setattr(private_files, "_flush", full)
    await bench.backups.start(lambda: False)
    await bench.after(FIRST_SECONDS)
    assert bench.made == ["09 12:00"]


async def test_a_start_deletes_what_became_too_old_while_the_bot_was_stopped(bench: Bench) -> None:
    for days in (40, 30, 5):
        bench.folder.back_up(bench.time.now() - timedelta(days=days))
    await bench.backups.start(lambda: False)
    assert bench.made == ["09 12:00"]


async def test_a_note_that_cannot_be_deleted_names_nobody(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refused(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    bench.folder.create()
    bench.folder.note_erasure(123456, bench.time.now() - timedelta(days=30))
    monkeypatch.setattr(Path, "unlink", refused)
    off = DailyBackups(bench.folder, bench.clock, makes=False)
    await off.start(lambda: False)
    await bench.after(FIRST_SECONDS)
    assert "Can't delete old backups in " in caplog.text
    assert "Permission denied" in caplog.text
    assert "123456" not in caplog.text


@pytest.mark.parametrize("while_checked", [False, True], ids=["while copied", "while checked"])
async def test_a_backup_under_way_is_abandoned_when_the_bot_stops(
    while_checked: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = BackupFolder(with_tables(tmp_path / "escoba.sqlite3"))
    with closing(sqlite3.connect(folder.database)) as connection, connection:
        connection.execute(
            "INSERT INTO key_values WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"
            " SELECT 'key ' || i, 'value' FROM n"
        )
    time = Time()
    clock = HandClock(time)
    clock.start()
    under_way = threading.Event()
    backups = DailyBackups(folder, clock)
    problem_of = copying._problem_of

    def stopped() -> bool:
        asked = under_way.is_set()
        if not while_checked:
            under_way.set()
        return asked

    def checking(*arguments: Any) -> str | None:
        assert while_checked, "it should have been abandoned before"
        under_way.set()
        found = problem_of(*arguments)
        raise AssertionError(f"the check has ended: {found}")

    monkeypatch.setattr(copying, "_problem_of", checking)
    await backups.start(stopped)
    async with asyncio.timeout(HANG_SECONDS):
        await clock.advance(FIRST_SECONDS)
    assert under_way.is_set()
    assert [*folder.path.iterdir()] == []
    assert "backup" not in clock.due
    assert "failed" not in caplog.text, "stopping is no failure"
    await clock.close()


async def test_only_a_process_that_has_its_shards_makes_backups(tmp_path: Path) -> None:
    first = await build_parts(settings_for(tmp_path))
    waiting = await build_parts(settings_for(tmp_path))
    for parts in (first, waiting):
        assert parts.backups is not None
        assert math.isnan(parts.backups.age()), "the bot begins them once it serves people"
    await waiting.close()
    await first.close()


@pytest.mark.parametrize(
    ("changes", "said"),
    [({"backups": False}, "ESCOBA_BACKUPS"), ({"database": "postgresql+psycopg://escoba@db/escoba"}, "PostgreSQL")],
)
def test_a_bot_that_makes_no_backups_says_so(
    changes: dict[str, Any], said: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    backups = backups_of(settings_for(tmp_path, **changes), HandClock(Time()))
    assert backups is None or math.isnan(backups.age())
    assert said in caplog.text


@pytest.mark.thorough
async def test_when_backups_are_turned_off_existing_ones_go_after_four_weeks(bench: Bench) -> None:
    bench.folder.back_up(bench.time.now())
    bench.folder.note_erasure(7, bench.time.now())
    await DailyBackups(bench.folder, bench.clock, makes=False).start(lambda: False)
    await bench.after(27 * DAY)
    assert bench.made == ["14 12:00"]
    await bench.after(DAY)
    assert [*bench.folder.path.iterdir()] == []
    await DailyBackups(bench.folder, bench.clock, makes=False).start(lambda: False)  # now that there is none
    await bench.after(DAY)
    assert [*bench.folder.path.iterdir()] == []
