"""The weights of a computer player's evaluation, each with its reason.

The unit is a point of the round's score. What is worth taking most (the 7 of oros, the other sevens, the sixes, oros,
many cards) follows 000 "Estrategia"; the sizes were tuned by playing thousands of rounds against other sizes.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

from bot.engine.cards import DECK, Rank
from bot.engine.rules import Prime, Rules
from bot.engine.scoring import MOST_OF, Item
from bot.engine.views import PublicView


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
    values = [weights.prime * shares.get(each.rank, 0) for each in DECK]
    for item, most in MOST_OF.items():
        open_point = most.point(rules) and not (item is Item.CARDS and most_cards_won)
        worth = most.worth * (open_point + weights.larger * most.more(rules))
        for each in most.cards:
            values[each.index] += worth
    return tuple(values)
