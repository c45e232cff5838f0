"""The luck in each match that was played to its end, worked out a few seconds later, for its review.

The thinker works at one round after the other, after everything that somebody waits for. If it has no answer,
nothing is told about the match.
"""

import asyncio
import logging
from collections.abc import Iterable
from typing import Final

from bot.coach.luck import DealtRound, Replayed, dump_luck, luck_of
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.notation import is_deal
from bot.platform.database.errors import StoreError
from bot.platform.eventlog import CodecError, LogEntry
from bot.platform.observers import Observer
from bot.tables.live.table import Table
from bot.tables.log.codec import MATCH, decode
from bot.tables.log.events import Phase
from bot.tables.store.logs import Games
from bot.thinking import Solver, Urgency
from bot.thinking.worker import luck_in_steps
from bot.training.store.lessons import MatchLuck

log = logging.getLogger(__name__)

GAMES: Final = 1_000
"""Times that each round is played again, in about a tenth of a second."""


class LuckOfMatches(Observer[Table]):
    """An observer of all tables that finds out what the cards brought in each match.

    Args:
        solver: plays the rounds.
        logs: have the decks.
        luck: keeps the results.
        games: the number of times each round is played; 0 for no luck.
    """

    def __init__(self, solver: Solver, logs: Games, luck: MatchLuck, games: int) -> None:
        self._solver = solver
        self._logs, self._luck = logs, luck
        self._games = games
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def table_over(self, table: Table) -> None:
        if not self._games or table.phase is not Phase.FINISHED or table.id in self._tasks:
            return
        task = self._tasks[table.id] = asyncio.create_task(self._work_out(table))
        task.add_done_callback(lambda _: self._over(table.id, task))

    async def close(self) -> None:
        """Stop finding out anything."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _over(self, table_id: int, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("Could not work out the luck of a match", exc_info=error)
        del self._tasks[table_id]

    async def _work_out(self, table: Table) -> None:
        match = table.view().match
        assert match is not None, "a finished table has a match"
        try:
            rounds = dealt_rounds(await self._logs.log(table.id))
            replays: list[Replayed] = []
            person = next((each.person_id for each in table.view().seats if each.person_id), None)
            for number, dealt in enumerate(rounds):
                work = luck_in_steps(dealt, f"luck/{table.id}/{number}", self._games)
                replay = await self._solver.solve(work, Urgency.LUCK, person)
                if replay is None:
                    return
                replays.append(replay)
            await self._luck.put(table.id, dump_luck(luck_of(match.totals, replays)))
        except (StoreError, CodecError) as error:
            log.warning("Table %s: could not work out its luck (%s)", table.id, type(error).__name__)


def dealt_rounds(entries: Iterable[LogEntry]) -> list[DealtRound]:
    """Find how each round of a match began, from its log. Raises CodecError if a row can't be read."""
    found: list[DealtRound] = []
    begun: MatchStarted | None = None
    for entry in entries:
        if entry.kind != MATCH or (begun is not None and not is_deal(entry.body)):
            continue
        match decode(entry.kind, entry.body):
            case MatchStarted() as begun:
                pass
            case RoundDealt(deck) if begun is not None:
                dealer = (begun.dealer + len(found)) % begun.seating.seats
                found.append(DealtRound(begun.rules, begun.seating, dealer, deck))
            case _:
                raise CodecError("a match begins with its rules")
    return found
