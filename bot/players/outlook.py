"""The worth of a move: its gain, the reply it invites and what it leaves for later, one move deep.

The others' cards aren't searched: `SeatView.unseen` and the public counts say how likely they are to hold a card. Hands
that were sung are known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

from bot.engine.cantos import canto_points, cantos_of
from bot.engine.captures import captures, target
from bot.engine.cards import EMPTY, Card, CardSet
from bot.engine.moves import Claim, Move, Play, Sing
from bot.engine.rules import Duty, Rules
from bot.engine.views import SeatView
from bot.players.groups import NO_GROUP, SUMS, add_card
from bot.players.weights import Weights, card_values, most_cards_are_won

_TWO_SIDES: Final = 2


@dataclass(frozen=True, slots=True)
class Outlook:
    """A seat's knowledge at its turn, prepared for valuing its moves.

    `next_cards` is how many cards the next player will choose from, and `next_pool` the cards that these may be;
    `own_cards` and `own_pool` are the same for our side's next player. `own_known` means that this player is ourselves,
    so that we know the cards. `others` are all cards that the others may hold. `last_deal`: no more cards are dealt.
    """

    view: SeatView
    weights: Weights
    values: tuple[float, ...]
    others: tuple[Card, ...]
    next_cards: int
    next_pool: tuple[Card, ...]
    own_cards: int
    own_pool: tuple[Card, ...]
    own_known: bool
    last_deal: bool

    @classmethod
    def from_view(cls, view: SeatView, weights: Weights) -> Outlook:
        public = view.public
        rules = public.rules
        seating = public.seating
        counts = public.hand_counts
        last_deal = public.deal >= public.deals
        shown = [CardSet() if seat == view.seat else cards for seat, cards in enumerate(public.shown)]
        following = (view.seat + 1) % seating.seats
        partner = (view.seat + seating.sides) % seating.seats  # without a partner, oneself
        next_cards = counts[following]
        own_cards = counts[partner]
        if not seating.in_teams:
            own_cards -= public.laid is None  # a laid card has already left the hand
        own_known = not seating.in_teams and own_cards > 0
        if not last_deal:  # empty hands are refilled before they play
            size = rules.hands(seating)[public.deal]
            next_cards = next_cards or size
            own_cards = own_cards or size
        return cls(
            view=view,
            weights=weights,
            values=card_values(weights, rules, most_cards_are_won(public)),
            others=(*view.unseen, *chain.from_iterable(shown)),
            next_cards=next_cards,
            next_pool=tuple(shown[following] or view.unseen),
            own_cards=own_cards,
            own_pool=tuple(shown[partner] or view.unseen),
            own_known=own_known,
            last_deal=last_deal,
        )

    @property
    def rules(self) -> Rules:
        return self.view.public.rules

    def worth(self, move: Move) -> float:
        """Compute the worth of a legal move, in points.

        A claim is followed by a play, and so are cantos: each is worth its gain plus the best play from the table it
        leaves.
        """
        table = self.view.public.table
        if isinstance(move, Play):
            return self._play(table, move)
        left = move.table_after(table)
        plays = (
            self._play(left, Play(card, group))
            for card in self.view.hand
            for group in captures(self.rules.capture, card, left) or (EMPTY,)
        )
        return self.gain(move) + max(plays, default=0.0)

    def gain(self, move: Move) -> float:
        """Compute the immediate gain of a move: the cards it captures, the escoba and the cantos."""
        if isinstance(move, Sing):
            return float(canto_points(cantos_of(self.view.hand)))
        return self._gain(self.view.public.table, move)

    def _gain(self, table: CardSet, move: Play | Claim) -> float:
        captured = move.captured
        if not captured:
            return 0.0
        own = self.values[move.card.index] if isinstance(move, Play) else 0.0
        return self._total(captured) + own + self.weights.escoba * (captured == table)

    def _play(self, table: CardSet, play: Play) -> float:
        weights = self.weights
        card = play.card
        captured = play.captured
        left = play.table_after(table)
        worth = self._gain(table, play) - weights.held * self.values[card.index]
        sums = self.best_groups(left)
        harm = self._best_reply(left, sums)
        if not captured and self.rules.duty is Duty.CLAIMABLE and self.next_cards:
            harm = max([harm, *self._claims_given(table, card)])
        two_sides = self.view.public.seating.sides == _TWO_SIDES
        worth -= weights.reply * (1 if two_sides else weights.crowd) * harm
        worth += weights.follow * self._follow(sums, self.view.hand.without(card))
        if captured and self.last_deal:
            worth += weights.latest * self._total(left) * self._chance_to_stay_latest(sums)
        return worth

    def best_groups(self, table: CardSet) -> list[float]:
        """Find the worth of the best group of table cards for each sum, without an escoba; -1 if no group has it."""
        best = [float(NO_GROUP)] * SUMS
        best[0] = 0.0
        for card in table:
            add_card(best, card.worth, self.values[card.index])
        best[0] = NO_GROUP
        return best

    def _best_reply(self, left: CardSet, sums: list[float]) -> float:
        """Compute the expected value of the next player's best capture, escoba included.

        Unless they have sung, we don't know which of the unseen cards they hold: the result is the `expected_best` of
        what each of these cards would take.
        """
        sweep = left.worth if left else None
        escoba = self.weights.escoba
        harms = [self._takes(sums, card) + escoba * (self._goal(card) == sweep) for card in self.next_pool]
        return expected_best(harms, self.next_cards)

    def _claims_given(self, table: CardSet, card: Card) -> Iterator[float]:
        """Yield the worth of each possible claim if `card` is laid on `table` without capturing (002 §12).

        The next player then plays from the table that the claim leaves.
        """
        for group in captures(self.rules.capture, card, table):
            left = table - group
            yield self._gain(table, Play(card, group)) + self._best_reply(left, self.best_groups(left))

    def _goal(self, card: Card) -> int:
        return target(self.rules.capture, card.worth)

    def _takes(self, sums: list[float], card: Card) -> float:
        """Compute the worth of a capture by `card`, plus the part of its own value that its holder doesn't have yet."""
        group = sums[self._goal(card)]
        return 0.0 if group < 0 else group + (1 - self.weights.held) * self.values[card.index]

    def _follow(self, sums: list[float], hand: CardSet) -> float:
        """Compute what our side could capture on its next turn if the table stayed as it is.

        Escobas don't count, since it won't stay that way; nor does the capturing card, which will find something else.
        """
        found = [sums[self._goal(card)] for card in (hand if self.own_known else self.own_pool)]
        return max(0.0, *found) if self.own_known else expected_best(found, self.own_cards)

    def _chance_to_stay_latest(self, sums: list[float]) -> float:
        """Compute how likely it is in the last deal that no other capture follows, given the others' cards."""
        takers = sum(1 for card in self.others if sums[self._goal(card)] >= 0)
        others = len(self.others) - takers
        return self.weights.taken_by_sure**takers * self.weights.taken_by_other**others

    def _total(self, cards: CardSet) -> float:
        return sum(self.values[card.index] for card in cards)


def expected_best(values: list[float], drawn: int) -> float:
    """Compute the expected maximum of `drawn` values drawn without replacement; negative values count as 0.

    Goes through the values from the best down, with the chance that each is drawn while the better ones are not. For a
    single positive value that is the hand's size divided by the number of unseen cards.

    >>> expected_best([1.0, 0.0, 0.0, 0.0], 3)
    0.75
    """
    expected = 0.0
    none_so_far = 1.0
    rest = len(values)
    for value in sorted(values, reverse=True):
        if value <= 0 or none_so_far <= 0:
            break
        share = min(1.0, drawn / rest)
        expected += none_so_far * share * value
        none_so_far *= 1 - share
        rest -= 1
    return expected
