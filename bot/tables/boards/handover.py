"""The handover of a stopping bot to the next one: its tables' pings, and what their messages show."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Final

from bot.platform.database.errors import StoreError
from bot.platform.database.key_values import KeyValues
from bot.platform.outside import read_json
from bot.platform.shards import ALL, Shards
from bot.tables.boards.pings import NOTED

log = logging.getLogger(__name__)

_SHOWN: Final = "shown"
"""The key under which a stopping bot notes what its tables' messages show, followed by its shards if not all."""


class Handover:
    """Reads what the bot before this one left, and leaves the same for the next. What nobody asked for is left again.

    Args:
        values: where it is kept.
        shards: the servers whose tables these are.
    """

    def __init__(self, values: KeyValues, shards: Shards) -> None:
        self._values = values
        self._shards = shards
        self._key = f"{_SHOWN}{'' if shards == ALL else shards}"
        self._digests: dict[int, str] = {}
        self._pings: dict[str, str] = {}

    async def read(self, *, shown: bool = True) -> None:
        """Read the pings, and what the messages show, if the bot before this one could still note it.

        The latter is deleted, because it is out of date from now on. What a process with other shards has left, if they
        include some of these, may be out of date and is deleted, too. `shown`: whether messages are as they were left;
        in a simulation they aren't.
        """
        try:
            self._pings = await self._values.of(NOTED)
        except StoreError as error:
            log.warning("Can't look up the pings that were left: %s", error)
        if not shown:
            return
        try:
            found = await self._values.of(_SHOWN)
            for shards in found:
                if Shards.read(shards).meets(self._shards):
                    await self._values.set(_SHOWN + shards, None)
            if (noted := found.get(self._key.removeprefix(_SHOWN))) is not None:
                self._digests = {int(table_id): str(digest) for table_id, digest in read_json(noted).items()}
        except (StoreError, ValueError, TypeError, AttributeError) as error:
            log.warning("Can't look up what the messages show: %s", error)

    def take_digest(self, table_id: int) -> str | None:
        """The digest of what a table's message shows, if known; returned only once."""
        return self._digests.pop(table_id, None)

    def take_pings(self, table_id: int) -> str | None:
        """The pings that were noted for a table, if there are any; returned only once."""
        return self._pings.pop(str(table_id), None)

    async def write(self, digests: Mapping[int, str]) -> None:
        """Note what tables' messages show, and again what was left for tables that have not come back yet."""
        noted = {**self._digests, **digests}
        try:
            await self._values.set(self._key, json.dumps(noted) if noted else None)
        except StoreError as error:
            log.warning("Could not note what the messages show: %s", error)
