"""The tables as they are now. `migrations/` holds the steps that led to them; a test keeps the two equal."""

from pathlib import Path
from typing import Final

# Each adds its tables to the metadata.
from bot.store.schema import club, own, server, tables, tournaments, training
from bot.store.schema.base import Schema, metadata

__all__ = ["SCHEMA", "club", "own", "server", "tables", "tournaments", "training"]

SCHEMA: Final = Schema(metadata, Path(__file__).parent.parent / "migrations")
