"""The itemised score of a round for each side (000 "Puntuación", 001 §4, 002 §5 and §11)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.engine.cards import EMPTY, Card, CardSet, Rank, Suit, card
from bot.engine.rules import Prime, Rules

SEVEN_OF_OROS: Final = card(Rank.SEVEN, Suit.OROS)
MANY_CARDS: Final = 30
_ALL_OROS: Final = 10
_ALL_SEVENS: Final = 4
_BEST: Final = 4

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


class Item(StrEnum):
    """What points are given for."""

    ESCOBAS = "escobas"
    CARDS = "cards"
    OROS = "oros"
    SEVEN_OF_OROS = "seven_of_oros"
    SEVENS = "sevens"
    PRIME = "prime"


@dataclass(frozen=True, slots=True)
class ItemScore:
    """One line of a round's score, a value a side.

    `amounts` are what is compared: how many escobas, cards, oros or sevens; for the setenta a number that orders hands
    as the rule does (0: none); for the points prime the points. `cards` are those that are counted, or make a prime;
    none for the escobas and the seven of oros. All of them lie open when a round is scored.
    """

    item: Item
    amounts: tuple[int, ...]
    points: tuple[int, ...]
    cards: tuple[CardSet, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundScore:
    """The score of a round: its items, and the cards left at the end with the seat of the latest capture."""

    items: tuple[ItemScore, ...]
    leftovers: CardSet
    leftovers_to: int | None

    @property
    def points(self) -> tuple[int, ...]:
        """The points of each side in this round."""
        return tuple(map(sum, zip(*(item.points for item in self.items), strict=True)))


def score_round(rules: Rules, piles: Sequence[CardSet], escobas: Sequence[int]) -> tuple[ItemScore, ...]:
    """What each side's pile and escobas are worth under `rules`.

    Args:
        rules: the rules of the match.
        piles: the captured cards of each side, with the cards left at the end.
        escobas: the escobas of each side.
    """
    items = [ItemScore(Item.ESCOBAS, tuple(escobas), tuple(escobas))]

    items.append(_most(Item.CARDS, piles, larger=rules.many_cards, bound=MANY_CARDS + 1))
    oros = [pile.of_suit(Suit.OROS) for pile in piles]
    items.append(_most(Item.OROS, oros, larger=rules.all_oros, bound=_ALL_OROS))

    seven = tuple(int(SEVEN_OF_OROS in pile) for pile in piles)
    items.append(ItemScore(Item.SEVEN_OF_OROS, seven, seven))

    sevens = [pile.of_rank(Rank.SEVEN) for pile in piles]
    if rules.most_sevens:
        items.append(_most(Item.SEVENS, sevens, larger=rules.four_sevens, bound=_ALL_SEVENS))
    elif rules.four_sevens:
        amounts = tuple(map(len, sevens))
        items.append(ItemScore(Item.SEVENS, amounts, tuple(int(n == _ALL_SEVENS) for n in amounts), tuple(sevens)))

    if rules.prime is not Prime.NONE:
        best = setenta if rules.prime is Prime.SETENTA else points_prime
        primes = [best(pile) for pile in piles]
        amounts = tuple(amount for amount, _ in primes)
        items.append(ItemScore(Item.PRIME, amounts, _single_highest(amounts), tuple(made for _, made in primes)))
    return tuple(items)


def setenta(pile: CardSet) -> tuple[int, CardSet]:
    """The best setenta of a pile: one card of each suit, 7 > 6 > 1 > 5 > 4 > 3 > 2 > figures (decision 8).

    Returns a number that orders setentas (0 for a side that lacks a suit) and the four cards.
    """
    best: list[Card] = []
    for suit in Suit:
        held = pile.of_suit(suit)
        if not held:
            return 0, EMPTY
        best.append(max(held, key=_setenta_place))
    places = sorted(map(_setenta_place, best), reverse=True)
    return int("".join(map(str, places))), CardSet.of(best)


def points_prime(pile: CardSet) -> tuple[int, CardSet]:
    """The four highest cards of any suit by 002's table, added; fewer than four count as they are (decision 9)."""
    best = sorted(pile, key=_prime_points, reverse=True)[:_BEST]
    return sum(map(_prime_points, best)), CardSet.of(best)


def _setenta_place(one: Card) -> int:
    return _SETENTA_ORDER.get(one.rank, 1)


def _prime_points(one: Card) -> int:
    return _PRIME_POINTS.get(one.rank, 10)


def _most(item: Item, cards: Sequence[CardSet], *, larger: bool, bound: int) -> ItemScore:
    """A point for the most cards of a kind; two when `larger` values are played and the amount reaches `bound`."""
    amounts = tuple(map(len, cards))
    points = tuple(
        point * 2 if larger and amount >= bound else point
        for point, amount in zip(_single_highest(amounts), amounts, strict=True)
    )
    return ItemScore(item, amounts, points, tuple(cards))


def _single_highest(amounts: Iterable[int]) -> tuple[int, ...]:
    """1 for the single highest amount; a tie scores for nobody (decision 7)."""
    amounts = tuple(amounts)
    top = max(amounts)
    alone = top > 0 and amounts.count(top) == 1
    return tuple(int(alone and amount == top) for amount in amounts)
