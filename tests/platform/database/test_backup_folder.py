"""The folder of a database's backups: which are kept, which erasures are noted, and that other files are left alone."""

import errno
import os
import traceback
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from bot.platform.database import private_files
from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.database.tools import backup_folder
from bot.platform.database.tools.backup_folder import LOOK_SECONDS, BackupFolder, expired
from tests.support.databases import with_tables

DAY = timedelta(days=1)
NOW = datetime(2026, 3, 14, 12, tzinfo=UTC)


def ages(made: set[datetime], now: datetime) -> list[float]:
    """The ages of backups in days, the youngest first."""
    return sorted((now - at) / DAY for at in made)


def test_seven_daily_backups_are_kept_and_four_weekly_ones_and_none_for_longer_than_four_weeks() -> None:
    made, now = set[datetime](), NOW
    for hour in range(80 * 24):
        now += timedelta(seconds=LOOK_SECONDS)
        if hour % 24 == 0:
            made.add(now)
        made -= expired(made, now)
        if hour > 30 * 24:
            kept = ages(made, now)
            assert [int(age) for age in kept[:7]] == [*range(7)]
            assert max(kept) > 20.9, "backups go back at least three weeks"
            assert max(kept) + 1 / 24 <= 28, "at the next look it isn't older than four weeks"
            assert len(made) <= 7 + 4
            if hour % 24 == 0:
                assert len({at.isocalendar()[:2] for at in made}) >= 4


def test_the_newest_backup_stays_however_old_it_is() -> None:
    made = {NOW - n * DAY for n in (40, 60, 90)}
    assert expired(made, NOW) == {NOW - 60 * DAY, NOW - 90 * DAY}
    assert expired(set(), NOW) == set()


def test_backups_made_by_hand_are_kept_for_a_week_like_the_others() -> None:
    random = Random(1)
    recent = {NOW - timedelta(seconds=random.randrange(7 * 24 * 3600)) for _ in range(30)}
    assert expired(recent, NOW) == set()


@pytest.fixture
def folder(tmp_path: Path) -> BackupFolder:
    return BackupFolder(with_tables(tmp_path / "data" / "escoba.sqlite3"))


def test_a_backup_is_named_after_its_time_and_two_of_one_second_have_two_names(folder: BackupFolder) -> None:
    first, second = folder.back_up(NOW), folder.back_up(NOW)
    assert folder.backups() == [(NOW + timedelta(seconds=1), second), (NOW, first)]
    assert folder.path.name == "escoba.sqlite3.backups"


def test_two_processes_that_back_up_in_one_second_make_two_backups(
    folder: BackupFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    flush = private_files._flush

    def beaten(partial: Path) -> None:
        monkeypatch.setattr(private_files, "_flush", flush)
        made.append(folder.back_up(NOW))
        flush(partial)

    made: list[Path] = []
    monkeypatch.setattr(private_files, "_flush", beaten)
    made.append(folder.back_up(NOW))
    assert folder.backups() == [(NOW + timedelta(seconds=1), made[1]), (NOW, made[0])]


def test_pruning_deletes_only_old_files_of_its_own(folder: BackupFolder, tmp_path: Path) -> None:
    old, stamp = NOW - 50 * DAY, f"{NOW - 50 * DAY:%Y%m%dT%H%M%SZ}"
    gone = {
        folder.back_up(old),
        folder.back_up(NOW - 10 * DAY),
        folder.name_for_replaced(old),
        *(
            folder.path / f"{stamp}{end}"
            for end in ("-replaced.sqlite3-wal", ".sqlite3.partial", ".sqlite3.0123abcd.partial", "-erased-12")
        ),
    }
    outside = tmp_path / "outside"
    outside.write_text("not mine")
    foreign = {
        folder.path / name
        for name in ("notes.txt", f"{stamp}.sqlite3.gz", f"before-{stamp}.sqlite3", "20269999T999999Z.sqlite3", "x")
    }
    kept = {folder.back_up(NOW - 12 * DAY), folder.back_up(NOW - DAY), folder.name_for_replaced(NOW), *foreign}
    for path in gone | kept:
        if not path.exists():
            path.touch()
    (folder.path / f"{stamp}-erased-99").symlink_to(outside)
    (folder.path / f"{stamp}-erased-77").mkdir()
    folder.prune(NOW)
    assert {path for path in gone if path.exists()} == set()
    assert {path for path in kept if not path.exists()} == set()
    assert (folder.path / f"{stamp}-erased-99").is_symlink()
    assert outside.exists()


def test_an_erasure_is_noted_once_there_are_backups_and_the_last_one_of_a_person_counts(folder: BackupFolder) -> None:
    folder.note_erasure(7, NOW)
    assert not folder.path.exists(), "no backup has the person"
    folder.back_up(NOW)
    for user_id, at in ((7, NOW), (7, NOW + DAY), (8, NOW), (12345678901234567890, NOW + 2 * DAY)):
        folder.note_erasure(user_id, at)
    assert len([path for path in folder.path.iterdir() if "-erased-" in path.name]) == 3
    assert {user_id for user_id, _ in folder.erased_since(NOW)} == {7, 8, 12345678901234567890}
    assert {user_id for user_id, _ in folder.erased_since(NOW + DAY)} == {7, 12345678901234567890}
    assert {user_id for user_id, _ in folder.erased_since(NOW + 3 * DAY)} == set()


def test_an_erasure_that_cannot_be_noted_names_nobody(folder: BackupFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    person = 123456
    folder.back_up(NOW)
    monkeypatch.setattr(backup_folder, "create_file", full)
    with pytest.raises(StoreUnavailable, match="No space left on device") as raised:
        folder.note_erasure(person, NOW)
    assert raised.value.fault is Fault.DISK_FULL
    assert str(person) not in "".join(traceback.format_exception(raised.value))


def test_a_noted_erasure_is_forgotten_with_the_last_backup_that_has_the_person(folder: BackupFolder) -> None:
    folder.back_up(NOW)
    folder.note_erasure(7, NOW + DAY)
    folder.prune(NOW + 35 * DAY)
    assert {user_id for user_id, _ in folder.erased_since(NOW)} == {7}, "the newest backup stays, and so does the note"
    folder.back_up(NOW + 35 * DAY)
    folder.prune(NOW + 35 * DAY)
    assert {user_id for user_id, _ in folder.erased_since(NOW)} == set()


def test_a_damaged_database_is_not_backed_up(folder: BackupFolder, tmp_path: Path) -> None:
    with folder.database.open("r+b") as file:
        file.seek(3 * 4096)
        file.write(b"\xff" * 4096)
    with pytest.raises(StoreUnavailable):
        folder.back_up(NOW)
    assert [*folder.path.iterdir()] == []


def test_a_file_of_another_program_is_not_a_backup(tmp_path: Path) -> None:
    folder = BackupFolder(tmp_path / "empty.sqlite3")
    folder.database.touch()
    with pytest.raises(StoreUnavailable, match="no database of this bot"):
        folder.back_up(NOW)
    assert [*folder.path.iterdir()] == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
@pytest.mark.parametrize("mask", [0o000, 0o022])
def test_only_the_bots_own_user_can_read_backups_and_notes(folder: BackupFolder, mask: int) -> None:
    before = os.umask(mask)
    try:
        folder.back_up(NOW)
        folder.note_erasure(7, NOW)
    finally:
        os.umask(before)
    assert folder.path.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.path.iterdir()} == {0o600}
