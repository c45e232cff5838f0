"""A stand-in for Discord's HTTP API: keeps messages and their readers, and records every request with its reader."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord

from bench import standin
from bench.standin import Answer, Within
from tests.secrecy.revealed import Sent

NEW, THINKING, WORKING, UPDATE, MODAL = 4, 5, 6, 7, 9
"""Interaction response types."""
FIRST_ID = discord.utils.time_snowflake(discord.utils.parse_time("2026-08-01T12:00:00+00:00"))
ALL_PERMISSIONS = discord.Permissions.all().value
_CALLBACK = re.compile(r".*/interactions/(\d+)/([^/]+)/callback")
_WEBHOOK = re.compile(r".*/webhooks/\d+/([^/]+)(?:/messages/([^/]+))?")
_CHANNEL = re.compile(r".*/channels/(\d+)/messages(?:/(\d+))?")
_SERVER = re.compile(r".*/guilds/\d+(?:/(channels|threads/active))?")


@dataclass(slots=True)
class Message:
    """A message. `reader`: the only user who sees it, None for everybody. `changed`: grows with each change."""

    id: int
    channel_id: int
    reader: int | None
    components: list[Any]
    changed: int

    @property
    def shown(self) -> dict[str, Any]:
        """The message as Discord's JSON."""
        return standin.message(self.id, self.channel_id, self.components, private=self.reader is not None)

    def nodes(self, *, disabled: bool = False) -> list[dict[str, Any]]:
        """Its enabled buttons and menus, or with `disabled` all of them."""
        found = [node for node in standin.walk(self.components) if "custom_id" in node]
        return [node for node in found if disabled or not node.get("disabled")]


@dataclass(slots=True)
class Interaction:
    """A user's action: the clicked message and the message that answered it."""

    person_id: int
    channel_id: int
    clicked: Message | None
    original: Message | None = None


class Postbox(Within):
    """Takes the place of a client's HTTP session. `noted`: the requests in the order they came.

    Ids are counted separately for each channel and person, so that two bots that do the same get the same ids
    whatever the order in which their tasks run.
    """

    def __init__(self) -> None:
        super().__init__()
        self.noted: list[Sent] = []
        self.messages: dict[int, Message] = {}
        self._interactions: dict[str, Interaction] = {}
        self._counts: Counter[object] = Counter()

    # ------------------------------------------------------------------------------------------ users' actions
    def click(
        self, person_id: int, message: Message, custom_id: str, values: list[str] | None = None
    ) -> dict[str, Any]:
        """The gateway's event for a click on a message or, with `values`, for a choice in a menu."""
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": 2 if values is None else 3, "id": 1}
        if values is not None:
            data["values"] = values
        event = self._event(standin.CLICK, Interaction(person_id, message.channel_id, message, message), data)
        return {**event, "message": {**message.shown, "components": standin.numbered(message.components)}}

    def slash(self, person_id: int, channel_id: int, name: str) -> dict[str, Any]:
        """The gateway's event for a command such as "escoba hand"."""
        first, second = name.split()
        data = {"id": "1", "name": first, "type": 1, "options": [{"name": second, "type": 1, "options": []}]}
        return self._event(standin.COMMAND, Interaction(person_id, channel_id, None), data)

    def _event(self, kind: int, record: Interaction, data: dict[str, Any]) -> dict[str, Any]:
        number = self.new_id(record.channel_id, record.person_id, "interaction")
        token = f"token-{number}"
        self._interactions[token] = record
        return standin.interaction(
            kind, record.person_id, record.channel_id, data, number=number, token=token, may=ALL_PERMISSIONS
        )

    def new_id(self, channel_id: int, reader: int | None = None, kind: str = "message") -> int:
        """The next id for a channel's messages with this reader, or for a user's actions there."""
        self._counts[channel_id, reader, kind] += 1
        whose = 0 if reader is None else 1 + reader % 10
        place = (channel_id << 6 | whose << 1 | (kind == "interaction")) << 16
        return FIRST_ID + place + self._counts[channel_id, reader, kind]

    # ------------------------------------------------------------------------------------------ what users see
    def seen_by(self, person_id: int, channel_id: int) -> Iterator[Message]:
        """The messages of a channel that a person sees, the latest changed first."""
        for message in sorted(self.messages.values(), key=lambda each: each.changed, reverse=True):
            if message.channel_id == channel_id and message.reader in (None, person_id):
                yield message

    # ------------------------------------------------------------------------------------------ the bot's requests
    def request(self, method: str, url: str, *, data: Any = None, **_: Any) -> Answer:
        """Answer a request."""
        text, files = _parts_of(data)
        body = json.loads(text) if text else {}
        if found := _CALLBACK.fullmatch(url):
            reader, answer = self._called_back(self._interactions[found[2]], body)
        elif found := _WEBHOOK.fullmatch(url):
            reader, answer = self._followed_up(method, self._interactions[found[1]], found[2], body)
        elif found := _CHANNEL.fullmatch(url):
            reader, answer = None, self._in_channel(method, int(found[1]), found[2], body)
        elif found := _SERVER.fullmatch(url):
            reader, answer = None, json.dumps(self._about_server(found[1]))
        else:
            reader, answer = None, standin.answer_about_the_bot(method, url)[1]
        self.noted.append(Sent(reader, method, url, text, files))
        return Answer(200 if answer else 204, answer)

    def _about_server(self, part: str | None) -> object:
        """The server, whose channels everybody sees; or its channels or threads."""
        channels = sorted({message.channel_id for message in self.messages.values()})
        server = standin.guild(range(channels[0], channels[-1] + 1))
        server["roles"][0]["permissions"] = str(ALL_PERMISSIONS)
        if part is None:
            return server
        return server["channels"] if part == "channels" else {"threads": [], "members": []}

    def _called_back(self, record: Interaction, body: dict[str, Any]) -> tuple[int | None, str]:
        data = body.get("data") or {}
        kind = body["type"]
        shown: Message | None = record.clicked
        if kind in (NEW, THINKING):
            shown = record.original = self._made(record, data)
        elif kind == UPDATE and shown is not None:
            self._changed(shown, data)
        reader = record.person_id if kind == MODAL or shown is None else shown.reader
        resource: dict[str, Any] = {"type": kind}
        if shown is not None and kind in (NEW, UPDATE):
            resource["message"] = shown.shown
        answered = {"id": "1", "type": 3, "response_message_id": None if shown is None else str(shown.id)}
        return reader, json.dumps({"interaction": answered, "resource": resource})

    def _followed_up(
        self, method: str, record: Interaction, which: str | None, body: dict[str, Any]
    ) -> tuple[int | None, str]:
        if which is None:
            waiting = record.original
            if waiting is not None and waiting is not record.clicked and not waiting.components:
                self._changed(waiting, body)  # the first one fills in the deferred reply
                return waiting.reader, json.dumps(waiting.shown)
            made = self._made(record, body)
            return made.reader, json.dumps(made.shown)
        message = record.original if which == "@original" else self.messages.get(int(which))
        assert message is not None, f"{method} of a message that was never sent"
        return message.reader, self._done(method, message, body)

    def _in_channel(self, method: str, channel_id: int, which: str | None, body: dict[str, Any]) -> str:
        if which is None:
            return json.dumps(self._add(channel_id, None, body).shown)
        if (message := self.messages.get(int(which))) is None:  # posted before the bot started
            message = Message(int(which), channel_id, None, [], 0)
        return self._done(method, message, body)

    def _done(self, method: str, message: Message, body: dict[str, Any]) -> str:
        if method == "DELETE":
            self.messages.pop(message.id, None)
            return ""
        if method == "PATCH":
            self.messages[message.id] = message
            self._changed(message, body)
        return json.dumps(message.shown)

    def _made(self, record: Interaction, data: dict[str, Any]) -> Message:
        private = bool(data.get("flags", 0) & standin.EPHEMERAL)
        return self._add(record.channel_id, record.person_id if private else None, data)

    def _add(self, channel_id: int, reader: int | None, data: dict[str, Any]) -> Message:
        message = Message(self.new_id(channel_id, reader), channel_id, reader, [], 0)
        self.messages[message.id] = message
        self._changed(message, data)
        return message

    def _changed(self, message: Message, data: dict[str, Any]) -> None:
        self._counts["changes"] += 1
        message.changed = self._counts["changes"]
        message.components = data.get("components", message.components)


def _parts_of(data: Any) -> tuple[str, tuple[tuple[str, bytes], ...]]:
    """A request's JSON, and its files with their names and content types."""
    if not isinstance(data, aiohttp.FormData):
        return data or "", ()
    text = ""
    files: list[tuple[str, bytes]] = []
    form: Any = data()
    for part, *_ in form:
        value = part._value
        content: bytes = value if isinstance(value, bytes) else value.read()
        about = str(sorted(part.headers.items()))
        if 'name="payload_json"' in about:
            text = content.decode()
        else:
            files.append((about, content))
    return text, tuple(files)
