"""The command `restore`: replaces the database file of a stopped bot with a backup."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from filelock import Timeout

from bot.platform.database.errors import CannotCopy, naming, unavailable
from bot.platform.database.ownership.files import lock_of
from bot.platform.database.private_files import create_folder
from bot.platform.database.tools.backup import copy_database
from bot.platform.database.tools.backup_folder import BackupFolder
from bot.platform.database.tools.replacing import replace_database
from bot.platform.shards import Shards
from bot.privacy.live.disguise import Disguise
from bot.process.stores import Stores
from bot.tables.store.contents import Contents, contents_of
from bot.tournaments.live.codec import LOG as TOURNAMENT_LOG

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


async def restore(database: Path, backup: Path | None, now: datetime) -> RestoredFile:
    """Replace a database that no bot uses with a backup, by default the newest one of the bot's own.

    Either all of this happens or nothing. People who were erased after the backup was made are erased from it.

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
            return await _restore(folder, backup, now)
    except Timeout:
        raise CannotCopy(f"a bot uses {database}; stop it first") from None
    except OSError as error:
        raise unavailable(error, f"cannot restore {database} from {backup}") from error


async def _restore(folder: BackupFolder, backup: Path, now: datetime) -> RestoredFile:
    database = folder.database
    new = database.with_name(database.name + ".restoring")
    try:
        _remove(new)
        copy_database(backup, new, checked=True)
        with naming(backup, new):
            stores = await Stores.open(new)  # this also brings an older version's tables up to date
        try:
            contents = await asyncio.to_thread(contents_of, new)
            erased = folder.erased_since(contents.newest or datetime.fromtimestamp(0, UTC))
            again = [await _erase(stores, each) for each in erased]
        finally:
            await stores.database.close()
        aside = folder.name_for_replaced(now)
        replaced = replace_database(database, new, aside)
    finally:
        _remove(new)
    return RestoredFile(database, backup, aside if replaced else None, contents, sum(changed > 0 for changed in again))


async def _erase(stores: Stores, person_id: int) -> int:
    changed = await stores.personal_data.forget(person_id, Disguise(person_id).rewriter, shards=_NO_SHARDS)
    of_tournaments = Disguise(person_id, TOURNAMENT_LOG).rewriter
    return changed + await stores.tournaments.forget(person_id, of_tournaments, shards=_NO_SHARDS)


def _remove(database: Path) -> None:
    for end in ("", "-wal", "-shm", ".lock"):
        Path(f"{database}{end}").unlink(missing_ok=True)
