"""The simulated gateway: sessions begin, are resumed with the events they missed, are invalidated and are cut off."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from aiohttp import web

from tests.support.fake_discord.realm import Realm
from tests.wire.link import HEARTBEAT, Link
from tests.wire.starts import Shard, Starts

HEARTBEAT_SECONDS = 41.25
DISPATCH, IDENTIFY, RESUME, RECONNECT, INVALID_SESSION, HELLO = 0, 2, 6, 7, 9, 10
AUTHENTICATION_FAILED, INVALID_SHARD, SHARDING_REQUIRED, DISALLOWED_INTENTS = 4004, 4010, 4011, 4014
RESUMED_ELSEWHERE, INVALID_SEQ = 4000, 4007
FATAL = frozenset({AUTHENTICATION_FAILED, INVALID_SHARD, SHARDING_REQUIRED, 4012, 4013, DISALLOWED_INTENTS})
"""Close codes that end the session and make reconnecting pointless."""
ENDING = frozenset({1000, 1001})
"""Close codes with which the bot itself ends its session."""
RESUMABLE_SECONDS = 60.0
"""How long a session without a connection can be resumed."""


@dataclass(slots=True)
class Event:
    """An event of a session, which is not sent before `due` (in the loop's time)."""

    seq: int
    due: float
    frame: str


@dataclass(slots=True)
class Session:
    """A session that an IDENTIFY began. It keeps events while the bot isn't connected."""

    id: str
    intents: int
    shard: Shard = field(default_factory=Shard)
    events: list[Event] = field(default_factory=list)
    more: asyncio.Event = field(default_factory=asyncio.Event)
    seq: int = 0
    link: Link | None = None
    parted: float = 0.0
    """When the session lost its connection, in the loop's time, if it has none."""


class Gateway:
    """All sessions of the bot. The server sets `url` when it knows its port."""

    def __init__(self, realm: Realm, token: str) -> None:
        self.realm = realm
        self.token = token
        self.url = ""
        self.starts = Starts()
        self.shards = 1
        """How many shards Discord recommends."""
        self.shards_needed = 1
        """Bots with fewer shards are refused with 4011."""
        self.refuses: int | None = None
        """The close code with which every IDENTIFY is refused, such as 4014 for intents that aren't allowed."""
        self.away = False
        """Whether the gateway refuses all connections with 503."""
        self.heartbeat_seconds = HEARTBEAT_SECONDS
        self.delay = 0.0
        """By how many seconds events are delayed."""
        self.identifies = 0
        self.identified: list[tuple[float, Shard]] = []
        """When each IDENTIFY came, in the loop's time, and its shard."""
        self.turned_away = 0
        self.resumes = 0
        self.replayed = 0
        self._sessions: dict[str, Session] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._numbers = count(1)
        self._held = False
        self._changed = asyncio.Event()
        realm.listen(self.emit)

    @property
    def online(self) -> bool:
        """Whether any session is connected."""
        return any(session.link is not None for session in self._sessions.values())

    @property
    def heartbeats(self) -> int:
        """The number of heartbeats that have come over the connections that are open now."""
        return sum(session.link.heartbeats for session in self._sessions.values() if session.link is not None)

    def sessions_online(self, shard: int) -> int:
        """How many connected sessions a shard has."""
        return sum(each.link is not None and each.shard.number == shard for each in self._sessions.values())

    @property
    def shards_online(self) -> set[int]:
        """The numbers of the shards that are connected."""
        return {session.shard.number for session in self._sessions.values() if session.link is not None}

    def info(self, method: str, path: str) -> dict[str, Any] | None:
        """The response to a request for the gateway's address; None for any other request."""
        if method != "GET" or path not in ("/gateway", "/gateway/bot"):
            return None
        found: dict[str, Any] = {"url": self.url}
        if path == "/gateway/bot":
            found |= {"shards": max(self.shards, self.shards_needed), "session_start_limit": self.starts.payload()}
        return found

    async def wait(self, *, identifies: int = 0, resumes: int = 0) -> None:
        """Wait until there have been this many IDENTIFYs and resumes in total, and a session is connected."""
        while self.identifies < identifies or self.resumes < resumes or not self.online:
            self._changed.clear()
            await self._changed.wait()

    # ------------------------------------------------------------------------------------------------- events
    def emit(self, event: str, payload: Mapping[str, Any]) -> None:
        """Send the bot an event, now or when its session is resumed."""
        text = json.dumps(payload)
        for session in self._sessions.values():
            if session.shard.hears(event, payload) and self.realm.wanted(event, payload, session.intents):
                self._add(session, event, text)

    def hold(self) -> None:
        """Hold all events back until `release`."""
        self._held = True

    def release(self) -> None:
        """Send all events that were held back, at once."""
        self._held = False
        for session in self._sessions.values():
            session.more.set()

    def _add(self, session: Session, event: str, text: str) -> None:
        session.seq += 1
        frame = f'{{"op":0,"s":{session.seq},"t":"{event}","d":{text}}}'
        session.events.append(Event(session.seq, asyncio.get_running_loop().time() + self.delay, frame))
        session.more.set()

    # ------------------------------------------------------------------------------------------------- faults
    async def close(self, code: int = 4000, *, forget: bool = False, shard: int | None = None) -> None:
        """Close the connection of the bot, or of one shard, with a code. `forget`: the session can't be resumed."""
        for session in list(self._sessions.values()):
            if shard not in (None, session.shard.number):
                continue
            if session.link is not None:
                link, session.link = session.link, None
                session.parted = asyncio.get_running_loop().time()
                await link.close(code)
            if forget or code in FATAL:
                self._sessions.pop(session.id, None)

    async def reconnect(self) -> None:
        """Ask the bot to reconnect."""
        for session in self._sessions.values():
            if session.link is not None:
                await session.link.say(RECONNECT)

    async def ask_for_heartbeats(self) -> None:
        """Ask the bot for a heartbeat at once, over each connection."""
        for session in self._sessions.values():
            if session.link is not None:
                await session.link.say(HEARTBEAT)

    async def invalidate(self, *, resumable: bool = False) -> None:
        """Tell the bot that its session is invalid."""
        for session in list(self._sessions.values()):
            link = session.link
            if not resumable:
                del self._sessions[session.id]
            if link is not None:
                await link.say(INVALID_SESSION, resumable)

    # -------------------------------------------------------------------------------------------- connections
    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection until it ends."""
        if self.away:
            return web.Response(status=503)
        socket = web.WebSocketResponse(max_msg_size=0, autoping=True)
        try:
            await socket.prepare(request)
        except ConnectionResetError:
            return web.Response()  # nobody receives this: the bot ended while it was connecting
        compressed = request.query.get("compress") == "zlib-stream"
        link = Link(request, socket, self.heartbeat_seconds, compressed=compressed)
        await link.say(HELLO, {"heartbeat_interval": int(self.heartbeat_seconds * 1000)})
        pump: asyncio.Task[None] | None = None
        session: Session | None = None
        try:
            while (frame := await link.receive()) is not None:
                if frame["op"] in (IDENTIFY, RESUME):
                    if (code := await self._code_for(frame["op"], frame["d"])) is not None:
                        self.turned_away += 1
                        await link.close(code)
                        break
                    begun = self._identified if frame["op"] == IDENTIFY else self._resumed
                    if (found := begun(link, frame["d"])) is None:
                        await link.say(INVALID_SESSION, False)
                        continue
                    session, after = found
                    pump = asyncio.create_task(self._pump(session, link, after))
                    self._changed.set()
        finally:
            if session is not None and session.link is link:
                session.link, session.parted = None, asyncio.get_running_loop().time()
                if socket.close_code in ENDING and not link.closed_here:
                    self._sessions.pop(session.id, None)
            if pump is not None:
                pump.cancel()
                await asyncio.gather(pump, return_exceptions=True)
        return socket

    async def _code_for(self, op: int, data: dict[str, Any]) -> int | None:
        """The close code for a bot that is refused; None if it is accepted."""
        if data["token"] != self.token:
            return AUTHENTICATION_FAILED
        if op != IDENTIFY:
            session = self._sessions.get(data["session_id"])
            if session is None or 0 <= data["seq"] <= session.seq:
                return None
            del self._sessions[session.id]
            return INVALID_SEQ
        if self.refuses is not None:
            return self.refuses
        if (shard := Shard.of(data)) is None:
            return INVALID_SHARD
        if shard.count < self.shards_needed:
            return SHARDING_REQUIRED
        if self.starts.resets_token and self.starts.spent:
            self.token = f"{self.token}-of-which-nobody-knows"
            await self.close(AUTHENTICATION_FAILED)
            return AUTHENTICATION_FAILED
        return None

    def _identified(self, link: Link, data: dict[str, Any]) -> tuple[Session, int] | None:
        shard = Shard.of(data)
        assert shard is not None
        self.identifies += 1
        self.identified.append((asyncio.get_running_loop().time(), shard))
        if not self.starts.identify(shard.number):
            return None
        self._forget_parted()
        session = Session(f"session-{next(self._numbers)}", int(data["intents"]), shard, link=link)
        self._sessions[session.id] = session
        ready = self.realm.ready(session.id, self.url)
        ready["guilds"] = [guild for guild in ready["guilds"] if shard.has(int(guild["id"]))]
        if "shard" in data:
            ready["shard"] = [shard.number, shard.count]
        self._add(session, "READY", json.dumps(ready))
        for guild in self.realm.guilds(session.intents):
            if shard.has(int(guild["id"])):
                self._add(session, "GUILD_CREATE", json.dumps(guild))
        return session, 0

    def _forget_parted(self) -> None:
        """Forget sessions that can't be resumed any more. A new session ends no other: a shard may have several at
        once, and each of them gets every event."""
        before = asyncio.get_running_loop().time() - RESUMABLE_SECONDS
        for session in list(self._sessions.values()):
            if session.link is None and session.parted < before:
                del self._sessions[session.id]

    def _resumed(self, link: Link, data: dict[str, Any]) -> tuple[Session, int] | None:
        session = self._sessions.get(data["session_id"])
        if session is None:
            return None
        if session.link is not None:
            closing = asyncio.create_task(session.link.close(RESUMED_ELSEWHERE))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
        session.link = link
        self.resumes += 1
        self.replayed += session.seq - int(data["seq"])
        self._add(session, "RESUMED", "{}")
        return session, int(data["seq"])

    async def _pump(self, session: Session, link: Link, after: int) -> None:
        """Send a session's events after number `after`, as they come."""
        try:
            while True:
                session.more.clear()
                while not self._held and after < session.seq:
                    event = session.events[after]
                    await asyncio.sleep(event.due - asyncio.get_running_loop().time())
                    if link.socket.closed or session.link is not link:
                        return
                    await link.send(event.frame)
                    after = event.seq
                await session.more.wait()
        except ConnectionError:
            return  # the bot is gone; unsent events wait for it to resume
