"""What a computer player's move costs: CPU per level, and the speed of the hard level's roll-outs."""

import time
from dataclasses import dataclass
from itertools import chain
from random import Random
from statistics import median

from bench.duel import Pairing, played
from bot.engine.cards import DECK
from bot.engine.rules import Rules, Seating
from bot.players import Level
from bot.players.fast_round import FastRound
from bot.players.greed import style_of

_HALF = 12
"""The number of cards left in the deck halfway through a round of two."""


@dataclass(frozen=True, slots=True)
class MoveCosts:
    """CPU milliseconds per move: `median` and `slow` (99th percentile) of the hard level, and `normal`'s median."""

    moves: int
    median: float
    slow: float
    normal: float
    roll_outs: float
    """Roll-outs per CPU second, from the middle of a round to its end."""


def measure(decks: int) -> MoveCosts:
    """Play some decks with the hard level, and then with the normal one, against the normal level."""
    hard = _milliseconds(Level.HARD, decks)
    return MoveCosts(
        moves=len(hard),
        median=median(hard),
        slow=hard[int(0.99 * len(hard))],
        normal=median(_milliseconds(Level.NORMAL, decks)),
        roll_outs=_roll_outs(3_000),
    )


def _milliseconds(level: Level, decks: int) -> list[float]:
    pairing = Pairing(level, Level.NORMAL, "escoba", Seating.TWO)
    return sorted(1000 * each for each in chain.from_iterable(played(pairing, n).seconds for n in range(decks)))


def _roll_outs(count: int) -> float:
    rng, rules = Random(1), Rules()
    style = style_of(rules, Seating.TWO)
    middle = FastRound(rules, Seating.TWO, 0)
    cards = [card.index for card in rng.sample(DECK, len(DECK))]
    middle.table = sum(1 << index for index in cards[:4])
    middle.deck = cards[4 : 4 + 6 + _HALF]
    middle.deal()
    middle.count_unplayed()
    began = time.process_time()
    for _ in range(count):
        twin = middle.copy()
        twin.deck = rng.sample(middle.deck, _HALF)
        twin.finish(style)
    return count / (time.process_time() - began)
