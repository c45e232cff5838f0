"""Records every request of a bot on SimCord, who could see it, and what Discord would object to."""

import json as jsonlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fnmatch import fnmatch
from functools import lru_cache
from typing import Any

import simcord

from tests.support import limits, schema
from tests.support.fake_discord import worlds
from tests.support.limits import COMPONENTS_V2, EPHEMERAL, MessageBefore

JSON = Any
Watcher = Callable[["Request"], Iterable[str]]

CALLBACK = re.compile(r"/interactions/(\d+)/[^/]+/callback")
WEBHOOK = re.compile(r"/webhooks/\d+/([^/]+)(?:/messages/([^/]+))?")
CHANNEL = re.compile(r"/channels/(\d+)/messages(?:/(\d+))?")
UPLOADS_IN_ALL = 10 * 1024 * 1024
IDS = re.compile(r"(?<=/)\d+")
TOKENS = re.compile(r"(/(?:interactions|webhooks)/\d+/)[^/]+")
KEPT = 10_000
"""The number of bodies remembered with their findings: three in five have been sent before, mostly by another test."""


def general(path: str) -> str:
    """The path with the same ids and the same token as every other of its kind."""
    return IDS.sub("1", TOKENS.sub(r"\1token", path))


@lru_cache(maxsize=KEPT)
def objections(method: str, path: str, text: str, files: tuple[str, ...], before: MessageBefore | None) -> list[str]:
    """Check a body, given as JSON, as Discord would and as the project does."""
    body, known = jsonlib.loads(text), schema.load()
    found = [*limits.problems(method, path, body, files, before=before)]
    return found + [f"schema: {line}" for line in known.check(method, path, body)] if known is not None else found


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file sent with a request."""

    name: str
    size: int
    description: str | None


@dataclass(slots=True)
class Request:
    """One request of the bot. `viewer` is the only person who could see its body; None: everyone could."""

    number: int
    at: datetime
    method: str
    path: str
    body: JSON
    text: str  # the body as it was sent
    files: tuple[SentFile, ...] = ()
    user_id: int | None = None  # whose interaction it belongs to
    viewer: int | None = None
    before: MessageBefore | None = None  # the edited message
    message_id: int | None = None  # the edited message, or the new one
    status: int = 0  # 0: still under way
    code: int = 0  # Discord's error code
    injected: bool = False  # refused because the test asked for it
    notes: list[str] = field(default_factory=list)  # what watchers found

    @property
    def message(self) -> dict[str, Any]:
        """The message or modal in the body: a callback's `data`, else the body itself."""
        found = limits.kind_and_body(self.method, self.path, self.body)[1]
        return found if isinstance(found, dict) else {}

    @property
    def file_names(self) -> list[str]:
        return [file.name for file in self.files]

    def __str__(self) -> str:
        who = "everyone" if self.viewer is None else f"user {self.viewer}"
        kind = f" type {self.body['type']}" if CALLBACK.fullmatch(self.path) and self.body else ""
        return f"#{self.number} {self.method} {self.path}{kind} (seen by {who})"


class Wiretap:
    """Everything that the bot of one SimCord environment sends once this exists.

    Made before `env.start()`, it records the command sync too. A restarted bot stays tapped.

    `watchers` are called with each request before it takes effect, while the state it was made from still
    holds; what they return, and what they raise, counts as findings.
    """

    def __init__(self, env: simcord.Env) -> None:
        self.env = env
        self.requests: list[Request] = []
        self.watchers: list[Watcher] = []
        self.schema = schema.load()
        self._errors: list[str] = []
        self._checked = 0
        worlds.tap(env, self._hear)

    # ---------------------------------------------------------------------------------------- what was sent
    def public(self) -> list[Request]:
        """The requests whose bodies everyone could see."""
        return [request for request in self.requests if request.viewer is None]

    def for_user(self, user_id: int) -> list[Request]:
        """The requests whose bodies only this user could see."""
        return [request for request in self.requests if request.viewer == user_id]

    def to(self, method: str, path: str) -> list[Request]:
        """The requests with a method to a path, which may contain `*`."""
        return [r for r in self.requests if r.method == method and fnmatch(r.path, path)]

    @property
    def refused(self) -> list[Request]:
        """The requests that got an error response, including injected ones."""
        return [request for request in self.requests if request.status >= 400]

    @property
    def unanswered(self) -> list[str]:
        """The interactions to which the bot never responded."""
        return [
            f"interaction {record.id} of user {record.user_id} (type {int(record.type)}) is unanswered"
            for record in self.env.backend.interactions.values()
            if not record.responded
        ]

    # -------------------------------------------------------------------------------------------- judgement
    @property
    def errors(self) -> list[str]:
        """What is wrong with the requests so far, one line per finding."""
        self._check_new()
        return list(self._errors)

    @property
    def warnings(self) -> list[str]:
        """What isn't wrong but looks bad."""
        return [
            f"{request}: {finding}"
            for request in self.requests
            for finding in limits.warnings(request.method, request.path, request.body)
        ]

    def check(self, *, allow: Sequence[str] = ()) -> None:
        """Raise AssertionError with all findings except those that a regular expression in `allow` matches."""
        found = [line for line in self.errors if not any(re.search(pattern, line) for pattern in allow)]
        if found:
            shown = "\n  ".join(found[:40])
            more = f"\n  … and {len(found) - 40} more" if len(found) > 40 else ""
            raise AssertionError(f"{len(found)} findings in {len(self.requests)} requests:\n  {shown}{more}")

    def clear(self) -> None:
        """Forget the requests so far, checked or not."""
        self.requests.clear()
        self._errors.clear()
        self._checked = 0

    def _check_new(self) -> None:
        while self._checked < len(self.requests) and self.requests[self._checked].status:
            request = self.requests[self._checked]
            self._checked += 1
            self._errors += [f"{request}: {finding}" for finding in self._findings(request)]

    def _findings(self, request: Request) -> Iterator[str]:
        yield from request.notes
        files = tuple(request.file_names)
        yield from objections(request.method, general(request.path), request.text, files, request.before)
        if (size := sum(file.size for file in request.files)) > UPLOADS_IN_ALL:
            yield f"files of {size} bytes, at most {UPLOADS_IN_ALL}"
        if request.status in {400, 501} and not request.injected:
            yield f"answered {request.status}, code {request.code}"

    # -------------------------------------------------------------------------------------------- recording
    def _hear(self, method: str, path: str, body: JSON, files: Sequence[Any]) -> worlds.Answered:
        request = Request(len(self.requests) + 1, self.env.now(), method, path, None, "null")
        try:
            request.text = jsonlib.dumps(body, allow_nan=False)
            request.body = jsonlib.loads(request.text)
        except (TypeError, ValueError) as error:
            request.notes.append(f"the body isn't JSON: {error}")
        request.files = tuple(map(_sent, files))
        self._look_up(request)
        request.injected = any(
            fault["method"] in (method, "*") and fnmatch(path, fault["path"]) for fault in self.env.backend.faults
        )
        self.requests.append(request)
        for watcher in self.watchers:
            try:
                request.notes += watcher(request)
            except Exception as error:
                request.notes.append(f"a watcher failed: {error!r}")

        def answered(status: int, code: int, answer: JSON, meant: bool = False) -> None:
            request.status, request.code = status, code
            request.injected |= meant
            if self.schema is not None and status < 400:
                found = self.schema.check_answer(method, general(path), status, answer)
                request.notes += [f"the fake's answer: {line}" for line in found]
            if request.message_id is None:
                request.message_id = _made(answer)

        return answered

    def _look_up(self, request: Request) -> None:
        """Set who will see the body and which message it edits, from the world before the request."""
        backend = self.env.backend
        kind = limits.kind_and_body(request.method, request.path, request.body)[0]
        message: Any = None
        if match := CALLBACK.fullmatch(request.path):
            record = backend.interactions.get(int(match[1]))
            if kind is limits.Kind.EDIT and record is not None:
                message = _stored(backend, record.channel_id, record.source_message_id)
        elif match := WEBHOOK.fullmatch(request.path):
            record = backend.interactions.get(backend.interaction_tokens.get(match[1], 0))
            if record is not None:
                target = record.message_id if match[2] == "@original" or (not match[2] and record.loading) else match[2]
                message = _stored(backend, record.channel_id, target)
        else:
            record = None
            if match := CHANNEL.fullmatch(request.path):
                message = _stored(backend, int(match[1]), match[2])
                channel = backend.channels.get(int(match[1]))
                if channel is not None and channel.guild_id is None:
                    others = [user for user in channel.recipient_ids if user != backend.bot_user.id]
                    request.viewer = others[0] if others else None
        request.user_id = record.user_id if record is not None else None
        if message is not None:
            request.message_id = message.id
            names = {str(item["id"]): str(item["filename"]) for item in message.attachments}
            request.before = MessageBefore(names, bool(message.flags & COMPONENTS_V2))
            if message.is_ephemeral:
                request.viewer = int((message.interaction_metadata or {})["user"]["id"])
        elif record is not None:
            private = kind in {limits.Kind.MODAL, limits.Kind.CHOICES}
            ephemeral = kind in {limits.Kind.CREATE, limits.Kind.DEFER} and _flags(request.message) & EPHEMERAL
            request.viewer = record.user_id if private or ephemeral else None


def _flags(message: dict[str, Any]) -> int:
    return message.get("flags") or 0


def _stored(backend: Any, channel_id: int, message_id: str | int | None) -> Any:
    number = str(message_id)
    return backend.messages.get(channel_id, {}).get(int(number)) if number.isdecimal() else None


def _sent(file: Any) -> SentFile:
    here = file.fp.tell()
    size = file.fp.seek(0, 2) - here
    file.fp.seek(here)
    return SentFile(file.filename, size, file.description)


def _made(answer: Any) -> int | None:
    """The id of the message that a request created."""
    if not isinstance(answer, dict):
        return None
    if "interaction" in answer:
        number = answer["interaction"].get("response_message_id")
    else:
        number = answer.get("id") if "channel_id" in answer else None
    return int(number) if number else None
