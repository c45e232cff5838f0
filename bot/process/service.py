"""Which interactions are this process's to answer: none until it has its shards.

Several processes may hear of the same click, because each has sessions of its own: the one that has the shards, and
one that stands by to take its place. The first answers. When it stops for the second, it finishes what it has begun,
leaves alone what comes after that, leaves word of what it has done, and releases the shards. The second keeps what it
hears for as long as Discord would take an answer. Once it has the shards, it answers what the first process hasn't.

If the first process has died, it has left no word. Then the second defers each of these interactions before it does
anything else: Discord takes one answer to each, so it refuses to defer what the first one has answered.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Collection
from contextlib import suppress
from typing import Final

from bot.shards import Shards
from bot.store import Store, StoreError
from bot.store.ownership import Held, Owner
from bot.ui.clicks.host import Duty

log = logging.getLogger(__name__)

_HANDLED: Final = "handled:"
"""Prefix of the keys under which a process notes what it has answered, for the one that waits for its shards."""
KEPT_SECONDS = 2.5
"""How long an interaction waits for this process to have its shards; Discord gives up on it after 3 s."""
CONTESTED_SECONDS = 3.0
"""How long after taking over an interaction may come that the process before has answered."""
SURE_SECONDS = 2.0
"""How long an interaction waits for this process to be certain that it still holds its shards."""


class Service:
    """Says whether this process serves people already."""

    def __init__(self, owner: Owner, store: Store, shards: Shards) -> None:
        self._owner = owner
        self._store = store
        self._key = f"{_HANDLED}{shards}"
        self._begun = asyncio.Event()
        self._handled: frozenset[int] = frozenset()
        """What the process before has done with, as far as it has left word."""
        self._contested_until = 0.0

    @property
    def begun(self) -> bool:
        return self._begun.is_set()

    async def begin(self, *, after_another: bool) -> None:
        """This process has its shards, and everything that it needs to serve people.

        `after_another`: it stood by while another process had them.
        """
        word = None
        try:
            if (word := await self._store.get_value(self._key)) is not None:
                self._handled = frozenset(json.loads(word))
                await self._store.set_value(self._key, None)
        except (StoreError, ValueError) as error:
            log.warning("It can't be looked up what has been answered: %s", error)
        if after_another and word is None:
            self._contested_until = time.monotonic() + CONTESTED_SECONDS
        self._begun.set()

    async def leave_word(self, handled: Collection[int]) -> None:
        """Note which interactions this process has done with, for the one that waits for the shards."""
        try:
            await self._store.set_value(self._key, json.dumps(list(handled)))
        except StoreError as error:
            log.warning("What has been answered could not be noted: %s", error)

    async def duty(self, interaction_id: int) -> Duty:
        """What is to be done about an interaction that has just come. Waits for the shards, if need be."""
        if not self.begun:
            try:
                async with asyncio.timeout(KEPT_SECONDS):
                    await self._begun.wait()
            except TimeoutError:
                return Duty.NONE
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(SURE_SECONDS):
                await self._owner.confirm()
        if self._owner.held is Held.DOUBTFUL:
            return Duty.DOUBTFUL
        if self._owner.held is not Held.YES or interaction_id in self._handled:
            return Duty.NONE
        contested = self._contested_until and time.monotonic() < self._contested_until
        return Duty.CONTESTED if contested else Duty.OURS
