"""Restoring a backup: what is in it comes back, except for people who were erased since, or nothing changes at all."""

import asyncio
import os
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

import bot.__main__ as command_line
from bot.platform.database.errors import CannotCopy, StoreUnavailable
from bot.platform.database.ownership.port import lock_of
from bot.platform.database.tools import backup_folder
from bot.platform.database.tools.backup_folder import BackupFolder
from bot.privacy.live.erasure import erase, erase_due
from bot.privacy.live.tournament_erasure import erase as erase_everywhere
from bot.process.backups import restore
from bot.process.check import check
from bot.process.stores import Stores
from bot.tables.log.actions import Leave
from bot.tables.settings import TablePreferences
from bot.tournaments.rules.log import CancelTournament, Enter
from tests.privacy.store.test_privacy import mentions_of
from tests.support.databases import with_tables
from tests.support.store import rows
from tests.support.tables.hall import Hall, play_round, state_of
from tests.support.tables.kit import ANA, BEA, CHANNEL, CLO, FRIENDLY
from tests.support.tables.timing import START
from tests.tournaments.evening import CROWD, ORGANISER, TournamentProcess

LATER = START + timedelta(hours=2)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "escoba.sqlite3"


async def stored(path: Path, **values: str) -> None:
    store = await Stores.open(path)
    for key, value in values.items():
        await store.values.set(key, value)
    await store.database.close()


def value_of(path: Path, key: str = "a") -> str:
    [(value,)] = rows(path, f"SELECT value FROM key_values WHERE key = '{key}'")  # noqa: S608 - the test's own word
    return value


async def test_a_restored_backup_is_the_database_and_what_it_replaces_is_kept(path: Path) -> None:
    await stored(path, a="then")
    folder = BackupFolder(path)
    backup = folder.back_up(START)
    await stored(path, a="now")
    done = await restore(path, None, LATER)
    assert (done.database, done.backup, done.erased) == (path, backup, 0)
    assert value_of(path) == "then"
    assert done.replaced is not None
    assert value_of(done.replaced) == "now"
    again = await restore(path, done.replaced, LATER + timedelta(hours=1))
    assert value_of(path) == "now"
    assert again.replaced is not None
    assert value_of(again.replaced) == "then"
    assert [path for _, path in folder.backups()] == [backup], "what was replaced is no backup"
    if os.name != "nt":
        assert path.stat().st_mode & 0o777 == 0o600


async def test_the_newest_moves_of_the_replaced_database_are_kept_with_it_and_do_not_come_into_the_restored_one(
    path: Path,
) -> None:
    await stored(path, a="then")
    BackupFolder(path).back_up(START)
    with closing(sqlite3.connect(path, isolation_level=None)) as crashed:
        crashed.execute("PRAGMA journal_mode=WAL")
        crashed.execute("UPDATE key_values SET value = 'only in the log'")
        rest = {end: Path(f"{path}{end}").read_bytes() for end in ("", "-wal")}
    for end, content in rest.items():  # as a killed process leaves them
        Path(f"{path}{end}").write_bytes(content)
    done = await restore(path, None, LATER)
    assert value_of(path) == "then"
    assert done.replaced is not None
    assert value_of(done.replaced) == "only in the log"
    path.unlink()
    Path(f"{path}-wal").write_bytes(rest["-wal"])  # the log of a database that is gone
    await restore(path, None, LATER)
    assert not Path(f"{path}-wal").exists(), "its pages would be taken for the new one's"
    assert value_of(path) == "then"


async def test_a_damaged_database_can_be_replaced(path: Path) -> None:
    await stored(path, a="then")
    BackupFolder(path).back_up(START)
    path.write_bytes(b"not any more" * 1000)
    Path(f"{path}-wal").write_bytes(b"nor its log")
    done = await restore(path, None, LATER)
    assert value_of(path) == "then"
    assert done.replaced is not None
    assert done.replaced.read_bytes().startswith(b"not any more")
    assert Path(f"{done.replaced}-wal").read_bytes() == b"nor its log"


@pytest.mark.skipif(os.name == "nt", reason="Windows has other means than modes and owners")
async def test_a_restored_database_keeps_its_owner(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await stored(path, a="then")
    BackupFolder(path).back_up(START)
    path.chmod(0o644)
    given: list[tuple[str, int, int]] = []
    monkeypatch.setattr(os, "chown", lambda file, user, group: given.append((Path(file).name, user, group)))
    await restore(path, None, LATER)
    known = path.stat()
    assert given == [("escoba.sqlite3.restoring", known.st_uid, known.st_gid)]
    assert known.st_mode & 0o777 == 0o640, "its group may have been let in on purpose, but not everybody"


async def test_a_database_that_cannot_be_replaced_is_put_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await stored(path, a="then")
    BackupFolder(path).back_up(START)
    await stored(path, a="now")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "not here")

    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(StoreUnavailable):
        await restore(path, None, LATER)
    assert value_of(path) == "now"


async def test_a_backup_can_be_restored_where_there_is_no_database(path: Path, tmp_path: Path) -> None:
    await stored(path, a="then")
    backup = BackupFolder(path).back_up(START)
    elsewhere = tmp_path / "new" / "escoba.sqlite3"
    done = await restore(elsewhere, backup, LATER)
    assert (value_of(elsewhere), done.replaced) == ("then", None)


async def test_nothing_is_restored_while_a_bot_runs_or_waits(path: Path) -> None:
    await stored(path, a="then")
    BackupFolder(path).back_up(START)
    await stored(path, a="now")
    with lock_of(path).acquire(blocking=False), pytest.raises(CannotCopy, match=r"a bot uses .*; stop it first"):
        await restore(path, None, LATER)
    waiting = await Stores.open(path)  # it has the database open, and would go on writing to the replaced one
    with pytest.raises(StoreUnavailable, match=r"another program has .* open; stop it first"):
        await restore(path, None, LATER)
    assert await waiting.values.get("a") == "now"
    await waiting.database.close()
    assert value_of(path) == "now"
    assert sorted(file.name for file in path.parent.iterdir() if not file.name.endswith(".lock")) == [
        "escoba.sqlite3",
        "escoba.sqlite3.backups",
    ]
    assert len([*BackupFolder(path).path.iterdir()]) == 1


async def test_a_backup_that_isnt_sound_changes_nothing(path: Path, tmp_path: Path) -> None:
    await stored(path, a="now")
    folder = BackupFolder(path)
    with pytest.raises(CannotCopy, match="there is no backup in"):
        await restore(path, None, LATER)
    backup = folder.back_up(START)
    content = backup.read_bytes()
    backup.write_bytes(content[: len(content) // 2])
    (tmp_path / "other.sqlite3").touch()
    for wrong, said in ((backup, "malformed|damaged"), (tmp_path / "other.sqlite3", "no database of this bot")):
        with pytest.raises(StoreUnavailable, match=said):
            await restore(path, wrong, LATER)
    for wrong, said in ((path, "is the database itself"), (tmp_path / "none", "there is no file")):
        with pytest.raises(CannotCopy, match=said):
            await restore(path, wrong, LATER)
    assert value_of(path) == "now"
    assert not list(path.parent.glob("*.restoring*"))


async def test_a_backup_of_a_newer_version_changes_nothing(path: Path) -> None:
    await stored(path, a="now")
    backup = BackupFolder(path).back_up(START)
    with closing(sqlite3.connect(backup)) as connection, connection:
        connection.execute("UPDATE escoba_version SET version_num = '9999', works_for = '9999'")
    with pytest.raises(StoreUnavailable, match=f"{backup}: a newer version of the bot wrote it .* an older backup"):
        await restore(path, backup, LATER)
    assert value_of(path) == "now"


async def test_a_backup_from_before_the_first_release_changes_nothing_and_a_database_from_then_can_be_replaced(
    path: Path,
) -> None:
    await stored(path, a="now")
    backup = BackupFolder(path).back_up(START)
    old = path.with_name("old.sqlite3")
    with closing(sqlite3.connect(old)) as connection:
        connection.execute("CREATE TABLE alembic_version AS SELECT '0015' AS version_num")
    with pytest.raises(StoreUnavailable, match=r"old.sqlite3: it is from before the first release"):
        await restore(path, old, LATER)
    assert value_of(path) == "now"
    before = old.read_bytes()
    os.replace(old, path)
    restored = await restore(path, backup, LATER)
    assert value_of(path) == "now"
    assert restored.replaced is not None
    assert restored.replaced.read_bytes() == before


async def test_there_is_a_database_at_every_moment(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await stored(path, a="then")
    BackupFolder(path).back_up(START)
    there: list[bool] = []
    replace = os.replace

    def noting(old: Path, new: Path) -> None:
        there.append(path.exists())
        replace(old, new)
        there.append(path.exists())

    monkeypatch.setattr(backup_folder.os, "replace", noting)
    await restore(path, None, LATER)
    assert there
    assert all(there)


@pytest.mark.thorough
async def test_people_who_were_erased_after_a_backup_are_erased_from_it_and_leave_its_open_games(path: Path) -> None:
    hall = await Hall.build(path)
    for number, people in enumerate(((ANA, BEA), (BEA, CLO))):
        table = await hall.match(*people, channel=CHANNEL + number)
        await play_round(table)
        await table.submit(Leave(people[0]))  # the other one wins
    await hall.match(ANA, BEA, channel=CHANNEL + 5, config=FRIENDLY)
    await hall.match(ANA, BEA, channel=CHANNEL + 7)  # which she loses by leaving, with a result
    folder = BackupFolder(path)
    await asyncio.to_thread(folder.create)
    await erase(hall.store.personal_data, hall.manager, hall.preferences, CLO)
    hall.time.move_to(START + timedelta(hours=1))
    await hall.lobby(CLO, channel=CHANNEL + 6)  # plays again after the erasure, before the backup
    await asyncio.to_thread(folder.back_up, hall.clock.now())
    hall.time.move_to(START + timedelta(hours=2))
    await erase(hall.store.personal_data, hall.manager, hall.preferences, ANA)
    await hall.close()

    done = await restore(path, None, LATER + timedelta(hours=1))
    assert done.erased == 1
    after = await Hall.build(path)
    try:
        await after.manager.load(after.brought_back.append)
        assert await erase_due(after.store.personal_data, after.manager) == 3, "the bot does so when it starts"
        for game in range(1, 6):
            assert not mentions_of(await after.store.games.log(game), ANA), game
        assert (await after.store.personal_data.of(ANA.id)).games == ()
        assert mentions_of(await after.store.games.log(5), CLO), "the backup has nothing from before their erasure"
        assert mentions_of(await after.store.games.log(3), BEA)
        table = await after.manager.find(3)
        assert table is not None
        assert ANA.id not in [seat.person_id for seat in state_of(table).seats]
    finally:
        await after.close()
    assert await check(path, print)
    traces = [ANA.name.encode(), str(ANA.id).encode()]
    assert not any(trace in path.read_bytes() for trace in traces)


async def test_people_who_were_erased_after_a_backup_are_erased_from_its_tournaments(path: Path) -> None:
    evening, gone = await TournamentProcess.on(with_tables(path)), CROWD[0]
    await evening.announce()
    await evening.submit(*(Enter(person) for person in CROWD[:2]), CancelTournament(ORGANISER))
    await asyncio.to_thread(BackupFolder(path).back_up, START)
    evening.hall.time.move_to(LATER)
    hall = evening.hall
    await erase_everywhere(
        hall.store.personal_data, hall.store.tournaments, hall.manager, evening.tournaments, hall.preferences, gone
    )
    await evening.tournaments.close()
    await hall.close()
    done = await restore(path, None, LATER)
    assert done.erased == 1
    told = rows(path, "SELECT body FROM tournament_events")
    assert (str(gone.id) in str(told), str(CROWD[1].id) in str(told)) == (False, True)
    assert (gone.id,) not in rows(path, "SELECT user_id FROM tournament_people")


async def test_a_backup_that_was_made_after_an_erasure_keeps_what_the_person_has_chosen_since(path: Path) -> None:
    evening = await TournamentProcess.on(with_tables(path))
    hall, folder = evening.hall, BackupFolder(path)
    await asyncio.to_thread(folder.create)
    for person in (ANA, BEA):
        await hall.preferences.change(person.id, TablePreferences, text_only=True)
    parts = (hall.store.personal_data, hall.store.tournaments, hall.manager, evening.tournaments, hall.preferences)
    await erase_everywhere(*parts, ANA)
    await hall.preferences.change(ANA.id, TablePreferences, text_only=True)
    hall.time.move_to(START + timedelta(hours=1))
    await asyncio.to_thread(folder.back_up, hall.clock.now())
    hall.time.move_to(START + timedelta(hours=2))
    await erase_everywhere(*parts, BEA)
    await evening.tournaments.close()
    await hall.close()
    done = await restore(path, None, LATER)
    assert done.erased == 1, "Bea, whom the backup still holds"
    assert rows(path, "SELECT user_id FROM people WHERE choices != '{}'") == [(ANA.id,)]
    assert str(ANA.id) not in str(rows(path, "SELECT * FROM key_values")), "whose erasures they were isn't noted"


async def test_an_erasure_that_a_restore_has_repeated_is_not_repeated_by_the_next_one(path: Path) -> None:
    hall, folder = await Hall.build(with_tables(path)), BackupFolder(path)
    await hall.preferences.change(ANA.id, TablePreferences, text_only=True)
    await asyncio.to_thread(folder.back_up, hall.clock.now())
    hall.time.move_to(START + timedelta(hours=1))
    await erase(hall.store.personal_data, hall.manager, hall.preferences, ANA)
    await hall.close()
    assert (await restore(path, None, LATER)).erased == 1
    came_back = await Stores.open(path)
    await came_back.preferences.put(ANA.id, '{"text_only": true}')
    await came_back.database.close()
    saved = path.with_name("saved.sqlite3")
    await asyncio.to_thread(backup_folder.copy_database, path, saved)
    assert (await restore(path, saved, LATER + timedelta(hours=1))).erased == 0
    assert rows(path, "SELECT user_id FROM people WHERE choices != '{}'") == [(ANA.id,)]


def test_the_commands_say_what_they_have_done(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ESCOBA_DATABASE", str(path))
    monkeypatch.setattr(command_line, "set_up_logging", lambda *args, **options: None)
    assert command_line.main(["restore"]) == 2
    assert "there is no backup in" in capsys.readouterr().err
    asyncio.run(stored(path, a="then"))
    assert command_line.main(["backup"]) == 0
    [(_, backup)] = BackupFolder(path).backups()
    assert str(backup) in capsys.readouterr().out
    assert command_line.main(["restore"]) == 0
    said = capsys.readouterr().out
    assert f"{path} is restored from {backup}: 0 games, 0 open." in said
    assert "-replaced.sqlite3" in said
    backup.write_bytes(b"")
    assert command_line.main(["restore", str(backup)]) == 2
    assert "Nothing is restored" in capsys.readouterr().err
    monkeypatch.setenv("ESCOBA_DATABASE", "postgresql+psycopg://ana:secret@db.example/games")
    assert command_line.main(["restore", "games.dump"]) == 2
    said = capsys.readouterr().err
    assert "secret" not in said
    assert said.splitlines()[-1] == (
        "pg_restore --exit-on-error --single-transaction --no-owner --host=db.example --username=ana --dbname=games"
        " games.dump"
    )
