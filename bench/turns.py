"""Measures the turns of one's own in a slow match, with cards that play themselves and without.

Robots of the normal level play each match once: a card plays itself only where there is no other move, so the match is
the same without.
"""

from dataclasses import dataclass, replace
from random import Random
from statistics import mean
from typing import Final

from bot.engine.cards import DECK
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.match import start
from bot.engine.moves import Play, Stage
from bot.engine.rules import PRESETS, Seating
from bot.engine.views import seat_view
from bot.players import Level, choose

SEATINGS: Final = (Seating.TWO, Seating.FOUR)
TARGETS: Final = (7, 21)


@dataclass(frozen=True, slots=True)
class Turns:
    """The mean number of a person's own turns in a match, with forced cards and without, and of its rounds."""

    forced: float
    by_hand: float
    rounds: float


def measure(seating: Seating, target: int, matches: int) -> Turns:
    """Play that many matches to the end."""
    found = [_played(seating, target, number) for number in range(matches)]
    forced, by_hand, rounds = zip(*found, strict=True)
    return Turns(mean(forced), mean(by_hand), mean(rounds))


def _played(seating: Seating, target: int, number: int) -> tuple[float, float, int]:
    match = start(MatchStarted(replace(PRESETS["escoba"].rules, target=target), seating, number % seating.seats))
    forced = by_hand = 0
    while match.stage is not Stage.OVER:
        if match.stage is Stage.TO_DEAL:
            deck = Random(f"{number}/{match.round_number}").sample(DECK, len(DECK))
            match = match.apply(RoundDealt(tuple(deck)))
            continue
        seat = match.turn
        assert seat is not None, "it is somebody's turn"
        event = match.forced
        forced += event is not None
        by_hand += 1
        if event is None:
            move = choose(seat_view(match, seat), Level.NORMAL, Random(f"{number}/{match.version}"))
            assert isinstance(move, Play), "nothing is sung or claimed"
            event = match.event_of(move)
        match = match.apply(event)
    return (by_hand - forced) / seating.seats, by_hand / seating.seats, len(match.scores)
