"""The health endpoint of the bot as a process on the wire: it follows the gateway, and the log is JSON lines."""

import asyncio
import json
import signal
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.support.patience import HANG_SECONDS
from tests.support.ports import free_port
from tests.wire.process import TOKEN
from tests.wire.world import wire


class Probe:
    """Asks the endpoint."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"

    async def json(self, path: str) -> tuple[int, Any]:
        async with aiohttp.ClientSession() as session, session.get(self.address + path) as answer:
            return answer.status, await answer.json()

    async def until(self, wanted: int, seconds: float = HANG_SECONDS) -> Any:
        """Ask whether it is ready until it answers with that status; returns the reasons."""
        async with asyncio.timeout(seconds):
            while True:
                status, answer = await self.json("/ready")
                if status == wanted:
                    return answer["reasons"]
                await asyncio.sleep(0.02)


async def cut(gateway: Any, probe: Probe) -> Any:
    """Cut the gateway until the gap is long enough to be seen: after this code discord.py waits 0 to 2 s at random."""
    for _ in range(8):
        await gateway.close(1000)
        try:
            return await probe.until(503, seconds=2)
        except TimeoutError:
            assert await probe.until(200) == {}
    raise AssertionError("no gap was seen")


async def test_readiness_follows_the_gateway_while_the_process_lives(tmp_path: Path) -> None:
    port = free_port()
    probe = Probe(port)
    settings: dict[str, Any] = {"health_address": f"127.0.0.1:{port}", "log_format": "json", "log_level": "DEBUG"}
    async with wire(tmp_path, 2, **settings) as w:
        assert await probe.until(200) == {}
        assert await cut(w.gateway, probe) == {"gateway": "not_connected"}
        assert await probe.json("/live") == (200, {"live": True})
        assert await probe.until(200) == {}
        w.bot.signal(signal.SIGTERM)
        code = await w.bot.ended()
        assert code == 0
        with pytest.raises(aiohttp.ClientConnectorError):
            await probe.json("/live")
        lines = [json.loads(line) for line in w.log.splitlines()]
        assert {"time", "level", "logger", "message"} <= set(lines[0])
        assert TOKEN not in w.log
