"""A plain round of escoba for two, as a baseline: mutable lists, and captures found by trying all subsets.

It only knows the preset `escoba` and checks nothing, neither whose turn it is nor whether a move is legal. Moves are in
the engine's order, so that the same choices make the same round.
"""

from collections.abc import Callable, Sequence
from itertools import combinations

PlainCard = tuple[int, int]
"""Worth and suit."""
Group = tuple[PlainCard, ...]


def captures(card: PlainCard, table: Sequence[PlainCard]) -> list[Group]:
    """All groups of table cards (which are sorted) that add up to fifteen with a card, found by trying every group."""
    wanted = 15 - card[0]
    found = [
        group
        for size in range(1, len(table) + 1)
        for group in combinations(table, size)
        if sum(worth for worth, _ in group) == wanted
    ]
    found.sort(key=lambda group: (len(group), group[::-1]))
    return found


def play_round(deck: Sequence[PlainCard], choose: Callable[[int], int]) -> tuple[list[set[PlainCard]], list[int]]:
    """Play a round that seat 0 deals; `choose` picks a move, given their number. Returns the piles and escobas."""
    hands: list[list[PlainCard]] = [sorted(deck[3:6]), sorted(deck[:3])]
    table = sorted(deck[6:10])
    stock = list(deck[10:])
    piles: list[set[PlainCard]] = [set(), set()]
    escobas = [0, 0]
    last: int | None = None
    turn = 1
    opening = sum(worth for worth, _ in table)
    if opening in (15, 30):
        piles[0] |= set(table)
        escobas[0], last, table = opening // 15, 0, []
    while hands[turn]:
        moves: list[tuple[PlainCard, Group]] = []
        for card in hands[turn]:
            groups = captures(card, table)
            moves += [(card, group) for group in groups] or [(card, ())]
        card, group = moves[choose(len(moves))]
        hands[turn].remove(card)
        if group:
            table = [each for each in table if each not in group]
            piles[turn] |= {card, *group}
            escobas[turn] += not table
            last = turn
        else:
            table = sorted([*table, card])
        turn = 1 - turn
        if stock and not any(hands):
            hands, stock = [sorted(stock[3:6]), sorted(stock[:3])], stock[6:]
    if last is not None:
        piles[last] |= set(table)
    return piles, escobas
