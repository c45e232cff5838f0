"""Backs up the database file once a day, into a folder beside it; operators back up PostgreSQL databases themselves."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from bot.platform.clock import Clock
from bot.platform.database.errors import StoreError
from bot.platform.database.locations import location_of
from bot.platform.database.tools.backup_folder import LOOK_SECONDS, BackupFolder
from bot.settings import Settings, variable

log = logging.getLogger(__name__)

FIRST_SECONDS: Final = 900
"""Seconds from the start to the earliest backup: right after a start the bot has more urgent work."""
_DAY: Final = timedelta(days=1).total_seconds()


class DailyBackups:
    """Backs up a database file once a day while this process owns it, and deletes backups that have become too old.

    `makes`: whether to make backups. If not, it only deletes old ones: those from before the operator turned backups
    off, and those made by hand since.
    """

    def __init__(self, folder: BackupFolder, clock: Clock, *, makes: bool = True) -> None:
        self._folder = folder
        self._clock = clock
        self._makes = makes
        self._stopped: Callable[[], bool] = bool
        self._last = math.nan
        """The time of the latest backup or, without one, of this process's start: epoch seconds; NaN until `start`."""
        self._no_backup_yet = True

    def age(self) -> float:
        """Seconds since the latest backup or, without one, since the start; NaN in a process that makes none."""
        return self._clock.now().timestamp() - self._last if self._makes else math.nan

    async def start(self, stopped: Callable[[], bool]) -> None:
        """Make backups from now on. One that is under way is abandoned once `stopped` returns True."""
        self._stopped = stopped
        now = self._clock.now()
        try:
            made = await asyncio.to_thread(self._folder.backups)
        except OSError as error:
            made = []
            log.warning("Can't list the backups in %s: %s", self._folder.path, error)
        self._last = (made[0][0] if made else now).timestamp()
        self._no_backup_yet = not made
        self._clock.after("backup", FIRST_SECONDS, self._look, lasts=False)

    async def _look(self) -> None:
        """Back up if no backup was made for a day, or ever; delete old ones; look again within the hour.

        So a backup that failed is tried again.
        """
        now = self._clock.now()
        if self._makes and (self._no_backup_yet or self.age() >= _DAY):
            await self._back_up(now)
        try:
            await asyncio.to_thread(self._folder.prune, now, newest_stays=self._makes)
        except OSError as error:  # without the file's name, which may contain somebody's id
            log.warning("Can't delete old backups in %s: %s", self._folder.path, error.strerror)
        if not self._stopped():
            wait = _DAY - self.age()
            wait = wait if 0 < wait < LOOK_SECONDS else LOOK_SECONDS
            self._clock.after("backup", wait, self._look, lasts=False)

    async def _back_up(self, now: datetime) -> None:
        try:
            made = await asyncio.to_thread(self._folder.back_up, now, self._stopped)
        except StoreError as error:
            if not self._stopped():
                log.warning("The daily backup failed and will be retried in an hour: %s", error)
            return
        self._last, self._no_backup_yet = now.timestamp(), False
        log.info("The database is backed up to %s", made)


def backups_of(settings: Settings, clock: Clock) -> DailyBackups | None:
    """The daily backups of a database file; None for PostgreSQL. If the bot makes none, the log says so."""
    location = location_of(settings.database)
    if not isinstance(location, Path):
        log.info("A PostgreSQL database isn't backed up by the bot: see Backup and restore in docs/RUNNING.md")
        return None
    if not settings.backups:
        log.info("The bot makes no backups (%s)", variable("backups"))
    return DailyBackups(BackupFolder(location), clock, makes=settings.backups)
