"""One websocket connection of the simulated gateway: what it sends, and how patient it is with its client."""

import asyncio
import json
import zlib
from typing import Any

from aiohttp import WSMsgType, web

from tests.wire.limits import Windows

HEARTBEAT, HEARTBEAT_ACK = 1, 11
RATE_LIMITED, SESSION_TIMED_OUT = 4008, 4009
ABNORMAL = 1006
"""Not sent as a close code: the connection is cut."""
FRAMES, FRAMES_SECONDS = 120, 60.0
"""The most frames that a client may send in a minute, heartbeats included."""
LATE = 1.5
"""The intervals without a heartbeat after which Discord gives up; how many exactly isn't documented."""


class Link:
    """One websocket connection."""

    def __init__(
        self, request: web.Request, socket: web.WebSocketResponse, heartbeat_seconds: float, *, compressed: bool
    ) -> None:
        self.request = request
        self.socket = socket
        self.closed_here = False
        """Whether Discord has closed the connection, not its client."""
        self.heartbeats = 0
        self._patience = LATE * heartbeat_seconds
        self._beat_at = asyncio.get_running_loop().time()
        self._frames = Windows(FRAMES, FRAMES_SECONDS)
        self._zlib = zlib.compressobj() if compressed else None
        self._lock = asyncio.Lock()

    async def receive(self) -> dict[str, Any] | None:
        """The client's next frame, as text or binary; None at the end. Heartbeats are answered here.

        The connection is closed if the client sends too many frames, or no heartbeats.
        """
        while True:
            left = self._beat_at + self._patience - asyncio.get_running_loop().time()
            try:
                message = await self.socket.receive(timeout=max(left, 0.001))
            except TimeoutError:
                await self.close(SESSION_TIMED_OUT)
                return None
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return None
            if self._frames.count().over:
                await self.close(RATE_LIMITED)
                return None
            frame: dict[str, Any] = json.loads(message.data)
            if frame["op"] != HEARTBEAT:
                return frame
            self.heartbeats += 1
            self._beat_at = asyncio.get_running_loop().time()
            await self.say(HEARTBEAT_ACK)

    async def send(self, text: str) -> None:
        """Send a frame, in the order of the calls."""
        async with self._lock:
            if self._zlib is None:
                await self.socket.send_str(text)
            else:
                data = self._zlib.compress(text.encode()) + self._zlib.flush(zlib.Z_SYNC_FLUSH)
                await self.socket.send_bytes(data)

    async def close(self, code: int) -> None:
        """Close the connection with a code, or cut it if the code is `ABNORMAL`."""
        self.closed_here = True
        if code != ABNORMAL:
            await self.socket.close(code=code)
        elif self.request.transport is not None:
            self.request.transport.abort()

    async def say(self, op: int, data: Any = None) -> None:
        """Send a frame that isn't an event."""
        await self.send(json.dumps({"op": op, "d": data, "s": None, "t": None}))
