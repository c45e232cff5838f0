"""Places in a list: medals for the first three, numbers for all others."""

from __future__ import annotations

from typing import Final

MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


def place_sign(rank: int) -> str:
    """Write the medal of a place, or its number in bold."""
    return MEDALS.get(rank, f"**{rank}.**")
