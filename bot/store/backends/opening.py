"""Opens a database of the kind that its location says."""

from __future__ import annotations

from pathlib import Path

from bot.store.backends.database import BUSY_SECONDS, Database
from bot.store.backends.postgres import PostgresDatabase
from bot.store.backends.sqlite import SqliteDatabase
from bot.store.locations import Location, location_of


async def open_database(location: str | Location, *, busy_seconds: float = BUSY_SECONDS) -> Database:
    """Open a database and bring its schema up to date. A file is created, with its folder, if it is missing.

    Raises InvalidLocation; StoreUnavailable, whose message names the database.
    """
    location = location_of(location)
    database: Database
    if isinstance(location, Path):
        database = await SqliteDatabase.at(location, busy_seconds)
    else:
        database = PostgresDatabase(location, busy_seconds)
    await database.open()
    return database
