"""A cache for texts: one state is shown in several places at the same moment, mostly in one language."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from cachetools import LRUCache

from bot.platform.language.texts import Words

S = TypeVar("S")
R = TypeVar("R")
_MOST = 32
"""Most languages in the cache, more than there are with decks: commands bring new `Words` only when they are synced."""


def cached_by_language(make: Callable[[S, Words], R]) -> Callable[[S, Words], R]:
    """Cache a function's latest result in each language. States are compared by identity, so they must not change."""
    latest: LRUCache[Words, tuple[S, R]] = LRUCache(_MOST)

    @wraps(make)
    def kept(state: S, t: Words) -> R:
        known = latest.get(t)
        if known is None or known[0] is not state:
            known = latest[t] = (state, make(state, t))
        return known[1]

    return kept
