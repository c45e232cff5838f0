"""The choice of the kind of ownership by the kind of database."""

from pathlib import Path

from bot.platform.database.base import Schema
from bot.platform.database.locations import location_of
from bot.platform.database.ownership.port import FileOwner, Owner
from bot.platform.shards import Shards


def owner_of(database: str, schema: Schema, shards: Shards | None) -> Owner:
    """Create the ownership of some shards in a database, not acquired yet; without `shards`, of all, however many."""
    location = location_of(database)
    if isinstance(location, Path):
        return FileOwner(location)
    from bot.platform.database.ownership.postgres import PostgresOwner

    return PostgresOwner(location, schema, shards)
