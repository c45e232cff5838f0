"""The gateway of the simulated Discord: sessions begin, are resumed with what they missed, and are cut off."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

import aiohttp

from tests.simulation.machine import Machine
from tests.support.fake_discord.realm import Realm

if TYPE_CHECKING:
    from tests.simulation.life import Life


_CLOSED = (4004, 4010, 4011, 4012, 4013, 4014)


class Socket:
    """Stands for `aiohttp.ClientWebSocketResponse`: one connection to the gateway."""

    def __init__(self, gateway: Gateway, life: Life) -> None:
        self.gateway, self.life = gateway, life
        self.closed = False
        self.close_code: int | None = None
        self.session: GatewaySession | None = None
        self._frames: asyncio.Queue[Any] = asyncio.Queue()

    async def receive(self, timeout: float | None = None) -> Any:  # noqa: ASYNC109 - as aiohttp has it
        """The next frame. No timeout: the simulation says when a connection is lost, not a missing heartbeat."""
        return await self._frames.get()

    async def send_str(self, data: str) -> None:
        """Send a frame."""
        if self.closed:
            raise ConnectionResetError("Cannot write to closing transport")
        frame = json.loads(data)
        self.gateway.machine.after(self.gateway.way(), lambda: self.gateway.hear(self, frame))

    async def close(self, *, code: int = 4000, message: bytes = b"") -> bool:
        """Close it from the bot's side."""
        if self.closed:
            return False
        self.closed, self.close_code = True, code
        self.gateway.parted(self, code)
        self._frames.put_nowait(SimpleNamespace(type=aiohttp.WSMsgType.CLOSED, data=None, extra=None))
        return True

    def exception(self) -> None:
        """No error of its own."""

    def push(self, frame: str) -> None:
        """A frame that arrives."""
        if not (self.closed or self.life.loop.dead):
            self._frames.put_nowait(SimpleNamespace(type=aiohttp.WSMsgType.TEXT, data=frame, extra=None))

    def cut(self, code: int) -> None:
        """Discord closes it, or the network does."""
        if not (self.closed or self.life.loop.dead):
            self.closed, self.close_code = True, code
            self._frames.put_nowait(SimpleNamespace(type=aiohttp.WSMsgType.CLOSED, data=None, extra=None))


@dataclass(slots=True)
class GatewaySession:
    """A session that an IDENTIFY began, with the events that it still may have to send again."""

    id: str
    intents: int
    socket: Socket | None
    seq: int = 0
    events: list[tuple[int, str]] = field(default_factory=list)
    """Each with its number, as it was sent."""
    parted_at: float = 0.0


class Gateway:
    """The gateway: sessions begin, end, are resumed, and get what happens on the servers."""

    RESUMABLE_SECONDS: Final = 60.0
    KEPT: Final = 500

    def __init__(self, realm: Realm, machine: Machine, way: Callable[[], float]) -> None:
        self.realm = realm
        self.machine = machine
        self.way = way
        self.away = False
        """Whether no connection can be made."""
        self.sessions: list[GatewaySession] = []
        self._numbers = count(1)
        self.realm.listen(self.emit)

    def info(self, method: str, path: str) -> dict[str, Any] | None:
        """The answer to a request for the gateway's address."""
        if method != "GET" or path not in ("/gateway", "/gateway/bot"):
            return None
        found: dict[str, Any] = {"url": "wss://gateway.simulated"}
        if path == "/gateway/bot":
            limit = {"total": 1000, "remaining": 900, "reset_after": 86_400_000, "max_concurrency": 1}
            found |= {"shards": 1, "session_start_limit": limit}
        return found

    async def connect(self, life: Life) -> Socket:
        """A new connection."""
        await asyncio.sleep(2 * self.way())
        if self.away:
            raise aiohttp.ClientConnectionError("the gateway is away")
        socket = Socket(self, life)
        hello = json.dumps({"op": 10, "d": {"heartbeat_interval": 41250}})
        self.machine.after(0.0, lambda: socket.push(hello))
        return socket

    def hear(self, socket: Socket, frame: dict[str, Any]) -> None:
        """A frame of the bot's."""
        if socket.closed:
            return
        if frame["op"] == 1:
            self._say(socket, json.dumps({"op": 11}))
        elif frame["op"] == 2:
            self._identify(socket, frame["d"])
        elif frame["op"] == 6:
            self._resume(socket, frame["d"])

    def _identify(self, socket: Socket, data: dict[str, Any]) -> None:
        session = GatewaySession(f"session-{next(self._numbers)}", int(data["intents"]), socket)
        socket.session = session
        self.sessions = [each for each in self.sessions if each.socket is not None]
        self.sessions.append(session)
        ready = self.realm.ready(session.id, "wss://gateway.simulated")
        ready["shard"] = data.get("shard", [0, 1])
        self._add(session, "READY", ready)
        for guild in self.realm.guilds(session.intents):
            self._add(session, "GUILD_CREATE", guild)

    def _resume(self, socket: Socket, data: dict[str, Any]) -> None:
        session = next((each for each in self.sessions if each.id == data["session_id"]), None)
        lost = session is not None and session.events and session.events[0][0] > data["seq"] + 1
        late = session is not None and session.socket is None and (
            self.machine.now - session.parted_at > self.RESUMABLE_SECONDS
        )  # fmt: skip
        if session is None or lost or late:
            self._say(socket, json.dumps({"op": 9, "d": False}))
            return
        session.socket, socket.session = socket, session
        for number, frame in session.events:
            if number > data["seq"]:
                self._say(socket, frame)
        self._add(session, "RESUMED", {})

    def emit(self, event: str, payload: Mapping[str, Any]) -> None:
        """Send an event to every session that wants it."""
        for session in self.sessions:
            if self.realm.wanted(event, payload, session.intents):
                self._add(session, event, payload)

    def _add(self, session: GatewaySession, event: str, payload: Mapping[str, Any]) -> None:
        session.seq += 1
        frame = json.dumps({"op": 0, "s": session.seq, "t": event, "d": payload})
        session.events.append((session.seq, frame))
        del session.events[: -self.KEPT]
        if session.socket is not None:
            self._say(session.socket, frame)

    def _say(self, socket: Socket, frame: str) -> None:
        """Frames of one connection arrive in order: each takes at least as long as the one before."""
        at = max(self.machine.now + self.way(), getattr(socket, "arrives", 0.0))
        socket.arrives = at  # type: ignore[attr-defined]
        self.machine.at(at, lambda: socket.push(frame))

    def parted(self, socket: Socket, code: int) -> None:
        """A connection is over."""
        session = socket.session
        if session is None or session.socket is not socket:
            return
        session.socket, session.parted_at = None, self.machine.now
        if code in (1000, 1001, *_CLOSED):
            self.sessions.remove(session)

    def cut(self, code: int = 4000, *, forget: bool = False) -> None:
        """Close every connection."""
        for session in list(self.sessions):
            if (socket := session.socket) is not None:
                self.parted(socket, code)
                socket.cut(code)
            if forget and session in self.sessions:
                self.sessions.remove(session)

    def invalidate(self) -> None:
        """Tell every session that it is over, and can't be resumed."""
        for session in list(self.sessions):
            socket = session.socket
            self.sessions.remove(session)
            if socket is not None:
                socket.session = None
                self._say(socket, json.dumps({"op": 9, "d": False}))

    @property
    def online(self) -> bool:
        """Whether any session is connected."""
        return any(session.socket is not None and not session.socket.life.loop.dead for session in self.sessions)

    def end_life(self, life: Life) -> None:
        """The process of these connections is dead."""
        for session in list(self.sessions):
            if session.socket is not None and session.socket.life is life:
                self.sessions.remove(session)
