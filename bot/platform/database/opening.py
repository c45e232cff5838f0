"""Opens the database at a path or an address, whichever of the two kinds it is."""

from pathlib import Path

from bot.platform.database.base import Schema
from bot.platform.database.database import BUSY_SECONDS, Database
from bot.platform.database.locations import Location, location_of
from bot.platform.database.sqlite import SqliteDatabase
from bot.platform.database.tools.backup_folder import BackupFolder


def key_beside(location: str | Location) -> Path:
    """Return the path of the key of a database's pseudonyms: beside a file, else in the folder where a file would be.

    It isn't in the folder with the backups, and no copy of a database takes it along.
    """
    place = location_of(location)
    return Path(f"{place}.key") if isinstance(place, Path) else Path("data/escoba.key")


async def database_at(location: str | Location, schema: Schema, *, busy_seconds: float = BUSY_SECONDS) -> Database:
    """Return the database at a location, not opened yet; a file is created as needed.

    `busy_seconds`: how long to wait while others write or a server is away. Raises InvalidLocation, StoreUnavailable.
    """
    place = location_of(location)
    if isinstance(place, Path):
        return await SqliteDatabase.at(place, schema, busy_seconds, BackupFolder(place).name_for_replaced)
    from bot.platform.database.postgres import PostgresDatabase  # with its driver, which a file doesn't need

    return PostgresDatabase(place, schema, busy_seconds)
