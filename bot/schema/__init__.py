"""The tables as they are now. `migrations/` holds the steps that led to them; a test keeps the two equal."""

from pathlib import Path
from typing import Final

from bot.platform.database.base import Schema, metadata

# Each adds its tables to the metadata.
from bot.schema import club, server, tables, training

__all__ = ["SCHEMA", "club", "server", "tables", "training"]

SCHEMA: Final = Schema(metadata, Path(__file__).parent / "migrations")
