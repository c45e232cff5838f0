"""A second, plain implementation of the rules on text, which shares no code with the engine.

It referees random play, the recorded games and the counts of move sequences. Slow and simple on purpose: sets of
notations and exhaustive sums.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from copy import copy
from itertools import chain, combinations

SUITS = "oceb"
SETENTA = "7 6 1 5 4 3 2".split()
PRIME = {"7": 21, "6": 18, "1": 16, "5": 15, "4": 14, "3": 13, "2": 12}
SEATS = {"2": (2, 2), "3": (3, 3), "4": (4, 4), "2x2": (4, 2), "5": (5, 5), "3x2": (6, 3), "2x3": (6, 2)}

Score = dict[str, tuple[tuple[int, ...], tuple[int, ...]]]
"""By item: the amounts compared and the points, each by side. Setentas and primes of sevens have no amounts, as their
scales are arbitrary."""


def worth(card: str) -> int:
    """A card's worth; figures are worth two less than the printed number."""
    printed = int(card[:-1])
    return printed if printed <= 7 else printed - 2


def in_order(cards: Iterable[str]) -> list[str]:
    """Cards in the order of notation."""
    return sorted(cards, key=lambda one: (worth(one), SUITS.index(one[-1])))


def wanted(rule: str, card: str) -> int:
    """The sum of the table cards in a capture by this card."""
    return 15 - worth(card) if rule == "fifteen" else worth(card)


def takes_by_subsets(rule: str, card: str, table: Iterable[str]) -> set[frozenset[str]]:
    """Every capture, found by trying every subset of the table."""
    table = list(table)
    subsets = chain.from_iterable(combinations(table, n) for n in range(1, len(table) + 1))
    return {frozenset(group) for group in subsets if sum(map(worth, group)) == wanted(rule, card)}


def takes(rule: str, card: str, table: Iterable[str]) -> set[frozenset[str]]:
    """Every capture, found by including or excluding each card in turn."""
    lying = [(worth(one), one) for one in table]
    found: set[frozenset[str]] = set()

    def search(at: int, missing: int, group: tuple[str, ...]) -> None:
        if missing == 0:
            found.add(frozenset(group))
            return
        for index in range(at, len(lying)):
            value, one = lying[index]
            if value <= missing:
                search(index + 1, missing - value, (*group, one))

    search(0, wanted(rule, card), ())
    return found


def splits(cards: Iterable[str]) -> bool:
    """Whether the cards can be put into groups of fifteen with none left over."""
    first, *others = cards
    for group in chain.from_iterable(combinations(others, n) for n in range(len(others) + 1)):
        if worth(first) + sum(map(worth, group)) == 15:
            rest = [one for one in others if one not in group]
            if not rest or splits(rest):
                return True
    return False


def sung_points(hand: Collection[str]) -> int:
    """The points that three cards score when they are sung."""
    a, b, c = sorted(map(worth, hand))
    same_suit = len({one[-1] for one in hand}) == 1
    in_a_row = (a, b, c) in [(n, n + 1, n + 2) for n in range(1, 9)]
    return 3 * in_a_row + 3 * same_suit + 2 * (a + b + c <= 7) + 3 * (a + b + c == 9) + 20 * (a == b == c)


class Referee:
    """Follows a match line by line, in plain sets of notations."""

    def __init__(self, line: str) -> None:
        words = dict(word.split("=") for word in line.split()[1:])
        self.rules = words
        self.seats, self.sides = SEATS[words["seating"]]
        self.dealer = int(words["dealer"])
        self.deals = [int(words["hand"])] * 40
        self.size = int(words["table"])
        if words["seating"] == "5" and (self.deals[0], self.size) == (3, 4):
            self.deals, self.size = [3, 4], 5
        self.totals = [0] * self.sides
        self.scores: list[Score] = []
        self.winner: int | None = None
        self.over = False
        self.running = False

    def copied(self) -> Referee:
        """A copy in the middle of a round, with which to follow another event."""
        other = copy(self)
        for name in ("hands", "piles", "open"):
            setattr(other, name, list(map(set, getattr(self, name))))
        for name in ("escobas", "cantos", "totals", "scores"):
            setattr(other, name, list(getattr(self, name)))
        return other

    def do(self, line: str) -> None:
        """Follow one event; raises AssertionError for a move that `moves` doesn't list."""
        words = line.split()
        if words[0] == "deal":
            self._begin(words[1:])
        elif words[2:] == ["?"]:
            assert len(takes(self.rules["capture"], words[1], self.table)) > 1
            self.hands[self.turn].remove(words[1])
            self.open[self.turn].discard(words[1])
            self.shown = words[1]
        elif words[1:] == ["sing"]:
            assert line in self.moves(), f"{line!r} isn't legal"
            self.open[self.turn] = set(self.hands[self.turn])
            self.cantos[self.turn % self.sides] += sung_points(self.hands[self.turn])
        else:
            assert line in self.moves(), f"{line!r} isn't legal"
            if words[1] == "claim":
                self._take(words[2:])
                self.missed = None
            else:
                self._play(words[1], words[3:])

    def moves(self) -> set[str]:
        """Every legal move of the current player, in notation."""
        rule, duty = self.rules["capture"], self.rules["duty"]
        found: set[str] = set()
        if not self.running:
            return found
        for one in [self.shown] if self.shown else self.hands[self.turn]:
            groups = takes(rule, one, self.table)
            if not groups or duty != "compulsory":
                found.add(f"{self.turn} {one}")
            found |= {f"{self.turn} {one} x {' '.join(in_order(group))}" for group in groups}
        if self._may_sing(self.hands[self.turn]):
            found.add(f"{self.turn} sing")
        if self.missed:
            for group in takes(rule, self.missed, self.table - {self.missed}):
                found.add(f"{self.turn} claim {' '.join(in_order({*group, self.missed}))}")
        return found

    def _may_sing(self, hand: set[str]) -> bool:
        untouched = not self.shown and len(hand) == self.deals[self.deal - 1] == 3
        return self.rules.get("cantos") == "yes" and untouched and not self.open[self.turn] and sung_points(hand) > 0

    def _begin(self, deck: list[str]) -> None:
        assert not self.running
        assert len(set(deck)) == 40
        self.running = True
        self.stock = deck
        self.hands: list[set[str]] = [set() for _ in range(self.seats)]
        self.piles: list[set[str]] = [set() for _ in range(self.sides)]
        self.escobas = [0] * self.sides
        self.cantos = [0] * self.sides
        self.open: list[set[str]] = [set() for _ in range(self.seats)]
        self.deal = 0
        self.shown: str | None = None
        self.missed: str | None = None
        self.last: int | None = None
        self.turn = (self.dealer + 1) % self.seats
        self._deal()
        self.table = set(self.stock[: self.size])
        self.stock = self.stock[self.size :]
        total = sum(map(worth, self.table))
        opening = self.rules["opening"]
        if total in (15, 30, 45) and (opening == "sum" or (opening == "pairs" and splits(self.table))):
            self.piles[self.dealer % self.sides] = self.table
            self.escobas[self.dealer % self.sides] = total // 15
            self.last = self.dealer
            self.table = set()

    def _deal(self) -> None:
        each = self.deals[self.deal]
        self.deal += 1
        for step in range(1, self.seats + 1):
            self.hands[(self.dealer + step) % self.seats] = set(self.stock[:each])
            self.stock = self.stock[each:]

    def _take(self, group: Sequence[str]) -> None:
        """The current player takes these cards, all of them from the table."""
        side = self.turn % self.sides
        assert set(group) <= self.table
        self.table = self.table - set(group)
        self.piles[side] |= set(group)
        self.escobas[side] += not self.table
        self.last = self.turn

    def _play(self, card: str, group: Sequence[str]) -> None:
        self.hands[self.turn].discard(card)
        self.open[self.turn].discard(card)
        self.shown = self.missed = None
        if group:
            self._take(group)
            self.piles[self.turn % self.sides].add(card)
        else:
            if self.rules["duty"] == "claimable" and takes(self.rules["capture"], card, self.table):
                self.missed = card
            self.table = self.table | {card}
        self.turn = (self.turn + 1) % self.seats
        if not any(self.hands):
            if self.stock:
                self._deal()
            else:
                self._end()

    def _end(self) -> None:
        self.running = False
        self.missed = None
        self.left = self.table
        if self.last is not None:
            self.piles[self.last % self.sides] |= self.left
        self.table = set()
        items = score(self.rules, self.piles, self.escobas, self.cantos)
        self.scores.append(items)
        for side in range(self.sides):
            self.totals[side] += sum(points[side] for _, points in items.values())
        self.dealer = (self.dealer + 1) % self.seats
        *_, second, first = sorted(self.totals)
        rounds = int(self.rules.get("rounds", 0))
        enough = len(self.scores) == rounds if rounds else first >= int(self.rules["target"])
        lead = 1 if rounds else int(self.rules.get("lead", 1))
        if enough and first >= second + lead:
            self.winner = self.totals.index(first)
        self.over = self.winner is not None or len(self.scores) == rounds


def score(rules: dict[str, str], piles: Sequence[set[str]], escobas: Sequence[int], cantos: Sequence[int]) -> Score:
    """A round's score, computed from the piles."""
    found: Score = {"escobas": (tuple(escobas), tuple(escobas))}
    if rules.get("cantos") == "yes":
        found["cantos"] = (tuple(cantos), tuple(cantos))

    def most(name: str, counts: list[int], big: bool = False, from_count: int = 0, scored: bool = True) -> None:
        points = [0] * len(counts)
        best = max(counts)
        if scored and best and counts.count(best) == 1:
            points[counts.index(best)] = 2 if big and best >= from_count else 1
        found[name] = (tuple(counts), tuple(points))

    most("cards", [len(pile) for pile in piles], rules["many_cards"] == "yes", 31)
    most("oros", [sum(one[-1] == "o" for one in pile) for pile in piles], rules["all_oros"] == "yes", 10)
    most("seven_of_oros", [int("7o" in pile) for pile in piles])
    sevens = [sum(one[:-1] == "7" for one in pile) for pile in piles]
    if rules["most_sevens"] == "yes":
        most("sevens", sevens, rules["four_sevens"] == "yes", 4)
    elif rules["four_sevens"] == "yes":
        found["sevens"] = (tuple(sevens), tuple(int(count == 4) for count in sevens))
    if rules["prime"] == "points":
        most("prime", [sum(sorted((PRIME.get(one[:-1], 10) for one in pile), reverse=True)[:4]) for pile in piles])
    elif rules["prime"] == "suits":
        bests = [
            [max((PRIME.get(one[:-1], 10) for one in pile if one[-1] == suit), default=0) for suit in SUITS]
            for pile in piles
        ]
        most("prime", [sum(best) if all(best) else 0 for best in bests])
    elif rules["prime"] == "sevens":
        in_it = set(range(len(piles)))
        for rank in "7615":
            counts = [sum(one[:-1] == rank for one in pile) for pile in piles]
            in_it = {side for side in in_it if counts[side] == max(counts[other] for other in in_it)}
        found["prime"] = ((), tuple(int(in_it == {side}) for side in range(len(piles))))
    elif rules["prime"] == "setenta":
        hands = [setenta(pile) for pile in piles]
        whole = [hand for hand in hands if hand is not None]
        best = min(whole, default=None)
        alone = whole.count(best) == 1 if best is not None else False
        found["prime"] = ((), tuple(int(alone and hand == best) for hand in hands))
    return found


def setenta(pile: Iterable[str]) -> list[int] | None:
    """The ranks' places of the best card of each suit, best first (0 is a seven): the smaller list is better."""
    places: list[int] = []
    for suit in SUITS:
        held = [one[:-1] for one in pile if one[-1] == suit]
        if not held:
            return None
        places.append(min(SETENTA.index(rank) if rank in SETENTA else len(SETENTA) for rank in held))
    return sorted(places)
