"""Nothing grows without bound."""

from __future__ import annotations

import asyncio
import re
from collections import Counter

from tests.simulation.judges.judge import Judge

MOST_TASKS = 40
"""How many tasks an idle bot may have, besides a few for each open table."""
PER_TABLE = 4


class Growth(Judge):
    """At rest there are no more tasks and deadlines than the open tables account for."""

    kind = "growth"

    def at_rest(self) -> None:
        life = self.town.world.life
        if life is None or life.bot is None:
            return
        tables = len(life.bot.parts.manager.within())
        tasks = [task for task in asyncio.all_tasks(life.loop) if not task.done()]
        if len(tasks) > MOST_TASKS + PER_TABLE * tables:
            names = Counter(re.sub(r"0x\w+|\d+", "#", str(task.get_coro()))[:80] for task in tasks).most_common(3)
            self.object_to(f"{len(tasks)} tasks with {tables} open tables, most of them {names}")
        deadlines = len(life.bot.parts.clock._due)
        if deadlines > MOST_TASKS + 10 * tables + 2 * len(self.town.people):
            self.object_to(f"{deadlines} deadlines with {tables} open tables")
