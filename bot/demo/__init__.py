"""The demo: the real bot on a simulated Discord behind a web page, without an account or a token."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import os
import signal
import sys
import webbrowser
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import web
from filelock import Timeout

from bot.demo.bot import pump
from bot.demo.live import Hub
from bot.demo.people import PEOPLE, Visitor
from bot.demo.server import listen, make_app
from bot.demo.world import World, true_time
from bot.platform.language.catalogues import parse_catalogues

if TYPE_CHECKING:
    from bot.demo.world import CreateBot
    from bot.settings import Settings

log = logging.getLogger(__name__)

_SUFFIXES = ("", "-wal", "-shm")
"""Of a database's files: its own, and those that SQLite keeps beside it."""


@dataclass(frozen=True, slots=True)
class Demo:
    """A running demo."""

    world: World
    port: int

    def address(self, person: Visitor | None = None) -> str:
        """The page's address for a person, or for one who speaks the browser's language."""
        return f"http://127.0.0.1:{self.port}/" + (f"as/{person.slug}" if person else "")


def main(settings: Settings, *, browser: bool, fresh: bool) -> int:
    """Run the demo until SIGINT or SIGTERM. Returns the process's exit status.

    `browser` opens the page where there is a screen; `fresh` forgets earlier games first.
    """
    parse_catalogues()
    return asyncio.run(_run(settings, browser=browser, fresh=fresh))


async def _run(settings: Settings, *, browser: bool, fresh: bool) -> int:
    from bot.demo.bot import create_demo_bot
    from bot.platform.database.errors import StoreError

    if not logging.getLogger().handlers:
        logging.basicConfig(level=settings.log_level, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    # SimCord forgets the emojis, so they are uploaded at each start.
    logging.getLogger("bot.process.wording").setLevel(logging.WARNING)
    stopped = _stop_signal()
    with contextlib.ExitStack() as stack:
        try:
            note = stack.enter_context(sole(settings.demo_database))
        except RunningError as error:
            _report_other(error.address, settings.demo_database)
            return 2
        except OSError as error:
            reason = f"{settings.demo_database}: {error.strerror}"
            log.error("The demo can't write the file for its games, %s", reason)
            return 2
        if fresh:
            forget(settings.demo_database)
        elif (aside := set_aside(settings.demo_database)) is not None:
            print(f"The earlier games are from before the first release and can't go on: they are now in {aside}.")
        try:
            async with running(settings, create_demo_bot) as demo:
                note(demo.address())
                announce(demo, wanted=settings.demo_port)
                if browser:
                    await asyncio.to_thread(_open_browser, demo.address())
                await stopped.wait()
                print("\nStopping…", flush=True)
        except StoreError as error:
            log.error("The database can't be used: %s. Try --fresh to start a new one.", error)
            return 2
    return 0


class RunningError(Exception):
    """Another demo has these files. `address`: where its page is; empty if it hasn't started that yet."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


@contextlib.contextmanager
def sole(database: str) -> Generator[Callable[[str], object]]:
    """Context manager that keeps other demos off a database; yields a function that notes the page's address for them.

    Raises:
        RunningError: if another demo has the database.
        OSError: if its folder can't be written to.
    """
    from bot.platform.database.ownership.port import lock_of

    lock, note = lock_of(Path(database)), Path(f"{database}.address")
    note.parent.mkdir(parents=True, exist_ok=True)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise RunningError(note.read_text(encoding="utf-8") if note.exists() else "") from None
    try:
        note.write_text("", encoding="utf-8")
        yield partial(note.write_text, encoding="utf-8")
    finally:
        note.unlink(missing_ok=True)
        lock.release()


@contextlib.asynccontextmanager
async def running(
    settings: Settings,
    create: CreateBot,
    *,
    people: Sequence[Visitor] = PEOPLE,
    clock: Callable[[], datetime] = true_time,
) -> AsyncGenerator[Demo]:
    """Context manager that runs the demo and its web server."""
    settings = settings.model_copy(update={"database": settings.demo_database, "requests_per_second": 0.0})
    async with contextlib.AsyncExitStack() as stack:
        sock = stack.enter_context(listen(settings.demo_port, settings.demo_host))
        port: int = sock.getsockname()[1]
        world = await World.create(settings, create, people=people, clock=clock)
        stack.push_async_callback(world.stop)
        await world.start()
        hub = Hub(world)
        runner = web.AppRunner(make_app(world, hub, port), access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        await web.SockSite(runner, sock).start()
        stack.push_async_callback(hub.close)
        for task in (asyncio.create_task(pump(world)), asyncio.create_task(hub.run())):
            stack.push_async_callback(_end, task)
        yield Demo(world, port)


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def forget(database: str) -> None:
    """Remove the demo's database, and the files that SQLite and the bot keep beside it."""
    for suffix in (*_SUFFIXES, ".key"):
        Path(f"{database}{suffix}").unlink(missing_ok=True)


def set_aside(database: str) -> str | None:
    """Rename a database from before the first release, which the bot refuses, with the files beside it.

    Returns the new name; None if there is no such database. The lock stays: it belongs to this demo.
    """
    from bot.platform.database.before_release import is_file_from_before

    if not is_file_from_before(Path(database)):
        return None
    names = (f"{database}.before-{number}" for number in itertools.count(1))
    aside = next(name for name in names if not Path(name).exists())
    for suffix in reversed(_SUFFIXES):  # the database last, so that a new one never meets files of this one
        with contextlib.suppress(FileNotFoundError):
            Path(f"{database}{suffix}").rename(f"{aside}{suffix}")
    return aside


def _report_other(address: str, database: str) -> None:
    """Say that another demo has these files, and what can be done."""
    where = f" at {address}" if address else ""
    print(
        f"A demo is running{where} already, with the games of {database}.\n"
        "Use that one, stop it first (Ctrl+C in its terminal), or name another file in ESCOBA_DEMO_DATABASE.",
        file=sys.stderr,
    )


def announce(demo: Demo, *, wanted: int) -> None:
    """Print where the page is."""
    if wanted not in (0, demo.port):
        print(f"Port {wanted} is taken; using {demo.port}.")
    print("\nEscoba runs on a simulated Discord server. Open a window for each person:\n")
    for resident in demo.world.residents.values():
        print(f"  {resident.person.name:<8} {demo.address(resident.person)}")
    print("\nStop with Ctrl+C.", flush=True)


def _stop_signal() -> asyncio.Event:
    """An event set by SIGINT or SIGTERM."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stopped.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda _number, _frame: loop.call_soon_threadsafe(stopped.set))
    return stopped


def _open_browser(address: str) -> None:
    """Open the page if there is a screen to open it on; never a reason to fail."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    try:
        webbrowser.open(address)
    except Exception as error:
        log.info("Could not open a browser: %s", error)
