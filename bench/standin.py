"""A stand-in for Discord: answers a bot's requests immediately, and creates the clicks that the gateway would send.

The bots are the real ones, and discord.py is unmodified. Only the websocket (its JSON is parsed) and TLS are left out
of a click. Requests are answered in one of two ways: `Within` answers within the process, which measures the bot and
discord.py; `python -m bench.standin` answers over loopback HTTP from a separate process, so that discord.py's HTTP
client counts too.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections.abc import Iterator
from itertools import count
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import aiohttp
from multidict import CIMultiDict

if TYPE_CHECKING:
    from aiohttp import web
    from discord.ext import commands

BOT = {"id": "100", "username": "escoba", "discriminator": "0", "avatar": None, "global_name": None, "bot": True}
GUILD = 200
EPHEMERAL = 64
COMPONENTS_V2 = 1 << 15
WHEN = "2026-08-01T12:00:00.000000+00:00"
HEADERS = {
    "Content-Type": "application/json",  # exactly this: discord.py accepts nothing else as JSON
    "X-RateLimit-Bucket": "bench",
    "X-RateLimit-Limit": "5",
    "X-RateLimit-Remaining": "4",
    "X-RateLimit-Reset": "4000000000.000",
    "X-RateLimit-Reset-After": "1.000",
}
COMMAND, CLICK = 2, 3
"""Kinds of interactions."""
_CALLBACK = re.compile(r"/interactions/(\d+)/([^/]+)/callback")
_WEBHOOK = re.compile(r"/webhooks/\d+/([^/]+)/messages/")
_FOLLOW_UP = re.compile(r"/webhooks/\d+/[^/]+$")
_MESSAGE = re.compile(r"/channels/(\d+)/messages(?:/(\d+))?$")
_HEADERS = CIMultiDict(HEADERS)
_WITHOUT_CONTENT = CIMultiDict({name: value for name, value in HEADERS.items() if name != "Content-Type"})
_EPOCH_MS, _BITS = 1_420_070_400_000, 22
"""The time from which Discord's ids count, and how many of their bits don't belong to the time."""


def _ids() -> Iterator[int]:
    """Ids in ascending order that tell when they were made: an interaction's id tells the bot how late it arrives."""
    for number in count():
        yield (time.time_ns() // 1_000_000 - _EPOCH_MS << _BITS) + number % (1 << _BITS)


_new_ids = _ids()


def message(message_id: int, channel_id: int, components: list[Any], *, private: bool) -> dict[str, Any]:
    """A message in Discord's format."""
    return {
        "id": str(message_id),
        "channel_id": str(channel_id),
        "author": BOT,
        "content": "",
        "timestamp": WHEN,
        "edited_timestamp": WHEN,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "components": components,
        "pinned": False,
        "type": 0,
        "flags": COMPONENTS_V2 | (EPHEMERAL if private else 0),
    }


def _components_of(sent: dict[str, Any]) -> list[Any]:
    """A sent message's components as Discord returns them: with the ids of the files they show, kept or new."""
    components: list[Any] = sent["components"]
    kept = {each["filename"]: each["id"] for each in sent.get("attachments") or () if isinstance(each["id"], str)}
    for node in walk(components):
        for item in node.get("items", ()):
            name = item["media"]["url"].removeprefix("attachment://")
            item["media"]["attachment_id"] = kept.get(name) or str(next(_new_ids))
    return components


def token_of(person_id: int, channel_id: int, message_id: int) -> str:
    """An interaction's token, which contains everything the stand-in needs to know; it ends with the id of a message
    that it may be answered with."""
    return f"{person_id}-{channel_id}-{message_id}-{next(_new_ids)}"


def answer(method: str, url: str, body: str | None) -> tuple[int, str]:
    """The status and body of the answer to a request."""
    sent = json.loads(body) if body else {}
    if found := _CALLBACK.search(url):
        _, channel_id, message_id, opened = map(int, found[2].split("-"))
        fresh = sent["type"] == 4
        if fresh:
            message_id = opened
        interaction = {"id": found[1], "type": 3, "response_message_id": str(message_id)}
        if "components" not in sent.get("data", {}):  # a deferral: this machine is busy with something else
            return 200, json.dumps({"interaction": interaction})
        private = not fresh or bool(sent["data"].get("flags", 0) & EPHEMERAL)
        shown = message(message_id, channel_id, _components_of(sent["data"]), private=private)
        return 200, json.dumps({"interaction": interaction, "resource": {"type": sent["type"], "message": shown}})
    if found := _WEBHOOK.search(url):
        _, channel_id, message_id = map(int, found[1].split("-")[:3])
        if method == "DELETE":
            return 204, ""
        return 200, json.dumps(message(message_id, channel_id, _components_of(sent), private=True))
    if _FOLLOW_UP.search(url.partition("?")[0]):  # refused: people look at the panels that they opened themselves
        return 404, json.dumps({"code": 10015, "message": "Unknown Webhook"})
    if found := _MESSAGE.search(url):
        if method == "DELETE":
            return 204, ""
        message_id = int(found[2] or next(_new_ids))
        return 200, json.dumps(message(message_id, int(found[1]), _components_of(sent), private=False))
    return answer_about_the_bot(method, url)


def answer_about_the_bot(method: str, url: str) -> tuple[int, str]:
    """The answer to a request that isn't about a message: who the bot is, and what its commands are."""
    if url.endswith("/users/@me"):
        return 200, json.dumps(BOT)
    if url.endswith("/applications/@me"):
        owner = {**BOT, "id": "101", "bot": False}
        app = {"id": "100", "name": "escoba", "description": "", "icon": None, "owner": owner, "team": None}
        return 200, json.dumps({**app, "bot_public": True, "bot_require_code_grant": False, "verify_key": ""})
    if url.endswith("/commands"):
        return 200, "[]"
    raise ValueError(f"the stand-in has no answer to {method} {url}")


# ------------------------------------------------------------------------------------------------ clicks


def json_of(data: str | aiohttp.FormData | None) -> str | None:
    """The JSON body of a request, which may carry files."""
    if not isinstance(data, aiohttp.FormData):
        return data
    fields: Any = data._fields  # the public accessor can only be used once
    return next(value for options, _, value in fields if options["name"] == "payload_json")


def numbered(components: list[Any]) -> list[Any]:
    """Components with ids, as Discord assigns them."""
    numbers = count(1)

    def with_id(node: dict[str, Any]) -> dict[str, Any]:
        number = next(numbers)
        inner = {"components": [with_id(each) for each in node["components"]]} if "components" in node else {}
        return {**node, "id": number, **inner}

    return [with_id(each) for each in components]


def walk(components: list[Any]) -> Iterator[dict[str, Any]]:
    """All components of a message, including nested ones."""
    for each in components:
        yield each
        yield from walk(each.get("components", []))


def click(person_id: int, shown: dict[str, Any], custom_id: str) -> str:
    """The gateway event for a click on a button, as text; `shown` is the clicked message."""
    channel_id = int(shown["channel_id"])
    event = interaction(
        CLICK,
        person_id,
        channel_id,
        {"custom_id": custom_id, "component_type": 2, "id": 1},
        number=next(_new_ids),
        token=token_of(person_id, channel_id, int(shown["id"])),
    )
    return json.dumps({**event, "message": {**shown, "components": numbered(shown["components"])}})


def interaction(
    kind: int, person_id: int, channel_id: int, data: dict[str, Any], *, number: int, token: str, may: int = 0
) -> dict[str, Any]:
    """The gateway event for an interaction; the event for a click also contains the clicked message.

    `number` is its id, and `may` the bot's permissions in the channel.
    """
    user = {
        "id": str(person_id),
        "username": f"person{person_id}",
        "global_name": f"Person {person_id}",
        "discriminator": "0",
        "avatar": None,
    }
    member = {"user": user, "roles": [], "joined_at": WHEN, "deaf": False, "mute": False, "flags": 0}
    return {
        "id": str(number),
        "application_id": BOT["id"],
        "type": kind,
        "token": token,
        "version": 1,
        "guild_id": str(GUILD),
        "channel_id": str(channel_id),
        "channel": {"id": str(channel_id), "type": 0, "name": "mesa", "guild_id": str(GUILD), "permissions": "0"},
        "member": {**member, "nick": None, "avatar": None, "permissions": "0", "premium_since": None},
        "data": data,
        "app_permissions": str(may),
        "locale": "es-ES",
        "guild_locale": "es-ES",
        "entitlements": [],
        "authorizing_integration_owners": {"0": str(GUILD)},
        "context": 0,
        "attachment_size_limit": 10485760,
    }


def guild(channels: range) -> dict[str, Any]:
    """A server with text channels, in the gateway's format."""
    role = {"id": str(GUILD), "name": "@everyone", "permissions": "0", "position": 0, "color": 0, "hoist": False}
    role |= {"colors": {"primary_color": 0}, "managed": False, "mentionable": False, "flags": 0}
    return {
        "id": str(GUILD),
        "name": "Casa",
        "unavailable": False,
        "roles": [role],
        "channels": [{"id": str(n), "type": 0, "name": f"mesa-{n}", "position": n} for n in channels],
        "emojis": [],
        "features": [],
        "owner_id": "101",
        "member_count": 3,
        "members": [],
        "preferred_locale": "es-ES",
    }


# ------------------------------------------------------------------------------------------------ answering


class Within:
    """Replaces a client's HTTP session and answers within the process.

    `spent` is the CPU seconds that making the answers took, to be subtracted from what is measured; `sent` are the
    requests, `files` is how many of them carried a file, and `asked` the thread's CPU time at the first request since
    it was set to None.
    """

    def __init__(self) -> None:
        self.spent = 0.0
        self.sent: list[tuple[str, str, str | None]] = []
        self.files = 0
        self.asked: float | None = None

    def request(self, method: str, url: str, *, data: str | aiohttp.FormData | None = None, **_: Any) -> Answer:
        """Answer a request immediately."""
        before = time.thread_time()
        self.asked = before if self.asked is None else self.asked
        self.files += isinstance(data, aiohttp.FormData)
        self.sent.append((method, url, json_of(data)))
        answered = Answer(*answer(method, url, json_of(data)))
        self.spent += time.thread_time() - before
        return answered

    async def close(self) -> None:
        """Nothing to close."""


async def log_in_within(bot: commands.Bot | commands.AutoShardedBot, transport: Within) -> None:
    """Log a bot in; all of its requests are answered within the process."""
    http: Any = bot.http

    async def login(token: str) -> dict[str, Any]:
        http.token = token
        http._HTTPClient__session = transport
        http._global_over = asyncio.Event()
        http._global_over.set()
        return BOT

    http.static_login = login
    await bot.login("token")


class Noting:
    """Wraps a client's HTTP session and records its requests."""

    spent = 0.0

    def __init__(self, session: Any) -> None:
        self._session = session
        self.sent: list[tuple[str, str, str | None]] = []
        self.files = 0
        self.asked: float | None = None

    def request(self, method: str, url: str, *, data: str | aiohttp.FormData | None = None, **rest: Any) -> Any:
        """Record a request and pass it on."""
        self.asked = time.thread_time() if self.asked is None else self.asked
        self.files += isinstance(data, aiohttp.FormData)
        self.sent.append((method, url, json_of(data)))
        return self._session.request(method, url, data=data, **rest)

    async def close(self) -> None:
        """Close the wrapped session."""
        await self._session.close()


class Answer:
    """A response with the attributes that discord.py uses."""

    reason = "OK"

    def __init__(self, status: int, text: str) -> None:
        self.status = status
        self.headers = _HEADERS if text else _WITHOUT_CONTENT
        self._text = text

    async def text(self, encoding: str = "utf-8") -> str:
        await asyncio.sleep(0)  # like any response, it arrives no sooner than the loop's next iteration
        return self._text

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        return None


async def _serve() -> None:
    from aiohttp import web  # here: a bot that is measured within this process may do without it

    async def handle(request: web.Request) -> web.Response:
        if request.content_type == "multipart/form-data":
            body = str((await request.post())["payload_json"])
        else:
            body = await request.text()
        status, text = answer(request.method, request.path, body)
        return web.Response(status=status, body=text.encode(), headers=HEADERS if text else None)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(runner.addresses[0][1], flush=True)
    # until the parent exits or closes our input
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    await reader.read()
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(_serve())
