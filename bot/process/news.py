"""Applies what other processes on the same database have changed, and what they ask for."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from bot.platform.clock import Clock
from bot.platform.database.errors import StoreError
from bot.platform.database.news import News
from bot.platform.refusals import Refusal
from bot.platform.settings.documents import PreferencesCache
from bot.store.server.privacy import PersonalData
from bot.tables.manager import TableManager
from bot.tables.server.erasure import erase_due

log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 30


class NewsReader:
    """Looks up what has changed whenever another process announces a change.

    It may receive news before the clock runs, and looks it up once the clock does; by then the tables are loaded.

    `erase_due` erases the people whom other processes were asked to erase, and returns how many erasures, each of
    one person from one game or tournament, were due.
    """

    def __init__(self, data: PersonalData, clock: Clock, manager: TableManager, preferences: PreferencesCache) -> None:
        self._clock = clock
        self._manager = manager
        self._preferences = preferences
        self.erase_due: Callable[[], Awaitable[int]] = partial(erase_due, data, manager)

    def receive(self, what: News, about: int) -> None:
        """Another process has changed something about a person or, if `about` is 0, about anybody."""
        if not self._manager.closing:
            self._clock.after(("news", what, about), 0, partial(self._look_up, what, about))

    async def _look_up(self, what: News, about: int) -> None:
        try:
            match what:
                case News.CHOICES if about:
                    await self._preferences.refresh(about)
                case News.CHOICES:
                    await self._preferences.load()
                case News.ERASURES:
                    if count := await self.erase_due():
                        log.info("Another process asked for %s erasures from games and tournaments: done", count)
                case News.PLACES if about:
                    await self._manager.rest(about)
                case News.PLACES:
                    await self._manager.rest_all()
        except (StoreError, Refusal) as error:
            if not self._manager.closing:
                log.warning("Can't look up what another process has changed: %s", error)
                self._clock.after(("news", what, about), RETRY_SECONDS, partial(self._look_up, what, about))
