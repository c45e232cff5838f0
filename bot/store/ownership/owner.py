"""Which kind of ownership a database has."""

from __future__ import annotations

from pathlib import Path

from bot.shards import Shards
from bot.store.locations import location_of
from bot.store.ownership.files import FileOwner
from bot.store.ownership.port import Owner
from bot.store.ownership.postgres import PostgresOwner


def owner_of(database: str, shards: Shards | None) -> Owner:
    """The ownership of some shards in a database, not asked for yet; without `shards` that of all, however many."""
    place = location_of(database)
    return FileOwner(place) if isinstance(place, Path) else PostgresOwner(place, shards)
