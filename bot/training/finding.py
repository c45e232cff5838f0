"""The search for the position of a day: many short steps, in the thinking process, seeded by the date."""

from __future__ import annotations

from datetime import date
from math import sqrt
from typing import Final

from bot.engine.position import Position
from bot.engine.rules import PRESETS, Seating
from bot.players.training.analysis import Analysis, Tallies, merged
from bot.players.training.finding import AHEAD, Wanted, fits
from bot.thinking import Solver, Urgency
from bot.thinking.port import seeded
from bot.thinking.questions import ScoutQuestion, TallyQuestion, bare
from bot.training.exercise import Exercise

DRAWS: Final = 4_000
"""Least number of draws by which the moves of a day's position are rated."""
ERROR: Final = 0.03
"""The standard error, in points, of how far the second best move is behind: draws are added until it is reached."""
LOOKS: Final = (500, 1_000, 2_000, DRAWS, 2 * DRAWS, 3 * DRAWS)
"""Numbers of draws after which to decide whether a decision is still worth more."""
HOPELESS: Final = 1.5
"""A decision is given up when its best move would have to be this many standard errors further ahead."""
STEP: Final = 600
"""Roll-outs in a step: less than a tenth of a second, so that live moves don't wait on a busy machine."""
ROUNDS: Final = 120
"""Most rounds that are looked through; ten are enough as a rule."""
PLAN: Final = (
    *(("escoba", Seating.TWO), ("quince", Seating.TWO), ("escoba", Seating.PAIRS), ("juegon", Seating.TWO)),
    *(("escoba", Seating.THREE), ("clasica", Seating.PAIRS), ("cientifica", Seating.PAIRS)),
    *(("escoba", Seating.TWO), ("quince", Seating.PAIRS), ("escoba", Seating.TWO), ("juegon", Seating.THREE)),
    *(("escoba", Seating.PAIRS), ("clasica", Seating.TWO), ("cientifica", Seating.PAIRS)),
    *(("escoba", Seating.TWO), ("quince", Seating.TRIPLE_PAIRS), ("escoba", Seating.FOUR), ("juegon", Seating.PAIRS)),
    *(("escoba", Seating.TWO), ("clasica", Seating.THREE), ("cientifica", Seating.PAIRS)),
)
"""The rule system and the seating of each day of three weeks, from Monday on."""


def number_of(day: date) -> int:
    """Return a day's place in `PLAN`."""
    return (day.toordinal() - 1) % len(PLAN)


def wanted_on(day: date, secret: str) -> Wanted:
    """Choose what to look for on a day: on one of every three days a greedy player may find the move."""
    preset, seating = PLAN[number_of(day)]
    third, place = divmod(day.toordinal(), 3)
    return Wanted(PRESETS[preset].rules, seating, greedy=int(seeded(f"{secret}/{third}").random() * 3) == place)


async def find(solver: Solver, day: date, secret: str, *, draws: int = DRAWS) -> Exercise | None:
    """Find the position of a day; None if it can't be found now.

    Args:
        solver: thinks about each step.
        day: the date, of UTC.
        secret: determines the position; anybody who knows it can find out the position in advance.
        draws: the least number of draws by which the moves are rated.
    """
    return await _DaySearch(solver, wanted_on(day, secret), f"{secret}/{day.isoformat()}", draws).found()


class _Unavailable(Exception):
    """The solver doesn't answer."""


class _DaySearch:
    def __init__(self, solver: Solver, wanted: Wanted, seed: str, draws: int) -> None:
        self._solver = solver
        self._wanted = wanted
        self._seed = seed
        self._draws = draws

    async def found(self) -> Exercise | None:
        try:
            for number in range(ROUNDS):
                seed = f"{self._seed}/{number}"
                positions = await self._solver.answer(ScoutQuestion(self._wanted, seed), Urgency.DAY)
                if positions is None:
                    return None
                for place, position in enumerate(positions):
                    if (analysis := await self._looked_into(position, f"{seed}/{place}")) is not None:
                        return Exercise(position, analysis)
        except _Unavailable:
            pass
        return None

    async def _looked_into(self, position: Position, seed: str) -> Analysis | None:
        """Analyse a decision; None as soon as it turns out not to be what is wanted."""
        view = position.view
        parts = list[Tallies]()
        drawn = 0
        for look in LOOKS:
            while drawn < look:
                draws = min(look - drawn, STEP // len(view.moves))
                part = await self._solver.answer(TallyQuestion(bare(view), f"{seed}/{drawn}", draws), Urgency.DAY)
                if part is None:
                    raise _Unavailable
                parts.append(part)
                drawn += draws
            analysis = merged(view, parts)
            second = analysis.ratings[1]
            if analysis.exact or (drawn >= self._draws and second.error <= ERROR):
                return analysis if fits(self._wanted, view, analysis) else None
            too_varied = second.error > ERROR * sqrt(LOOKS[-1] / drawn)
            if too_varied or second.behind + HOPELESS * second.error < AHEAD:
                return None
        return None
