"""A bot of a few lines that asks the wire and listens to it, for tests of the wire itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from tests.support.fake_discord.person import Person
from tests.support.fake_discord.realm import Realm
from tests.wire.gateway import DISPATCH, HELLO, IDENTIFY
from tests.wire.process import TOKEN
from tests.wire.server import Server

TEXT = {"flags": 1 << 15, "components": [{"type": 10, "content": "hello"}]}
ALLOWED = {"allowed_mentions": {"parse": []}}
GUILDS, MESSAGES = 1, 1 << 9
_PATIENCE = 5.0


class Hands:
    """A clock that a test moves on."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds

    def move(self, seconds: float) -> None:
        """Let so many seconds go by."""
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
        """Status, headers and body of an answer."""
        headers = {"Authorization": f"Bot {TOKEN}"}
        async with self.session.request(method, self.server.api + path, json=body, headers=headers) as answer:
            if answer.status == 204:
                return answer.status, answer.headers, None
            is_json = answer.content_type == "application/json"
            return answer.status, answer.headers, await (answer.json() if is_json else answer.text())

    async def send(self, channel: int | None = None) -> int:
        """Post a message."""
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
        """An interaction that a person begins."""
        return self.clicked(await self.send(channel), channel)[0]

    def clicked(self, message: int, channel: int | None = None, person: Person | None = None) -> tuple[Any, Any]:
        """An interaction with a message that a person begins, and what the bot is told of it."""
        stored = self.realm.backend.get_message(channel or self.channel, message)
        return self.realm.component(person or self.person, self.realm.payload_of(stored), "e:x:1:1", None)

    async def reply(self, record: Any, **data: Any) -> tuple[int, int]:
        """Answer an interaction: the status and Discord's code."""
        path = f"/interactions/{record.id}/{record.token}/callback"
        status, _, body = await self.ask("POST", path, {"type": 4, "data": {**TEXT, **data}})
        return status, (body or {}).get("code", 0)

    async def edit_reply(self, record: Any) -> tuple[int, Any, Any]:
        """Try to edit the answer to an interaction by its token."""
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
        """A session, or one of a shard."""
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
        """Begin a session."""
        data: dict[str, Any] = {"token": token, "intents": intents, "properties": {}}
        if shard is not None:
            data["shard"] = list(shard)
        await self.socket.send_str(json.dumps({"op": IDENTIFY, "d": data}))

    async def frame(self) -> dict[str, Any]:
        """The next that the gateway says.

        Raises:
            AssertionError: if it closes the connection instead.
        """
        async with asyncio.timeout(_PATIENCE):
            message = await self.socket.receive()
        assert message.type is aiohttp.WSMsgType.TEXT, f"closed with {self.socket.close_code}"
        return json.loads(message.data)

    async def heard(self, event: str) -> dict[str, Any]:
        """The next event of a kind; those before it are passed over."""
        while True:
            frame = await self.frame()
            if frame["op"] == DISPATCH and frame["t"] == event:
                return frame["d"]

    async def until(self, event: str) -> list[tuple[str, dict[str, Any]]]:
        """All events up to one of a kind, that one included."""
        found: list[tuple[str, dict[str, Any]]] = []
        while not found or found[-1][0] != event:
            frame = await self.frame()
            found.append((frame["t"], frame["d"]))
        return found

    async def code(self) -> int | None:
        """The code with which the gateway closes the connection."""
        async with asyncio.timeout(_PATIENCE):
            while (await self.socket.receive()).type is aiohttp.WSMsgType.TEXT:
                pass
        return self.socket.close_code


@asynccontextmanager
async def serving(*people: str, channels: int = 1, community: str | None = None) -> AsyncIterator[Client]:
    """A server and somebody who asks it."""
    server = Server(Realm(people or ("Ana",), channels, community=community), TOKEN)
    await server.start()
    async with aiohttp.ClientSession() as session:
        yield Client(server, session)
    await server.close()
