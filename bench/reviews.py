"""What reviews cost live moves: how long a hard robot's move takes while the only thinking process is at work on many.

`python -m bench.reviews` prints it with and without reviews.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random
from statistics import median
from time import perf_counter

from bot.engine.cards import DECK
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.match import Stage, start
from bot.engine.rules import PRESETS, Rules, Seating
from bot.engine.views import seat_view
from bot.operating.meter import Unmeasured
from bot.players import Level, choose
from bot.thinking import ProcessThinker
from bot.training.review import Decision, OwnMatch, reviewed
from bot.ui.training.boards.reviewing import AT_ONCE

REVIEWS = 30
PAUSE = 0.1
"""Seconds between two live moves."""


@dataclass(frozen=True, slots=True)
class Waits:
    """How long live moves took, in milliseconds: the median and the 90th percentile; and decisions judged meanwhile."""

    median: float
    slow: float
    most: float
    judged: int


def decisions(rules: Rules, seating: Seating, seed: int) -> Iterator[Decision]:
    """The decisions of a round between players of the normal level."""
    rng = Random(seed)
    match = start(MatchStarted(rules, seating, 0)).apply(RoundDealt(tuple(rng.sample(DECK, len(DECK)))))
    while match.stage is Stage.TO_PLAY:
        assert match.turn is not None
        view = seat_view(match, match.turn)
        move = choose(view, Level.NORMAL, rng)
        if len(view.moves) > 1:
            yield Decision(match.version, view, move)
        match = match.apply(match.event_of(move))


def matches(count: int) -> list[OwnMatch]:
    """Rounds to review, of every preset and seating in turn."""
    tables = cycle((preset.rules, seating) for preset in PRESETS.values() for seating in preset.seatings)
    return [OwnMatch((), tuple(decisions(*table, seed))) for seed, table in enumerate(islice(tables, count))]


async def waits(reviews: int, moves: int) -> Waits:
    """Make that many live moves, one after the other, while reviews go on."""
    thinker = ProcessThinker(1, Unmeasured())
    view = next(decisions(Rules(), Seating.TWO, 1)).view
    room = asyncio.Semaphore(AT_ONCE)
    judged = 0

    async def told(_: int) -> None:
        nonlocal judged
        judged += 1

    async def review(person: int, match: OwnMatch) -> None:
        async with room:
            await reviewed(thinker, person, match, told, person, lambda: asyncio.sleep(1))

    await thinker.move(view, Level.HARD, "start")
    tasks = [asyncio.create_task(review(person, match)) for person, match in enumerate(matches(reviews), 1)]
    taken: list[float] = []
    for number in range(moves):
        await asyncio.sleep(PAUSE)
        began = perf_counter()
        await thinker.move(view, Level.HARD, str(number))
        taken.append(1000 * (perf_counter() - began))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await thinker.close()
    taken.sort()
    return Waits(median(taken), taken[len(taken) * 9 // 10], taken[-1], judged)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.reviews", description=__doc__)
    parser.add_argument("--moves", type=int, default=200)
    moves = parser.parse_args().moves
    logging.disable(logging.WARNING)  # that the thinker is closed in mid-thought
    for reviews in (0, REVIEWS):
        found = asyncio.run(waits(reviews, moves))
        print(
            f"{reviews:2} reviews begun: a move takes {found.median:.0f} ms, 90 % within {found.slow:.0f}, "
            f"most {found.most:.0f}; {found.judged} decisions judged meanwhile"
        )


if __name__ == "__main__":
    main()
