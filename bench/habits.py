"""Counts how much each character's habit shows, and what it costs: `python -m bench.habits normal --rounds 300`.

Each character of a level plays the same decks against a level without a character, once from each seat. Every habit
is counted for all six, so that each can be compared with the other five. The cost is in points per round, with the
standard error over the decks.
"""

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from math import sqrt
from random import Random
from statistics import fmean, pstdev, stdev

from bot.engine.cards import DECK
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.match import start
from bot.engine.moves import Sing, Stage
from bot.engine.rules import PRESETS, Seating
from bot.engine.views import seat_view
from bot.players import PERSONAS, Character, Level, choose
from bot.players.characters import Habit, left_after


@dataclass(frozen=True, slots=True)
class Shown:
    """A deck's figures for a character: counts of each habit in its two rounds, and by how much it was ahead."""

    counts: list[int]
    ahead: int


Results = dict[Character, list[Shown]]


def played(who: Character, against: Level, habits: Sequence[Habit], preset: str, effort: float, deck: int) -> Shown:
    """Play a deck from each of two seats, and count the habits in the character's moves."""
    cards = tuple(Random(f"deck {deck}").sample(DECK, len(DECK)))
    counts, ahead = [0] * len(habits), 0
    for ours in range(2):
        match = start(MatchStarted(PRESETS[preset].rules, Seating.TWO, deck % 2)).apply(RoundDealt(cards))
        while match.stage is Stage.TO_PLAY:
            assert match.turn is not None
            own = match.turn == ours
            view, rng = seat_view(match, match.turn), Random(f"{deck}/{ours}/{match.version}")
            level, character = (PERSONAS[who].level, who) if own else (against, None)
            move = choose(view, level, rng, character=character, effort=effort)
            if own and not isinstance(move, Sing):
                after, left = move.table_after(view.public.table), left_after(view, move)
                counts = [count + habit(move, after, left) for count, habit in zip(counts, habits, strict=True)]
            match = match.apply(match.event_of(move))
        points = match.scores[0].points
        ahead += points[ours] - points[1 - ours]
    return Shown(counts, ahead)


def counts_of(results: Results, habit: int) -> list[float]:
    """Count how often each of them showed a habit in a round."""
    return [fmean(each.counts[habit] for each in shown) / 2 for shown in results.values()]


def deviations(results: Results) -> dict[Character, float]:
    """Compute how far each is from the mean of all in its own habit, in standard deviations of all."""
    found: dict[Character, float] = {}
    for place, who in enumerate(results):
        counts = counts_of(results, place)
        found[who] = (counts[place] - fmean(counts)) / (pstdev(counts) or 1)
    return found


def table_of(results: Results) -> list[str]:
    """A row for each character: its habit's count per round, those of the others, and what it costs."""
    rows = [
        "| character | habit | a round | the others | deviations | ahead, a round |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    off = deviations(results)
    for place, (who, shown) in enumerate(results.items()):
        counts, margins = counts_of(results, place), [each.ahead / 2 for each in shown]
        own = counts.pop(place)
        rows.append(
            f"| {PERSONAS[who].name} | {PERSONAS[who].habit.__name__} | {own:.2f} | {fmean(counts):.2f} "
            f"| {off[who]:+.1f} | {fmean(margins):+.3f} ± {stdev(margins) / sqrt(len(margins)):.3f} |"
        )
    return rows


Mapper = Callable[..., Iterable[Shown]]


def measured(
    level: Level, against: Level, preset: str, rounds: int, effort: float = 1.0, mapper: Mapper = map
) -> Results:
    """Play with all characters of a level against a level; `mapper` may share the decks out among processes."""
    found = [who for who, persona in PERSONAS.items() if persona.level is level]
    habits = [PERSONAS[who].habit for who in found]
    decks = range(max(2, rounds // 2))
    rest = (repeat(against), repeat(habits), repeat(preset), repeat(effort), decks)
    return {who: list(mapper(played, repeat(who), *rest)) for who in found}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.habits", description=__doc__)
    parser.add_argument("level", type=Level, choices=tuple(Level))
    parser.add_argument("--against", type=Level, choices=tuple(Level), help="whom they play (default: the same level)")
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--preset", default="escoba", choices=tuple(PRESETS))
    parser.add_argument("--effort", type=float, default=1.0, help="the fraction of the hard level's usual work")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    with ProcessPoolExecutor(arguments.cores) as pool:
        shared = partial(pool.map, chunksize=5)
        against = arguments.against or arguments.level
        results = measured(arguments.level, against, arguments.preset, arguments.rounds, arguments.effort, shared)
    print("\n".join(table_of(results)))


if __name__ == "__main__":
    main()
