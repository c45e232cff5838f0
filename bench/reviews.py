"""What reviews cost live moves: how long a hard robot's move takes while the only thinking process is at work on many.

`python -m bench.reviews` prints it with and without reviews, and before that the longest step of each kind of work.
"""

import argparse
import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random
from statistics import median
from time import perf_counter, process_time

from bot.coach.finding import Wanted
from bot.coach.luck import DealtRound
from bot.engine.cards import DECK
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.match import start
from bot.engine.moves import Stage
from bot.engine.rules import PRESETS, Preset, Rules, Seating
from bot.engine.views import seat_view
from bot.platform.operating.meter import Meter
from bot.players import Level, choose
from bot.thinking.port import Work
from bot.thinking.processes import ProcessThinker
from bot.thinking.worker import STEP_SECONDS, analysis_in_steps, bare, luck_in_steps, scouted_in_steps, set_aside
from bot.training.boards.reviewing import AT_ONCE
from bot.training.live.luck import GAMES
from bot.training.live.review import DRAWS, Decision, OwnMatch, reviewed

REVIEWS = 30
PAUSE = 0.1
"""Seconds between two live moves."""
ROUNDS = 3
"""Rounds of each preset and seating whose luck and decisions are worked out in steps."""


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
    thinker = ProcessThinker(1, Meter())
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


def steps(work: Work[object]) -> Iterator[float]:
    """Do work as a worker process does; yield the milliseconds of the processor that each step takes."""
    answer = None
    with suppress(StopIteration):
        while True:
            question = work.send(answer)
            began = process_time()
            until = began + STEP_SECONDS
            found = question.think(lambda until=until: process_time() > until)
            yield 1000 * (process_time() - began)
            set_aside()
            answer = question.parse(found)


def longest_steps(preset: Preset) -> dict[str, float]:
    """The milliseconds of the processor that the longest step of each kind of work takes, over all seatings."""
    longest: defaultdict[str, float] = defaultdict(float)
    set_aside()
    for seating in preset.seatings:
        works: list[tuple[str, Work[object]]] = []
        for seed in range(ROUNDS):
            deck = tuple(Random(seed).sample(DECK, len(DECK)))
            wanted = Wanted(preset.rules, seating, greedy=True, obvious=True)
            works.append(("luck", luck_in_steps(DealtRound(preset.rules, seating, 0, deck), "luck", GAMES)))
            works.append(("day", scouted_in_steps(wanted, str(seed))))
        works += [
            ("review", analysis_in_steps(bare(each.view), "review", DRAWS, each.move))
            for each in decisions(preset.rules, seating, 0)
        ]
        for kind, work in works:
            longest[kind] = max(longest[kind], *steps(work))
    return longest


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.reviews", description=__doc__)
    parser.add_argument("--moves", type=int, default=200)
    moves = parser.parse_args().moves
    logging.disable(logging.WARNING)  # that the thinker is closed in mid-thought
    for name, preset in PRESETS.items():
        print(f"{name}: " + ", ".join(f"{kind} {most:.0f} ms" for kind, most in longest_steps(preset).items()))
    for reviews in (0, REVIEWS):
        found = asyncio.run(waits(reviews, moves))
        print(
            f"{reviews:2} reviews begun: a move takes {found.median:.0f} ms, 90 % within {found.slow:.0f}, "
            f"most {found.most:.0f}; {found.judged} decisions judged meanwhile"
        )


if __name__ == "__main__":
    main()
