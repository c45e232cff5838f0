"""Places in a list: medals for the first three, numbers for all others."""

from __future__ import annotations

from typing import Final

from bot.platform.language.texts import Words

MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


def place_sign(rank: int, t: Words) -> str:
    """Write the medal of a place, or its number in bold."""
    return MEDALS.get(rank, f"**{t.number(rank)}.**")
