"""Backups: the daily ones, and the way back from one."""

import asyncio
import logging
import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from filelock import Timeout
from pydantic import SecretStr

from bot.platform.clock import Clock
from bot.platform.database.errors import CannotCopy, StoreError, naming, unavailable
from bot.platform.database.locations import location_of
from bot.platform.database.opening import key_beside
from bot.platform.database.ownership.port import lock_of
from bot.platform.database.private_files import create_folder
from bot.platform.database.tools.backup_folder import (
    ERASURES_DONE,
    LOOK_SECONDS,
    BackupFolder,
    copy_database,
    replace_database,
)
from bot.platform.outside import read_json
from bot.platform.shards import Shards
from bot.privacy.live.erasure import Disguise
from bot.process.stores import Stores
from bot.settings import Settings, variable
from bot.tables.store.audit import Contents, contents_of
from bot.tournaments.live.codec import LOG as TOURNAMENT_LOG

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
        await self._prune(now)
        self._clock.after("backup", FIRST_SECONDS, self._look, lasts=False)

    async def _look(self) -> None:
        """Back up if no backup was made for a day, or ever; delete old ones; look again within the hour.

        So a backup that failed is tried again.
        """
        now = self._clock.now()
        if self._makes and (self._no_backup_yet or self.age() >= _DAY):
            await self._back_up(now)
        await self._prune(now)
        if not self._stopped():
            wait = _DAY - self.age()
            wait = wait if 0 < wait < LOOK_SECONDS else LOOK_SECONDS
            self._clock.after("backup", wait, self._look, lasts=False)

    async def _prune(self, now: datetime) -> None:
        try:
            await asyncio.to_thread(self._folder.prune, now, newest_stays=self._makes)
        except OSError as error:  # without the file's name, which may contain somebody's id
            log.warning("Can't delete old backups in %s: %s", self._folder.path, error.strerror)

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


_NO_SHARDS: Final = Shards((), 1)
"""Leaves open games to the bot: it erases people from them at its next start, since they have to leave a game first."""


@dataclass(frozen=True, slots=True)
class RestoredFile:
    """The outcome of a restore."""

    database: Path
    backup: Path
    replaced: Path | None
    """The place where the previous database is kept; None if there was none."""
    contents: Contents
    erased: int
    """The number of people who were erased again."""


async def restore(
    database: Path, backup: Path | None, now: datetime, *, marks_key: SecretStr | None = None
) -> RestoredFile:
    """Replace a database that no bot uses with a backup, by default the newest one of the bot's own.

    Either all of this happens or nothing. People who were erased after the backup was made are erased from it.
    `marks_key`: the setting, if there is one.

    Raises CannotCopy; StoreUnavailable if the backup isn't sound, or something can't be written.
    """
    folder = BackupFolder(database)
    database = folder.database
    try:
        if backup is None:
            backup = next((path for _, path in folder.backups()), None)
            if backup is None:
                raise CannotCopy(f"there is no backup in {folder.path}")
        if not backup.is_file():
            raise CannotCopy(f"there is no file {backup}")
        if database.exists() and backup.samefile(database):
            raise CannotCopy(f"{backup} is the database itself")
        create_folder(database.parent)
        with lock_of(database).acquire(blocking=False):
            return await _restore(folder, backup, now, marks_key)
    except Timeout:
        raise CannotCopy(f"a bot uses {database}; stop it first") from None
    except OSError as error:
        raise unavailable(error, f"cannot restore {database} from {backup}") from error


async def _restore(folder: BackupFolder, backup: Path, now: datetime, key: SecretStr | None) -> RestoredFile:
    database = folder.database
    new = database.with_name(database.name + ".restoring")
    try:
        _remove(new)
        copy_database(backup, new, checked=True)
        with naming(backup, new):
            stores = await Stores.open(new)  # this also brings an older version's tables up to date
        try:
            contents = await asyncio.to_thread(contents_of, new)
            done = read_json(await stores.values.get(ERASURES_DONE) or "[]")
            erased = folder.erased_since(contents.newest or datetime.fromtimestamp(0, UTC), done)
            if erased:
                await stores.database.pseudonyms.load(key_beside(database), key)
            again = [await _erase(stores, person_id, noted_at, now) for person_id, noted_at in erased]
        finally:
            await stores.database.close()
        aside = folder.name_for_replaced(now)
        replaced = replace_database(database, new, aside)
    finally:
        _remove(new)
    return RestoredFile(database, backup, aside if replaced else None, contents, sum(changed > 0 for changed in again))


async def _erase(stores: Stores, person_id: int, noted_at: datetime, now: datetime) -> int:
    changed = await stores.personal_data.forget(person_id, Disguise(person_id).rewriter, now, shards=_NO_SHARDS)
    of_tournaments = Disguise(person_id, TOURNAMENT_LOG).rewriter
    changed += await stores.tournaments.forget(person_id, of_tournaments, shards=_NO_SHARDS)
    await stores.personal_data.erasure_done(person_id, noted_at)
    return changed


def _remove(database: Path) -> None:
    for end in ("", "-wal", "-shm", ".lock"):
        Path(f"{database}{end}").unlink(missing_ok=True)
