"""The hidden cards of a view, drawn at random: possible rounds behind it."""

from __future__ import annotations

from typing import Final

from bot.engine.cantos import SUNG_CARDS, canto_points
from bot.engine.cards import CardSet
from bot.engine.moves import Claim, Move, Sing
from bot.engine.views import SeatView
from bot.players.fast_round import CLAIM, SING, FastMove, FastRound
from bot.players.reading import Reading
from bot.players.rng import Rng, shuffle

TRIES: Final = 5
"""Draws made to choose one from, if the others' plays say something about their hands."""


class Hidden:
    """A view's round without its hidden cards.

    The others hold some of the `unseen` cards; `stock` is how many of these are still to be dealt. `others` are the
    other seats in play order, and `counts` how many unseen cards each seat holds: none if its hand was sung, and lies
    open.
    """

    __slots__ = ("base", "counts", "others", "stock", "unseen")

    def __init__(self, view: SeatView) -> None:
        public, memory = view.public, view.memory
        seats = public.seating.seats
        self.base = base = FastRound(public.rules, public.seating, public.dealer)
        held = view.hand if public.laid is None else view.hand.with_card(public.laid)
        base.hands = [_indexes(shown) for shown in public.shown]
        base.hands[view.seat] = _indexes(held)
        base.shown = sum(1 << seat for seat, shown in enumerate(public.shown) if shown)
        base.sings = public.rules.cantos and public.rules.hands(public.seating)[public.deal - 1] == SUNG_CARDS
        base.cantos = [canto_points(sung) for sung in public.cantos]
        base.table = public.table.mask
        base.piles = [pile.mask for pile in memory.piles]
        base.escobas = list(public.escobas)
        if memory.last_taker is not None:
            base.taker = public.seating.side_of(memory.last_taker)
        base.turn = view.seat
        if memory.claimable is not None:
            base.claimable = memory.claimable.index
        self.others = [(view.seat + offset) % seats for offset in range(1, seats)]
        self.counts = [held - len(shown) for held, shown in zip(public.hand_counts, public.shown, strict=True)]
        self.unseen = _indexes(view.unseen)
        self.stock = len(self.unseen) - sum(self.counts[seat] for seat in self.others)
        base.deck = self.unseen  # until a draw puts them into hands
        base.count_unplayed()

    @property
    def left(self) -> int:
        """The number of cards that have yet to be played."""
        return len(self.unseen) + sum(map(len, self.base.hands))

    @property
    def open(self) -> bool:
        """Whether nothing is hidden: no cards are left to deal, and only one other player holds any unseen ones."""
        return not self.stock and sum(self.counts[seat] > 0 for seat in self.others) <= 1

    def sample_plausible(self, rng: Rng, reading: Reading) -> FastRound:
        """Draw a random round that fits the others' plays: one of `TRIES` draws, chosen by plausibility."""
        if not reading:
            cards = self.unseen.copy()
            shuffle(cards, rng)
            return self.with_cards(cards)
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
        """Return the others' hands by seat, if the unseen cards are dealt in this order."""
        hands: dict[int, list[int]] = {}
        start = 0
        for seat in self.others:
            if not (count := self.counts[seat]):
                continue
            hands[seat] = cards[start : start + count]
            start += count
        return hands

    def with_cards(self, cards: list[int]) -> FastRound:
        """Return the round with the unseen cards in this order: the others' hands in play order, then the stock."""
        drawn = self.base.copy()
        for seat, hand in self._hands(cards).items():
            drawn.hands[seat] = hand
        drawn.deck = cards[len(cards) - self.stock :]
        return drawn


def _indexes(cards: CardSet) -> list[int]:
    return [card.index for card in cards]


def fast_move(move: Move) -> FastMove:
    """Write a move in the form that `FastRound` uses."""
    if isinstance(move, Claim):
        return CLAIM, move.captured.mask
    if isinstance(move, Sing):
        return SING, 0
    return move.card.index, move.captured.mask
