"""Messages between the processes on one database."""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from functools import partial
from typing import Final

from bot.platform.clock import Clock
from bot.platform.database.errors import StoreError
from bot.platform.database.key_values import KeyValues
from bot.platform.database.news import News
from bot.platform.database.ownership import Held, Owner
from bot.platform.kit.host import Responsibility
from bot.platform.outside import read_json
from bot.platform.refusals import Refusal
from bot.platform.settings.documents import PreferencesCache
from bot.platform.shards import Shards
from bot.privacy.live.erasure import erase_due
from bot.privacy.store.erasure import PersonalData
from bot.tables.live.manager import TableManager

log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 30


class NewsReader:
    """Looks up what has changed whenever another process announces a change.

    It may receive news before the clock runs, and looks it up once the clock does; by then the tables are loaded.

    `on_notices` is called when somebody is to be told something in private. `erase_due` erases the people whom other
    processes were asked to erase, and returns how many erasures, each of one person from one game or tournament, were
    due. `erased` is called with the id of somebody whose stored data another process has erased, 0 if it may be
    anybody.
    """

    def __init__(self, data: PersonalData, clock: Clock, manager: TableManager, preferences: PreferencesCache) -> None:
        self._clock = clock
        self._manager = manager
        self._preferences = preferences
        self.on_notices: Callable[[], None] = lambda: None
        self.erased: Callable[[int], Awaitable[None]] = preferences.refresh
        self.erase_due: Callable[[], Awaitable[int]] = partial(erase_due, data, manager)

    def receive(self, what: News, about: int) -> None:
        """Another process has changed something about a person or, if `about` is 0, about anybody."""
        if not self._manager.closing:
            self._clock.after(("news", what, about), 0, partial(self._look_up, what, about))

    async def _look_up(self, what: News, about: int) -> None:
        try:
            match what:
                case News.CHOICES:
                    await self._preferences.refresh(about)
                case News.ERASURES:
                    if count := await self.erase_due():
                        log.info("Another process asked for %s erasures from games and tournaments: done", count)
                case News.ERASED:
                    await self.erase_due()  # before what open games and tournaments are shown with is forgotten
                    await self.erased(about)
                case News.NOTICES:
                    self.on_notices()
                case News.PLACES if about:
                    await self._manager.rest(about)
                case News.PLACES:
                    await self._manager.rest_all()
        except (StoreError, Refusal) as error:
            if not self._manager.closing:
                log.warning("Can't look up what another process has changed: %s", error)
                self._clock.after(("news", what, about), RETRY_SECONDS, partial(self._look_up, what, about))


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
