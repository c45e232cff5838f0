"""A mutable round made of plain integers, with no checks and one greedy way to play.

Computer players roll it out to see how a round may end, some ten thousand times a second. The rules themselves are in
`bot.engine`; `tests/players/test_fast_round.py` plays both side by side and checks that every legal move and every
point agree. Only two things are left out: cards laid before choosing (a move names its capture right away), and the
check that fifteen-captures leave 10 (mod 15).

The greedy way: each player captures or lays what is best by the cards' values and by the risk that the next player
sweeps what is left on the table; between two players, by everything that the next one may capture. A card that can
capture does, whatever the duty, a missed capture that can be claimed is claimed, and what can be sung is sung.
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import Final

from bot.engine.cards import DECK, SUNG_CARDS, CardSet, canto_points, cantos_of
from bot.engine.moves import captures, target
from bot.engine.rules import Duty, Rules, Seating
from bot.players.counting import WORTHS, Count, counter
from bot.players.greed import GROUP, OPEN, Style, count_by_worth, hand_sizes

FastMove = tuple[int, int]
"""A card's index and the mask of what it captures; for a claim, `CLAIM` and the mask; to sing, `SING` and 0."""
CLAIM: Final = -1
SING: Final = -2
_BITS: Final = [card.bit for card in DECK]


@cache
def sung_points(hand: int) -> int:
    """Count what singing a hand of three (a mask) brings; 0 if there is nothing to sing."""
    return canto_points(cantos_of(CardSet(hand)))


class FastRound:
    """The state of a round, with cards as indexes and sets as masks. `hands` is by seat, `piles` and `escobas` by side.

    `deck` holds the cards still to be dealt, in order, to the seats in `order`, as many to each as `sizes` says for a
    deck that long. `taker` is the side of the latest capture, or -1; `claimable` is a card's index, or -1. `sings` says
    whether hands may be sung in this deal, `shown` is the mask of the seats whose hands have been sung and lie open,
    and `cantos` are the points sung in the round, by side. `unplayed` counts the cards in hands and deck by worth, for
    `Style.needs`: see `count_by_worth`.
    """

    __slots__ = (
        "cantos",
        "claimable",
        "count",
        "deck",
        "duty",
        "escobas",
        "goals",
        "hands",
        "order",
        "piles",
        "rules",
        "seats",
        "shown",
        "sides",
        "sings",
        "sizes",
        "table",
        "taker",
        "turn",
        "unplayed",
    )

    def __init__(self, rules: Rules, seating: Seating, dealer: int) -> None:
        seats = seating.seats
        self.rules = rules
        self.sizes = hand_sizes(rules, seating)
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
        self.cantos = [0] * seating.sides
        self.shown = 0
        self.sings = False
        self.taker: int = -1
        self.turn: int = self.order[0]
        self.claimable = -1
        self.unplayed = count_by_worth(())

    def count_unplayed(self) -> None:
        """Update `unplayed` after hands and deck have been set."""
        self.unplayed = count_by_worth(chain(self.deck, *self.hands))

    def copy(self) -> FastRound:
        """Return an independent copy of this round."""
        twin = FastRound.__new__(FastRound)
        twin.rules = self.rules
        twin.sizes = self.sizes
        twin.duty = self.duty
        twin.goals = self.goals
        twin.seats = self.seats
        twin.sides = self.sides
        twin.order = self.order
        twin.count = self.count
        twin.hands = [hand.copy() for hand in self.hands]
        twin.deck = self.deck  # never changed in place
        twin.table = self.table
        twin.piles = self.piles.copy()
        twin.escobas = self.escobas.copy()
        twin.cantos = self.cantos.copy()
        twin.shown = self.shown
        twin.sings = self.sings
        twin.taker = self.taker
        twin.turn = self.turn
        twin.claimable = self.claimable
        twin.unplayed = self.unplayed.copy()
        return twin

    @property
    def over(self) -> bool:
        return not self.deck and not any(self.hands)

    def moves(self) -> list[FastMove]:
        """List every legal move of the player at turn."""
        capture, found = self.rules.capture, list[FastMove]()
        if self.can_sing():
            found.append((SING, 0))
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
        """Make a legal move, and deal new hands when all are empty."""
        self.make(move)
        if self.deck and not any(self.hands):
            self.deal()

    def make(self, move: FastMove) -> None:
        """Make a legal move, and deal nothing."""
        index, group = move
        turn, missed = self.turn, -1
        if index == CLAIM:
            self._take(group, group)
            self.claimable = -1
            return
        if index == SING:
            self._sing(turn)
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
        if self.over:
            self.claimable = -1

    def can_sing(self) -> bool:
        """Whether the player at turn may sing, and has something to sing."""
        return self.sings and self._canto(self.turn) > 0

    def _take(self, from_table: int, cards: int) -> None:
        side = self.sides[self.turn]
        self.table &= ~from_table
        self.piles[side] |= cards
        self.taker = side
        if not self.table:
            self.escobas[side] += 1

    def deal(self) -> None:
        """Deal everybody a hand from the deck."""
        deck = self.deck
        size = self.sizes[len(deck)]
        self.shown, self.sings = 0, self.rules.cantos and size == SUNG_CARDS
        for place, seat in enumerate(self.order):
            self.hands[seat] = deck[place * size : (place + 1) * size]
        self.deck = deck[size * self.seats :]

    def points(self) -> list[int]:
        """Count the points of each side, with the leftovers given to the side of the latest capture (decision 6)."""
        piles = self.piles
        if self.taker >= 0:
            piles = piles.copy()
            piles[self.taker] |= self.table
        return self._counted(piles)

    def _counted(self, piles: list[int]) -> list[int]:
        points = self.count(piles, self.escobas)
        if self.rules.cantos:
            return [each + sung for each, sung in zip(points, self.cantos, strict=True)]
        return points

    def _canto(self, seat: int) -> int:
        """Count what singing a seat's hand brings, in a deal in which hands may be sung; 0 once it can't be sung."""
        hand = self.hands[seat]
        if len(hand) != SUNG_CARDS or self.shown >> seat & 1:
            return 0
        first, second, third = hand
        return sung_points(1 << first | 1 << second | 1 << third)

    def _sing(self, turn: int) -> None:
        if points := self._canto(turn):
            self.cantos[self.sides[turn]] += points
            self.shown |= 1 << turn

    def claim_greedily(self, style: Style) -> None:
        """Claim the best capture that was missed, if any."""
        if self.claimable >= 0:
            bit = 1 << self.claimable
            group = style.greed.look(self.table ^ bit)[self.goals[self.claimable]] & GROUP
            self.play((CLAIM, group | bit))

    def greedy_move(self, style: Style) -> FastMove:
        if self.can_sing():
            return SING, 0
        hand, look = self.hands[self.turn], style.greed.look(self.table)
        if (held := self._held_openly(self.turn)) is not None:
            return style.pick(hand, self.table, look, held, OPEN)
        return style.pick(hand, self.table, look, self.unplayed, len(self.deck) + sum(map(len, self.hands)))

    def _held_openly(self, turn: int) -> list[int] | None:
        """Count by worth the cards of a player and of the next one, if the latter's lie open."""
        after = (turn + 1) % self.seats
        hand = self.hands[after]
        return count_by_worth(chain(hand, self.hands[turn])) if self.shown >> after & 1 and hand else None

    def finish(self, style: Style, met: Met | None = None) -> list[int]:
        """Play the greedy way to the end; return the points of each side.

        Afterwards `piles`, `escobas`, `cantos` and `taker` are final; the rest is not.
        """
        self.go_on(style, 0, met)
        if self.taker >= 0:
            self.piles[self.taker] |= self.table
        return self._counted(self.piles)

    def go_on(self, style: Style, until: int, met: Met | None = None) -> None:
        """Play the greedy way to the end of a deal after which `until` cards are left to deal.

        `met` remembers the rounds that have gone on with the same hidden cards: once one of them began a deal with the
        same table, this one goes on in the same way.
        """
        self.claim_greedily(style)
        while (playing := any(self.hands)) or len(self.deck) > until:
            if not playing:
                if met is not None and self._joins(met):
                    return
                self.deal()
            self._play_deal(style)

    def _joins(self, met: Met) -> bool:
        """Whether another round has begun a deal like this. If so, end in the same way; if not, remember this one."""
        key = len(self.deck), self.table
        if key not in met:
            met[key] = self, self.piles.copy(), self.escobas.copy(), self.cantos.copy()
            return False
        other, piles, escobas, cantos = met[key]
        self.table = other.table
        for side, pile in enumerate(other.piles):
            if won := pile & ~(piles[side] | other.table):
                self.piles[side] |= won
                self.taker = other.taker
            self.escobas[side] += other.escobas[side] - escobas[side]
            self.cantos[side] += other.cantos[side] - cantos[side]
        return True

    def _play_deal(self, style: Style) -> None:
        """Play the greedy way until all hands are empty. One loop: this is where searches spend their time."""
        hands, sides, seats, sings = self.hands, self.sides, self.seats, self.sings
        piles, escobas = self.piles, self.escobas
        taker, turn, table = self.taker, self.turn, self.table
        worths, bits, goals = WORTHS, _BITS, self.goals
        looks, look, pick = style.greed.looks, style.greed.look, style.pick
        unplayed = self.unplayed
        stock = len(self.deck)
        for rest in range(stock + sum(map(len, hands)), stock, -1):
            hand = hands[turn]
            if sings:
                self._sing(turn)
            known = looks.get(table) or look(table)
            if len(hand) == 1:
                card = hand.pop()
                taken = max(0, known[goals[card]]) & GROUP
            else:
                if sings and (held := self._held_openly(turn)) is not None:
                    card, taken = pick(hand, table, known, held, OPEN)
                else:
                    card, taken = pick(hand, table, known, unplayed, rest)
                hand.remove(card)
            unplayed[worths[card]] -= 1
            if taken:
                table ^= taken
                side = taker = sides[turn]
                piles[side] |= taken | bits[card]
                if not table:
                    escobas[side] += 1
            else:
                table |= bits[card]
            turn += 1
            if turn == seats:
                turn = 0
        self.table = table
        self.taker = taker
        self.turn = turn


Met = dict[tuple[int, int], tuple[FastRound, list[int], list[int], list[int]]]
"""By the number of cards to deal and the table: a round that began a deal so, its piles, escobas and cantos then."""
