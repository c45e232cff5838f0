"""Practice in words: the positions that somebody has learned, and the themes that they still miss."""

from __future__ import annotations

from typing import Final

from bot.platform.language.texts import Words
from bot.training.live.practice import Queue
from bot.training.words.themes import THEMES

MOST_WEAK: Final = 3
"""Themes that are named, of those that somebody misses most."""


def progress_lines(queue: Queue, t: Words) -> list[str]:
    """Write what somebody has learned, and what they still miss, for their own eyes."""
    due, waiting = len(queue.due), len(queue.due) + len(queue.later)
    if not (waiting or queue.learned):
        return []
    counts = [
        (queue.learned, t.plural("**{n}** puzzle learned", "**{n}** puzzles learned", queue.learned)),
        (waiting, t.plural("**{n}** to practise", "**{n}** to practise", waiting)),
        (due, t.plural("**{n}** of them now", "**{n}** of them now", due)),
    ]
    line = "🎯 " + " · ".join(text for count, text in counts if count)
    return [line, weak] if (weak := weak_themes(queue, t)) is not None else [line]


def weak_themes(queue: Queue, t: Words) -> str | None:
    if not queue.weak:
        return None
    themes = " · ".join(f"{t(THEMES[theme])} ({count})" for theme, count in queue.weak[:MOST_WEAK])
    return "-# " + t("What you miss most: {themes}", themes=themes)
