"""What a move is worth: its gain, the reply it invites, and what it leaves for later; one move deep.

The cards of the others are not searched: only `SeatView.unseen` and the public counts say how likely a card is held.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.engine.captures import captures, target
from bot.engine.cards import DECK, Card, CardSet
from bot.engine.round import Claim, Move, Play
from bot.engine.rules import Duty, Rules
from bot.engine.views import SeatView
from bot.players.weights import Weights, card_values

_HALF: Final = len(DECK) // 2
_TWO_SIDES: Final = 2
_NOTHING: Final = -1.0
_SUMS: Final = 15
"""No capture takes table cards of 15 or more: fifteen less an ace is 14, and an equal sum is 10 at most."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a seat knows at its turn, made ready to value its moves.

    `next_cards` and `own_cards` are how many cards the next player, and then our side's next one, will choose from;
    `own_known` says that the latter are ours, so that we know which. `last_deal`: no cards come after these hands.
    """

    view: SeatView
    weights: Weights
    values: tuple[float, ...]
    unseen: tuple[Card, ...]
    next_cards: int
    own_cards: int
    own_known: bool
    last_deal: bool

    @classmethod
    def of(cls, view: SeatView, weights: Weights) -> Outlook:
        """The outlook of the seat at turn."""
        public = view.public
        rules, seating, counts = public.rules, public.seating, public.hand_counts
        last_deal = public.deal >= public.deals
        next_cards = counts[(view.seat + 1) % seating.seats]
        if seating.in_teams:
            own_cards = counts[(view.seat + seating.sides) % seating.seats]
        else:
            own_cards = len(view.hand) - (public.laid is None)  # a laid card has left the hand already
        own_known = not seating.in_teams and own_cards > 0
        if not last_deal:  # empty hands are filled before they play
            next_cards = next_cards or rules.hand
            own_cards = own_cards or rules.hand
        return cls(
            view=view,
            weights=weights,
            values=card_values(weights, rules, max(public.pile_counts) > _HALF),
            unseen=tuple(view.unseen),
            next_cards=next_cards,
            own_cards=own_cards,
            own_known=own_known,
            last_deal=last_deal,
        )

    @property
    def rules(self) -> Rules:
        """The rules of the match."""
        return self.view.public.rules

    def worth(self, move: Move) -> float:
        """What a legal move is worth, in points.

        A claim is followed by a play, so it is worth its gain and that of the best play from the table it leaves.
        """
        table = self.view.public.table
        if isinstance(move, Play):
            return self._play(table, move.card, move.captured)
        left = table - move.captured
        plays = (
            self._play(left, card, group)
            for card in self.view.hand
            for group in captures(self.rules.capture, card, left) or (CardSet(),)
        )
        return self.gain(move) + max(plays, default=0.0)

    def gain(self, move: Move) -> float:
        """What a move brings at once: the cards it captures, and the escoba."""
        table = self.view.public.table
        if isinstance(move, Claim):
            return self._sum(move.captured) + self.weights.escoba * (move.captured == table)
        return self._gain(table, move.card, move.captured)

    def _gain(self, table: CardSet, card: Card, captured: CardSet) -> float:
        if not captured:
            return 0.0
        return self._sum(captured) + self.values[card.index] + self.weights.escoba * (captured == table)

    def _play(self, table: CardSet, card: Card, captured: CardSet) -> float:
        weights = self.weights
        left = table - captured if captured else table.with_card(card)
        worth = self._gain(table, card, captured) - weights.held * self.values[card.index]
        sums = self.best_groups(left)
        harm = self._best_reply(left, sums)
        if not captured and self.rules.duty is Duty.CLAIMABLE and self.next_cards:
            harm = max([harm, *self._claims_given(table, card)])
        worth -= self._against() * harm
        worth += weights.follow * self._follow(sums, self.view.hand.without(card))
        if captured and self.last_deal:
            worth += weights.latest * self._sum(left) * self._chance_to_stay_latest(sums)
        return worth

    # ------------------------------------------------------------------ what the others may do

    def _against(self) -> float:
        """How much a point for the next player counts against us."""
        two_sides = self.view.public.seating.sides == _TWO_SIDES
        return self.weights.reply * (1 if two_sides else self.weights.crowd)

    def best_groups(self, table: CardSet) -> list[float]:
        """For each sum, what the best group of table cards that makes it is worth; -1 where none does.

        A capture of either kind is any group of the right sum, so one pass over the table finds the best for all ranks.
        The whole table brings the escoba too: no group is worth more, for no card is worth less than nothing.
        """
        best = [_NOTHING] * _SUMS
        best[0] = 0.0
        for card in table:
            value, worth = self.values[card.index], card.worth
            for total in range(_SUMS - 1, worth - 1, -1):
                if (before := best[total - worth]) >= 0 and before + value > best[total]:
                    best[total] = before + value
        best[0] = _NOTHING
        return best

    def _best_reply(self, left: CardSet, sums: list[float]) -> float:
        """What the best capture by the next player's hand is worth, escoba included, on average.

        Which of the unseen cards it holds is not known: `expected_best` of what each of them would take.
        """
        sweep = left.worth if left else None
        escoba = self.weights.escoba
        harms = [self._takes(sums, card) + escoba * (target(self.rules.capture, card) == sweep) for card in self.unseen]
        return expected_best(harms, self.next_cards)

    def _claims_given(self, table: CardSet, card: Card) -> Iterator[float]:
        """What each claim is worth if `card` is laid on `table` and misses its captures (002 §12).

        The next player plays after the claim, from the table that it leaves.
        """
        for group in captures(self.rules.capture, card, table):
            left = table - group
            yield self._gain(table, card, group) + self._best_reply(left, self.best_groups(left))

    def _takes(self, sums: list[float], card: Card) -> float:
        """What `card` would take, with the part of its own worth that its holder hasn't got yet; 0 if nothing."""
        group = sums[target(self.rules.capture, card)]
        return 0.0 if group < 0 else group + (1 - self.weights.held) * self.values[card.index]

    def _follow(self, sums: list[float], hand: CardSet) -> float:
        """What our side could take on its next turn if the table stayed as it is.

        No escoba, since it won't stay; nor the card that takes, which will find something else too.
        """
        found = [sums[target(self.rules.capture, card)] for card in (hand if self.own_known else self.unseen)]
        return max(0.0, *found) if self.own_known else expected_best(found, self.own_cards)

    def _chance_to_stay_latest(self, sums: list[float]) -> float:
        """How likely, in the last deal, no other capture follows: by the others' cards, which are the unseen ones."""
        takers = sum(1 for card in self.unseen if sums[target(self.rules.capture, card)] >= 0)
        others = len(self.unseen) - takers
        return self.weights.taken_by_sure**takers * self.weights.taken_by_other**others

    def _sum(self, cards: CardSet) -> float:
        return sum(self.values[card.index] for card in cards)


def expected_best(values: list[float], drawn: int) -> float:
    """The mean of the best of `drawn` values, drawn without replacement; what isn't worth anything counts as 0.

    The values are gone through from the best on: each is drawn, while the better ones are not, with the chance that
    the cards still to draw give. For a single good one that is the hand's size / the number of unseen cards.

    >>> expected_best([1.0, 0.0, 0.0, 0.0], 3)
    0.75
    """
    expected, none_so_far, rest = 0.0, 1.0, len(values)
    for value in sorted(values, reverse=True):
        if value <= 0 or none_so_far <= 0:
            break
        share = min(1.0, drawn / rest)
        expected += none_so_far * share * value
        none_so_far *= 1 - share
        rest -= 1
    return expected
