"""The greedy way of a `FastRound`: what a card, what it takes and what it leaves to the next player are worth.

Everything is counted once for a table, or for a rule system, and looked up from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeVar

from bot.engine.cards import Rank
from bot.engine.rules import Capture, Rules, Seating
from bot.players.counting import WORTHS
from bot.players.weights import Weights, card_values

UNIT: Final = 1000
"""Values are whole thousandths of a point, so that a value and a group of cards fit one number."""
SHIFT: Final = 40
"""A group is kept as ``value << SHIFT | mask``: adding a card is one addition, and the best one is the highest."""
GROUP: Final = (1 << SHIFT) - 1
_NONE: Final = -(1 << 80)
_SUMS: Final = 15
_TOTAL: Final = 15
T = TypeVar("T")
_KEPT: Final = 20_000
"""How many tables a `Greed` remembers; some 700 bytes each."""

SWEPT_WORTH: Final = 11
"""A worth that no card has: that of an escoba made."""
REPLY: Final = 0.9
"""Between two players: how much the cards that the next one may take count against us. Whoever plays so has some 0.3
points a round more in roll-outs; with more players it brings little or nothing, and it takes twice the time."""
ENOUGH: Final = 0.05
"""Answers of the next player that come about less often than this are not looked at."""
HELD: Final = 0.15
"""The part of its own worth that a laid card loses."""
RISK: Final = 1.0
"""What an escoba given away counts, in points."""
RISK_OF_TWO: Final = 0.9
"""The same between two players, where the cards that it takes are counted too."""
RISK_IN_A_CROWD: Final = 0.6
"""The same with three sides or more: what one of the others gains is no loss of ours alone."""


class Greed:
    """What the greedy way looks at: the best group for each sum of a table, each table looked at once.

    Args:
        capture: what a card takes.
        values: what each card is worth to whoever captures it, in points, by index.
        risk: what an escoba of the next player counts against us, in points.
        reply: how much the cards that the next player takes count against us; 0: they aren't looked at.
    """

    __slots__ = ("adds", "goals", "looks", "replies", "reply", "risk", "values", "wanted")

    def __init__(self, capture: Capture, values: Sequence[float], risk: float, reply: float) -> None:
        self.values = [round(UNIT * value) for value in values]
        # A card of no value must still be worth taking.
        self.adds = [max(1, value) << SHIFT | 1 << index for index, value in enumerate(self.values)]
        self.goals = [15 - worth if capture is Capture.FIFTEEN else worth for worth in WORTHS]
        self.looks: dict[int, tuple[int, ...]] = {0: (0, *([_NONE] * (_SUMS - 1)), 0)}
        self.risk, self.reply = UNIT * risk, reply
        self.wanted = [(worth, 15 - worth if capture is Capture.FIFTEEN else worth) for worth in range(1, Rank.REY + 1)]
        self.replies: dict[int, tuple[tuple[float, int], ...]] = {0: ((-float(UNIT), SWEPT_WORTH),)}

    def look(self, table: int) -> tuple[int, ...]:
        """By sum, the best group of the table's cards (negative: none); last, what the table is worth."""
        found = self.looks.get(table)
        if found is None:
            lowest = table & -table
            found = self._with(self.look(table ^ lowest), lowest.bit_length() - 1)
            _make_room(self.looks)
            self.looks[table] = found
        return found

    def answers(self, table: int) -> tuple[tuple[float, int], ...]:
        """What a card of each worth could take, the best first: how much that counts against us, and the worth.

        An empty table is an escoba made: a gain, whatever the others hold.
        """
        found = self.replies.get(table)
        if found is None:
            look = self.look(table)
            total = look[_TOTAL]
            answers = [
                (self.reply * (look[goal] >> SHIFT) + self.risk * (goal == total), worth)
                for worth, goal in self.wanted
                if look[goal] > 0 and (self.reply or goal == total)
            ]
            found = tuple(sorted(answers, reverse=True))
            _make_room(self.replies)
            self.replies[table] = found
        return found

    def _with(self, before: tuple[int, ...], index: int) -> tuple[int, ...]:
        worth, add = WORTHS[index], self.adds[index]
        best = list(before)
        for total in range(worth, _SUMS):
            if (group := before[total - worth]) >= 0 and (group := group + add) > best[total]:
                best[total] = group
        best[_TOTAL] += worth
        return tuple(best)


def _make_room(kept: dict[int, T]) -> None:
    """Forget what is kept of tables when that is too much, but for the empty table, on which all others are built."""
    if len(kept) >= _KEPT:
        empty = kept[0]
        kept.clear()
        kept[0] = empty


@dataclass(frozen=True, slots=True)
class Style:
    """How a roll-out plays.

    Values by a card's index: `takes` what it brings when it takes, `lays` when it is laid. `needs` gives for each sum
    of the table the worth that would sweep it. `risks` gives, by how many cards are unplayed, then by how many of the
    needed worth others hold or may be dealt, what leaving such a sum costs; `SAFE` and `SWEPT` stand behind those.
    `chances`, by the same, is how likely the next player has one of them.
    """

    greed: Greed
    takes: list[int]
    lays: list[int]
    needs: list[int]
    risks: list[list[int]]
    chances: list[list[float]]


SAFE: Final = 5
"""Instead of a number of cards: no card can sweep."""
SWEPT: Final = 6
"""Instead of a number of cards: the table is empty, an escoba."""
_NO_WORTH: Final = 0
_EMPTY: Final = 11


_HIGHEST: Final = 10 * 40
_WEIGHTS: Final = Weights()
_DECK: Final = 40
_TWO: Final = 2


@lru_cache(maxsize=4)
def style_of(
    rules: Rules,
    seating: Seating,
    *,
    most_cards_won: bool = False,
    held: float = HELD,
    risk: float | None = None,
    reply: float | None = None,
) -> Style:
    """A greedy style.

    Args:
        rules: the rules of the match.
        seating: who plays with whom.
        most_cards_won: a side has more than half of the cards already.
        held: the part of its own worth that a laid card loses.
        risk: what an escoba given away counts, in points; as usual for so many sides if None.
        reply: how much the cards that the next player takes count against us; likewise.
    """
    if risk is None:
        risk = RISK_OF_TWO if seating.seats == _TWO else RISK if seating.sides == _TWO else RISK_IN_A_CROWD
    if reply is None:
        reply = REPLY if seating.seats == _TWO else 0.0
    needs = [_NO_WORTH] * (_HIGHEST + 1)
    needs[0] = _EMPTY
    for total in range(1, _SUMS):
        needed = 15 - total if rules.capture is Capture.FIFTEEN else total
        if needed <= Rank.REY:
            needs[total] = needed
    found = Greed(rules.capture, card_values(_WEIGHTS, rules, most_cards_won), risk, reply)
    return Style(
        greed=found,
        takes=[round((1 - held) * value) for value in found.values],
        lays=[-round(held * value) for value in found.values],
        needs=needs,
        risks=[_risks(rules, seating, rest, risk) for rest in range(_DECK + 1)],
        chances=[_chances(rules, seating, rest) for rest in range(_DECK + 1)],
    )


def _risks(rules: Rules, seating: Seating, rest: int, risk: float) -> list[int]:
    """With `rest` cards unplayed: what leaving a sum costs that 0 to 4 cards could sweep; then safe, and swept."""
    return [*(-round(UNIT * risk * chance) for chance in _chances(rules, seating, rest)[:SAFE]), 0, UNIT]


def _chances(rules: Rules, seating: Seating, rest: int) -> list[float]:
    """With `rest` cards unplayed: how likely the next player has one of 0 to 4 cards; then never, and certainly."""
    in_deal = rules.hand * seating.seats
    in_hands = (rest - 1) % in_deal + 1 if rest else 0
    own = -(-in_hands // seating.seats)
    unseen = rest - own
    following = -(-(in_hands - 1) // seating.seats) or (rules.hand if rest > in_hands else 0)
    chances = [1 - max(0.0, 1 - cards / unseen) ** following if unseen else 0.0 for cards in range(SAFE)]
    return [*chances, 0.0, 1.0]
