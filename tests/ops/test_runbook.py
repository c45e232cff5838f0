"""The shell blocks of docs/RUNNING.md, run verbatim in a folder like a checkout.

Make, the bot's commands and PostgreSQL's programs are real. `docker` is a stand-in that runs the commands for
PostgreSQL's container locally, and records each call for comparison with `compose.yaml`.
"""

import asyncio
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dotenv import dotenv_values

from bench.postgres import Cluster, programs
from bot.__main__ import _parser  # pyright: ignore[reportPrivateUsage] - what the commands accept
from bot.platform.database.locations import location_of, restore_command
from bot.platform.database.tools.backup_folder import BackupFolder
from bot.platform.database.tools.transfer import transfer
from bot.process.stores import Stores
from bot.schema import SCHEMA
from bot.settings import load_settings
from tests.ops.files import COMMON, COMPOSE, ROOT, UNIT, loaded
from tests.support.patience import HANG_SECONDS
from tests.support.store import rows
from tests.support.tables.hall import Hall, play_round
from tests.support.tables.kit import ANA, BEA, CHANNEL, config_of
from tests.tables.test_results import play_out

RUNNING = (ROOT / "docs" / "RUNNING.md").read_text(encoding="utf-8")
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/*.md")]
IMAGE = "registry.example/owner/escoba"
COUNTS = "SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM results), (SELECT count(*) FROM games)"

PYTHON = f"""#!/bin/sh
case "$*" in
"-m bot run"*) echo "bot run, shards $ESCOBA_SHARDS" >>"$CALLS" ;;
"-m bot sync"*) echo "bot sync in $PWD" >>"$CALLS" ;;
*) exec {shlex.quote(sys.executable)} "$@" ;;
esac
"""
DOCKER = """#!/bin/sh
echo "docker $*" >>"$CALLS"
case "$*" in
"compose exec -T postgres "*) shift 4; exec "$@" ;;
*logs*) echo "bot-1  | Ready to take shards 1/2" ;;
esac
"""
ESCOBA = """#!/bin/sh
exec "$CHECKOUT/.venv/bin/python" -m bot "$@"
"""
CALLED = """#!/bin/sh
echo "$(basename "$0") $*" >>"$CALLS"
"""
RUNUSER = """#!/bin/sh
shift 3
exec "$@"
"""
INSTALL = """#!/bin/sh
for last in "$@"; do :; done
mkdir -p "$last"
"""
PYTHON3 = """#!/bin/sh
mkdir -p "$3/bin"
cp "$CHECKOUT/bin/escoba" "$CHECKOUT/bin/pip" "$3/bin"
"""
STAND_INS = {
    "docker": DOCKER,
    "escoba": ESCOBA,
    "install": INSTALL,
    "python3": PYTHON3,
    "runuser": RUNUSER,
    **dict.fromkeys(("chown", "gh", "pip", "systemctl", "useradd"), CALLED),
}
OPTIONS = {
    "build": {},
    "down": {},
    "exec": {"-T": 0},
    "logs": {"--tail": 1},
    "ps": {},
    "run": {
        "--build": 0,
        "--detach": 0,
        "--rm": 0,
        "--no-deps": 0,
        "--name": 1,
        "--user": 1,
        "--volume": 1,
        "--env": 1,
    },
    "stop": {},
    "up": {"--build": 0, "--detach": 0, "--no-deps": 0, "--wait": 0},
}
"""Commands of compose, and how many values each option takes."""


def blocks(heading: str) -> list[str]:
    """The shell blocks under a heading of RUNNING.md, up to the next heading."""
    section = RUNNING.partition(f"\n{heading}\n")[2]
    assert section, heading
    return re.findall(r"^```sh\n(.*?)^```", re.split(r"^#+ ", section, flags=re.MULTILINE)[0], re.DOTALL | re.MULTILINE)


class Checkout:
    """A folder like a checkout, with an `.env` whose last line has no line break."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("Makefile", "bot", "cogs", "requirements", "compose.yaml", "ops", ".env.example"):
            (folder / name).symlink_to(ROOT / name)
        for name, text in (
            ("venv/bin/python", PYTHON),
            ("venv/bin/pip", ""),
            ("venv/.run", ""),
            *((f"bin/{program}", stand_in) for program, stand_in in STAND_INS.items()),
        ):
            path = folder / f".{name}" if name.startswith("venv") else folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)
        self.env = folder / ".env"
        self.env.write_text("ESCOBA_TURN_SECONDS=60")
        self.calls = folder / "calls"
        self.more: dict[str, str] = {}
        self.database = folder / "data" / "escoba.sqlite3"

    def run(self, block: str, cluster: Cluster | None = None, *, expected: int = 0) -> str:
        """Run a block; returns what it printed."""
        own = re.compile("ESCOBA_|MAKE|MFLAGS|ARGS|VENV|PG|POSTGRES_|GRAFANA_")
        environment = {name: value for name, value in os.environ.items() if not own.match(name)}
        path = [str(self.folder / "bin"), *([str(programs())] if cluster else []), environment["PATH"]]
        environment |= {"PATH": os.pathsep.join(path), "CALLS": str(self.calls)}
        environment |= {"IMAGE": IMAGE, "REPOSITORY": "owner/escoba", "CHECKOUT": str(self.folder), **self.more}
        block = re.sub("(?=/opt/escoba|/var/lib/escoba)", str(self.folder), block)
        if cluster is not None:
            environment["PGHOST"] = str(cluster.folder)
            block = block.replace("--host=HOST", f"--host={cluster.folder}")
            block = block.replace("@HOST/escoba", f"@/escoba?host={cluster.folder}")
        done = subprocess.run(
            ["sh", "-eu", "-c", block],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == expected, done.stdout
        return done.stdout

    def called(self) -> list[list[str]]:
        return [shlex.split(line) for line in self.calls.read_text().splitlines()]

    def dump(self, block: str) -> Path:
        """Rename the dump that was made to the name that a block restores; returns its new path."""
        (made,) = self.folder.glob("escoba-*.dump")
        (name,) = re.findall(r"escoba-\d{4}-\d\d-\d\d\.dump", block)
        return made.rename(self.folder / name)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with some games."""
    database = tmp_path_factory.mktemp("games") / "escoba.sqlite3"

    async def play() -> None:
        hall = await Hall.build(database)
        await play_out(hall, await hall.match(ANA, BEA, config=config_of(target=11)))
        await play_round(await hall.match(ANA, BEA, channel=CHANNEL + 1))
        await hall.close()

    asyncio.run(play())
    return database


@pytest.fixture
def played(checkout: Checkout, games: Path) -> Checkout:
    """A checkout with some games in its database file."""
    shutil.copytree(games.parent, checkout.database.parent)
    return checkout


@pytest.fixture
def server(postgres: Cluster) -> Iterator[Cluster]:
    """A server with a database and the users that the blocks name."""
    postgres.run("CREATE ROLE postgres SUPERUSER LOGIN")
    postgres.run("CREATE DATABASE escoba OWNER escoba")
    yield postgres
    for name in ("escoba", "escoba_replaced"):
        postgres.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    postgres.run("DROP ROLE postgres")


def test_the_settings_start_from_the_example(checkout: Checkout) -> None:
    checkout.env.unlink()
    (block,) = blocks("## As a package")
    checkout.run(block)
    assert checkout.env.read_text() == (ROOT / ".env.example").read_text()
    assert checkout.env.stat().st_mode & 0o777 == 0o600


def test_the_image_is_tried_and_verified(checkout: Checkout) -> None:
    for block in blocks("## As an image"):
        checkout.run(block)
    (_, verb, *options, command), verified = checkout.called()
    assert (verb, options[-1], _parser("bot").parse_args([command]).command) == ("run", IMAGE, "demo")
    assert options[:-1] == ["--rm", "--publish", "127.0.0.1:8000:8000"]
    assert verified == ["gh", "attestation", "verify", f"oci://{IMAGE}:latest", "--repo", "owner/escoba"]


def test_one_process_is_started_with_compose(checkout: Checkout) -> None:
    (block,) = blocks("## With compose")
    checkout.run(block)
    services = loaded(COMMON)["services"]
    called = checkout.called()
    assert [arguments[0] for _, _, *arguments in called] == ["run", "up", "logs"]
    for _, _, *arguments in called:
        assert_compose_knows(services, arguments)


def test_the_package_runs_as_a_service_and_is_updated(checkout: Checkout) -> None:
    install, start, update = blocks("## As a service of systemd")
    checkout.run(install)
    state = checkout.folder / "var" / "lib" / "escoba"
    assert (state / ".env").read_text() == (ROOT / ".env.example").read_text()
    assert (state / ".env").stat().st_mode & 0o777 == 0o600
    checkout.run(start)
    checkout.run(update)
    called = checkout.called()
    assert called.count(["bot", "sync", "in", str(state)]) == 2
    linked, *switched = [arguments for program, *arguments in called if program == "systemctl"]
    assert linked == ["link", f"{checkout.folder}/opt/escoba/lib/systemd/system/{UNIT.name}"]
    assert switched == [
        ["enable", "--now", "escoba@a"],
        ["daemon-reload"],
        ["disable", "escoba@a"],
        ["enable", "--now", "escoba@b"],
    ]
    unit = UNIT.read_text(encoding="utf-8")
    for place in ("/opt/escoba/bin/escoba run", "/var/lib/escoba"):
        assert f"={place}\n" in unit
    assert "--system" in called[0]
    assert f"User={called[0][-1]}\n" in unit


@pytest.mark.thorough
def test_the_backups_of_a_file_are_copied_elsewhere_and_back(played: Checkout) -> None:
    if shutil.which("restic") is None:
        pytest.skip("restic isn't installed")
    copy, get_back, *_ = blocks("### Of a file, on another machine")
    before = rows(played.database, COUNTS)
    secret = played.folder / "password"
    secret.write_text("made up")
    played.more = {
        "RESTIC_REPOSITORY": str(played.folder / "elsewhere"),
        "RESTIC_PASSWORD_FILE": str(secret),
        "XDG_CACHE_HOME": str(played.folder / "cache"),
    }
    played.run("restic init")
    played.run("make backup")
    for _ in range(2):
        played.run(copy)
    assert played.run("restic snapshots --json").count('"short_id"') == 1
    shutil.rmtree(played.database.parent)
    assert "no problems" in played.run(get_back)
    assert rows(played.database, COUNTS) == before
    assert played.database.stat().st_mode & 0o777 == 0o600


@pytest.mark.thorough
def test_a_replica_has_what_was_stored_a_moment_ago(played: Checkout) -> None:
    _, _, replicate, get_back = blocks("### Of a file, on another machine")
    if (litestream := shutil.which("litestream", path=str(Path(sys.executable).parent))) is None:
        pytest.skip("litestream isn't installed")
    (played.folder / "bin" / "litestream").symlink_to(litestream)
    replica = played.folder / "elsewhere"
    played.more = {"REPLICA": f"file://{replica}"}
    before = rows(played.database, COUNTS)
    environment = {**os.environ, "PATH": f"{played.folder}/bin:{os.environ['PATH']}", **played.more}
    with subprocess.Popen(["sh", "-c", f"exec {replicate}"], cwd=played.folder, env=environment) as running:
        deadline = time.monotonic() + HANG_SECONDS
        while not any(replica.rglob("*.ltx")):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        asyncio.run(_set(played.database, "later"))
        running.terminate()
    shutil.rmtree(played.database.parent)
    assert "no problems" in played.run(get_back)
    assert rows(played.database, COUNTS) == before
    assert [value for (value,) in rows(played.database, "SELECT value FROM key_values WHERE key = 'a'")] == ["later"]


@pytest.mark.thorough
def test_a_file_is_backed_up_and_restored(played: Checkout) -> None:
    back_up, restore, in_a_container = blocks("### Of a file")
    before = rows(played.database, COUNTS)
    assert "is backed up to" in played.run(back_up)
    asyncio.run(_set(played.database, "later"))
    said = played.run(restore)
    assert "2 games, 1 open" in said
    assert rows(played.database, COUNTS) == before
    assert rows(played.database, "SELECT * FROM key_values") == []
    assert len(BackupFolder(played.database).backups()) == 1
    played.run(in_a_container)
    run = (ROOT / "README.md").read_text(encoding="utf-8")
    for _, verb, *arguments in played.called():
        if verb == "run":
            assert arguments[-2:] == [IMAGE, "restore"]
            assert arguments[arguments.index("--volume") + 1] in run
        else:
            assert f"--name {arguments[0]} " in run


async def _set(database: Path, value: str) -> None:
    store = await Stores.open(database)
    await store.values.set("a", value)
    await store.database.close()


@pytest.mark.thorough
def test_a_file_is_moved_to_postgresql_which_is_backed_up_and_restored(played: Checkout, server: Cluster) -> None:
    (move,) = blocks("## When one process isn't enough")
    before = rows(played.database, COUNTS)
    assert "each compared" in played.run(move, server)
    assert played.called() == [["bot", "run,", "shards"]]
    settings = dotenv_values(played.env)
    assert settings.keys() == {"ESCOBA_TURN_SECONDS", "ESCOBA_DATABASE"}
    assert settings["ESCOBA_TURN_SECONDS"] == "60", "nothing was appended to the unfinished line"
    assert load_settings(database=settings["ESCOBA_DATABASE"])
    back_up, restore = blocks("### Of a PostgreSQL database")
    played.run(back_up, server)
    dump = played.dump(restore)
    assert dump.stat().st_mode & 0o777 == 0o600
    server.run("DELETE FROM events", "escoba")
    server.run("INSERT INTO key_values VALUES ('only', 'here')", "escoba")
    played.run(restore.replace("make check\n", ""), server)
    assert server.run(COUNTS, "escoba") == before
    assert server.run("SELECT count(*) FROM events", "escoba_replaced") == [(0,)]

    # into a database that isn't empty it restores nothing at all
    server.run("DELETE FROM events WHERE game_id = 1", "escoba")
    (command,) = [line for line in restore.splitlines() if line.startswith("pg_restore")]
    played.run(command, server, expected=1)
    [(events, *rest)] = before
    [(left, *others)] = server.run(COUNTS, "escoba")
    assert (left < events, others) == (True, rest)
    url = location_of("postgresql+psycopg://escoba@HOST/escoba")
    assert not isinstance(url, Path)
    assert command == restore_command(url, dump.name), "the command restore prints the same"


@pytest.mark.thorough
def test_a_file_is_moved_to_compose_which_is_updated_backed_up_and_restored(played: Checkout, server: Cluster) -> None:
    invent, move, start, update, check, back_up, restore = blocks("### Two processes on PostgreSQL, with compose")
    before = rows(played.database, COUNTS)
    played.run(invent)
    lines = played.env.read_text().split()
    assert [line.partition("=")[0] for line in lines] == [
        "ESCOBA_TURN_SECONDS",
        "POSTGRES_PASSWORD",
        "GRAFANA_PASSWORD",
        "COMPOSE_FILE",
    ]
    assert len({line.partition("=")[2] for line in lines}) == 4
    assert ROOT / (dotenv_values(played.env)["COMPOSE_FILE"] or "") == COMPOSE
    for block in (move, start, update, check):
        played.run(block)
    (copy,) = [words for words in played.called() if "copy" in words]
    folder, _, mounted = copy[copy.index("--volume") + 1].partition(":")
    source = Path(copy[-2].replace(mounted, folder))
    assert source.samefile(played.database)
    asyncio.run(transfer(source, location_of(server.url("escoba")), SCHEMA))
    played.run(back_up, server)
    dump = played.dump(restore)
    assert dump.stat().st_mode & 0o777 == 0o600
    server.run("DELETE FROM events", "escoba")
    played.run(restore, server)
    assert server.run(COUNTS, "escoba") == before
    assert server.run("SELECT count(*) FROM events", "escoba_replaced") == [(0,)]

    compose = loaded(COMPOSE)
    calls = played.called()
    assert len(calls) > 15
    for _, verb, *arguments in calls:
        if verb == "compose":
            assert_compose_knows(compose["services"], arguments)
    containers = {words[words.index("--name") + 1] for words in calls if "--name" in words}
    assert {words[-1] for words in calls if words[1] in ("logs", "stop", "rm")} == containers
    said = (ROOT / "bot" / "platform" / "database" / "ownership" / "postgres.py").read_text(encoding="utf-8")
    assert {f'"{words} ' in said for words in re.findall("grep --quiet '(.*?)'", update)} == {True}


def assert_compose_knows(services: dict[str, Any], arguments: list[str]) -> None:
    """Assert that the arguments of `docker compose` are options and services that exist, with valid commands."""
    while arguments[0] == "--profile":
        assert any(arguments[1] in service.get("profiles", ()) for service in services.values())
        arguments = arguments[2:]
    verb, *rest = arguments
    options = OPTIONS[verb]
    while rest and rest[0].startswith("-"):
        rest = rest[1 + options[rest[0]] :]
    if verb not in ("exec", "run"):
        assert set(rest) <= services.keys()
        return
    service, *command = rest
    if service == "postgres":
        assert command[0] in ("pg_dump", "psql", "pg_restore")
        assert f"--username={services[service]['environment']['POSTGRES_USER']}" in command
        assert any(name in command for name in ("--dbname=escoba", "--dbname=postgres"))
    else:
        assert "build" in services[service]
        named = _parser("bot").parse_args(command)
        if named.command == "copy":
            address = services[service]["environment"]["ESCOBA_DATABASE"]
            assert named.target == address


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_no_command_relies_on_a_python_that_a_checkout_doesnt_have(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for line in re.findall(r"[^\n]*python -m bot\b(?!\.)[^\n]*", text):
        assert re.search(r"(docker [^`]*escoba|\.venv/bin/)\s*python -m bot|\.venv/bin/python -m bot", line), line
    assert not re.search(r"^echo .*>>", text, re.MULTILINE), "it would append to an unfinished last line"


def test_the_blocks_need_only_programs_that_are_named() -> None:
    every = "\n".join(re.findall(r"^```sh\n(.*?)^```", RUNNING, re.DOTALL | re.MULTILINE))
    words = set(re.findall(r"^\s*(?:[A-Z_]+=\S+ )*([a-z_./][\w./-]*)", every.replace("\\\n", " "), re.MULTILINE))
    assert words <= {
        "/opt/escoba/bin/escoba",
        "/opt/escoba/bin/pip",
        "chmod",
        "chown",
        "docker",
        "escoba",
        "find",
        "gh",
        "install",
        "litestream",
        "make",
        "pg_dump",
        "pg_restore",
        "printf",
        "psql",
        "python3",
        "restic",
        "runuser",
        "systemctl",
        "umask",
        "until",
        "useradd",
        ".venv/bin/python",
    }
    assert shutil.which("openssl")
