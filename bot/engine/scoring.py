"""The itemised score of a round, for each side (000 "Puntuación", 001 §4, 002 §5 and §11).

>>> from bot.engine.cards import FULL, CardSet
>>> from bot.engine.rules import PRESETS
>>> from bot.engine.scoring import score_round
>>> ours = CardSet.of("7o 7c 6e 1b 2o 3o 4o 5o 12o")
>>> for line in score_round(PRESETS["juegon"].rules, [ours, FULL - ours], escobas=[2, 1]):
...     print(line.item, line.amounts, line.points)
escobas (2, 1) (2, 1)
cards (9, 31) (0, 2)
oros (6, 4) (1, 0)
seven_of_oros (1, 0) (1, 0)
sevens (2, 2) (0, 0)
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.engine.cards import EMPTY, FULL, Canto, Card, CardSet, Rank, Suit, canto_points, card
from bot.engine.rules import Prime, Rules

SEVEN_OF_OROS: Final = card(Rank.SEVEN, Suit.OROS)
PRIME_CARDS: Final = 4
"""Cards that a prime is made of."""

_SETENTA_ORDER: Final = {
    rank: place
    for place, rank in enumerate((Rank.TWO, Rank.THREE, Rank.FOUR, Rank.FIVE, Rank.ACE, Rank.SIX, Rank.SEVEN), start=2)
}
_PRIME_POINTS: Final = {
    Rank.SEVEN: 21,
    Rank.SIX: 18,
    Rank.ACE: 16,
    Rank.FIVE: 15,
    Rank.FOUR: 14,
    Rank.THREE: 13,
    Rank.TWO: 12,
}
SEVENS_ORDER: Final = (Rank.SEVEN, Rank.SIX, Rank.ACE, Rank.FIVE)
"""The ranks that a prime of sevens compares, one after another."""


class Item(StrEnum):
    """An achievement that a round gives points for, in the order of the score sheet."""

    ESCOBAS = "escobas"
    CANTOS = "cantos"
    CARDS = "cards"
    OROS = "oros"
    SEVEN_OF_OROS = "seven_of_oros"
    SEVENS = "sevens"
    PRIME = "prime"


@dataclass(frozen=True, slots=True)
class MostOf:
    """An item that goes to the side with the most of some cards.

    `switch` names the field of `Rules` that gives a point for it, or is empty if all rules do. `larger` names the one
    that gives one more point from `larger_from` of the cards on: more than half of them, and all of them if an item
    has a `switch`, so that it can be scored without the first point. `worth` is what one of the cards is worth to
    computer players, in points.
    """

    cards: CardSet
    worth: float
    switch: str = ""
    larger: str = ""
    larger_from: int = 0

    @property
    def single(self) -> bool:
        """Whether it is about one card."""
        return len(self.cards) == 1

    def point(self, rules: Rules) -> bool:
        """Whether `rules` give a point for the most of these cards."""
        return not self.switch or bool(getattr(rules, self.switch))

    def more(self, rules: Rules) -> bool:
        """Whether `rules` give one more point for nearly all of them."""
        return bool(self.larger) and bool(getattr(rules, self.larger))

    def scored(self, rules: Rules) -> bool:
        """Whether `rules` give any points for them."""
        return self.point(rules) or self.more(rules)


MOST_OF: Final[Mapping[Item, MostOf]] = {
    # Forty cards decide one point: small enough to only break ties between otherwise equal captures.
    Item.CARDS: MostOf(FULL, 0.05, larger="many_cards", larger_from=31),
    # Ten oros decide one point, and about one time in five a single oro makes the difference.
    Item.OROS: MostOf(FULL.of_suit(Suit.OROS), 0.2, larger="all_oros", larger_from=10),
    # Only four sevens decide the point: the second and third nearly always do.
    Item.SEVENS: MostOf(FULL.of_rank(Rank.SEVEN), 0.35, switch="most_sevens", larger="four_sevens", larger_from=4),
    # It is a point by itself; its value as an oro and as a seven is added separately.
    Item.SEVEN_OF_OROS: MostOf(CardSet.of([SEVEN_OF_OROS]), 1.0),
}
"""The items that are counted alike, by the engine and by computer players; each of the others has a way of its own."""


@dataclass(frozen=True, slots=True)
class ItemScore:
    """One line of a round's score, with a value for each side.

    `amounts` are what is compared: the number of escobas, cards, oros or sevens; for a prime by points or suits, its
    points (0 by suits: none); for the setenta and the prime of sevens, a number that ranks them as the rule does (0:
    none). For cantos they are the points. `cards` are the cards counted, or those of the prime; empty for escobas and
    cantos. All of them are face up when a round is scored.
    """

    item: Item
    amounts: tuple[int, ...]
    points: tuple[int, ...]
    cards: tuple[CardSet, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundScore:
    """The score of a round: its items, the leftovers, and the seat of the latest capture, which gets them.

    `cantos` is what each side has sung, where the rules have cantos.
    """

    items: tuple[ItemScore, ...]
    leftovers: CardSet
    leftovers_to: int | None
    cantos: tuple[tuple[Canto, ...], ...] = ()

    @property
    def points(self) -> tuple[int, ...]:
        return tuple(map(sum, zip(*(item.points for item in self.items), strict=True)))


def score_round(
    rules: Rules, piles: Sequence[CardSet], escobas: Sequence[int], cantos: Sequence[Sequence[Canto]] = ()
) -> tuple[ItemScore, ...]:
    """Score each side's pile and escobas under `rules`.

    Args:
        rules: the rules of the match.
        piles: the captured cards of each side, leftovers included.
        escobas: the escobas of each side.
        cantos: what each side has sung; by default, nothing.
    """
    items = [ItemScore(Item.ESCOBAS, tuple(escobas), tuple(escobas))]

    if rules.cantos:
        sung = tuple(map(canto_points, cantos or ((),) * len(piles)))
        items.append(ItemScore(Item.CANTOS, sung, sung))

    scored = [item for item in Item if item in MOST_OF and MOST_OF[item].scored(rules)]
    items += [_most(item, MOST_OF[item], rules, piles) for item in scored]

    if rules.prime is Prime.SEVENS:
        items.append(_sevens_prime(piles))
    elif rules.prime is not Prime.NONE:
        primes = [_BEST_FOUR[rules.prime](pile) for pile in piles]
        amounts = tuple(amount for amount, _ in primes)
        items.append(ItemScore(Item.PRIME, amounts, _single_highest(amounts), tuple(made for _, made in primes)))
    return tuple(items)


def setenta(pile: CardSet) -> tuple[int, CardSet]:
    """The best setenta of a pile: one card of each suit, 7 > 6 > 1 > 5 > 4 > 3 > 2 > figures (decision 8).

    Returns a number that ranks setentas (0 if a suit is missing) and the four cards.
    """
    best: list[Card] = []
    for suit in Suit:
        held = pile.of_suit(suit)
        if not held:
            return 0, EMPTY
        best.append(max(held, key=lambda one: setenta_place(one.rank)))
    places = sorted((setenta_place(one.rank) for one in best), reverse=True)
    return int("".join(map(str, places))), CardSet.of(best)


def points_prime(pile: CardSet) -> tuple[int, CardSet]:
    """The sum of a pile's four highest cards (or fewer, if it has fewer) by 002's table (decision 9), and the cards."""
    best = sorted(pile, key=lambda one: prime_points(one.rank), reverse=True)[:PRIME_CARDS]
    return sum(prime_points(one.rank) for one in best), CardSet.of(best)


def suits_prime(pile: CardSet) -> tuple[int, CardSet]:
    """The best card of each suit by 002's table, added (decision 14), and the four; 0 and none if a suit is missing."""
    best = [max(held, key=lambda one: prime_points(one.rank)) for suit in Suit if (held := pile.of_suit(suit))]
    if len(best) < PRIME_CARDS:
        return 0, EMPTY
    return sum(prime_points(one.rank) for one in best), CardSet.of(best)


_BEST_FOUR: Final = {Prime.SETENTA: setenta, Prime.POINTS: points_prime, Prime.SUITS: suits_prime}


def sevens_place(pile: CardSet) -> int:
    """A number that ranks piles by their sevens, then sixes, aces and fives (decision 15): each count is a digit."""
    return int("".join(str(len(pile.of_rank(rank))) for rank in SEVENS_ORDER))


def _sevens_prime(piles: Sequence[CardSet]) -> ItemScore:
    """The item's cards are those that had to be compared: the sevens, then the next rank as long as sides are tied."""
    amounts = tuple(map(sevens_place, piles))
    counted = [EMPTY] * len(piles)
    for number, rank in enumerate(SEVENS_ORDER, start=1):
        counted = [cards | pile.of_rank(rank) for cards, pile in zip(counted, piles, strict=True)]
        so_far = [amount // 10 ** (len(SEVENS_ORDER) - number) for amount in amounts]
        if so_far.count(max(so_far)) == 1:
            break
    return ItemScore(Item.PRIME, amounts, _single_highest(amounts), tuple(counted))


def setenta_place(rank: Rank) -> int:
    """The place of a rank in a setenta: from 1 for figures to 8 for sevens (decision 8)."""
    return _SETENTA_ORDER.get(rank, 1)


def prime_points(rank: Rank) -> int:
    """Return what a card of a rank adds to a points-table prime (decision 9)."""
    return _PRIME_POINTS.get(rank, 10)


def _most(item: Item, most: MostOf, rules: Rules, piles: Sequence[CardSet]) -> ItemScore:
    """A point for the most cards of a kind, and one more if the larger value applies and the amount is high enough."""
    cards = tuple(pile & most.cards for pile in piles)
    amounts = tuple(map(len, cards))
    point, more = most.point(rules), most.more(rules)
    points = tuple(
        first * point + (more and amount >= most.larger_from)
        for first, amount in zip(_single_highest(amounts), amounts, strict=True)
    )
    return ItemScore(item, amounts, points, cards)


def _single_highest(amounts: Iterable[int]) -> tuple[int, ...]:
    """A point for the single highest amount; a tie scores for nobody (decision 7)."""
    amounts = tuple(amounts)
    top = max(amounts)
    alone = top > 0 and amounts.count(top) == 1
    return tuple(int(alone and amount == top) for amount in amounts)
