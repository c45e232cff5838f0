"""A stand-in for PgBouncer: it shares a PostgreSQL server's connections among clients.

It speaks just enough of the protocol for that: it passes on a client's messages up to the one that asks for an
answer, and the answer up to the message saying that the server is ready and whether a transaction is open.
"""

import asyncio
import contextlib
import struct
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

import sqlalchemy as sa

_SOCKET: Final = ".s.PGSQL.5432"
_IDLE: Final = b"I"


class Options(StrEnum):
    """What happens to settings that a client sends when a connection starts."""

    REFUSED = "refused"
    IGNORED = "ignored"


class Mode(StrEnum):
    """How long a client keeps a connection to the server."""

    SESSION = "session"
    LATEST = "a transaction, and the next one gets the connection that was free latest"
    IN_TURN = "a transaction, and the connections take turns"


Pipe = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Pooler:
    """A running pooler; `version` is the server version that it reports, if not the real one."""

    server: str
    mode: Mode
    options: Options
    version: str | None = None
    opened: list[asyncio.StreamWriter] = field(default_factory=list[asyncio.StreamWriter])
    free: deque[Pipe] = field(default_factory=deque[Pipe])
    freed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a client until it disconnects."""
        self.opened.append(writer)
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            await self._serve((reader, writer))
        writer.close()

    async def _serve(self, client: Pipe) -> None:
        (length,) = struct.unpack("!I", await client[0].readexactly(4))
        words = (await client[0].readexactly(length - 4))[4:].rstrip(b"\0").split(b"\0")
        asked = dict(zip(words[::2], words[1::2], strict=True))
        if asked.pop(b"options", None) is not None and self.options is Options.REFUSED:
            error = b"SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: options\0\0"
            client[1].write(b"E" + struct.pack("!I", len(error) + 4) + error)
            return
        server = await asyncio.open_unix_connection(self.server)
        start = struct.pack("!I", 196_608) + b"".join(key + b"\0" + value + b"\0" for key, value in asked.items())
        server[1].write(struct.pack("!I", len(start) + 5) + start + b"\0")
        self.opened.append(server[1])
        await self._answer(server, client)
        if self.mode is not Mode.SESSION:
            await self._release(server)
        while True:
            kind, text = await _message(client[0])
            if kind == b"X":
                if self.mode is Mode.SESSION:
                    server[1].close()
                return
            if self.mode is not Mode.SESSION:
                server = await self._take()
            while True:
                server[1].write(text)
                while kind not in b"SQ":  # the kinds that ask for an answer
                    kind, text = await _message(client[0])
                    server[1].write(text)
                if await self._answer(server, client) == _IDLE:
                    break
                kind, text = await _message(client[0])
            if self.mode is not Mode.SESSION:
                await self._release(server)

    async def _answer(self, server: Pipe, client: Pipe) -> bytes:
        """Pass on the server's messages until it is ready; returns its status, which tells if a transaction is open."""
        while True:
            kind, text = await _message(server[0])
            if kind == b"S" and self.version is not None and text[5:].startswith(b"server_version\0"):
                body = b"server_version\0" + self.version.encode() + b"\0"
                text = b"S" + struct.pack("!I", len(body) + 4) + body
            client[1].write(text)
            if kind == b"Z":
                return text[5:6]

    async def _take(self) -> Pipe:
        async with self.freed:
            await self.freed.wait_for(lambda: self.free)
            return self.free.popleft()

    async def _release(self, server: Pipe) -> None:
        async with self.freed:
            if self.mode is Mode.LATEST:
                self.free.appendleft(server)
            else:
                self.free.append(server)
            self.freed.notify()


async def _message(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    head = await reader.readexactly(5)
    return head[:1], head + await reader.readexactly(struct.unpack("!I", head[1:])[0] - 4)


@contextlib.asynccontextmanager
async def pooler(
    folder: Path, url: str, mode: Mode, options: Options = Options.IGNORED, version: str | None = None
) -> AsyncIterator[str]:
    """Run a pooler in front of a database; yields the database's URL through it."""
    where = sa.make_url(url)
    made = Pooler(f"{where.query['host']}/{_SOCKET}", mode, options, version)
    serving: list[asyncio.Task[None]] = []

    def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving.append(asyncio.create_task(made.serve(reader, writer)))

    server = await asyncio.start_unix_server(meet, folder / _SOCKET)
    try:
        yield where.update_query_dict({"host": str(folder)}).render_as_string(hide_password=False)
    finally:
        server.close()
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
        for writer in made.opened:
            writer.close()
