"""The choice of the kind of ownership by the kind of database."""

from __future__ import annotations

from pathlib import Path

from bot.shards import Shards
from bot.store.locations import location_of
from bot.store.ownership.files import FileOwner
from bot.store.ownership.port import Owner
from bot.store.schema.base import Schema


def owner_of(database: str, schema: Schema, shards: Shards | None) -> Owner:
    """Create the ownership of some shards in a database, not acquired yet; without `shards`, of all, however many."""
    location = location_of(database)
    if isinstance(location, Path):
        return FileOwner(location)
    from bot.store.ownership.postgres import PostgresOwner  # with PostgreSQL's driver, which a file doesn't need

    return PostgresOwner(location, schema, shards)
