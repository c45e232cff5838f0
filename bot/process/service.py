"""The interactions that this process must answer: none until it has its shards.

Two processes may receive the same click, because each has its own sessions: the one that has the shards, and one that
stands by to take over. The first answers. When it stops for the second, it finishes what it has begun, ignores what
comes after that, notes in the database which interactions it has handled, and releases the shards. The second keeps
the interactions it receives for as long as Discord would accept an answer. Once it has the shards, it answers those
that the first hasn't.

If the first process died, it has left no note. The second then defers each of these interactions before it does
anything else: Discord accepts one answer to each, so it refuses to defer those that the first one has answered.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Collection
from contextlib import suppress
from typing import Final

from bot.platform.database.errors import StoreError
from bot.platform.database.key_values import KeyValues
from bot.platform.database.ownership import Held, Owner
from bot.platform.kit.host import Responsibility
from bot.platform.outside import read_json
from bot.platform.shards import Shards

log = logging.getLogger(__name__)

_HANDLED: Final = "handled:"
"""Prefix of the keys under which a process notes what it has handled, for the one that waits for its shards."""
KEPT_SECONDS = 2.5
"""The time that an interaction waits for this process to have its shards; Discord gives up on it after 3 s."""
CONTESTED_SECONDS = 3.0
"""The time after taking over in which an interaction may arrive that the previous process has already answered."""
SURE_SECONDS = 1.0
"""The time that an interaction waits until this process is certain that it still has its shards."""


class Service:
    """Knows whether this process serves people yet, and which interactions it must answer."""

    def __init__(self, owner: Owner, values: KeyValues, shards: Shards) -> None:
        self._owner = owner
        self._values = values
        self._key = f"{_HANDLED}{shards}"
        self._begun = asyncio.Event()
        self._handled: frozenset[int] = frozenset()
        """The interactions that the previous process has noted as handled."""
        self._contested_until = 0.0

    @property
    def begun(self) -> bool:
        return self._begun.is_set()

    async def begin(self, *, after_another: bool) -> None:
        """Start serving people: this process has its shards, and everything it needs.

        `after_another`: it stood by while another process had them.
        """
        note = None
        try:
            if (note := await self._values.get(self._key)) is not None:
                self._handled = frozenset(read_json(note))
                await self._values.set(self._key, None)
        except (StoreError, ValueError, TypeError) as error:
            log.warning("Can't look up which interactions have been answered: %s", error)
        if after_another and note is None:
            self._contested_until = time.monotonic() + CONTESTED_SECONDS
        self._begun.set()

    async def note_handled(self, handled: Collection[int]) -> None:
        """Note which interactions this process has handled, for the one that waits for the shards."""
        try:
            await self._values.set(self._key, json.dumps(list(handled)))
        except StoreError as error:
            log.warning("Could not note which interactions have been answered: %s", error)

    async def duty(self, interaction_id: int) -> Responsibility:
        """Whether this process must answer an interaction that has just come. Waits for the shards if need be."""
        if not self.begun:
            try:
                async with asyncio.timeout(KEPT_SECONDS):
                    await self._begun.wait()
            except TimeoutError:
                return Responsibility.NONE
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(SURE_SECONDS):
                await self._owner.confirm()
        if self._owner.held is Held.DOUBTFUL:
            return Responsibility.DOUBTFUL
        if self._owner.held is not Held.YES or interaction_id in self._handled:
            return Responsibility.NONE
        contested = self._contested_until and time.monotonic() < self._contested_until
        return Responsibility.CONTESTED if contested else Responsibility.OURS
