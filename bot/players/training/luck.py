"""The luck of the cards: the points of players of about the normal level with the same decks in the same seats.

A round is played many times over with its real deck, in the fast way of roll-outs. Each time the players value every
card a little differently; otherwise they would all but repeat one game. How one game goes is not luck of the cards,
since the slightest change of play brings other cards together. The mean over these games is what the cards brought.
A side owes everything that it really scored beyond that to its play. docs/PLAYERS.md has the figures.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.engine.cantos import SUNG_CARDS
from bot.engine.cards import Card
from bot.engine.round import deal_round
from bot.engine.rules import Rules, Seating
from bot.players.fast_round import FastRound
from bot.players.greed import UNIT, style_of
from bot.players.rng import Rng

FREEDOM: Final = 0.7
"""The most by which a card's value may differ between two games, in points.

With less, the cards are credited with too much: players of the hard level, who have the same cards but play in a way
of their own, then reach only 0.8 of what is expected.
"""


@dataclass(frozen=True, slots=True)
class DealtRound:
    """The beginning of a round: all that luck decides."""

    rules: Rules
    seating: Seating
    dealer: int
    deck: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Luck:
    """A side's lead over the others' mean at the end, in tenths of a point: the part that the cards brought, and the
    part that play did. The two add up to the real difference, rounded to a tenth."""

    cards: int
    play: int


def mean_points(dealt: DealtRound, rng: Rng, games: int) -> list[float]:
    """Average each side's points when a round is played `games` times."""
    begun = _begun(dealt)
    style = style_of(dealt.rules, dealt.seating)
    freedom = FREEDOM * UNIT
    draw = rng.random
    sums = [0] * dealt.seating.sides
    for _ in range(games):
        takes = [value + freedom * (draw() - 0.5) for value in style.takes]
        lays = [value + freedom * (draw() - 0.5) for value in style.lays]
        points = begun.copy().finish(replace(style, takes=takes, lays=lays))
        sums = [total + each for total, each in zip(sums, points, strict=True)]
    return [total / games for total in sums]


def _begun(dealt: DealtRound) -> FastRound:
    """Return the round after its first deal, and after its opening if that was taken."""
    now, _ = deal_round(dealt.rules, dealt.seating, dealt.dealer, dealt.deck)
    begun = FastRound(dealt.rules, dealt.seating, dealt.dealer)
    begun.hands = [[card.index for card in hand] for hand in now.hands]
    begun.sings = now.rules.cantos and len(begun.hands[0]) == SUNG_CARDS
    begun.deck = [card.index for card in dealt.deck[now.dealt :]]
    begun.table = now.table.mask
    begun.piles = [pile.mask for pile in now.piles]
    begun.escobas = list(now.escobas)
    begun.taker = -1 if now.last_taker is None else dealt.seating.side_of(now.last_taker)
    begun.count_unplayed()
    return begun


def luck_of(totals: Sequence[int], means: Sequence[Sequence[float]]) -> tuple[Luck, ...]:
    """Compute what cards and play have brought each side.

    Args:
        totals: the points of each side at the end of the match.
        means: for each of its rounds, each side's average points with these cards.
    """
    from_cards = [sum(each[side] for each in means) for side in range(len(totals))]
    found: list[Luck] = []
    for side in range(len(totals)):
        cards = round(10 * _ahead(from_cards, side))
        found.append(Luck(cards, round(10 * _ahead(totals, side)) - cards))
    return tuple(found)


def _ahead(points: Sequence[float], side: int) -> float:
    """Compute a side's lead over the mean of the others."""
    others = [each for other, each in enumerate(points) if other != side]
    return points[side] - sum(others) / len(others)


def dump_luck(luck: Sequence[Luck]) -> str:
    """Write the luck as text: for each side what cards and play have brought it, in tenths of a point."""
    return json.dumps([[each.cards, each.play] for each in luck], separators=(",", ":"))


def load_luck(text: str) -> tuple[Luck, ...]:
    """Read what `dump_luck` has written."""
    return tuple(Luck(cards, play) for cards, play in json.loads(text))
