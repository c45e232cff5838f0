"""A PostgreSQL server that hangs: it accepts connections and bytes, but answers nothing for as long as a test wants."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import sqlalchemy as sa

_SOCKET = ".s.PGSQL.5432"


class Between:
    """Stands between a bot and a server, and passes everything on until it is made to hang."""

    def __init__(self, url: str, folder: Path) -> None:
        there = sa.make_url(url)
        self._there = f"{there.query['host']}/{_SOCKET}"
        self.url = there.set(query={"host": str(folder)}).render_as_string(hide_password=False)
        self.swallowed = 0
        """How many times data arrived that won't be answered."""
        self._hangs = False
        self._writers: list[asyncio.StreamWriter] = []

    def hang(self) -> None:
        """Answer nothing from now on."""
        self._hangs = True

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on what arrives on a new connection, until either side closes it."""
        there, back = await asyncio.open_unix_connection(self._there)
        self._writers += [writer, back]
        await asyncio.gather(self._pass_on(reader, back), self._pass_on(there, writer))

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(2**16):
                if self._hangs:
                    self.swallowed += 1
                else:
                    target.write(data)
        target.close()

    async def close(self) -> None:
        """Cut every connection."""
        for writer in self._writers:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


@asynccontextmanager
async def between(url: str, folder: Path) -> AsyncIterator[Between]:
    """Stand between a bot and the server at `url`; the bot must be given the URL of the yielded object instead."""
    folder.mkdir(exist_ok=True)
    made = Between(url, folder)
    server = await asyncio.start_unix_server(made.serve, folder / _SOCKET)
    try:
        yield made
    finally:
        server.close()
        await made.close()
        await server.wait_closed()
