"""The tables as they are now. `migrations/` holds the steps that led to them; a test keeps the two equal."""

from bot.store.schema import club, own, server, tables, tournaments, training  # noqa: F401 - `metadata` has their tables
from bot.store.schema.base import metadata

__all__ = ["metadata"]
