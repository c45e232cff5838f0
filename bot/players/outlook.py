"""The worth of a move: its gain, the reply it invites and what it leaves for later, one move deep.

The weights have their reasons beside them. Their unit is a point of the round's score. What is worth taking most (the 7
of oros, the other sevens, the sixes, oros, many cards) follows 000 "Estrategia"; the sizes were tuned by playing
thousands of rounds against other sizes.

The others' cards aren't searched: `SeatView.unseen` and the public counts say how likely they are to hold a card. Hands
that were sung are known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Final

from bot.engine.cards import DECK, EMPTY, Card, CardSet, Rank, canto_points, cantos_of
from bot.engine.moves import Claim, Move, Play, Sing, captures, target
from bot.engine.rules import Duty, Prime, Rules
from bot.engine.scoring import MOST_OF, Item
from bot.engine.views import PublicView, SeatView
from bot.players.counting import NO_GROUP, SUMS, add_card


@dataclass(frozen=True, slots=True)
class Weights:
    """The terms of the evaluation. A card's value depends on the items that the rules score: see `card_values`.

    The items of `MOST_OF` say themselves what one of their cards is worth.
    """

    escoba: float = 1.0
    """A sweep is an immediate point, whatever else happens."""
    prime: float = 0.3
    """The best cards of the prime; `PRIME_SHARES` says how much of this each rank is worth."""
    larger: float = 0.2
    """The fraction by which cards gain value where a larger value is played: the second point is seldom won."""
    held: float = 0.15
    """The part of a card's value that comes from holding it: laying a good card loses that part."""
    reply: float = 0.9
    """The weight of the next player's best capture. Below 1: it may have something better to do."""
    crowd: float = 0.7
    """With three sides or more, what one opponent gains isn't only our loss; but more opponents may take it."""
    follow: float = 0.15
    """The weight of a capture that our side could make on its next turn: by then the table will have changed."""
    latest: float = 0.9
    """The leftovers go to the latest capture; the chance that ours is the latest is a rough estimate."""
    taken_by_sure: float = 0.2
    """In the last deal: the chance that an unplayed card that could capture from this table won't do so after all."""
    taken_by_other: float = 0.7
    """The same for a card that can't capture from it now: the table may change so that it can."""


WEIGHTS: Final = Weights()
"""The weights that all levels play with."""


PRIME_SHARES: Final = {
    Prime.NONE: {},
    # One card of each suit, highest first: a seven decides most, and the sixes when the sevens are split (000).
    Prime.SETENTA: {Rank.SEVEN: 1.0, Rank.SIX: 0.4, Rank.ACE: 0.2, Rank.FIVE: 0.1, Rank.FOUR: 0.05},
    # The four highest of any suit are added (002 §5): 21 and 18 stand out, 16 is seldom among the four, less never.
    Prime.POINTS: {Rank.SEVEN: 1.0, Rank.SIX: 0.5, Rank.ACE: 0.2, Rank.FIVE: 0.05},
    # Measured in roll-outs: by how much one more card of a rank changes who has the prime, compared with a seven.
    Prime.SUITS: {Rank.SEVEN: 1.0, Rank.SIX: 0.4, Rank.ACE: 0.15, Rank.FIVE: 0.1, Rank.FOUR: 0.05},
    Prime.SEVENS: {Rank.SEVEN: 1.0, Rank.SIX: 0.3, Rank.ACE: 0.1, Rank.FIVE: 0.05},
}
"""The part of `Weights.prime` that a card of each rank is worth; ranks not listed are worth nothing."""
_HALF: Final = len(DECK) // 2


def most_cards_are_won(public: PublicView) -> bool:
    """Whether a side has captured more than half of the cards."""
    return max(public.pile_counts) > _HALF


@cache
def card_values(weights: Weights, rules: Rules, most_cards_won: bool) -> tuple[float, ...]:
    """Value the capture of each card, by ``card.index``, given the items that `rules` score.

    Args:
        weights: the weights of the items.
        rules: the rules of the match; items they don't score are worth nothing.
        most_cards_won: whether a side has more than half of the cards, so that only the larger value is still open.
    """
    shares = PRIME_SHARES[rules.prime]
    values = [weights.prime * shares.get(card.rank, 0) for card in DECK]
    for item, most in MOST_OF.items():
        open_point = most.point(rules) and not (item is Item.CARDS and most_cards_won)
        worth = most.worth * (open_point + weights.larger * most.more(rules))
        for card in most.cards:
            values[card.index] += worth
    return tuple(values)


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
