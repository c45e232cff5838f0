"""The simulated Discord's HTTP server: records every request, and answers or refuses it (faults, limits, SimCord)."""

import asyncio
import io
import json
import time
from collections.abc import Callable
from email.utils import formatdate
from types import SimpleNamespace
from typing import Any

from aiohttp import BodyPartReader, web

from tests.support import schema
from tests.support.fake_discord import shapes
from tests.support.fake_discord.realm import Realm, Upload
from tests.support.fake_discord.refused import Refused
from tests.support.wiretap import CALLBACK, CHANNEL, WEBHOOK, Request, Wiretap
from tests.wire.faults import Fault, Faults
from tests.wire.gateway import Gateway
from tests.wire.limits import Ban, Rates, limit_headers, too_many
from tests.wire.traffic import Traffic

API = "/api/v10"
TOKEN_EXPIRED = (401, 50027, "Invalid Webhook Token")


class Recorder(Wiretap):
    """The wiretap for real requests: records them, looks up who could see them, and checks them."""

    def __init__(self, realm: Realm) -> None:
        self.env: Any = SimpleNamespace(backend=realm.backend, now=realm.backend.clock.now)
        self.requests: list[Request] = []
        self.watchers = []
        self.schema = schema.load()
        self._errors: list[str] = []
        self._warnings: list[str] = []
        self._checked = 0

    def hear(self, method: str, path: str, body: Any, files: list[Upload]) -> tuple[Request, Callable[..., None]]:
        """Record a request; the returned function must be called with how it ended."""
        answered = self._hear(method, path, body, files)
        return self.requests[-1], answered


class Server:
    """A simulated Discord on a local port. It reports each accepted answer to `replied`, and edits to `edited`."""

    def __init__(self, realm: Realm, token: str) -> None:
        self.realm = realm
        self.gateway = Gateway(realm, token)
        self.faults = Faults()
        self.rates = Rates()
        self.ban = Ban()
        self.traffic = Traffic()
        self.tap = Recorder(realm)
        self.replied: Callable[[int, Request], None] = lambda interaction_id, request: None
        self.edited: Callable[[int, Request], None] = lambda interaction_id, request: None
        self.heard: list[tuple[str, str, str]] = []
        """Which of several processes has sent each request (see `api_of`), its method and its path."""
        self.api = ""
        self.ahead = 0.0
        """By how many seconds Discord's clock is ahead of this machine's."""
        self._runner: web.AppRunner | None = None
        self._under_way: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        """Listen on any free port."""
        app = web.Application(client_max_size=30 * 1024 * 1024)
        app.router.add_get("/gateway/", self.gateway.serve)
        app.router.add_route("*", "/{process:[^/]*}" + API + "/{tail:.*}", self._serve)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.api = f"http://127.0.0.1:{port}/{API}"
        self.gateway.url = f"ws://127.0.0.1:{port}/gateway/"

    def changes_by(self, process: str, since: int = 0) -> list[tuple[str, str]]:
        """The requests with which one process has changed something, except among the first `since` of all requests."""
        return [(method, path) for name, method, path in self.heard[since:] if name == process and method != "GET"]

    def api_of(self, process: str) -> str:
        """The API's address for one process, which tells its requests from the others'."""
        return self.api.replace(f"/{API}", f"/{process}{API}")

    async def close(self) -> None:
        """Stop listening."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _serve(self, asked: web.Request) -> web.StreamResponse:
        method, path = asked.method, asked.path.partition(API)[2]
        self.heard.append((asked.match_info["process"], method, path))
        began = self.traffic.clock()
        body, files = await _read(asked)
        request, end = self.tap.hear(method, path, body, files)
        if self.ban.left:
            headers, page = self.ban.refuse()
            end(429, 0, None)
            response = web.Response(status=429, text=page, headers=headers)
        else:
            response = await self._answered(asked, request, end, files)
            self.ban.answered(response.status, response.headers.get("X-RateLimit-Scope"))
        self.traffic.ended(method, path, began, response.status)
        response.headers["Date"] = formatdate(self.now(), usegmt=True)
        return response

    def now(self) -> float:
        """What Discord believes to be the time."""
        return time.time() + self.ahead

    async def _answered(
        self, asked: web.Request, request: Request, end: Callable[..., None], files: list[Upload]
    ) -> web.StreamResponse:
        method, path = request.method, request.path
        fault = self.faults.of(request)
        verdict = self.rates.judge(method, path, self._age(method, path))
        if fault is not None and fault.delay:
            await asyncio.sleep(fault.delay)
        if fault is not None and fault.held is not None:
            await fault.held.wait()
        if fault is not None and not fault.applied and (fault.status or fault.drop):
            return self._faulty(asked, request, end, fault)
        if verdict.refusal is not None:
            return _answer(request, end, 429, verdict.refusal, verdict.headers)
        try:
            self._check_tokens(asked, path)
            answer = self.gateway.info(method, path)
            if answer is None:
                answer = self.realm.request(method, path, request.body, dict(asked.query), files)
        except Refused as error:
            request.injected = error.meant
            return _answer(request, end, error.status, error.said, verdict.headers)
        self._report(request)
        status = shapes.status_of(method, path, answer)
        if fault is not None and fault.hang:
            end(status, 0, answer)  # record what has happened, not what the bot hears of it
            await asyncio.sleep(fault.hang)
        if fault is not None and (fault.status or fault.drop):
            return self._faulty(asked, request, end, fault, answer)
        return _answer(request, end, status, answer, verdict.headers)

    def _age(self, method: str, path: str) -> float:
        """The age of the message that a request edits, in seconds; 0 for other requests."""
        found = CHANNEL.fullmatch(path) if method == "PATCH" and self.rates.old_edits is not None else None
        return self.realm.age(int(found[1]), int(found[2])) if found and found[2] else 0.0

    def _check_tokens(self, asked: web.Request, path: str) -> None:
        if found := WEBHOOK.fullmatch(path):
            if self.realm.expired(found[1]):
                raise Refused(*TOKEN_EXPIRED)
        elif not CALLBACK.fullmatch(path) and asked.headers.get("Authorization") != f"Bot {self.gateway.token}":
            raise Refused(401, 0, "401: Unauthorized")

    def _report(self, request: Request) -> None:
        """Report that a request has taken effect, whatever the bot will hear of it."""
        if request.viewer is None:
            self.traffic.shown(request.message.get("components") or [])
        if found := CALLBACK.fullmatch(request.path):
            self.replied(int(found[1]), request)
        elif (found := WEBHOOK.fullmatch(request.path)) and (record := self.realm.by_token(found[1])) is not None:
            self.edited(record.id, request)

    def _faulty(
        self, asked: web.Request, request: Request, end: Callable[..., None], fault: Fault, done: Any = None
    ) -> web.StreamResponse:
        request.injected = True
        applied = shapes.status_of(request.method, request.path, done)
        if fault.drop:
            if asked.transport is not None:
                asked.transport.abort()
            return _answer(request, end, applied if fault.applied else 599, done, {})
        headers: dict[str, str] = {}
        body: dict[str, Any] = {"code": fault.code, "message": "injected"}
        if fault.status == 429:
            headers, body = too_many(fault.retry_after, everywhere=fault.everywhere)
            if not fault.everywhere:
                headers |= limit_headers("bucket-injected", 5, 0, fault.retry_after)
        answer = _answer(request, end, fault.status, body, headers)
        if fault.applied:
            end(applied, 0, done)  # record what has happened, not what the bot hears of it
        return answer


def _answer(
    request: Request, end: Callable[..., None], status: int, body: Any, headers: dict[str, str]
) -> web.Response:
    code = body.get("code", 0) if isinstance(body, dict) and status >= 400 else 0
    end(status, code, body if status < 400 else None)
    if body is None:
        return web.Response(status=204, headers=headers)
    # Exactly this Content-Type: discord.py reads nothing else as JSON.
    return web.Response(
        status=status, body=json.dumps(body).encode(), headers={**headers, "Content-Type": "application/json"}
    )


async def _read(asked: web.Request) -> tuple[Any, list[Upload]]:
    """A request's JSON and its files."""
    if asked.content_type != "multipart/form-data":
        text = await asked.read()
        return (json.loads(text) if text else None), []
    body: Any = None
    files: list[Upload] = []
    async for part in await asked.multipart():
        assert isinstance(part, BodyPartReader)
        if part.name == "payload_json":
            body = json.loads(await part.text())
        else:
            files.append(Upload(part.filename or part.name or "file", io.BytesIO(await part.read())))
    for item in (body or {}).get("attachments") or (body or {}).get("data", {}).get("attachments") or []:
        number = int(item.get("id", len(files)))
        if number < len(files):
            files[number].description = item.get("description")
    return body, files
