"""Somebody on Discord."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

NOBODY: Final = "—"
"""The name shown for a person who was erased."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on Discord: the id, and the name shown."""

    id: int
    name: str
