"""What a seat can't see, drawn at random: rounds as they may stand behind its view."""

from __future__ import annotations

from typing import Final

from bot.engine.cards import CardSet
from bot.engine.round import Claim, Move
from bot.engine.views import SeatView
from bot.players.fast_round import CLAIM, FastMove, FastRound
from bot.players.reading import Reading
from bot.players.rng import Rng, shuffle

TRIES: Final = 5
"""How many draws one is chosen from when there is something to read."""


class Hidden:
    """A view's round without its hidden cards: the others hold some of the `unseen` ones, `stock` are in no hand."""

    __slots__ = ("base", "counts", "others", "stock", "unseen")

    def __init__(self, view: SeatView) -> None:
        public, memory = view.public, view.memory
        seats = public.seating.seats
        self.base = base = FastRound(public.rules, public.seating, public.dealer)
        held = view.hand if public.laid is None else view.hand.with_card(public.laid)
        base.hands[view.seat] = indexes(held)
        base.table = public.table.mask
        base.piles = [pile.mask for pile in memory.piles]
        base.escobas = list(public.escobas)
        if memory.last_taker is not None:
            base.taker = public.seating.side_of(memory.last_taker)
        base.turn = view.seat
        if memory.claimable is not None:
            base.claimable = memory.claimable.index
        self.others = [(view.seat + offset) % seats for offset in range(1, seats)]
        self.counts = list(public.hand_counts)
        self.unseen = indexes(view.unseen)
        self.stock = len(self.unseen) - sum(self.counts[seat] for seat in self.others)
        base.deck = self.unseen
        base.count_unplayed()

    @property
    def left(self) -> int:
        """How many cards are still to be played."""
        return len(self.unseen) + len(self.base.hands[self.base.turn])

    @property
    def open(self) -> bool:
        """Whether nothing is hidden: no cards are to come, and only one other player holds any."""
        return not self.stock and sum(self.counts[seat] > 0 for seat in self.others) <= 1

    def draw(self, rng: Rng) -> FastRound:
        """A round with the unseen cards where chance puts them."""
        cards = self.unseen.copy()
        shuffle(cards, rng)
        return self.with_cards(cards)

    def likely(self, rng: Rng, reading: Reading) -> FastRound:
        """A round drawn as the others' plays make it likely: one of some draws, each as often as it is plausible."""
        if not reading:
            return self.draw(rng)
        dealt = len(self.unseen) - self.stock
        orders: list[list[int]] = []
        weights: list[float] = []
        for _ in range(TRIES):
            cards = self.unseen.copy()
            shuffle(cards, rng, 0, dealt)
            orders.append(cards)
            weights.append(reading.plausibility(self._hands(cards)))
        point = rng.random() * sum(weights)
        chosen = 0
        while chosen < TRIES - 1 and (point := point - weights[chosen]) >= 0:
            chosen += 1
        cards = orders[chosen]
        shuffle(cards, rng, dealt)
        return self.with_cards(cards)

    def _hands(self, cards: list[int]) -> dict[int, list[int]]:
        """By seat, what the others hold when the unseen cards lie in this order."""
        hands: dict[int, list[int]] = {}
        start = 0
        for seat in self.others:
            end = start + self.counts[seat]
            hands[seat] = cards[start:end]
            start = end
        return hands

    def with_cards(self, cards: list[int]) -> FastRound:
        """The round with the unseen cards in this order: the others' hands in play order, then the stock."""
        drawn = self.base.copy()
        for seat, hand in self._hands(cards).items():
            drawn.hands[seat] = hand
        drawn.deck = cards[len(cards) - self.stock :]
        return drawn


def indexes(cards: CardSet) -> list[int]:
    """The indexes of some cards, upwards."""
    return [card.index for card in cards]


def fast_move(move: Move) -> FastMove:
    """A move as a `FastRound` takes it."""
    if isinstance(move, Claim):
        return CLAIM, move.captured.mask
    return move.card.index, move.captured.mask
