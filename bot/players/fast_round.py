"""A round that is changed in place: whole numbers instead of cards and sets, nothing checked, one greedy way to play.

It is what a computer player rolls out to see how a round may end, some ten thousand times a second. The rules
themselves are in `bot.engine`; `tests/players/test_fast_round.py` plays both side by side and holds them equal in
every legal move and every point. A round goes without two things only: a card that is laid to choose (a move there
names its capture at once), and the check that fifteen-captures leave 10 (mod 15).

The greedy way: each player takes or lays what is best by the cards' values and by the risk of the sum that stays on the
table. A card that can capture does, whatever the duty; a missed capture that can be claimed is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.engine.captures import captures
from bot.engine.cards import DECK, CardSet, Rank
from bot.engine.rules import Capture, Duty, Rules, Seating
from bot.players.counting import WORTHS, Count, counter
from bot.players.weights import Weights, card_values

UNIT: Final = 1000
"""Values are whole thousandths of a point, so that a value and a group of cards fit one number."""
SHIFT: Final = 40
"""A group is kept as ``value << SHIFT | mask``: adding a card is one addition, and the best one is the highest."""
GROUP: Final = (1 << SHIFT) - 1
_NONE: Final = -(1 << 80)
_SUMS: Final = 15
_TOTAL: Final = 15
_KEPT: Final = 20_000
"""How many tables a `Greed` remembers; some 700 bytes each."""

Move = tuple[int, int]
"""The index of a card, and the mask of what it takes; -1 and the mask for a claim."""
CLAIM: Final = -1
HELD: Final = 0.15
"""The part of its own worth that a laid card loses."""
RISK: Final = 1.0
"""What an escoba given away counts, in points."""
RISK_IN_A_CROWD: Final = 0.6
"""The same with three sides or more: what one of the others gains is no loss of ours alone."""


class Greed:
    """What the greedy way looks at: the best group for each sum of a table, each table looked at once.

    Args:
        capture: what a card takes.
        values: what each card is worth to whoever captures it, in points, by index.
    """

    __slots__ = ("adds", "goals", "looks", "values")

    def __init__(self, capture: Capture, values: Sequence[float]) -> None:
        self.values = [round(UNIT * value) for value in values]
        # A card of no value must still be worth taking.
        self.adds = [max(1, value) << SHIFT | 1 << index for index, value in enumerate(self.values)]
        self.goals = [15 - worth if capture is Capture.FIFTEEN else worth for worth in WORTHS]
        self.looks: dict[int, tuple[int, ...]] = {0: (0, *([_NONE] * (_SUMS - 1)), 0)}

    def look(self, table: int) -> tuple[int, ...]:
        """By sum, the best group of the table's cards (negative: none); last, what the table is worth."""
        found = self.looks.get(table)
        if found is None:
            lowest = table & -table
            found = self._with(self.look(table ^ lowest), lowest.bit_length() - 1)
            if len(self.looks) >= _KEPT:
                empty = self.looks[0]
                self.looks.clear()
                self.looks[0] = empty
            self.looks[table] = found
        return found

    def _with(self, before: tuple[int, ...], index: int) -> tuple[int, ...]:
        worth, add = WORTHS[index], self.adds[index]
        best = list(before)
        for total in range(worth, _SUMS):
            if (group := before[total - worth]) >= 0 and (group := group + add) > best[total]:
                best[total] = group
        best[_TOTAL] += worth
        return tuple(best)


@dataclass(frozen=True, slots=True)
class Style:
    """How a roll-out plays.

    Values by a card's index: `takes` what it brings when it takes, `lays` when it is laid. `needs` gives for each sum
    of the table the worth that would sweep it. `risks` gives, by how many cards are unplayed, then by how many of the
    needed worth others hold or may be dealt, what leaving such a sum costs; `SAFE` and `SWEPT` stand behind those.
    """

    greed: Greed
    takes: list[int]
    lays: list[int]
    needs: list[int]
    risks: list[list[int]]


SAFE: Final = 5
"""Instead of a number of cards: no card can sweep."""
SWEPT: Final = 6
"""Instead of a number of cards: the table is empty, an escoba."""
_NO_WORTH: Final = 0
_EMPTY: Final = 11


class FastRound:
    """A round in the middle, by index and mask. Values by seat: `hands`; by side: `piles`, `escobas`.

    `deck` are the cards still to be dealt, in order, to `order` (the seats as they are dealt to). `taker` is the side
    of the latest capture, or -1; `claimable` a card's index, or -1. `unplayed` is how many cards of each worth are in
    hands or deck (before it `SAFE`, after it `SWEPT`, for `Style.needs`).
    """

    __slots__ = (
        "claimable",
        "count",
        "deck",
        "duty",
        "escobas",
        "goals",
        "hand",
        "hands",
        "order",
        "piles",
        "rules",
        "seats",
        "sides",
        "table",
        "taker",
        "turn",
        "unplayed",
    )

    def __init__(self, rules: Rules, seating: Seating, dealer: int) -> None:
        seats = seating.seats
        self.rules = rules
        self.hand = rules.hand
        self.duty = rules.duty
        self.goals = [15 - worth if rules.capture is Capture.FIFTEEN else worth for worth in WORTHS]
        self.seats = seats
        self.sides = [seating.side_of(seat) for seat in range(seats)]
        self.order = [(dealer + offset) % seats for offset in range(1, seats + 1)]
        self.count: Count = counter(rules)
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.deck: list[int] = []
        self.table = 0
        self.piles = [0] * seating.sides
        self.escobas = [0] * seating.sides
        self.taker = -1
        self.turn = self.order[0]
        self.claimable = -1
        self.unplayed = [SAFE, *[0] * 10, SWEPT]

    def count_unplayed(self) -> None:
        """Count the cards in hands and deck, after they were put there."""
        self.unplayed = unplayed = [SAFE, *[0] * 10, SWEPT]
        for cards in (self.deck, *self.hands):
            for index in cards:
                unplayed[WORTHS[index]] += 1

    def copy(self) -> FastRound:
        """Another round that stands as this one."""
        twin = FastRound.__new__(FastRound)
        twin.rules, twin.hand, twin.duty, twin.goals = self.rules, self.hand, self.duty, self.goals
        twin.seats, twin.sides, twin.order, twin.count = self.seats, self.sides, self.order, self.count
        twin.hands = [hand.copy() for hand in self.hands]
        twin.deck = self.deck  # never changed in place
        twin.table, twin.piles, twin.escobas = self.table, self.piles.copy(), self.escobas.copy()
        twin.taker, twin.turn, twin.claimable = self.taker, self.turn, self.claimable
        twin.unplayed = self.unplayed.copy()
        return twin

    @property
    def over(self) -> bool:
        """Whether all cards are played."""
        return not self.deck and not any(self.hands)

    # ------------------------------------------------------------------ moves, as the rules have them

    def moves(self) -> list[Move]:
        """Every legal move of the player at turn."""
        capture, found = self.rules.capture, list[Move]()
        if self.claimable >= 0:
            bit = 1 << self.claimable
            groups = captures(capture, DECK[self.claimable], CardSet(self.table ^ bit))
            found += [(CLAIM, group.mask | bit) for group in groups]
        table = CardSet(self.table)
        for index in self.hands[self.turn]:
            groups = captures(capture, DECK[index], table)
            if not groups or self.duty is not Duty.COMPULSORY:
                found.append((index, 0))
            found += [(index, group.mask) for group in groups]
        return found

    def play(self, move: Move) -> None:
        """Make a legal move; deals anew when all hands are empty."""
        index, group = move
        turn, missed = self.turn, -1
        if index == CLAIM:
            self._take(group, group)
            self.claimable = -1
            return
        self.hands[turn].remove(index)
        self.unplayed[WORTHS[index]] -= 1
        bit = 1 << index
        if group:
            self._take(group, group | bit)
        else:
            if self.duty is Duty.CLAIMABLE and captures(self.rules.capture, DECK[index], CardSet(self.table)):
                missed = index
            self.table |= bit
        self.claimable = missed
        self.turn = (turn + 1) % self.seats
        if not any(self.hands):
            if self.deck:
                self.deal()
            else:
                self.claimable = -1

    def _take(self, from_table: int, cards: int) -> None:
        side = self.sides[self.turn]
        self.table &= ~from_table
        self.piles[side] |= cards
        self.taker = side
        if not self.table:
            self.escobas[side] += 1

    def deal(self) -> None:
        """Give everybody a hand from the deck."""
        size, deck = self.hand, self.deck
        for place, seat in enumerate(self.order):
            self.hands[seat] = deck[place * size : (place + 1) * size]
        self.deck = deck[size * self.seats :]

    def points(self) -> list[int]:
        """The points of each side, the cards left given to the side of the latest capture (decision 6)."""
        piles = self.piles
        if self.taker >= 0:
            piles = piles.copy()
            piles[self.taker] |= self.table
        return self.count(piles, self.escobas)

    # ------------------------------------------------------------------ the greedy way

    def claim_greedily(self, style: Style) -> None:
        """Claim the best of what was missed, if anything was."""
        if self.claimable >= 0:
            bit = 1 << self.claimable
            group = style.greed.look(self.table ^ bit)[self.goals[self.claimable]] & GROUP
            self.play((CLAIM, group | bit))

    def best(self, style: Style) -> Move:
        """What the greedy way plays; `finish` does the same."""
        table, hand, unplayed = self.table, self.hands[self.turn], self.unplayed.copy()
        look = style.greed.look(table)
        risks = style.risks[len(self.deck) + sum(map(len, self.hands))]
        for index in hand:
            unplayed[WORTHS[index]] -= 1
        best, found = _NONE, (0, 0)
        for index in hand:
            goal = self.goals[index]
            if (group := look[goal]) > 0:
                worth = (group >> SHIFT) + style.takes[index] + risks[unplayed[style.needs[look[_TOTAL] - goal]]]
            else:
                group = 0
                worth = style.lays[index] + risks[unplayed[style.needs[look[_TOTAL] + WORTHS[index]]]]
            if worth > best:
                best, found = worth, (index, group & GROUP)
        return found

    def finish(self, style: Style) -> list[int]:
        """Play the greedy way to the end; the points of each side. One loop, for it is all that a search does.

        The piles, the escobas and the latest taker are then those of the end; the hands and the table are not.
        """
        self.claim_greedily(style)
        hands, sides, seats, unplayed = self.hands, self.sides, self.seats, self.unplayed
        piles, escobas, taker, turn, table = self.piles, self.escobas, self.taker, self.turn, self.table
        look, looks, goals, worths = style.greed.look, style.greed.looks, self.goals, WORTHS
        takes, lays, needs, all_risks = style.takes, style.lays, style.needs, style.risks
        rest = len(self.deck) + sum(map(len, hands))
        while rest:
            hand = hands[turn]
            if not hand:  # hands are of one size: the next player has none only when nobody has
                self.deal()
                hand = hands[turn]
            known = looks.get(table) or look(table)
            card = hand[0]
            taken = known[goals[card]]
            if len(hand) > 1:
                total, risks = known[_TOTAL], all_risks[rest]
                best = _NONE
                for index in hand:
                    unplayed[worths[index]] -= 1
                for index in hand:
                    goal = goals[index]
                    group = known[goal]
                    if group > 0:
                        worth = (group >> SHIFT) + takes[index] + risks[unplayed[needs[total - goal]]]
                    else:
                        worth = lays[index] + risks[unplayed[needs[total + worths[index]]]]
                    if worth > best:
                        best, card, taken = worth, index, group
                hand.remove(card)
                for index in hand:
                    unplayed[worths[index]] += 1
            else:
                hands[turn] = []
                unplayed[worths[card]] -= 1
            if taken > 0:
                side = taker = sides[turn]
                taken &= GROUP
                table ^= taken
                piles[side] |= taken | 1 << card
                if not table:
                    escobas[side] += 1
            else:
                table |= 1 << card
            rest -= 1
            turn += 1
            if turn == seats:
                turn = 0
        self.taker = taker
        if taker >= 0:
            piles[taker] |= table
        return self.count(piles, escobas)


_HIGHEST: Final = 10 * 40
_WEIGHTS: Final = Weights()
_DECK: Final = 40
_TWO_SIDES: Final = 2


@lru_cache(maxsize=4)
def style_of(
    rules: Rules, seating: Seating, *, most_cards_won: bool = False, held: float = HELD, risk: float | None = None
) -> Style:
    """A greedy style.

    Args:
        rules: the rules of the match.
        seating: who plays with whom.
        most_cards_won: a side has more than half of the cards already.
        held: the part of its own worth that a laid card loses.
        risk: what an escoba given away counts, in points; as usual for so many sides if None.
    """
    if risk is None:
        risk = RISK if seating.sides == _TWO_SIDES else RISK_IN_A_CROWD
    needs = [_NO_WORTH] * (_HIGHEST + 1)
    needs[0] = _EMPTY
    for total in range(1, _SUMS):
        needed = 15 - total if rules.capture is Capture.FIFTEEN else total
        if needed <= Rank.REY:
            needs[total] = needed
    found = Greed(rules.capture, card_values(_WEIGHTS, rules, most_cards_won))
    return Style(
        greed=found,
        takes=[round((1 - held) * value) for value in found.values],
        lays=[-round(held * value) for value in found.values],
        needs=needs,
        risks=[_risks(rules, seating, rest, risk) for rest in range(_DECK + 1)],
    )


def _risks(rules: Rules, seating: Seating, rest: int, risk: float) -> list[int]:
    """With `rest` cards unplayed: what leaving a sum costs that 0 to 4 cards could sweep; then safe, and swept."""
    in_deal = rules.hand * seating.seats
    in_hands = (rest - 1) % in_deal + 1 if rest else 0
    own = -(-in_hands // seating.seats)
    unseen = rest - own
    following = -(-(in_hands - 1) // seating.seats) or (rules.hand if rest > in_hands else 0)
    chances = [1 - max(0.0, 1 - cards / unseen) ** following if unseen else 0.0 for cards in range(SAFE)]
    return [*(-round(UNIT * risk * chance) for chance in chances), 0, UNIT]
