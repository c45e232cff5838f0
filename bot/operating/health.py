"""The health endpoint: /live, /ready and /metrics over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from aiohttp import web
from prometheus_client import CollectorRegistry
from prometheus_client.aiohttp import make_aiohttp_handler

from bot.settings import SettingsError, variable

Probe = Callable[[], Awaitable[str | None]]
"""Looks whether a part is well: None, or a word for why not."""

_CLOSING_SECONDS: Final = 1.0


class HealthServer:
    """Answers monitoring programs. Knows nothing of people: whoever reaches the address may read all of it."""

    def __init__(self, address: tuple[str, int], registry: CollectorRegistry, probes: Mapping[str, Probe]) -> None:
        self._host, self._port = address
        self._probes = probes
        app = web.Application()
        app.router.add_get("/live", self._live)
        app.router.add_get("/ready", self._ready)
        app.router.add_get("/metrics", make_aiohttp_handler(registry))
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=_CLOSING_SECONDS)

    async def start(self) -> None:
        """Listen.

        Raises:
            SettingsError: if that address can't be listened on.
        """
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port).start()
        except OSError as error:
            await self._runner.cleanup()
            name, where = variable("health_address"), f"{self._host} port {self._port}"
            raise SettingsError(f"{name}: nothing can listen on {where} ({error.strerror or error}).") from error

    async def close(self) -> None:
        """Listen no more."""
        await self._runner.cleanup()

    async def _live(self, request: web.Request) -> web.Response:
        """The process runs, and its event loop isn't stuck: else nobody would answer."""
        return web.json_response({"live": True})

    async def _ready(self, request: web.Request) -> web.Response:
        """Whether the bot can serve people: 200, or 503 with each part that can't and a word for why."""
        found = await asyncio.gather(*(probe() for probe in self._probes.values()))
        reasons = {part: reason for part, reason in zip(self._probes, found, strict=True) if reason is not None}
        return web.json_response({"ready": not reasons, "reasons": reasons}, status=503 if reasons else 200)
