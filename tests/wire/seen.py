"""What people see of messages, and how their interactions are answered."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bot.platform.transport.trouble import UNKNOWN_MESSAGE
from tests.support.fake_discord.person import Person
from tests.support.limits_components import BUTTON, SELECTS, TEXT, walk
from tests.support.patience import HANG_SECONDS
from tests.support.wiretap import CALLBACK, Request

EPHEMERAL = 1 << 6
ANSWER, THINKING, WORKING, UPDATE, MODAL = 4, 5, 6, 7, 9
"""Kinds of answers: a message, a deferred message, a deferred update, an update of the clicked message, a modal."""
CUSTOM_ID = re.compile(r"e:(?P<verb>[a-z]+):(?P<game>[0-9a-z]+):(?P<version>[0-9a-z]+)(?P<args>(?::[0-9a-z]+)*)")
PATIENCE = 3.5
"""Seconds after which no answer can come any more: Discord allows three."""


def refused(requests: Iterable[Request]) -> list[Request]:
    """The requests that Discord refused, except answers that came too late.

    The bot moves a panel below the table's newer message. A click on it that is being answered at that moment edits a
    message that is gone; the panel's new message shows what the click did.
    """
    return [request for request in requests if request.status >= 400 and not _edits_a_moved_panel(request)]


def _edits_a_moved_panel(request: Request) -> bool:
    update = CALLBACK.fullmatch(request.path) and request.body["type"] == UPDATE
    return bool(update) and request.code == UNKNOWN_MESSAGE


class Press(NamedTuple):
    """A button or menu."""

    custom_id: str
    verb: str
    game: int
    version: int
    args: tuple[str, ...]
    label: str
    disabled: bool
    options: tuple[str, ...]


def presses(components: Any) -> Iterator[Press]:
    """The buttons and menus in a message's components."""
    for _, node in walk(components or []):
        if (node.get("type") == BUTTON or node.get("type") in SELECTS) and (custom_id := node.get("custom_id")):
            found = CUSTOM_ID.fullmatch(custom_id)
            verb, game, version, args = found.group("verb", "game", "version", "args") if found else ("", "0", "0", "")
            label = node.get("label") or node.get("placeholder") or (node.get("emoji") or {}).get("name") or ""
            options = tuple(option["value"] for option in node.get("options", []))
            parts = tuple(args.split(":")[1:])
            yield Press(
                custom_id, verb, int(game, 36), int(version, 36), parts, label, bool(node.get("disabled")), options
            )


def words_of(components: Any) -> str:
    """The text of all Text Displays, each on its own line."""
    text = "\n".join(node["content"] for _, node in walk(components or []) if node.get("type") == TEXT)
    return text.replace("\u2060", "")  # invisible; it keeps an index and its suit on one line


@dataclass(frozen=True, slots=True)
class Seen:
    """A message as somebody saw it at one moment."""

    payload: dict[str, Any]

    @property
    def id(self) -> int:
        return int(self.payload["id"])

    @property
    def private(self) -> bool:
        return bool(self.payload["flags"] & EPHEMERAL)

    @property
    def text(self) -> str:
        return "\n".join(filter(None, (self.payload.get("content"), words_of(self.payload["components"]))))

    @property
    def presses(self) -> list[Press]:
        return list(presses(self.payload["components"]))

    @property
    def enabled(self) -> list[Press]:
        return [press for press in self.presses if not press.disabled]

    def find(self, *verbs: str) -> list[Press]:
        """The enabled buttons and menus with these verbs."""
        return [press for press in self.enabled if press.verb in verbs]

    @property
    def version(self) -> int:
        """The newest version that a button names; 0 if none does, as their handlers need none."""
        return max((press.version for press in self.presses), default=0)

    def in_place_of(self, message: Seen) -> Seen:
        """This content on another message, for somebody who clicks before they have seen that message change."""
        return Seen({**self.payload, "id": message.payload["id"]})

    def one(self, verb: str) -> str:
        """The custom_id of the only enabled button or menu with a verb."""
        found = self.find(verb)
        assert len(found) == 1, f"{len(found)} times {verb!r} in: {[press.custom_id for press in self.presses]}"
        return found[0].custom_id


@dataclass(frozen=True, slots=True)
class Answer:
    """How the bot answered an interaction: the callback that Discord accepted."""

    kind: int
    request: Request
    seconds: float

    @property
    def text(self) -> str:
        return words_of(self.request.message.get("components"))

    @property
    def presses(self) -> list[Press]:
        return list(presses(self.request.message.get("components")))

    @property
    def private(self) -> bool:
        return self.request.viewer is not None

    @property
    def deferred(self) -> bool:
        return self.kind in (THINKING, WORKING)


@dataclass(slots=True)
class Shot:
    """An interaction that a person has sent to the bot, and its answers. `gone`: whether its message was deleted."""

    person: Person
    channel_id: int
    id: int
    payload: dict[str, Any]
    gone: Callable[[], bool] = lambda: False
    sent: float = field(default_factory=time.monotonic)
    got: Answer | None = None
    later: list[Request] = field(default_factory=list)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def custom_id(self) -> str:
        """The custom_id that was clicked; empty for a command."""
        return str(self.payload["data"].get("custom_id", ""))

    @property
    def done(self) -> bool:
        """Whether it was answered, and not just deferred, unless there is nothing left to show the answer on."""
        return self.got is not None and (not self.got.deferred or bool(self.later) or self.gone())

    @property
    def texts(self) -> str:
        """All texts of the answer and of what was sent later."""
        words = [self.got.text] if self.got else []
        return "\n".join([*words, *(words_of(request.message.get("components")) for request in self.later)])

    def replied(self, request: Request) -> None:
        """Record an answer that Discord has accepted."""
        self.got = Answer(int(request.body["type"]), request, time.monotonic() - self.sent)
        self._changed.set()

    def edited(self, request: Request) -> None:
        """Record an edit of the answer, or a follow-up, that Discord has accepted."""
        self.later.append(request)
        self._changed.set()

    async def answer(self, seconds: float = PATIENCE) -> Answer:
        """Wait for the answer, which may only defer the real one.

        Raises:
            AssertionError: if it doesn't come in time.
        """
        await self._until(lambda: self.got is not None, seconds)
        assert self.got is not None, f"{self} was not answered in {seconds} s"
        return self.got

    async def end(self, seconds: float = HANG_SECONDS) -> Answer:
        """Wait for the answer, and if it was deferred also for what was sent later; returns the first answer."""
        await self._until(lambda: self.done, seconds)
        assert self.done, f"{self} was only deferred, or not answered, in {seconds} s"
        assert self.got is not None
        return self.got

    async def _until(self, happened: Any, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                while not happened():
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            return

    def __str__(self) -> str:
        return f"{self.person.name}'s {self.custom_id or self.payload['data'].get('name')} ({self.id})"
