"""The greedy way to play a `FastRound`: the worth of a card, its capture and what it leaves for the next player.

Everything is computed once per table or per rule system, and looked up from then on.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf
from typing import Final, TypeVar

from bot.engine.cards import DECK, Rank
from bot.engine.moves import target
from bot.engine.rules import Capture, Rules, Seating
from bot.players.counting import NO_GROUP, SUMS, WORTHS, add_card
from bot.players.outlook import WEIGHTS, card_values

UNIT: Final = 1000
"""Values are whole thousandths of a point, so that a value and a group of cards fit into one number."""
SHIFT: Final = 40
"""A group is stored as ``value << SHIFT | mask``: adding a card is one addition, and the best group is the maximum."""
GROUP: Final = (1 << SHIFT) - 1
TOTAL: Final = SUMS
"""The index of the table's worth in what `Greed.look` returns."""
KINDS: Final = SUMS + 1
"""The index of the sum of the table's `Greed.kinds`."""
T = TypeVar("T")
_KEPT: Final = 20_000
"""Tables that a `Greed` remembers, at about 700 bytes each."""

NO_WORTH: Final = 0
"""A worth that no card has, for a table that no card can sweep."""
SWEPT_WORTH: Final = 11
"""A worth that no card has, for an empty table, which means that an escoba was made."""
REPLY: Final = 0.9
"""The weight between two players of the cards that the next player may take. It gains about 0.3 points per round in
roll-outs; with more players, where it is 0, it would gain little or nothing and double the time."""
ENOUGH: Final = 0.05
"""Least likelihood of a reply that is considered."""
HELD: Final = 0.15
"""The part of its own worth that a laid card loses."""
RISK: Final = 1.0
"""The cost of giving an escoba away, in points."""
RISK_OF_TWO: Final = 0.9
"""The same between two players, where the cards it takes count too."""
RISK_IN_A_CROWD: Final = 0.6
"""The same with three sides or more: what one opponent gains isn't only our loss."""


class Greed:
    """The facts that the greedy way needs about a table, computed once per table.

    The replies to a table depend only on how many cards it has of each worth and value. So they are kept by the sum of
    its cards' `kinds`, which tells that.

    Args:
        capture: the rule for which table cards a card captures.
        values: the worth of capturing each card, in points, by index.
        risk: the weight of an escoba by the next player, in points.
        reply: the weight of the cards that the next player takes; if it is 0, only escobas are considered.
    """

    __slots__ = ("adds", "goals", "kinds", "looks", "replies", "reply", "risk", "values", "wanted")

    def __init__(self, capture: Capture, values: Sequence[float], risk: float, reply: float) -> None:
        self.values = [round(UNIT * value) for value in values]
        # A card of no value must still be worth taking.
        self.adds = [max(1, value) << SHIFT | 1 << index for index, value in enumerate(self.values)]
        self.goals = [target(capture, worth) for worth in WORTHS]
        self.looks: dict[int, tuple[int, ...]] = {0: (0, *([NO_GROUP] * (SUMS - 1)), 0, 0)}
        self.risk, self.reply = UNIT * risk, reply
        self.wanted = [(rank.value, target(capture, rank.value)) for rank in Rank]
        self.replies: dict[int, tuple[tuple[float, int], ...]] = {0: ((-float(UNIT), SWEPT_WORTH),)}
        kinds = list(zip(WORTHS, self.values, strict=True))
        self.kinds = [1 << 3 * sorted(set(kinds)).index(kind) for kind in kinds]  # of each there are four cards at most

    def look(self, table: int) -> tuple[int, ...]:
        """Find the best group of cards for each sum (negative: none), and the table's worth and cards by kind."""
        found = self.looks.get(table)
        if found is None:
            known, index = self._without_a_card(table)
            best = list(known)
            add_card(best, WORTHS[index], self.adds[index])
            best[TOTAL] += WORTHS[index]
            best[KINDS] += self.kinds[index]
            found = tuple(best)
            _make_room(self.looks)
            self.looks[table] = found
        return found

    def _without_a_card(self, table: int) -> tuple[tuple[int, ...], int]:
        """Find what is known of the table without one of its cards, if possible, and that card."""
        looks, rest, bit = self.looks, table, 0
        while rest:
            bit = rest & -rest
            if known := looks.get(table ^ bit):
                return known, bit.bit_length() - 1
            rest ^= bit
        return self.look(table ^ bit), bit.bit_length() - 1

    def answers(self, kinds: int, table: int) -> tuple[tuple[float, int], ...]:
        """List the captures that the next player could make, worst for us first: each with its harm to us and the worth
        of the card needed for it. Remember it for all tables with such `kinds`.

        An empty table means we made an escoba: a gain, whatever the others hold.
        """
        look = self.look(table)
        total = look[TOTAL]
        answers = [
            (self.reply * (group >> SHIFT) + self.risk * (goal == total), worth)
            for worth, goal in self.wanted
            if (group := look[goal]) > 0
        ]
        answers.sort(reverse=True)
        found = tuple(answers)
        _make_room(self.replies)
        self.replies[kinds] = found
        return found


def _make_room(kept: dict[int, T]) -> None:
    """Forget all tables once too many are remembered, except the empty one."""
    if len(kept) >= _KEPT:
        empty = kept[0]
        kept.clear()
        kept[0] = empty


Pick = Callable[[list[int], int, tuple[int, ...], list[int], int], tuple[int, int]]
"""A function that chooses the card that the greedy way plays, and the group it captures; 0 if it is laid. It is given a
hand, the table, what `Greed.look` returns for that, how many cards of each worth are in this hand or may be in the next
player's, and the number of unplayed cards, or `OPEN`."""


@dataclass(frozen=True, slots=True)
class Style:
    """The playing style of a roll-out.

    `takes` and `lays` are what a card brings when it captures and when it is laid, by index. `needs` gives, for each
    sum of the table, the worth that would sweep it. `risks` says what leaving such a sum costs, by the number of
    unplayed cards, or `OPEN`, and then by how many cards of that worth the others hold or may be dealt, followed by
    entries for `SAFE` and `SWEPT`. `chances`, with the same indexes, says how likely the next player is to hold one of
    them. `pick` chooses a card.
    """

    greed: Greed
    takes: list[int]
    lays: list[int]
    needs: list[int]
    risks: list[list[int]]
    chances: list[list[float]]
    pick: Pick = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pick", _before_replies(self) if self.greed.reply else _before_escobas(self))


def _before_replies(style: Style) -> Pick:
    """Make a function that chooses a card, considering everything that the next player may capture."""
    greed, takes, lays, chances = style.greed, style.takes, style.lays, style.chances
    goals, kinds, looks, replies, worths = greed.goals, greed.kinds, greed.looks, greed.replies, WORTHS

    def pick(hand: list[int], table: int, look: tuple[int, ...], held: list[int], rest: int) -> tuple[int, int]:
        held = held.copy()
        for index in hand:
            held[worths[index]] -= 1
        likely = chances[rest]
        by_kind = look[KINDS]
        best, card, taken = -inf, 0, 0
        for index in hand:
            group = look[goals[index]]
            if group > 0:
                cards = group & GROUP
                worth = (group >> SHIFT) + takes[index]
                left = by_kind - (looks.get(cards) or greed.look(cards))[KINDS]
            else:
                cards = 0
                worth = lays[index]
                left = by_kind + kinds[index]
            if worth <= best and left:
                continue  # replies only make it worse
            none = 1.0  # how likely it is that the next player has nothing better
            found = replies.get(left)
            if found is None:
                found = greed.answers(left, table ^ (cards or 1 << index))
            for harm, needed in found:
                if number := held[needed]:
                    chance = likely[number]
                    worth -= none * chance * harm
                    none *= 1 - chance
                    if none < ENOUGH:
                        break
            if worth > best:
                best, card, taken = worth, index, cards
        return card, taken

    return pick


def _before_escobas(style: Style) -> Pick:
    """Do the same, considering only escobas: for these it is enough to know the sum that a move leaves."""
    takes, lays, needs, risks = style.takes, style.lays, style.needs, style.risks
    goals, worths = style.greed.goals, WORTHS

    def pick(hand: list[int], table: int, look: tuple[int, ...], held: list[int], rest: int) -> tuple[int, int]:
        total = look[TOTAL]
        best, card, taken = -inf, 0, 0
        for index in hand:
            goal = goals[index]
            group = look[goal]
            if group > 0:
                worth = (group >> SHIFT) + takes[index]
                need = needs[total - goal]
            else:
                group = 0
                worth = lays[index]
                need = needs[total + worths[index]]
            if need and (number := held[need]):
                for own in hand:
                    if worths[own] == need:
                        number -= 1
                worth += risks[rest][number]
            if worth > best:
                best, card, taken = worth, index, group
        return card, taken & GROUP

    return pick


SAFE: Final = 5
"""A stand-in for a number of cards: no card can sweep."""
SWEPT: Final = 6
"""A stand-in for a number of cards: the table is empty, an escoba."""
OPEN: Final = -1
"""A stand-in for a number of unplayed cards: the next player's hand lies open."""
_CERTAIN: Final = [0.0, *[1.0] * (SAFE - 1), 0.0, 1.0]
_TWO: Final = 2


def count_by_worth(indexes: Iterable[int]) -> list[int]:
    """Count the cards of each worth, with `SAFE` at `NO_WORTH` and `SWEPT` at `SWEPT_WORTH`."""
    counts = [SAFE, *[0] * Rank.REY, SWEPT]
    for index in indexes:
        counts[WORTHS[index]] += 1
    return counts


@lru_cache(maxsize=16)
def hand_sizes(rules: Rules, seating: Seating) -> dict[int, int]:
    """Compute the number of cards each player is dealt next, by the number of cards that are still to be dealt."""
    found: dict[int, int] = {}
    rest = 0
    for size in reversed(rules.hands(seating)):
        rest += size * seating.seats
        found[rest] = size
    return found


@lru_cache(maxsize=4)
def style_of(rules: Rules, seating: Seating, *, most_cards_won: bool = False) -> Style:
    """Build the greedy style for a match.

    Args:
        rules: the rules of the match.
        seating: the players and their partners.
        most_cards_won: whether a side already has more than half of the cards.
    """
    risk = RISK_OF_TWO if seating.seats == _TWO else RISK if seating.sides == _TWO else RISK_IN_A_CROWD
    needs = [NO_WORTH] * (sum(WORTHS) + 1)
    needs[0] = SWEPT_WORTH
    for total in range(1, SUMS):
        needed = target(rules.capture, total)
        if needed <= Rank.REY:
            needs[total] = needed
    values = card_values(WEIGHTS, rules, most_cards_won)
    greed = Greed(rules.capture, values, risk, REPLY if seating.seats == _TWO else 0.0)
    chances = [*(_chances(rules, seating, rest) for rest in range(len(DECK) + 1)), _CERTAIN]

    def risks(chances: Sequence[float]) -> list[int]:
        return [*(-round(UNIT * risk * chance) for chance in chances[:SAFE]), 0, UNIT]

    return Style(
        greed=greed,
        takes=[round((1 - HELD) * value) for value in greed.values],
        lays=[-round(HELD * value) for value in greed.values],
        needs=needs,
        risks=[risks(each) for each in chances],
        chances=chances,
    )


def _chances(rules: Rules, seating: Seating, rest: int) -> list[float]:
    """Compute the chance that the next player holds one of 0 to 4 cards, with `rest` unplayed; then for `SAFE`,
    `SWEPT`."""
    sizes = hand_sizes(rules, seating)
    stock = max((cards for cards in sizes if cards < rest), default=0)
    in_hands = rest - stock
    own = -(-in_hands // seating.seats)
    unseen = rest - own
    following = -(-(in_hands - 1) // seating.seats) or sizes.get(stock, 0)
    chances = [1 - max(0.0, 1 - cards / unseen) ** following if unseen else 0.0 for cards in range(SAFE)]
    return [*chances, 0.0, 1.0]
