"""What a computer player's points are made of: the weights of its evaluation, each with its reason.

The unit is a point of the round's score. The order of what is worth taking (the 7 of oros, the other sevens, the sixes,
oros, many cards) follows 000 "Estrategia"; the sizes were set by playing some thousand rounds against other sizes.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

from bot.engine.cards import DECK, Rank, Suit
from bot.engine.rules import Prime, Rules
from bot.engine.scoring import SEVEN_OF_OROS


@dataclass(frozen=True, slots=True)
class Weights:
    """The terms of the evaluation. What a card is worth depends on the items that the rules score: `card_values`."""

    escoba: float = 1.0
    """A sweep is a point at once, whatever else happens."""
    seven_of_oros: float = 1.0
    """It is a point by itself; that it is an oro and a seven too is counted with those."""
    oro: float = 0.2
    """Ten oros decide one point, and about every fifth time the one more or less is what decides it."""
    seven: float = 0.35
    """Only four sevens decide the point for most sevens: the second and third nearly always do."""
    prime: float = 0.3
    """The best cards of the prime; `PRIME_SHARES` says how much of it each rank brings."""
    card: float = 0.05
    """Forty cards decide one point. Small, so that it breaks ties between captures that are equal otherwise."""
    larger: float = 0.2
    """Where a larger value is played, the part that its cards are worth more: the second point is seldom won."""
    held: float = 0.15
    """The part of a card's worth that its holder has already: laying a good card loses that part."""
    reply: float = 0.9
    """How much the next player's best capture counts against us. Below 1: it may have something better to do."""
    crowd: float = 0.7
    """With three sides or more, what one opponent gains is no loss of ours alone; but more of them may take it."""
    follow: float = 0.15
    """How much a capture that our side could make on its next turn counts: the table will have changed by then."""
    latest: float = 0.9
    """What is left at the end goes to the latest capture; the chance to be the latest is a rough guess."""
    taken_by_sure: float = 0.2
    """The last deal: the chance that a card to come which takes something of this table won't do so any more."""
    taken_by_other: float = 0.7
    """The same for a card that takes nothing of it: the table may change so that it does."""


PRIME_SHARES: Final = {
    Prime.NONE: {},
    # One card of each suit, highest first: a seven decides most, and the sixes when the sevens are split (000).
    Prime.SETENTA: {Rank.SEVEN: 1.0, Rank.SIX: 0.4, Rank.ACE: 0.2, Rank.FIVE: 0.1, Rank.FOUR: 0.05},
    # The four highest of any suit are added (002 §5): 21 and 18 stand out, 16 seldom is among the four, less never.
    Prime.POINTS: {Rank.SEVEN: 1.0, Rank.SIX: 0.5, Rank.ACE: 0.2, Rank.FIVE: 0.05},
}
"""The part of `Weights.prime` that a card of each rank brings; ranks not named bring none."""


@cache
def card_values(weights: Weights, rules: Rules, most_cards_won: bool) -> tuple[float, ...]:
    """What each card is worth to whoever captures it, by ``card.index``, from the items that `rules` score.

    Args:
        weights: the weights of the items.
        rules: the rules of the match; an item they don't score brings nothing.
        most_cards_won: a side has more than half of the cards, so that only the larger value is still open.
    """
    larger = weights.larger
    per_card = weights.card * ((not most_cards_won) + larger * rules.many_cards)
    per_oro = weights.oro * (1 + larger * rules.all_oros)
    per_seven = weights.seven * (rules.most_sevens + larger * rules.four_sevens)
    shares = PRIME_SHARES[rules.prime]
    values: list[float] = []
    for each in DECK:
        value = per_card + weights.prime * shares.get(each.rank, 0)
        if each.suit is Suit.OROS:
            value += per_oro
        if each.rank is Rank.SEVEN:
            value += per_seven
        if each is SEVEN_OF_OROS:
            value += weights.seven_of_oros
        values.append(value)
    return tuple(values)
