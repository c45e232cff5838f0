"""Finds the positions of many days and checks each again independently; can write those that a new bot starts with."""

import argparse
import asyncio
import json
import resource
from collections import Counter
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random
from statistics import mean
from time import process_time

from bot.coach.analysis import analyse
from bot.coach.finding import AHEAD, LEAST_MOVES, is_greedy, is_obvious
from bot.thinking import InlineThinker
from bot.training.live.finding import DRAWS, ERROR, PLAN, Exercise, find, number_of, wanted_on
from bot.training.rules.themes import theme_of


@dataclass(frozen=True, slots=True)
class Day:
    """The outcome of a day's search. `seconds` are of the processor."""

    day: str
    preset: str
    seating: str
    theme: str
    moves: int
    ahead: float
    error: float
    greedy: bool
    may_be_greedy: bool
    obvious: bool
    may_be_obvious: bool
    exact: bool
    agrees: bool
    again: float
    seconds: float

    @property
    def fits(self) -> bool:
        """Whether it meets the conditions for a day's position."""
        return (
            self.moves >= LEAST_MOVES
            and self.ahead >= AHEAD
            and self.error <= ERROR
            and (self.may_be_greedy or not self.greedy)
            and (self.may_be_obvious or not self.obvious)
        )


def searched(day: date, secret: str, *, draws: int = DRAWS, again: int = 10_000) -> tuple[Exercise, Day]:
    """A day's position, and how it fares in an independent analysis of `again` draws, with other seeds."""
    began = process_time()
    found = asyncio.run(find(InlineThinker(), day, secret, draws=draws))
    seconds = process_time() - began
    assert found is not None, f"no position was found for {day}"
    view, (best, second, *_) = found.view, found.analysis.ratings
    other = analyse(view, Random(f"again/{day}"), draws=again, played=second.move)
    preset, seating = PLAN[number_of(day)]
    return found, Day(
        day=day.isoformat(),
        preset=preset,
        seating=seating.value,
        theme=theme_of(view, found.analysis).value,
        moves=len(view.moves),
        ahead=second.behind,
        error=second.error,
        greedy=is_greedy(view, best.move),
        may_be_greedy=wanted_on(day, secret).greedy,
        obvious=is_obvious(view, found.analysis),
        may_be_obvious=wanted_on(day, secret).obvious,
        exact=found.analysis.exact,
        agrees=other.best.move == best.move,
        again=other.rating_of(second.move).behind,
        seconds=seconds,
    )


def summary(days: list[Day]) -> str:
    """The outcome of the searches for many days, in words."""
    seconds = sorted(each.seconds for each in days)
    lines = [
        f"{len(days)} days, {days[0].day} to {days[-1].day}",
        f"fail a condition: {sum(not each.fits for each in days)}",
        f"agree on the best move: {sum(each.agrees for each in days)} ({mean(each.agrees for each in days):.1%})",
        f"a greedy player finds it: {sum(each.greedy for each in days)} ({mean(each.greedy for each in days):.0%})",
        f"obvious: {sum(each.obvious for each in days)} ({mean(each.obvious for each in days):.0%})",
        f"ahead: {min(each.ahead for each in days):.2f} to {max(each.ahead for each in days):.2f}, "
        f"mean {mean(each.ahead for each in days):.2f}, again {mean(each.again for each in days):.2f}, "
        f"at least {min(each.again for each in days):.2f}; "
        f"largest error {max(each.error for each in days):.4f}",
        f"processor: mean {mean(seconds):.1f} s, median {seconds[len(seconds) // 2]:.1f}, "
        f"95 % {seconds[len(seconds) * 95 // 100]:.1f}, most {seconds[-1]:.1f}",
        f"peak memory of the process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB",
    ]
    for name in ("preset", "seating", "theme", "moves", "exact"):
        counts = Counter(str(getattr(each, name)) for each in days)
        lines.append(f"{name}: " + ", ".join(f"{value} {count}" for value, count in counts.most_common()))
    return "\n".join(lines)


def main() -> None:
    """Search day after day, then print a summary; Ctrl-C stops the search early."""
    parser = argparse.ArgumentParser(prog="python -m bench.days", description=__doc__)
    parser.add_argument("--since", type=date.fromisoformat, default=date(2027, 1, 4), help="the first day")
    parser.add_argument("--days", type=int, default=365, help="how many days")
    parser.add_argument("--secret", default="bench", help="what the search is seeded with, besides the date")
    parser.add_argument("--rows", type=Path, help="add a line of JSON for each day to this file")
    parser.add_argument("--exercises", type=Path, help="write the positions to this file, one per line")
    args = parser.parse_args()
    days: list[Day] = []
    exercises: list[str] = []
    try:
        for number in range(args.days):
            exercise, day = searched(args.since + timedelta(days=number), args.secret)
            days.append(day)
            exercises.append(exercise.dump())
            if args.rows:
                with args.rows.open("a") as rows:
                    rows.write(json.dumps(asdict(day)) + "\n")
    except KeyboardInterrupt:
        pass
    print(summary(days))
    if args.exercises:
        args.exercises.write_text("".join(f"{line}\n" for line in exercises))


if __name__ == "__main__":
    main()
