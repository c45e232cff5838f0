"""Hints: each question is thought about once, however often somebody asks it."""

from __future__ import annotations

import asyncio
from typing import Final

from cachetools import LRUCache

from bot.coach.analysis import Analysis
from bot.engine.views import SeatView
from bot.thinking import Analyst, Urgency
from bot.training.live.review import DRAWS, seed_of

KEPT: Final = 256
"""Positions whose hints are kept."""


class Hints:
    """The ratings of moves at tables where somebody asks for a hint.

    Args:
        analyst: rates the moves.
    """

    def __init__(self, analyst: Analyst) -> None:
        self._analyst = analyst
        self._asked: LRUCache[str, asyncio.Task[Analysis | None]] = LRUCache(KEPT)

    async def of(self, view: SeatView, table_id: int, person_id: int) -> Analysis | None:
        """The ratings of a seat's moves at a table; None if they aren't available now."""
        seed = seed_of(table_id, view)
        task = self._asked.get(seed)  # it names the position: a match has one in each version
        if task is None or (task.done() and (task.cancelled() or task.result() is None)):
            asking = self._analyst.analysis(view, seed, Urgency.HINT, draws=DRAWS, person=person_id)
            task = self._asked[seed] = asyncio.create_task(asking)
        return await asyncio.shield(task)
