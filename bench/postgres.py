"""A PostgreSQL server for benchmarks and tests, with a folder of its own.

The server refuses to run as root; if this process does, the server runs as `postgres` or `nobody`. It listens on a
socket in its folder, so that no port is used, and it ends with the process that started it, however that ends.
"""

import ctypes
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import sqlalchemy as sa

from bot.platform.database.upgrade import migrate
from bot.schema import SCHEMA

USER = "escoba"
TEMPLATE = "escoba_now"
"""A database with the current schema and no rows."""
GUARDED = "guarded"
"""A user who has to give a password."""
PASSWORD = "s3cret-w0rd"

_SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "64MB",
    "min_wal_size": "32MB",
    "autovacuum": "off",
    "jit": "off",
    "max_connections": "120",
    "shared_buffers": "32MB",
    "dynamic_shared_memory_type": "mmap",
    "timezone": "Asia/Tokyo",  # nothing may rely on the server's time zone
}
DURABLE = {"shared_buffers": "128MB", "max_connections": "120"}
"""Settings of a server whose commits are durable, for benchmarks."""
_PR_SET_PDEATHSIG = 1
_PATIENCE_SECONDS = 60.0
"""How long to wait for the server to start or stop; only if it hangs does it take that long."""


class Cluster:
    """A server with its own folder."""

    def __init__(self, programs: Path, settings: Mapping[str, str] = _SETTINGS) -> None:
        self._programs = programs
        self._settings = settings
        self.folder = Path(tempfile.mkdtemp(prefix="escoba-pg-"))
        self._numbers = itertools.count(1)
        self._server: subprocess.Popen[bytes] | None = None
        self._user = _unprivileged()
        if self._user is not None:
            os.chown(self.folder, pwd.getpwnam(self._user).pw_uid, -1)
        subprocess.run(
            [programs / "initdb", "-D", self.data, "-U", USER, "-A", "trust", "--no-locale", "-E", "UTF8", "--no-sync"],
            check=True,
            capture_output=True,
            **self._as_user,
        )
        hba = self.data / "pg_hba.conf"
        hba.write_text(f"local all {GUARDED} scram-sha-256\n{hba.read_text()}")
        self.start()
        self.run(f"CREATE ROLE {GUARDED} LOGIN PASSWORD '{PASSWORD}'")
        self.run(f"CREATE DATABASE {TEMPLATE}")
        engine = sa.create_engine(self.url(TEMPLATE))
        with engine.begin() as connection:
            migrate(connection, SCHEMA, TEMPLATE)
        engine.dispose()

    @property
    def data(self) -> Path:
        """The server's data folder."""
        return self.folder / "data"

    @property
    def _as_user(self) -> dict[str, Any]:
        return {} if self._user is None else {"user": self._user, "extra_groups": []}

    def url(self, database: str, user: str = USER) -> str:
        """The URL of a database."""
        return f"postgresql+psycopg://{user}@/{database}?host={self.folder}"

    def new(self, template: str = TEMPLATE) -> str:
        """Create a database and return its URL; from the template `template1` it is empty."""
        name = f"test_{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def drop(self, url: str) -> None:
        """Drop a database, even if there are connections to it."""
        self.run(f"DROP DATABASE {sa.make_url(url).database} WITH (FORCE)")

    def run(self, statement: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Run a statement as the superuser."""
        with self.connect(database) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def connect(self, database: str) -> psycopg.Connection[tuple[Any, ...]]:
        """Connect as the superuser; each statement is a transaction."""
        return psycopg.connect(host=str(self.folder), user=USER, dbname=database, autocommit=True)

    def start(self) -> None:
        """Start the server and wait until it answers."""
        self.begin()
        self.wait()

    def begin(self) -> None:
        """Start the server without waiting for it."""
        settings = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        libc = ctypes.CDLL(None)
        with (self.folder / "log").open("ab") as output:
            self._server = subprocess.Popen[bytes](
                [self._programs / "postgres", "-D", self.data, "-k", self.folder, "-c", "listen_addresses=", *settings],
                stdout=output,
                stderr=output,
                cwd=self.folder,
                # Otherwise stopping the tests would leave a server behind.
                preexec_fn=lambda: libc.prctl(_PR_SET_PDEATHSIG, signal.SIGQUIT),
                **self._as_user,
            )

    def wait(self) -> None:
        """Wait until the server answers."""
        assert self._server is not None
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                self.run("SELECT 1")
                return
            except psycopg.OperationalError:
                if self._server.poll() is not None or time.monotonic() > deadline:
                    raise AssertionError(f"PostgreSQL didn't start: {(self.folder / 'log').read_text()}") from None
            time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: SIGINT cancels what is running, SIGQUIT is like a crash, SIGKILL is one."""
        assert self._server is not None
        self._server.send_signal(how)
        self._server.wait(_PATIENCE_SECONDS)

    @contextmanager
    def stopped(self, *, whole: bool) -> Generator[None]:
        """Let the server hang for a block; unless `whole`, the process that takes new connections goes on."""
        assert self._server is not None
        own = self._server.pid
        children = Path(f"/proc/{own}/task/{own}/children").read_text().split()
        pids = [own] * whole + [int(child) for child in children]

        def send(number: signal.Signals) -> None:
            for pid in pids:
                with suppress(ProcessLookupError):  # a connection may end at any time
                    os.kill(pid, number)

        send(signal.SIGSTOP)
        try:
            yield
        finally:
            send(signal.SIGCONT)

    def remove(self) -> None:
        """Stop the server and delete its files."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder)


def programs() -> Path | None:
    """The folder of the server's programs; None if they aren't installed."""
    places = [Path(found).resolve().parent for name in ("postgres",) if (found := shutil.which(name))]
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    return next((path for path in places if (path / "initdb").exists() and (path / "postgres").exists()), None)


def _unprivileged() -> str | None:
    """The user to run the server as; None for the current one."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"
