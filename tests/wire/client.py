"""A bot of a few lines that sends requests and listens to the gateway, for tests of the simulated Discord itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from tests.support.fake_discord.person import Person
from tests.support.fake_discord.realm import Realm
from tests.support.patience import HANG_SECONDS
from tests.wire.gateway import DISPATCH, HELLO, IDENTIFY, RESUME
from tests.wire.process import TOKEN
from tests.wire.server import Server

TEXT = {"flags": 1 << 15, "components": [{"type": 10, "content": "hello"}]}
ALLOWED = {"allowed_mentions": {"parse": []}}
GUILDS, MESSAGES = 1, 1 << 9


class ManualClock:
    """A clock that a test advances by hand."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds

    def advance(self, seconds: float) -> None:
        """Let this many seconds pass."""
        self.seconds += seconds


class Client:
    """Sends requests as a bot would."""

    def __init__(self, server: Server, session: aiohttp.ClientSession) -> None:
        self.server = server
        self.realm = server.realm
        self.session = session
        self.channel = self.realm.channels[0]
        self.person = self.realm.people[0]

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any, Any]:
        """Send a request; returns the response's status, headers and body."""
        headers = {"Authorization": f"Bot {TOKEN}"}
        async with self.session.request(method, self.server.api + path, json=body, headers=headers) as answer:
            if answer.status == 204:
                return answer.status, answer.headers, None
            is_json = answer.content_type == "application/json"
            return answer.status, answer.headers, await (answer.json() if is_json else answer.text())

    async def send(self, channel: int | None = None) -> int:
        """Post a message, which must succeed; returns its id."""
        status, _, body = await self.post(channel)
        assert status == 200, body
        return int(body["id"])

    async def post(self, channel: int | None = None, text: str = "hello", **how: Any) -> tuple[int, Any, Any]:
        """Try to post a message."""
        body = {"flags": 1 << 15, "components": [{"type": 10, "content": text}], **ALLOWED, **how}
        return await self.ask("POST", f"/channels/{channel or self.channel}/messages", body)

    async def edit(self, message: int, channel: int | None = None, text: str = "hello") -> tuple[int, Any, Any]:
        """Try to edit a message."""
        body = {"flags": 1 << 15, "components": [{"type": 10, "content": text}]}
        return await self.ask("PATCH", f"/channels/{channel or self.channel}/messages/{message}", body)

    async def delete(self, message: int, channel: int | None = None) -> tuple[int, Any, Any]:
        """Try to delete a message."""
        return await self.ask("DELETE", f"/channels/{channel or self.channel}/messages/{message}")

    async def click(self, channel: int | None = None) -> Any:
        """Post a message and have somebody click it; returns the record of the interaction."""
        return self.clicked(await self.send(channel), channel)[0]

    def clicked(self, message: int, channel: int | None = None, person: Person | None = None) -> tuple[Any, Any]:
        """Have somebody click a message, even one without buttons; returns the record and the payload for the bot."""
        stored = self.realm.backend.get_message(channel or self.channel, message)
        return self.realm.component(
            person or self.person, self.realm.payload_of(stored), "e:x:1:1", None, checked=False
        )

    async def reply(self, record: Any, **data: Any) -> tuple[int, int]:
        """Answer an interaction; returns the status and Discord's error code."""
        path = f"/interactions/{record.id}/{record.token}/callback"
        status, _, body = await self.ask("POST", path, {"type": 4, "data": {**TEXT, **data}})
        return status, (body or {}).get("code", 0)

    async def edit_reply(self, record: Any) -> tuple[int, Any, Any]:
        """Try to edit the answer to an interaction, using its token."""
        app = self.realm.backend.application_id
        return await self.ask("PATCH", f"/webhooks/{app}/{record.token}/messages/@original", TEXT)

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[Listener]:
        """A connection to the gateway that has not identified itself yet."""
        async with self.session.ws_connect(self.server.gateway.url) as socket:
            made = Listener(socket)
            assert (await made.frame())["op"] == HELLO
            yield made

    @asynccontextmanager
    async def listening(self, shard: tuple[int, int] | None = None, intents: int = GUILDS) -> AsyncIterator[Listener]:
        """A session, of the whole bot or of one shard."""
        async with self.connected() as made:
            await made.identify(shard, intents=intents)
            assert (await made.frame())["t"] == "READY"
            yield made


class Listener:
    """One connection to the gateway."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket

    async def identify(
        self, shard: tuple[int, int] | None = None, *, token: str = TOKEN, intents: int = GUILDS
    ) -> None:
        """Send IDENTIFY."""
        data: dict[str, Any] = {"token": token, "intents": intents, "properties": {}}
        if shard is not None:
            data["shard"] = list(shard)
        await self.socket.send_str(json.dumps({"op": IDENTIFY, "d": data}))

    async def resume(self, session: str, seq: int = 1) -> None:
        """Send RESUME."""
        await self.socket.send_json({"op": RESUME, "d": {"token": TOKEN, "session_id": session, "seq": seq}})

    async def frame(self) -> dict[str, Any]:
        """The next frame from the gateway.

        Raises:
            AssertionError: if the gateway closes the connection instead.
        """
        async with asyncio.timeout(HANG_SECONDS):
            message = await self.socket.receive()
        assert message.type is aiohttp.WSMsgType.TEXT, f"closed with {self.socket.close_code}"
        return json.loads(message.data)

    async def heard(self, event: str) -> dict[str, Any]:
        """The next event of a kind; events before it are skipped."""
        while True:
            frame = await self.frame()
            if frame["op"] == DISPATCH and frame["t"] == event:
                return frame["d"]

    async def until(self, event: str) -> list[tuple[str, dict[str, Any]]]:
        """All events up to and including the first of a kind."""
        found: list[tuple[str, dict[str, Any]]] = []
        while not found or found[-1][0] != event:
            frame = await self.frame()
            found.append((frame["t"], frame["d"]))
        return found

    async def code(self) -> int | None:
        """The code with which the gateway closes the connection."""
        async with asyncio.timeout(HANG_SECONDS):
            while (await self.socket.receive()).type is aiohttp.WSMsgType.TEXT:
                pass
        return self.socket.close_code


@asynccontextmanager
async def serving(*people: str, channels: int = 1, community: str | None = None) -> AsyncIterator[Client]:
    """A simulated Discord, and a client for it."""
    server = Server(Realm(people or ("Ana",), channels, community=community), TOKEN)
    await server.start()
    async with aiohttp.ClientSession() as session:
        yield Client(server, session)
    await server.close()
