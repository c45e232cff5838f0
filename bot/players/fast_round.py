"""A mutable round made of plain integers, with no checks and one greedy way to play.

Computer players roll it out to see how a round may end, some ten thousand times a second. The rules themselves are in
`bot.engine`; `tests/players/test_fast_round.py` plays both side by side and checks that every legal move and every
point agree. Only two things are left out: cards laid before choosing (a move names its capture right away), and the
check that fifteen-captures leave 10 (mod 15).

The greedy way: each player captures or lays what is best by the cards' values and by the risk that the next player
sweeps what is left on the table; between two players, by everything that the next one may capture. A card that can
capture does, whatever the duty, and a missed capture that can be claimed is claimed.
"""

from __future__ import annotations

from itertools import chain
from math import inf
from typing import Final

from bot.engine.captures import captures, target
from bot.engine.cards import DECK, CardSet
from bot.engine.rules import Duty, Rules, Seating
from bot.players.counting import WORTHS, Count, counter
from bot.players.greed import ENOUGH, GROUP, SHIFT, TOTAL, Style, count_by_worth

FastMove = tuple[int, int]
"""A card's index and the mask of what it captures; for a claim, `CLAIM` and the mask."""
CLAIM: Final = -1


class FastRound:
    """The state of a round, with cards as indexes and sets as masks. `hands` is by seat, `piles` and `escobas` by side.

    `deck` holds the cards still to be dealt, in order, to the seats in `order`. `taker` is the side of the latest
    capture, or -1; `claimable` is a card's index, or -1. `unplayed` counts the cards in hands and deck by worth, for
    `Style.needs`: see `count_by_worth`.
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
        self.goals = [target(rules.capture, worth) for worth in WORTHS]
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
        self.turn: int = self.order[0]
        self.claimable = -1
        self.unplayed = count_by_worth(())

    def count_unplayed(self) -> None:
        """Update `unplayed` after hands and deck have been set."""
        self.unplayed = count_by_worth(chain(self.deck, *self.hands))

    def copy(self) -> FastRound:
        """An independent copy of this round."""
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
        return not self.deck and not any(self.hands)

    def moves(self) -> list[FastMove]:
        """Every legal move of the player at turn."""
        capture, found = self.rules.capture, list[FastMove]()
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

    def play(self, move: FastMove) -> None:
        """Make a legal move; deals new hands when all are empty."""
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
        """Deal everybody a hand from the deck."""
        size, deck = self.hand, self.deck
        for place, seat in enumerate(self.order):
            self.hands[seat] = deck[place * size : (place + 1) * size]
        self.deck = deck[size * self.seats :]

    def points(self) -> list[int]:
        """The points of each side, with the leftovers given to the side of the latest capture (decision 6)."""
        piles = self.piles
        if self.taker >= 0:
            piles = piles.copy()
            piles[self.taker] |= self.table
        return self.count(piles, self.escobas)

    def claim_greedily(self, style: Style) -> None:
        """Claim the best capture that was missed, if any."""
        if self.claimable >= 0:
            bit = 1 << self.claimable
            group = style.greed.look(self.table ^ bit)[self.goals[self.claimable]] & GROUP
            self.play((CLAIM, group | bit))

    def greedy_move(self, style: Style) -> FastMove:
        """The move of the greedy way."""
        index, group = self._choice(
            style, self.hands[self.turn], self.table, len(self.deck) + sum(map(len, self.hands))
        )
        return index, group & GROUP

    def _choice(self, style: Style, hand: list[int], table: int, rest: int) -> tuple[int, int]:
        """The card that the greedy way plays from a hand, and the group it captures; 0 if it is laid."""
        greed, goals, worths, unplayed = style.greed, self.goals, WORTHS, self.unplayed
        known = greed.looks.get(table) or greed.look(table)
        if len(hand) == 1:
            index = hand[0]
            return index, max(0, known[goals[index]])
        for index in hand:
            unplayed[worths[index]] -= 1
        if greed.reply:
            found = self._best_before_replies(style, hand, table, rest, known)
        else:
            found = self._best_before_escobas(style, hand, known, style.risks[rest])
        for index in hand:
            unplayed[worths[index]] += 1
        return found

    def _best_before_replies(
        self, style: Style, hand: list[int], table: int, rest: int, known: tuple[int, ...]
    ) -> tuple[int, int]:
        """The best card and its group, considering everything that the next player may capture."""
        greed, goals, unplayed = style.greed, self.goals, self.unplayed
        takes, lays, chances = style.takes, style.lays, style.chances[rest]
        replies, answers = greed.replies, greed.answers
        best, card, taken = -inf, 0, 0
        for index in hand:
            group = known[goals[index]]
            if group > 0:
                left = table ^ group & GROUP
                worth = (group >> SHIFT) + takes[index]
            else:
                group = 0
                left = table | 1 << index
                worth = lays[index]
            none = 1.0  # how likely it is that the next player has nothing better
            for harm, needed in replies.get(left) or answers(left):
                if number := unplayed[needed]:
                    chance = chances[number]
                    worth -= none * chance * harm
                    none *= 1 - chance
                    if none < ENOUGH:
                        break
            if worth > best:
                best, card, taken = worth, index, group
        return card, taken

    def _best_before_escobas(
        self, style: Style, hand: list[int], known: tuple[int, ...], risks: list[int]
    ) -> tuple[int, int]:
        """The same, considering only escobas: for these the sum that a move leaves is enough, without the table."""
        goals, unplayed, needs, takes, lays = self.goals, self.unplayed, style.needs, style.takes, style.lays
        total = known[TOTAL]
        best, card, taken = -inf, 0, 0
        for index in hand:
            group = known[goals[index]]
            if group > 0:
                worth = (group >> SHIFT) + takes[index] + risks[unplayed[needs[total - goals[index]]]]
            else:
                group = 0
                worth = lays[index] + risks[unplayed[needs[total + WORTHS[index]]]]
            if worth > best:
                best, card, taken = worth, index, group
        return card, taken

    def finish(self, style: Style) -> list[int]:
        """Play the greedy way to the end; returns the points of each side.

        Afterwards `piles`, `escobas` and `taker` are final; `hands` and `table` are not.
        """
        self.go_on(style, 0)
        if self.taker >= 0:
            self.piles[self.taker] |= self.table
        return self.count(self.piles, self.escobas)

    def go_on(self, style: Style, until: int) -> None:
        """Play the greedy way until that many cards are unplayed. One loop: this is where searches spend their time."""
        self.claim_greedily(style)
        hands, sides, seats, unplayed = self.hands, self.sides, self.seats, self.unplayed
        piles, escobas, taker, turn, table = self.piles, self.escobas, self.taker, self.turn, self.table
        choice = self._choice
        rest = len(self.deck) + sum(map(len, hands))
        while rest > until:
            hand = hands[turn]
            if not hand:  # hands have equal sizes: the next player has no cards only if nobody has
                self.deal()
                hand = hands[turn]
            card, taken = choice(style, hand, table, rest)
            hand.remove(card)
            unplayed[WORTHS[card]] -= 1
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
        self.table, self.taker, self.turn = table, taker, turn
