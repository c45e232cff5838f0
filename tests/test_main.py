"""The command line: which command does what, what it refuses, and how it exits."""

import asyncio
import io
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import bot.__main__ as command_line
from bench.postgres import GUARDED, Cluster
from bot import __version__
from bot.engine.match_file import read
from bot.platform.database.errors import StoreError
from bot.platform.database.ownership.port import lock_of
from bot.platform.language.catalogues import languages
from bot.platform.secrets import Censored, hiding
from bot.process.stores import Stores
from bot.settings import Settings
from tests.support.databases import tables_looked_at_once, with_tables
from tests.support.patience import HANG_SECONDS

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True, scope="module")
def _looking_once() -> Iterator[None]:
    with tables_looked_at_once():
        yield


@pytest.fixture(autouse=True)
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of a database for this test only; pytest's logging set-up is left alone."""
    path = tmp_path / "games.sqlite3"
    monkeypatch.setenv("ESCOBA_DATABASE", str(path))
    monkeypatch.setattr(command_line, "set_up_logging", lambda *args, **options: None)
    return path


def stand_in(monkeypatch: pytest.MonkeyPatch, name: str, **functions: Callable[..., Any]) -> None:
    module = ModuleType(name)
    module.__spec__ = ModuleSpec(name, None)
    vars(module).update(functions)
    monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.parametrize("arguments", [[], ["run"], ["sync"]])
def test_without_a_token_it_says_what_to_do(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(arguments) == 2
    said = capsys.readouterr().err
    assert f"{Path.cwd() / '.env'}: put ESCOBA_TOKEN" in said
    assert "the command `demo`" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(("arguments", "code"), [([], 10), (["run"], 10), (["sync"], 20), (["sync", "--adopt"], 21)])
def test_run_is_the_default_and_its_exit_code_is_returned(
    arguments: list[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ESCOBA_TOKEN", "made.up.token")
    stand_in(monkeypatch, "bot.process.serve", run=lambda settings: 10, sync=lambda settings, adopts: 20 + adopts)
    assert command_line.main(arguments) == code


def test_demo_passes_its_options_on(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[dict[str, bool]] = []

    def demo(settings: Settings, **switches: bool) -> int:
        calls.append(switches)
        return 0

    for name in ("simcord", "aiohttp"):
        stand_in(monkeypatch, name)
    stand_in(monkeypatch, "bot.demo", main=demo)
    assert command_line.main(["demo"]) == 0
    assert command_line.main(["demo", "--no-browser", "--fresh"]) == 0
    assert calls == [{"browser": True, "fresh": False}, {"browser": False, "fresh": True}]


def test_settings_prints_the_example_file_even_if_a_setting_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ESCOBA_TURN_SECONDS", "5")
    assert command_line.main(["settings"]) == 0
    assert capsys.readouterr().out == (ROOT / ".env.example").read_text(encoding="utf-8")


def test_a_wrong_setting_stops_the_start(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("ESCOBA_TURN_SECONDS", "5")
    assert command_line.main([]) == 2
    assert capsys.readouterr().err.startswith("ESCOBA_TURN_SECONDS takes")


def test_ctrl_c_stops_it_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(settings: Settings) -> int:
        raise KeyboardInterrupt

    monkeypatch.setenv("ESCOBA_TOKEN", "made.up.token")
    stand_in(monkeypatch, "bot.process.serve", run=interrupted)
    assert command_line.main([]) == 130
    monkeypatch.setattr(command_line, "load_settings", lambda: interrupted(Settings()))
    assert command_line.main(["check"]) == 130


@pytest.mark.parametrize(("command", "code"), [("-mbot", -signal.SIGINT), ("ops/wheel/__main__.py", 130)])
def test_ctrl_c_during_its_imports_ends_it_without_a_traceback(tmp_path: Path, command: str, code: int) -> None:
    slow = tmp_path / "pydantic.py"
    slow.write_text("import time; print('importing', flush=True); time.sleep(600)")
    own = signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background, where shells ignore it, too
    with subprocess.Popen(
        [sys.executable, command],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as started:  # fmt: skip
        assert started.stdout is not None
        signal.signal(signal.SIGINT, own)
        started.stdout.readline()
        started.send_signal(signal.SIGINT)
        assert started.communicate(timeout=HANG_SECONDS) == (b"", b"")
    assert started.returncode == code


@pytest.mark.parametrize("arguments", [["dance"], ["demo", "--loud"], ["backup", "a", "b"]])
def test_an_unknown_command_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command_line.main(arguments)
    assert ended.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_backup_copies_the_database_while_it_is_open(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def keep_a_value() -> None:
        store = await Stores.open(with_tables(database))
        await store.values.set("kept", "yes")
        await store.database.close()

    asyncio.run(keep_a_value())
    target = tmp_path / "copy.sqlite3"
    holder = sqlite3.connect(database)
    try:
        assert command_line.main(["backup", str(target)]) == 0
    finally:
        holder.close()
    assert str(target) in capsys.readouterr().out

    async def value() -> str | None:
        store = await Stores.open(target)
        try:
            return await store.values.get("kept")
        finally:
            await store.database.close()

    assert asyncio.run(value()) == "yes"


def test_backup_creates_no_database(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["backup", "copy"]) == 2
    assert str(database) in capsys.readouterr().err
    assert not database.exists()


def test_backup_of_postgresql_names_the_command_to_use(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ESCOBA_DATABASE", "postgresql+psycopg://ana:secret@db.example:5433/games")
    assert command_line.main(["backup", "my copy"]) == 2
    said = capsys.readouterr().err
    command = "pg_dump --format=custom --file='my copy' --host=db.example --port=5433 --username=ana --dbname=games"
    assert said.splitlines()[-1] == command
    assert "secret" not in said


@pytest.mark.thorough
def test_copy_moves_a_database_to_a_server_and_back_and_checks_it(
    database: Path, postgres: Cluster, capsys: pytest.CaptureFixture[str]
) -> None:
    url, back = postgres.new("template1"), database.with_name("back.sqlite3")
    assert command_line.main(["copy", str(database), url]) == 2
    assert "there is no file" in capsys.readouterr().err

    async def keep_a_value() -> None:
        store = await Stores.open(with_tables(database))
        await store.values.set("kept", "yes")
        await store.database.close()

    asyncio.run(keep_a_value())
    with lock_of(database).acquire(blocking=False):  # as a running bot holds it
        assert command_line.main(["copy", str(database), url]) == 2
        assert "stop it first" in capsys.readouterr().err
    assert command_line.main(["copy", str(database), url]) == 0
    said = capsys.readouterr().out
    assert "1 rows, each compared" in said
    assert "no problems" in said
    assert command_line.main(["check", url]) == 0
    assert command_line.main(["copy", url, str(back)]) == 0
    with closing(sqlite3.connect(back)) as connection:
        assert connection.execute("SELECT * FROM key_values").fetchall() == [("kept", "yes")]
    assert command_line.main(["copy", url, str(back)]) == 2
    assert "isn't empty" in capsys.readouterr().err
    assert command_line.main(["copy", "postgres://ana:secret@host/games", str(back)]) == 2
    assert "secret" not in capsys.readouterr().err
    postgres.drop(url)


def test_hiding_passwords_in_a_stream_ends_quietly_after_the_stream() -> None:
    written = io.BytesIO()
    stream = io.TextIOWrapper(written)
    censored = Censored(stream, hiding(["wr0ng"]))
    censored.write("a wr0ng word")
    censored.flush()
    assert written.getvalue() == b"a [secret] word"
    stream.close()
    censored.close()  # as Python does when it is collected; from 3.13 on, it reports errors there


@pytest.mark.parametrize("where", ["as the password", "as a parameter", "in the environment"])
def test_no_error_that_is_printed_holds_a_password(
    where: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def fail(*_: object) -> bool:
        raise StoreError("the server said: no, wr0ng-w0rd and wr0ng%2Dw0rd are wrong")

    if where == "in the environment":
        monkeypatch.setenv("PGPASSWORD", "wr0ng-w0rd")
    monkeypatch.setattr("bot.process.check.check", fail)
    own = ":wr0ng%2Dw0rd" if where == "as the password" else ""
    option = "?password=wr0ng%2Dw0rd" if where == "as a parameter" else ""
    assert command_line.main(["check", f"postgresql+psycopg://ana{own}@host/games{option}"]) == 2
    said = capsys.readouterr().err
    assert "the server said: no, [secret]" in said
    assert "wr0ng-w0rd" not in said


def test_copy_says_what_went_wrong_and_whether_to_try_again(
    database: Path, postgres: Cluster, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def keep_a_value() -> None:
        store = await Stores.open(with_tables(database))
        await store.values.set("kept", "y\0s")
        await store.database.close()

    asyncio.run(keep_a_value())
    guarded = postgres.url("template1", GUARDED).replace(f"{GUARDED}@", f"{GUARDED}:wr0ng@")
    for command in (["copy", str(database), guarded], ["copy", guarded, str(database) + "2"], ["check", guarded]):
        assert command_line.main(command) == 2
        said = capsys.readouterr().err
        assert "can't be c" in said
        assert "password authentication failed" in said
        assert "again" not in said
    nowhere = f"postgresql+psycopg://ana@/games?host={database.parent}"
    assert command_line.main(["copy", str(database), nowhere]) == 1, "it may be back soon"
    assert "It can't be copied: cannot open the database" in capsys.readouterr().err
    url = postgres.new("template1")
    assert command_line.main(["copy", str(database), url]) == 2
    assert "isn't finished, and the same would happen again" in capsys.readouterr().err
    assert command_line.main(["check", url]) == 2
    said = capsys.readouterr()
    assert f"a copy of {database} into it was not finished; run the same copy again" in said.err
    assert said.out == ""
    postgres.drop(url)


def test_backup_overwrites_nothing(database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database.touch()
    target = tmp_path / "mine"
    target.write_text("precious")
    assert command_line.main(["backup", str(target)]) == 2
    assert command_line.main(["backup", str(tmp_path / "nowhere" / "copy")]) == 2
    assert "already exists" in capsys.readouterr().err
    assert target.read_text() == "precious"


@pytest.mark.spanish
@pytest.mark.parametrize(
    ("options", "said"),
    [([], "Bea claims what Ana missed"), (["--language", "es"], "Bea reclama")],
)
def test_show_prints_a_match_from_deal_to_result(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = ROOT / "tests" / "engine" / "files" / "games" / "quince-2.escoba"
    match = read(recorded.read_bytes())
    assert command_line.main(["show", str(recorded), *options]) == 0
    shown = capsys.readouterr().out
    assert said in shown
    assert "**" not in shown
    assert shown.count(". 🧹 ") == sum(match.match.escobas)
    assert shown.count("    Ana: ") == len(match.match.scores) * len(match.start.rules.hands(match.start.seating))
    assert f"🥇 {match.names[match.match.winner or 0]}: {max(match.match.totals)}" in shown


@pytest.mark.thorough
@pytest.mark.parametrize(("command", "code"), [("show", 0), ("verify", 1)])
def test_what_is_printed_about_a_file_may_be_read_only_in_part(command: str, code: int) -> None:
    recorded = ROOT / "tests" / "engine" / "files" / "games" / "escoba-2.escoba"
    shown = [sys.executable, "-m", "bot", command, str(recorded)]
    with subprocess.Popen(shown, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == code


def test_show_says_what_is_wrong_with_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edited = tmp_path / "edited.escoba"
    recorded = (ROOT / "tests" / "engine" / "files" / "games" / "quince-2.escoba").read_text(encoding="utf-8")
    edited.write_text(recorded.replace("round 1", "round 7"), encoding="utf-8")
    missing = tmp_path / "missing.escoba"
    for arguments, said in (
        ([str(edited)], "this line should be 'round 1', not 'round 7'"),
        ([str(missing)], "can't be read: No such file"),
        ([str(tmp_path)], "can't be read: Is a directory"),
        ([str(edited), "--language", "tlh"], f"only in {', '.join(languages())}."),
    ):
        assert command_line.main(["show", *arguments]) == 2
        refusal = capsys.readouterr()
        assert said in refusal.err
        assert refusal.out == ""


def test_health_follows_the_heartbeat(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    beat = Path(f"{database}.alive")
    assert command_line.main(["health"]) == 1
    beat.touch()
    assert command_line.main(["health"]) == 0
    old = time.time() - Settings.HEARTBEAT_FRESH_SECONDS - 5
    os.utime(beat, (old, old))
    assert command_line.main(["health"]) == 1
    assert "not connected for 9" in capsys.readouterr().err


def test_it_starts_as_a_module() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "bot", "--version"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert __version__ in run.stdout
