"""`python -m bot demo` as a process: it starts, stops cleanly, and remembers its games."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

import aiohttp

from tests.support.patience import HANG_SECONDS

ROOT = Path(__file__).parents[2]


async def begin(folder: Path, *arguments: str) -> asyncio.subprocess.Process:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        "ESCOBA_DEMO_PORT": "0",
        "ESCOBA_DEMO_DATABASE": str(folder / "demo.sqlite3"),
        "PYTHONUNBUFFERED": "1",
    }
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "demo", "--no-browser", *arguments),
        cwd=folder, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip


async def refused(folder: Path, *arguments: str) -> tuple[int | None, str]:
    """Run a demo that can't start; returns its exit status and its output."""
    process = await begin(folder, *arguments)
    async with asyncio.timeout(HANG_SECONDS):
        _, said = await process.communicate()
    return process.returncode, said.decode()


async def start(folder: Path, *arguments: str) -> tuple[asyncio.subprocess.Process, int]:
    """Start a demo; returns the process and the port that it prints."""
    process = await begin(folder, *arguments)
    assert process.stdout is not None
    async with asyncio.timeout(HANG_SECONDS):
        while line := (await process.stdout.readline()).decode():
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/as/jordi", line):
                return process, int(found[1])
    assert process.stderr is not None
    raise AssertionError((await process.stderr.read()).decode())


async def stop(process: asyncio.subprocess.Process, number: signal.Signals) -> tuple[int, str]:
    """Send a signal; returns the process's exit status and its log."""
    process.send_signal(number)
    async with asyncio.timeout(HANG_SECONDS):
        _, logged = await process.communicate()
    assert process.returncode is not None
    return process.returncode, logged.decode()


async def first_messages(port: int, slug: str) -> list[dict[str, Any]]:
    """The messages of #mesa-1 that a new window is sent."""
    address = f"http://127.0.0.1:{port}"
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{address}/live/{slug}", origin=address) as line:
        table = (await line.receive_json())["setting"]["first"]
        while (news := await line.receive_json(timeout=HANG_SECONDS))["id"] != table:
            pass
        return news["messages"]


async def act(port: int, slug: str, **request: Any) -> dict[str, Any]:
    address = f"http://127.0.0.1:{port}"
    headers = {"Origin": address}
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(f"{address}/live/{slug}", origin=address) as line:
            request["channel"] = (await line.receive_json())["setting"]["first"]
        async with session.post(f"{address}/act/{slug}", json=request, headers=headers) as answer:
            return await answer.json()


async def stopped(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    """Stop a demo, which must be a normal end."""
    status, logged = await stop(process, number)
    assert status == 0
    assert not re.search("WARNING|ERROR|Traceback", logged), logged


async def test_the_demo_stops_when_asked_to_and_games_survive_until_they_are_forgotten(tmp_path: Path) -> None:
    process, port = await start(tmp_path)
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/as/ana") as answer:
        assert answer.status == 200
    assert (await act(port, "ana", kind="command", path="escoba play"))["ok"]
    await stopped(process, signal.SIGTERM)

    process, port = await start(tmp_path)
    async with asyncio.timeout(HANG_SECONDS):
        while not (messages := await first_messages(port, "emma")):  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.1)
    assert "e:join:" in json.dumps(messages)
    status, said = await refused(tmp_path, "--fresh")
    assert status == 2
    assert f"http://127.0.0.1:{port}/" in said
    assert await first_messages(port, "emma") == messages, "nothing is forgotten while a demo runs"
    await stopped(process, signal.SIGINT)

    process, port = await start(tmp_path, "--fresh")
    assert await first_messages(port, "emma") == []
    await stopped(process, signal.SIGTERM)
