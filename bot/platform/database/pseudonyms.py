"""Pseudonyms: negative numbers in place of ids, which lead to nobody without a key that lies outside the database.

All processes of a bot need the same key. If it is lost, the next one gives other pseudonyms: what was stored under the
former ones can't be found any more.
"""

import asyncio
import hmac
import logging
from contextlib import suppress
from pathlib import Path
from secrets import token_bytes, token_hex
from typing import Final

from pydantic import SecretStr
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.platform.database.private_files import create_folder, new_file

log = logging.getLogger(__name__)

OPTION: Final = "pseudonyms"
"""The execution option of a database's engines that holds its `Pseudonyms`."""
_SIZE: Final = 32
_DROPPED_BITS: Final = 2
"""Of the 64 bits of a pseudonym, so that it is never 0, and fits into the database's numbers."""


class Pseudonyms:
    """The pseudonyms of people in one database, other ones on each server.

    Until `load` is called, they are of a key that nobody keeps.
    """

    def __init__(self) -> None:
        self._key = token_bytes(_SIZE)

    async def load(self, path: Path, given: SecretStr | None = None) -> None:
        """Use the key that is given, else the one in a file, which is made if it isn't there.

        If it can't be read, or made, the log says what follows.
        """
        if given is not None:
            self._key = given.get_secret_value().encode()
            return
        try:
            self._key = await asyncio.to_thread(_key_in, path)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            log.warning(
                "Can't use the key in %s (%s). Until that is mended, ratings' limits forget people who erase their data"
                " once the bot ends",
                path,
                why,
            )

    def of(self, guild_id: int, *people: int) -> int:
        """Return the pseudonym of a person on a server, or of a group, in whatever order."""
        named = ":".join(str(number) for number in (guild_id, *sorted(people)))
        digest = hmac.digest(self._key, named.encode(), "sha256")
        return -1 - (int.from_bytes(digest[:8], "big") >> _DROPPED_BITS)


def pseudonyms_of(connection: AsyncConnection) -> Pseudonyms:
    """Return the pseudonyms of the database that a connection is to."""
    assert connection.sync_connection is not None, "it is open"
    return connection.sync_connection.get_execution_options()[OPTION]


def _key_in(path: Path) -> bytes:
    if not path.exists():
        create_folder(path.parent)
        with suppress(FileExistsError), new_file(path) as new:  # another process may be faster
            new.write_text(token_hex(_SIZE), "ascii")
    key = bytes.fromhex(path.read_text("ascii"))
    if len(key) != _SIZE:
        raise ValueError("it isn't a whole key; delete the file, and the bot makes another one")
    return key
