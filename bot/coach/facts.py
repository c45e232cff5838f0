"""Facts about the table that a move leaves: what can be taken from it, by whom, and what is left then."""

from collections import Counter
from itertools import chain
from typing import Final

from bot.coach.reasons import (
    AtMost,
    Chances,
    Farther,
    FewCollect,
    Guards,
    LeavesRest,
    Prepares,
    TableAfter,
    Trap,
    Waits,
)
from bot.engine.cards import EMPTY, Card, CardSet, Rank, Suit
from bot.engine.cards import card as one_of
from bot.engine.moves import Move, Play, can_capture, captures, target
from bot.engine.rules import Duty
from bot.engine.scoring import MOST_OF, Item
from bot.engine.views import SeatView
from bot.players.lookahead import Hidden

_TWO: Final = 2
_GOOD_FOR_PRIME: Final = (Rank.SEVEN, Rank.SIX, Rank.ACE)
_FEWER: Final = 0.9
"""The largest fraction of the cards that could take something after another move that counts as fewer."""


def theirs(view: SeatView) -> CardSet:
    """Collect the cards that the others may play: all except those that the player knows to be elsewhere."""
    others = [shown for seat, shown in enumerate(view.public.shown) if seat != view.seat]
    if len(others) == 1 and others[0]:
        return others[0]
    return CardSet.of(chain(view.unseen, *others))


def knows_the_other(view: SeatView) -> bool:
    """Whether there is at most one other hand, and the player can tell every card in it."""
    held = [seat for seat, count in enumerate(view.public.hand_counts) if count and seat != view.seat]
    return len(held) <= 1 and (Hidden(view).open or any(view.public.shown[seat] for seat in held))


def table_after(view: SeatView, move: Move) -> TableAfter:
    """Return the table that a move leaves, as the player sees it."""
    total = move.table_after(view.public.table).worth
    need = target(view.public.rules.capture, total)
    if not total or not Rank.ACE <= need <= Rank.REY:
        return TableAfter(total, None, 0)
    return TableAfter(total, need, sum(card.worth == need for card in theirs(view)))


def sweeps(view: SeatView, move: Move) -> bool:
    return bool(move.captured) and not move.table_after(view.public.table)


def left_by_all(view: SeatView, move: Move) -> LeavesRest | None:
    """Find the one sum that every capture by the next player leaves, if a card in hand sweeps it, or between two
    players one that may be dealt."""
    public, held = view.public, held_after(view, move)
    dealt_one = not held and public.deal < public.deals and public.seating.seats == _TWO
    if not isinstance(move, Play) or claimable(view, move) or not (held or dealt_one):
        return None
    table, rule = move.table_after(public.table), public.rules.capture
    rests = {(table - group).worth for card in theirs(view) for group in captures(rule, card, table)}
    if len(rests) != 1 or not Rank.ACE <= (need := target(rule, rest := rests.pop())) <= Rank.REY or not rest:
        return None
    card = next((card for card in held if card.worth == need), None)
    if card is None and (held or not any(each.worth == need for each in view.unseen)):
        return None
    return LeavesRest(rest, need, card)


def claimable(view: SeatView, move: Move) -> bool:
    """Whether a move misses a capture that the next player may claim."""
    public = view.public
    if not isinstance(move, Play) or move.captured or public.rules.duty is not Duty.CLAIMABLE:
        return False
    return bool(captures(public.rules.capture, move.card, public.table))


def trap(view: SeatView, move: Move) -> Trap | None:
    """Find a capture by the next player, the only one for its card, that leaves a sum which a card in hand sweeps; of
    several, the one that most cards make."""
    if not isinstance(move, Play) or claimable(view, move):
        return None
    table, rule, held = move.table_after(view.public.table), view.public.rules.capture, held_after(view, move)
    found, most = None, 0
    for worth, count in Counter(card.worth for card in theirs(view)).items():
        groups = captures(rule, _of_worth(worth), table)
        if len(groups) != 1 or count <= most or not (rest := (table - groups[0]).worth):
            continue
        card = next((card for card in held if card.worth == target(rule, rest)), None)
        if card is not None:
            found, most = Trap(worth, groups[0], rest, card), count
    return found


def guards(view: SeatView, item: Item, best: Move, other: Move) -> Guards | None:
    """Find cards that count for an item and lie on the table after both moves, but that clearly fewer cards could take
    after the best one."""
    if not isinstance(best, Play) or claimable(view, best):
        return None
    after, left = best.table_after(view.public.table), other.table_after(view.public.table)
    cards = counting(item, after & left) if item is not Item.CARDS else after
    out, against = takers(view, after, cards), takers(view, left, left if item is Item.CARDS else cards)
    if not cards or not against or out > _FEWER * against:
        return None
    return Guards(cards, out, against, everything=item is Item.CARDS)


def takers(view: SeatView, table: CardSet, cards: CardSet) -> int:
    """Count the cards of others that could take at least one of some cards on a table."""
    rule, worths = view.public.rules.capture, Counter(card.worth for card in theirs(view))
    return sum(
        count
        for worth, count in worths.items()
        if any(group & cards for group in captures(rule, _of_worth(worth), table))
    )


def at_most(view: SeatView, best: Move, other: Move) -> AtMost | None:
    """Compare how many cards the next player could take at most; None if not fewer after the best move, or none."""
    if not isinstance(best, Play) or claimable(view, best):
        return None
    most, against = (most_taken(view, move.table_after(view.public.table)) for move in (best, other))
    return AtMost(most, against) if 0 < most < against else None


def most_taken(view: SeatView, table: CardSet) -> int:
    """Count the cards of a table that a card of others could take at most."""
    rule, worths = view.public.rules.capture, {card.worth for card in theirs(view)}
    groups = (group for worth in worths for group in captures(rule, _of_worth(worth), table))
    return max(map(len, groups), default=0)


def waits(view: SeatView, move: Move) -> tuple[Waits | None, int]:
    """Find the card worth which most cards of others are that would let a card in hand sweep the table if they were
    laid, as they capture nothing there; and count all such cards."""
    public, held, found, most, count = view.public, held_after(view, move), None, 0, 0
    if not isinstance(move, Play) or claimable(view, move):
        return None, 0
    table, rule = move.table_after(public.table), public.rules.capture
    for worth, out in Counter(card.worth for card in theirs(view)).items():
        need = target(rule, table.worth + worth)
        card = next((card for card in held if card.worth == need), None)
        if card is None or captures(rule, _of_worth(worth), table):
            continue
        count += out
        if out > most:
            found, most = Waits(worth, card), out
    return found, count


def few_collect(view: SeatView, item: Item, best: Move, other: Move) -> FewCollect | None:
    """Compare how many cards that count for an item others could capture with; None unless the best has fewer."""
    if not isinstance(best, Play) or claimable(view, best):
        return None
    rule, cards = view.public.rules.capture, counting(item, theirs(view))
    tables = (move.table_after(view.public.table) for move in (best, other))
    out, against = (sum(can_capture(rule, card, table) for card in cards) for table in tables)
    return FewCollect(item, out, against) if out < against else None


def chances(view: SeatView, best: Move, other: Move) -> Chances | None:
    """Compare how many cards would give the player a capture if they were laid; None if the best move has no more."""
    if not isinstance(best, Play) or claimable(view, best):
        return None
    out, against = (count_chances(view, move) for move in (best, other))
    return Chances(out, against) if out > against else None


def count_chances(view: SeatView, move: Move) -> int:
    """Count the cards of others that would give the player a capture if they were laid after a move."""
    table, rule, held = move.table_after(view.public.table), view.public.rules.capture, held_after(view, move)
    return sum(
        not captures(rule, card, table) and any(captures(rule, own, table.with_card(card)) for own in held)
        for card in theirs(view)
    )


def farther(view: SeatView, best: Move, other: Move) -> Farther | None:
    """Compare the sums of tables that are both too high to be swept; None if the best move doesn't leave more."""
    if not isinstance(best, Play) or claimable(view, best):
        return None
    total, against = (move.table_after(view.public.table).worth for move in (best, other))
    highest_swept = max(target(view.public.rules.capture, rank) for rank in Rank)
    return Farther(total, against) if total > against > highest_swept else None


def prepared(view: SeatView, move: Move, item: Item | None = None) -> Prepares | None:
    """Find what a card in hand could capture from the table that a move leaves, if nobody else does first: by an
    escoba, if any; else the card that the move lays or, for an item, as many cards as possible that count for it."""
    if not isinstance(move, Play):
        return None
    table, rule = move.table_after(view.public.table), view.public.rules.capture
    found, most = None, 0
    for card in reversed(list(held_after(view, move))):
        groups = captures(rule, card, table)
        if table in groups and (item is not None or move.card in table):
            return Prepares(card, table, escoba=True)
        for group in groups:
            value = int(move.card in group) if item is None else len(counting(item, group))
            if value > most:
                found, most = Prepares(card, group), value
    return found


def _of_worth(worth: int) -> Card:
    return one_of(Rank(worth), Suit.OROS)


def held_after(view: SeatView, move: Move) -> CardSet:
    return view.hand.without(move.card) if isinstance(move, Play) and move.card in view.hand else view.hand


def counting(item: Item, cards: CardSet) -> CardSet:
    if item is Item.PRIME:
        return CardSet.of(card for card in cards if card.rank in _GOOD_FOR_PRIME)
    return cards & MOST_OF[item].cards if item in MOST_OF else EMPTY


def more_counting(item: Item, cards: CardSet, others: CardSet) -> CardSet:
    """Return the cards that count for an item, if more do than among others; for the prime, perhaps only the best."""
    if item is not Item.PRIME:
        own = counting(item, cards)
        return own if len(own) > len(counting(item, others)) else EMPTY
    for number in range(1, len(_GOOD_FOR_PRIME) + 1):
        own, alike = ([card for card in each if card.rank in _GOOD_FOR_PRIME[:number]] for each in (cards, others))
        if len(own) > len(alike):
            return CardSet.of(own)
    return EMPTY
