"""People's names as plain text: nothing in them formats, pings, or turns the line around."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from discord.utils import escape_markdown, escape_mentions

LONGEST: Final = 32
_ROBOT: Final = "🤖"


def plain(name: str) -> str:
    """A name without control and direction marks, on one line, at most 32 characters long."""
    kept = "".join(
        " " if c.isspace() else c for c in name if unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
    )
    kept = " ".join(kept.split())
    return kept if len(kept) <= LONGEST else kept[: LONGEST - 1] + "…"


@lru_cache(maxsize=4096)  # a click writes the same few names a dozen times
def safe(name: str) -> str:
    """A name for a text that Discord formats."""
    # Links aren't left out: markdown in a name that looks like one would close what is around it.
    escaped = escape_mentions(escape_markdown(plain(name), ignore_links=False))
    return escaped.replace("<", "\\<").replace("[", "\\[") or "?"


def seat_name(name: str, *, computer: bool) -> str:
    """A seat's holder for a text that Discord formats; computers carry a robot."""
    return f"{_ROBOT} {safe(name)}" if computer else safe(name)
