"""The luck of the cards: the points of players of about the normal level with the same decks in the same seats.

A round is played many times over with its real deck, in the fast way of roll-outs. Each time the players value every
card a little differently; otherwise they would all but repeat one game. How one game goes is not luck of the cards,
since the slightest change of play brings other cards together. The mean over these games is what the cards brought,
and the standard deviation says how far a single game strays from it. What a side really scored beyond the mean is its
play and that chance, which only many matches tell apart. docs/PLAYERS.md has the figures.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Final

from bot.engine.cards import SUNG_CARDS, Card
from bot.engine.round import deal_round
from bot.engine.rules import Rules, Seating
from bot.players.fast_round import FastRound
from bot.players.greed import UNIT, style_of
from bot.players.lookahead import Stop
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
    """A side's lead over the others' mean at the end, in tenths of a point.

    `cards` is the part that the cards brought, and `rest` what the side did better or worse than that; the two add up
    to the real lead. `spread` is the standard deviation of the rest in matches between equals.
    """

    cards: int
    rest: int
    spread: int

    @property
    def lead(self) -> int:
        return self.cards + self.rest


Replayed = list[tuple[float, float]]
"""For each side of a round that was played many times: its mean lead over the others' mean, and the variance."""


def played_again(dealt: DealtRound, rng: Rng, games: int, stop: Stop) -> list[list[int]]:
    """Play a round again once or, until it is time to stop, up to `games` times: the points of each side every time."""
    begun = _begun(dealt)
    style = style_of(dealt.rules, dealt.seating)
    freedom = FREEDOM * UNIT
    draw = rng.random
    played: list[list[int]] = []
    for _ in range(games):
        takes = [value + freedom * (draw() - 0.5) for value in style.takes]
        lays = [value + freedom * (draw() - 0.5) for value in style.lays]
        played.append(begun.copy().finish(replace(style, takes=takes, lays=lays)))
        if stop():
            break
    return played


def compared(played: Sequence[Sequence[int]]) -> Replayed:
    """Compute by how much each side comes out ahead in these games of a round."""
    found: Replayed = []
    for side in range(len(played[0])):
        leads = [ahead(points, side) for points in played]
        mean = sum(leads) / len(leads)
        found.append((mean, max(0.0, sum(lead * lead for lead in leads) / len(leads) - mean * mean)))
    return found


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


def luck_of(totals: Sequence[int], rounds: Sequence[Replayed]) -> tuple[Luck, ...]:
    """Compute what the cards have brought each side, and how far a match may stray from that.

    Args:
        totals: the points of each side at the end of the match.
        rounds: its rounds, each played again.
    """
    found: list[Luck] = []
    for side in range(len(totals)):
        cards = round(10 * sum(played[side][0] for played in rounds))
        spread = round(10 * sqrt(sum(played[side][1] for played in rounds)))
        found.append(Luck(cards, round(10 * ahead(totals, side)) - cards, spread))
    return tuple(found)


def added_up(matches: Sequence[Luck]) -> Luck:
    """Add up somebody's luck in several matches: the spreads by their squares, since chance partly cancels out."""
    return Luck(
        sum(luck.cards for luck in matches),
        sum(luck.rest for luck in matches),
        round(sqrt(sum(luck.spread**2 for luck in matches))),
    )


def ahead(points: Sequence[float], side: int) -> float:
    """Compute a side's lead over the mean of the others."""
    others = [theirs for other, theirs in enumerate(points) if other != side]
    return points[side] - sum(others) / len(others)


def dump_luck(luck: Sequence[Luck]) -> str:
    """Write the luck as text: for each side the figures of its `Luck`, in order."""
    return json.dumps([[side.cards, side.rest, side.spread] for side in luck], separators=(",", ":"))


def load_luck(text: str) -> tuple[Luck, ...]:
    """Read what `dump_luck` has written."""
    return tuple(Luck(*figures) for figures in json.loads(text))
