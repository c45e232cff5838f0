"""The health endpoint: /live, /ready and /metrics over HTTP."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from aiohttp import web
from prometheus_client import CollectorRegistry
from prometheus_client.aiohttp import make_aiohttp_handler

Probe = Callable[[], Awaitable[str | None]]
"""Checks one part of the bot; returns None if it is well, or a word that says what is wrong."""

_CLOSING_SECONDS: Final = 1.0


class HealthServer:
    """Answers monitoring programs. The answers hold nothing personal: anybody who reaches the port may read them."""

    def __init__(self, address: tuple[str, int], registry: CollectorRegistry, probes: Mapping[str, Probe]) -> None:
        self._host, self._port = address
        self.where = f"{self._host} port {self._port}"
        self._probes = probes
        self.listening = False
        app = web.Application()
        app.router.add_get("/live", self._live)
        app.router.add_get("/ready", self._ready)
        app.router.add_get("/metrics", make_aiohttp_handler(registry))
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=_CLOSING_SECONDS)

    async def start(self) -> None:
        """Start listening.

        Raises:
            OSError: if it can't listen on the address.
        """
        if self._runner.server is None:
            await self._runner.setup()
        await web.TCPSite(self._runner, self._host, self._port).start()
        self.listening = True

    async def close(self) -> None:
        await self._runner.cleanup()

    async def _live(self, request: web.Request) -> web.Response:
        """Always 200: any answer means that the process is running and its event loop isn't stuck."""
        return web.json_response({"live": True})

    async def _ready(self, request: web.Request) -> web.Response:
        """200 if the bot can serve people, otherwise 503 with a word for each part that isn't well."""
        found = await asyncio.gather(*(probe() for probe in self._probes.values()))
        reasons = {part: reason for part, reason in zip(self._probes, found, strict=True) if reason is not None}
        return web.json_response({"ready": not reasons, "reasons": reasons}, status=503 if reasons else 200)
