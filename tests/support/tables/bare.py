"""Tables without a hall: made from a state, stored in a list, and observed by nobody."""

from collections.abc import Collection, Sequence
from random import Random
from typing import Any

from bot.club.store.results import MatchResult
from bot.engine.moves import Move
from bot.engine.views import SeatView
from bot.platform.clock import Clock
from bot.platform.eventlog import LogEntry
from bot.platform.observers import Observers
from bot.platform.operating.meter import Meter
from bot.players import Character, Level, choose
from bot.tables.live.services import Services
from bot.tables.live.table import Table
from bot.tables.log.evenings import Part
from bot.tables.log.pace import Pace
from bot.tables.log.state import TableState
from bot.tables.options import TableOptions
from bot.tables.settings import TurnNotice
from bot.tables.store.deals import Draw
from bot.tables.store.rows import GameRow
from bot.thinking import InlineThinker
from tests.support.tables.kit import CHANNEL, GAME, GUILD, Stacked
from tests.support.tables.timing import START

ROW = GameRow(GAME, GUILD, CHANNEL, 1, "es-ES", START, None, None, None)


class Notes:
    """A stand-in for the store that keeps the rows appended to it."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str]] = []

    async def append(
        self,
        game_id: int,
        entries: Sequence[LogEntry],
        *,
        joined: Collection[int] = (),
        result: MatchResult | None = None,
        close: bool = False,
        broken_off: bool = False,
        moved_to: int | None = None,
        draw: Draw | None = None,
        spent: Collection[int] = (),
        part: Part | None = None,
        faceless: bool = False,
        voteless: Collection[int] = (),
    ) -> None:
        """Keep the entries."""
        self.rows += [(entry.kind, entry.body) for entry in entries]


class HastyThinker(InlineThinker):
    """A thinker that tries fewer draws, so that computers can move often in a test."""

    async def move(
        self, view: SeatView, level: Level, seed: str, character: Character | None = None, *, person: int | None = None
    ) -> Move:
        return choose(view, level, Random(seed), character=character, effort=0.1)


def bare_table(
    state: TableState,
    *,
    clock: Clock | None = None,
    notes: Notes | None = None,
    pace: Pace | None = None,
    hints: bool = True,
) -> Table:
    """A table in this state, with nothing scheduled yet."""
    games: Any = notes or Notes()
    services = Services(
        games,
        games,
        games,
        games,
        clock or Clock(),
        lambda person_id, *, unhurried=False: TurnNotice.LATER,
        Stacked(),
        Meter(),
        HastyThinker(),
    )
    return Table(services, Observers(), TableOptions(pace or Pace(), hints=hints), ROW, state)
