"""The score out of 100 of each level, and of moves drawn at random, over rounds that are reviewed.

`python -m bench.scores --rounds 40 --presets escoba clasica --seatings 2`
"""

import argparse
from collections.abc import Iterator
from random import Random
from statistics import mean

from bot.coach.analysis import analyse
from bot.coach.grading import lost, score, shares
from bot.engine.cards import DECK
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.match import start
from bot.engine.rules import PRESETS, Seating
from bot.engine.views import seat_view
from bot.players import Level, choose

LEVELS = (None, *Level)
"""Moves drawn at random, and the levels."""
MATCH = 4
"""The number of rounds that are scored together."""

Share = tuple[float, float, float]
"""A decision's `shares`, and the points that it gave away."""


def decisions(level: Level | None, preset: str, seating: Seating, number: int, draws: int) -> Iterator[Share]:
    """Review one seat's decisions in a round against the normal level; without a level it moves at random."""
    rng = Random(f"score {preset} {seating} {number}")
    deck = tuple(rng.sample(DECK, len(DECK)))
    own, dealer = number % seating.seats, number // seating.seats % seating.seats
    match = start(MatchStarted(PRESETS[preset].rules, seating, dealer)).apply(RoundDealt(deck))
    while (seat := match.turn) is not None:
        view = seat_view(match, seat)
        if seat != own:
            move = choose(view, Level.NORMAL, rng)
        elif level is None:
            move = rng.choice(view.moves)
        else:
            move = choose(view, level, rng)
        if seat == own and len(view.moves) > 1:
            analysis = analyse(view, Random(f"review {number} {match.version}"), draws=draws, played=move)
            yield *shares(analysis, move), lost(analysis.rating_of(move))
        match = match.apply(match.event_of(move))


def main() -> None:
    """Print a row for each level, preset and seating."""
    parser = argparse.ArgumentParser(prog="python -m bench.scores", description=__doc__)
    parser.add_argument("--presets", nargs="+", default=["escoba"])
    parser.add_argument("--seatings", nargs="+", type=Seating, default=[Seating.TWO])
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--draws", type=int, default=1_000)
    args = parser.parse_args()
    for preset, seating in ((preset, seating) for preset in args.presets for seating in args.seatings):
        for level in LEVELS:
            rounds = [[*decisions(level, preset, seating, each, args.draws)] for each in range(args.rounds)]
            found = [each for one in rounds for each in one]
            parts = [[each for one in rounds[at : at + MATCH] for each in one] for at in range(0, args.rounds, MATCH)]
            matches = [100 * score((own, drawn) for own, drawn, _ in part) for part in parts]
            print(
                f"{preset} {seating.value} {level.value if level else 'random':>6}: "
                f"{100 * score((own, drawn) for own, drawn, _ in found):.0f} over {len(found)} decisions in "
                f"{args.rounds} rounds, {sum(each[2] for each in found) / args.rounds:.2f} points given away a round; "
                f"{MATCH} rounds at a time mean {mean(matches):.0f}, {min(matches):.0f} to {max(matches):.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
