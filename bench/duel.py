"""Plays two levels against each other and prints by how much one is better: `make duel`.

Every deck is played once per side, with the first level on that side and the second on all others, so that both get the
same cards. The result is the first level's points per round minus the mean of the others', with its standard error over
the decks. `make duel ARGS="hard normal --presets quince --seatings 2 --decks 500"`; rules that differ from a preset's
are given in notation: `--rules "hand=9 prime=suits"`
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import chain
from math import sqrt
from random import Random

from bot.engine.cards import DECK
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.match import Match, start
from bot.engine.moves import Stage
from bot.engine.notation import format_rules, parse_rules
from bot.engine.rules import PRESETS, Rules, Seating
from bot.engine.views import seat_view
from bot.players import Character, Level, choose

BATCH = 5
"""The number of decks that a process gets at a time: few enough for the progress bar to move."""
MATCHES = 4_000
"""The number of matches simulated from the rounds played."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """The levels that play against each other, and what they play; ours has a character's habit if one is given.

    `changes` are the rules that differ from the preset's, in notation.
    """

    ours: Level
    theirs: Level
    preset: str
    seating: Seating
    character: Character | None = None
    changes: str = ""

    @property
    def rules(self) -> Rules:
        """The rules that are played."""
        return parse_rules(f"{format_rules(PRESETS[self.preset].rules)} {self.changes}".split())


@dataclass(frozen=True, slots=True)
class DeckResult:
    """A deck played once per side: the points of each round, ours first, and the CPU seconds of our moves."""

    rounds: list[tuple[int, list[int]]]
    seconds: list[float]

    @property
    def margin(self) -> float:
        """Our points per round minus the mean of the others'."""
        return sum(own - sum(others) / len(others) for own, others in self.rounds) / len(self.rounds)


def played(pairing: Pairing, seed: int) -> DeckResult:
    """Play a deck, with our level on each side once."""
    rules, seating = pairing.rules, pairing.seating
    deck = tuple(Random(f"deck {seed}").sample(DECK, len(DECK)))
    result = DeckResult([], [])
    for side in range(seating.sides):
        match = start(MatchStarted(rules, seating, seed % seating.seats)).apply(RoundDealt(deck))
        while match.stage is Stage.TO_PLAY:
            match = _moved(match, pairing, side, seed, result.seconds)
        points = list(match.scores[0].points)
        own = points.pop(side)
        result.rounds.append((own, points))
    return result


def _moved(match: Match, pairing: Pairing, side: int, seed: int, seconds: list[float]) -> Match:
    seat = match.turn
    assert seat is not None
    ours = match.seating.side_of(seat) == side
    view = seat_view(match, seat)
    began = time.process_time()
    level, character = (pairing.ours, pairing.character) if ours else (pairing.theirs, None)
    move = choose(view, level, Random(f"{seed}/{side}/{match.version}"), character=character)
    if ours and len(view.moves) > 1:
        seconds.append(time.process_time() - began)
    return match.apply(match.event_of(move))


def batch(pairing: Pairing, seeds: Sequence[int]) -> list[DeckResult]:
    """Play some decks: a unit of work for a process."""
    return [played(pairing, seed) for seed in seeds]


def matches_won(rules: Rules, results: Sequence[DeckResult]) -> float:
    """The share of matches to the target that we win, simulated by drawing from the rounds with replacement."""
    rng = Random("matches")
    rounds = list(chain.from_iterable(result.rounds for result in results))
    won = 0
    for _ in range(MATCHES):
        totals = [0] * (1 + len(rounds[0][1]))
        while True:
            points, theirs = rng.choice(rounds)
            totals = [before + more for before, more in zip(totals, (points, *theirs), strict=True)]
            *_, second, top = sorted(totals)
            if top >= rules.target and top - second >= rules.lead:
                break
        won += totals[0] == top
    return won / MATCHES


def row(pairing: Pairing, results: Sequence[DeckResult]) -> str:
    """A row of the results table."""
    margins = [result.margin for result in results]
    mean = sum(margins) / len(margins)
    spread = sum((margin - mean) ** 2 for margin in margins)
    error = sqrt(spread / max(1, len(margins) - 1) / len(margins))
    seconds = sorted(chain.from_iterable(result.seconds for result in results))
    median, slow = (1000 * seconds[int(part * len(seconds))] for part in (0.5, 0.99))
    share = matches_won(pairing.rules, results)
    rounds = sum(len(result.rounds) for result in results)
    return (
        f"| {pairing.preset} {pairing.changes}".rstrip()
        + f" | {pairing.seating.value} | {mean:+.3f} ± {error:.3f} | {100 * share:.0f} % "
        f"| {rounds} | {median:.1f} | {slow:.1f} |"
    )


HEAD = """\
| preset | seating | points per round | matches won | rounds | median ms | p99 ms |
| --- | --- | --- | --- | --- | --- | --- |"""


def main() -> None:
    """Play the duels and print the results."""
    parser = argparse.ArgumentParser(prog="make duel ARGS=...", description=__doc__)
    parser.add_argument("levels", nargs="*", default=["hard", "normal"], help="ours and theirs (default: hard normal)")
    parser.add_argument("--presets", default=",".join(PRESETS), help="comma-separated (default: all)")
    parser.add_argument("--seatings", help="2, 3, 4, 5, 2x2, 3x2, 2x3, comma-separated (default: those of each preset)")
    parser.add_argument("--rules", default="", help="rules that differ from the preset's, in notation")
    parser.add_argument("--decks", type=int, default=200, help="the number of decks for each (default: 200)")
    parser.add_argument(
        "--first", type=int, default=0, help="the number of the first deck; other numbers are other decks"
    )
    parser.add_argument(
        "--character", type=Character, choices=tuple(Character), help="the character whose habit our level has"
    )
    parser.add_argument(
        "--cores", type=int, default=os.cpu_count() or 1, help="the number of processes (default: one per core)"
    )
    arguments = parser.parse_args()
    if len(arguments.levels) != 2 or not set(arguments.levels) <= set(Level):
        parser.error(f"name two levels out of {', '.join(Level)}")
    if unknown := set(arguments.presets.split(",")) - set(PRESETS):
        parser.error(f"no such preset: {', '.join(unknown)}")
    ours, theirs = map(Level, arguments.levels)
    print(f"{ours} against {theirs}\n\n{HEAD}")
    with ProcessPoolExecutor(max(1, arguments.cores)) as pool:
        plain = Pairing(ours, theirs, "", Seating.TWO, arguments.character, arguments.rules)
        for pairing in _pairings(plain, arguments.presets.split(","), arguments.seatings):
            seeds = range(arguments.first, arguments.first + max(2, arguments.decks))
            parts = [seeds[at : at + BATCH] for at in range(0, len(seeds), BATCH)]
            results: list[DeckResult] = []
            for done in pool.map(batch, [pairing] * len(parts), parts):
                results += done
                _bar(len(results), len(seeds), f"{pairing.preset} {pairing.seating.value}")
            print(row(pairing, results), flush=True)


def _pairings(plain: Pairing, presets: Sequence[str], seatings: str | None) -> Iterator[Pairing]:
    for name in presets:
        wanted = PRESETS[name].seatings if seatings is None else tuple(map(Seating, seatings.split(",")))
        pairings = (replace(plain, preset=name, seating=seating) for seating in wanted)
        yield from (pairing for pairing in pairings if not pairing.rules.conflicts(pairing.seating))


def _bar(done: int, of: int, what: str) -> None:
    if not sys.stderr.isatty():
        return
    width = 30
    full = width * done // of
    end = "\r\033[K" if done == of else ""
    sys.stderr.write(f"\r{what:<16} [{'#' * full}{'.' * (width - full)}] {done}/{of}{end}")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
