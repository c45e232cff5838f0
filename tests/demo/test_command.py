"""`python -m bot demo` as a process: it starts, stops cleanly, and remembers its games."""

import asyncio
import json
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.platform.database.before_release import is_file_from_before
from tests.support.patience import HANG_SECONDS
from tests.wire.forking import Copy, own_environment, template

LAUNCHER = Path(__file__).with_name("launch.py")


class Started:
    """A demo as a process whose output goes to a file, from scratch or a copy of one that has imported it."""

    def __init__(self, folder: Path, options: str = "", *, copied: bool = True) -> None:
        environment = {
            **own_environment(),
            "ESCOBA_DEMO_PORT": "0",
            "ESCOBA_DEMO_DATABASE": str(folder / "demo.sqlite3"),
            "DEMO_OPTIONS": options,
        }
        self._log = folder / f"demo-{len(list(folder.glob('*.log')))}.log"
        self.process: subprocess.Popen[bytes] | Copy
        if copied:
            self._log.touch()
            self.process = template(LAUNCHER).copy(folder, environment, self._log)
            return
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "bot", "demo", "--no-browser", *options.split()],
                cwd=folder, env=environment, stdout=log, stderr=log,
            )  # fmt: skip

    @property
    def said(self) -> str:
        """All that it has printed and logged."""
        return self._log.read_text(encoding="utf-8")

    async def port(self) -> int:
        """The port that it prints once it can be used."""
        async with asyncio.timeout(HANG_SECONDS):
            while not (found := re.search(r"http://127\.0\.0\.1:(\d+)/as/jordi", self.said)):
                assert self.process.poll() is None, self.said
                await asyncio.sleep(0.05)
        return int(found[1])

    async def ended(self) -> int:
        """Its exit status, once it has ended."""
        async with asyncio.timeout(HANG_SECONDS):
            while (status := self.process.poll()) is None:  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.05)
        return status

    async def stop(self, number: signal.Signals) -> None:
        """Send a signal, which must lead to a normal end."""
        self.process.send_signal(number)
        assert await self.ended() == 0
        assert not re.search("WARNING|ERROR|Traceback", self.said), self.said


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Started]]:
    """Starts demos with the same files; those that a failed test leaves behind are killed."""
    every: list[Started] = []

    def start(options: str = "", *, copied: bool = True) -> Started:
        every.append(Started(tmp_path, options, copied=copied))
        return every[-1]

    yield start
    for demo in every:
        if demo.process.poll() is None:
            demo.process.kill()
            demo.process.wait()


async def first_messages(port: int, slug: str) -> list[dict[str, Any]]:
    """The messages of #mesa-1 that a new window is sent."""
    address = f"http://127.0.0.1:{port}"
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{address}/live/{slug}", origin=address) as line:
        assert (await line.receive_json())["type"] == "texts"
        table = (await line.receive_json())["setting"]["first"]
        while (news := await line.receive_json(timeout=HANG_SECONDS))["id"] != table:
            pass
        return news["messages"]


async def act(port: int, slug: str, **request: Any) -> dict[str, Any]:
    address = f"http://127.0.0.1:{port}"
    headers = {"Origin": address}
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(f"{address}/live/{slug}", origin=address) as line:
            assert (await line.receive_json())["type"] == "texts"
            request["channel"] = (await line.receive_json())["setting"]["first"]
        async with session.post(f"{address}/act/{slug}", json=request, headers=headers) as answer:
            return await answer.json()


@pytest.mark.thorough
async def test_the_demo_starts_from_scratch_and_stops_when_asked_to(start: Callable[..., Started]) -> None:
    demo = start(copied=False)
    port = await demo.port()
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/as/ana") as answer:
        assert answer.status == 200
    await demo.stop(signal.SIGTERM)


@pytest.mark.thorough
async def test_the_demo_stops_when_asked_to_and_games_survive_until_they_are_forgotten(
    start: Callable[..., Started],
) -> None:
    demo = start()
    port = await demo.port()
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/as/ana") as answer:
        assert answer.status == 200
    assert (await act(port, "ana", kind="command", path="escoba play"))["ok"]
    await demo.stop(signal.SIGTERM)

    demo = start()
    port = await demo.port()
    async with asyncio.timeout(HANG_SECONDS):
        while not (messages := await first_messages(port, "emma")):  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.1)
    assert "e:join:" in json.dumps(messages)
    other = start("--fresh")
    assert await other.ended() == 2
    assert f"http://127.0.0.1:{port}/" in other.said
    assert await first_messages(port, "emma") == messages, "nothing is forgotten while a demo runs"
    await demo.stop(signal.SIGINT)

    demo = start("--fresh")
    assert await first_messages(await demo.port(), "emma") == []
    await demo.stop(signal.SIGTERM)


@pytest.mark.thorough
async def test_games_from_before_the_first_release_are_set_aside(start: Callable[..., Started], tmp_path: Path) -> None:
    database = tmp_path / "demo.sqlite3"
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE alembic_version AS SELECT '0001' AS version_num")
        before = {end: Path(f"{database}{end}").read_bytes() for end in ("", "-wal")}
    for end, content in before.items():  # as a demo leaves them that is killed
        Path(f"{database}{end}").write_bytes(content)
    (tmp_path / "demo.sqlite3.before-1").write_text("somebody else's")
    demo = start()
    await demo.port()
    aside = f"{database}.before-2"
    assert [line for line in demo.said.splitlines() if aside in line] == [
        f"The earlier games are from before the first release and can't go on: they are now in {aside}."
    ]
    assert {end: Path(f"{aside}{end}").read_bytes() for end in ("", "-wal")} == before
    await demo.stop(signal.SIGTERM)
    assert not is_file_from_before(database)
    demo = start()
    await demo.port()
    assert "before" not in demo.said
    await demo.stop(signal.SIGTERM)
