"""What stands for aiohttp in a simulated process: its requests and connections lead to the simulated Discord."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from tests.simulation.gateway import Socket
from tests.simulation.network import API, Discord, Request
from tests.support.fake_discord.realm import Upload

if TYPE_CHECKING:
    from tests.simulation.life import Life


class Session:
    """Stands for `aiohttp.ClientSession`."""

    discord: Discord
    life_of: Callable[[asyncio.AbstractEventLoop], Life]

    def __init__(self, *_: Any, trace_configs: Any = None, **__: Any) -> None:
        self.closed = False
        self.life = type(self).life_of(asyncio.get_running_loop())
        self.traces = list(trace_configs or ())
        for trace in self.traces:
            trace.freeze()

    def request(self, method: str, url: str, **options: Any) -> _Responding:
        """Send a request; the context manager yields the response."""
        return _Responding(self, method, url, options)

    async def ws_connect(self, url: str, **_: Any) -> Socket:
        """Connect to the gateway."""
        return await self.discord.gateway.connect(self.life)

    async def close(self) -> None:
        """Send nothing more."""
        self.closed = True


class _Responding:
    def __init__(self, session: Session, method: str, url: str, options: dict[str, Any]) -> None:
        self._session, self._method, self._url, self._options = session, method, url, options

    async def __aenter__(self) -> Response:
        session, url = self._session, URL(self._url)
        if session.closed:
            raise RuntimeError("Session is closed")
        body, files = _read(self._options.get("data"))
        traces: list[Any] = [(trace, trace.trace_config_ctx()) for trace in session.traces]
        headers: Any = CIMultiDict(self._options.get("headers") or {})
        for trace, context in traces:
            await trace.on_request_start.send(
                session, context, aiohttp.TraceRequestStartParams(self._method, url, headers)
            )
            await trace.on_request_headers_sent.send(
                session, context, aiohttp.TraceRequestHeadersSentParams(self._method, url, headers)
            )
        life = session.life
        request = Request(
            0, life, self._method, url.path.partition(API)[2], body, dict(self._options.get("params") or url.query),
            headers, files, session.discord.machine.now,
        )  # fmt: skip
        return await self._exchange(request, traces)

    async def _exchange(self, request: Request, traces: list[Any]) -> Response:
        session = self._session
        future: asyncio.Future[Response | None] = session.life.loop.create_future()

        def answered(request: Request, headers: Mapping[str, str], body: bytes | None) -> None:
            if not session.life.loop.dead and not future.done():
                future.set_result(None if body is None else Response(request, headers, body))

        session.discord.send(request, answered)
        url, headers = URL(self._url), CIMultiDict(request.headers)
        response = None
        try:
            response = await future
            if response is None:
                raise aiohttp.ServerDisconnectedError
        except BaseException as error:
            for trace, context in traces:
                failed: Any = aiohttp.TraceRequestExceptionParams(request.method, url, headers, error)
                await trace.on_request_exception.send(session, context, failed)
            raise
        for trace, context in traces:
            answer: Any = response
            ended = aiohttp.TraceRequestEndParams(request.method, url, headers, answer)
            await trace.on_request_end.send(session, context, ended)
        return response

    async def __aexit__(self, *_: object) -> None:
        return None


class Response:
    """Stands for `aiohttp.ClientResponse`."""

    def __init__(self, request: Request, headers: Mapping[str, str], body: bytes) -> None:
        self.status = request.status
        self.reason = "OK" if request.status < 400 else "Refused"
        self.method = request.method
        self.headers: CIMultiDict[str] = CIMultiDict(headers)
        self.content_type = self.headers.get("Content-Type", "application/octet-stream")
        self._body = body

    async def text(self, encoding: str = "utf-8") -> str:
        """The body as text."""
        return self._body.decode(encoding)

    async def read(self) -> bytes:
        """The body."""
        return self._body

    async def json(self, **_: Any) -> Any:
        """The body as JSON."""
        return json.loads(self._body)

    def release(self) -> None:
        """Nothing is held."""


def _read(data: Any) -> tuple[Any, list[Upload]]:
    """The JSON of a request as it was sent, and its files."""
    if data is None or isinstance(data, str):
        return (json.loads(data) if data else None), []
    body, files = None, []
    for options, _, value in data._fields:
        if options["name"] == "payload_json":
            body = json.loads(value)
        else:
            content = value if isinstance(value, bytes) else value.read()
            files.append(Upload(options.get("filename", "file"), io.BytesIO(content)))
    for item in (body or {}).get("attachments") or (body or {}).get("data", {}).get("attachments") or []:
        if (number := int(item.get("id", len(files)))) < len(files):
            files[number].description = item.get("description")
    return body, files


class Connector:
    """Stands for `aiohttp.TCPConnector`."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.closed = False

    async def close(self) -> None:
        """Nothing to close."""
