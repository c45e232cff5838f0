"""The reasons why one move is better than another, found in a seat's view and an analysis of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from bot.engine.cantos import cantos_of
from bot.engine.captures import captures, target
from bot.engine.cards import CardSet, Rank
from bot.engine.round import Move, Play, Sing
from bot.engine.rules import Duty
from bot.engine.scoring import MOST_OF, Item
from bot.engine.views import SeatView
from bot.players.hidden import Hidden, fast_move
from bot.players.last_deal import leftovers_won
from bot.players.training.analysis import Analysis, MoveRating, Others, Term
from bot.players.training.grading import lost
from bot.players.training.reasons import (
    Brings,
    EndsBetter,
    FewSweep,
    Gains,
    Keeps,
    LeavesRest,
    MostCards,
    NothingBetter,
    OutOfReach,
    Prepares,
    Reason,
    Sings,
    Sweeps,
    TableAfter,
    TakesLast,
    Unswept,
    Why,
)

_MOST: Final = 2
"""Most reasons that are given."""
_SECOND: Final = 0.5
"""The least fraction of the first term's gain that makes a second term a reason, too."""
_LEAST: Final = 0.05
"""The least difference that is a reason, in points."""
_LAST: Final = 0.25
"""The least difference in how often two moves lead to the latest capture that is a reason, in the last deal."""
_TWO: Final = 2
_GOOD_FOR_PRIME: Final = (Rank.SEVEN, Rank.SIX, Rank.ACE)
_SCARCEST_FIRST: Final = sorted(
    (item for item in MOST_OF if item is not Item.CARDS), key=lambda item: len(MOST_OF[item].cards)
)
"""The items that are about some of the cards: the fewer these are, the more it says to capture one."""


def why_best(view: SeatView, analysis: Analysis) -> Why:
    """Explain why the best move beats the best of those that aren't as good; if there are none, what speaks for it."""
    worse = next((rating for rating in analysis.ratings if lost(rating)), None)
    if worse is not None:
        return why_better(view, analysis, worse.move)
    known = knows_the_other(view)
    if analysis.exact:
        swept = (Sweeps(),) if sweeps(view, analysis.best.move) else ()
        return Why((*swept, NothingBetter()), known=known, exact=True)
    return Why(tuple(_plain(view, analysis, known))[:1], known=known)


def why_better(view: SeatView, analysis: Analysis, played: Move) -> Why:
    """Explain why the best move is better than another."""
    best = analysis.best
    other = analysis.rating_of(played)
    known = knows_the_other(view)
    if isinstance(best.move, Sing):
        return Why((Sings(cantos_of(view.hand)),), known=known, exact=analysis.exact)
    gains = {term: value - other.terms[term] for term, value in best.terms.items()}
    terms = _decisive_terms(gains)
    danger = _danger(view, played) if Others.ESCOBAS in terms else None
    found = list[Reason]()
    if sweeps(view, best.move):
        found.append(Sweeps())
        terms = [term for term in terms if term is not Item.ESCOBAS]
    if not {Item.ESCOBAS, Others.ESCOBAS} & set(terms[:1]):
        found += _takes_last(view, analysis, other, known)
    for term in terms:
        measured = [] if analysis.exact else [Gains(term, gains[term])]
        found += [*_facts(term, view, best.move, played, known), *measured][:1]
    found = _together(found)
    if analysis.exact:
        found = [*found[: _MOST - 1], EndsBetter(round(other.behind))]
    return Why(tuple(dict.fromkeys(found))[:_MOST], danger, known, analysis.exact)


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


def _decisive_terms(gains: dict[Term, float]) -> list[Term]:
    """Choose the one or two terms that gain most, the most important first."""
    ranked = sorted(gains, key=lambda term: -gains[term])
    least = max(_LEAST, _SECOND * gains[ranked[0]])
    return ranked[:1] + [term for term in ranked[1:_MOST] if gains[term] >= least]


def _takes_last(view: SeatView, analysis: Analysis, other: MoveRating, known: bool) -> Iterator[Reason]:
    """Yield the reason that the best move leads to the latest capture; a certainty if all cards are known."""
    best = analysis.best
    if view.public.deal < view.public.deals or best.last - other.last < _LAST:
        return
    if not known:
        yield TakesLast(certain=False)
    elif analysis.exact:
        hidden, side = Hidden(view), view.public.seating.side_of(view.seat)
        state = hidden.with_cards(hidden.unseen)
        mine, others = (leftovers_won(state, fast_move(each.move), side) for each in (best, other))
        if all(mine) and not any(others):
            yield TakesLast(certain=True)


def _together(reasons: list[Reason]) -> list[Reason]:
    """Mention only once what a capture brings: merge two reasons about the same cards; otherwise drop the one about the
    number of cards."""
    brought = [reason for reason in reasons if isinstance(reason, Brings)]
    if len(brought) < _TWO:
        return reasons
    first, second = brought
    if first.cards == second.cards:
        both = Brings((*first.items, *second.items), first.cards)
        return [both if each is first else each for each in reasons if each is not second]
    return [each for each in reasons if not (isinstance(each, Brings) and each.items == (Item.CARDS,))]


def _danger(view: SeatView, move: Move) -> TableAfter | None:
    """Return the table that a move leaves to the next player, if a card sweeps it."""
    left = table_after(view, move)
    return left if left.out and isinstance(move, Play) else None


def table_after(view: SeatView, move: Move) -> TableAfter:
    """Return the table that a move leaves, as the player sees it."""
    total = move.table_after(view.public.table).worth
    need = target(view.public.rules.capture, total)
    if not total or not Rank.ACE <= need <= Rank.REY:
        return TableAfter(total, None, 0)
    return TableAfter(total, need, sum(card.worth == need for card in theirs(view)))


def sweeps(view: SeatView, move: Move) -> bool:
    return bool(move.captured) and not move.table_after(view.public.table)


def _facts(term: Term, view: SeatView, best: Move, other: Move, known: bool) -> Iterator[Reason]:
    """Yield the facts that explain the best move's gain in a term, the most telling first."""
    match term:
        case Item.ESCOBAS:
            if (rest := _rest(view, best)) is not None and _rest(view, other) is None:
                yield rest
        case Others.ESCOBAS:
            yield from _safer(view, best, other, known)
        case Item.CARDS:
            if len(best.gained) > len(other.gained):
                yield Brings((term,), best.gained)
        case _:
            own = _counting(term, best.gained)
            if len(own) > len(_counting(term, other.gained)):
                yield Brings((term,), own)
            laid = other.card if isinstance(other, Play) and not other.captured else None
            if laid is not None and laid in _held_after(view, best) and _counting(term, CardSet.of([laid])):
                yield Keeps(laid)
    if term is not Others.ESCOBAS and (mine := prepared(view, best)) is not None:
        alike = prepared(view, other)
        if alike is None or (mine.escoba and not alike.escoba):
            yield mine


def _safer(view: SeatView, best: Move, other: Move, known: bool) -> Iterator[Reason]:
    """Explain why the best move allows fewer escobas than the other does."""
    mine = next(_safe_table_reasons(view, best), None)
    if not isinstance(other, Play):
        if mine is not None:
            yield mine
        return
    allowed = table_after(view, other).out
    if mine is not None and allowed:
        yield mine
    elif (
        not known
        and isinstance(best, Play)
        and not _claimable(view, best)
        and 0 < (left := table_after(view, best)).out < allowed
    ):
        yield FewSweep(left.total, left.out)


def _safe_table_reasons(view: SeatView, move: Move) -> Iterator[Reason]:
    """Explain why the table that a move leaves is safe, if it is, and if somebody has a card left to play on it."""
    cards = theirs(view)
    if not isinstance(move, Play) or not cards or not (left := table_after(view, move)).total:
        return
    if _claimable(view, move):
        return
    table, rule = move.table_after(view.public.table), view.public.rules.capture
    if not any(captures(rule, card, table) for card in cards):
        yield OutOfReach(left.total)
    if not left.out:
        out = any(card.worth == left.need for card in view.unseen)
        yield Unswept(left.total, left.need, in_hand=out)


def _plain(view: SeatView, analysis: Analysis, known: bool) -> Iterator[Reason]:
    """Explain what speaks for the best move if no other is worse, beginning with what sets it apart."""
    best = analysis.best.move
    others = [move for move in view.moves if move != best]
    if sweeps(view, best):
        yield Sweeps()
    if (rest := _rest(view, best)) is not None:
        yield rest
    for item in _SCARCEST_FIRST:
        own = _counting(item, best.gained)
        if item in analysis.best.terms and own and all(len(own) > len(_counting(item, each.gained)) for each in others):
            yield Brings((item,), own)
    if best.gained and all(len(best.gained) > len(move.gained) for move in others):
        yield MostCards(len(best.gained))
    yield from _safe_table_reasons(view, best)
    if (ready := prepared(view, best)) is not None:
        yield ready
    if not isinstance(best, Play) or known or _claimable(view, best) or not (left := table_after(view, best)).out:
        return
    if all(isinstance(move, Play) and left.out <= table_after(view, move).out for move in others):
        yield FewSweep(left.total, left.out, least=True)


def _rest(view: SeatView, move: Move) -> LeavesRest | None:
    """Find the one sum that every capture by the next of two players leaves, if a card might sweep it."""
    public, held = view.public, _held_after(view, move)
    last_card = not held and public.deal >= public.deals
    if public.seating.seats != _TWO or not isinstance(move, Play) or _claimable(view, move) or last_card:
        return None
    table, rule = move.table_after(public.table), public.rules.capture
    rests = {(table - group).worth for card in theirs(view) for group in captures(rule, card, table)}
    if len(rests) != 1 or not Rank.ACE <= (need := target(rule, rest := rests.pop())) <= Rank.REY or not rest:
        return None
    card = next((card for card in held if card.worth == need), None)
    if card is None and (held or not any(each.worth == need for each in view.unseen)):
        return None
    return LeavesRest(rest, need, card)


def _claimable(view: SeatView, move: Move) -> bool:
    """Whether a move misses a capture that the next player may claim."""
    public = view.public
    if not isinstance(move, Play) or move.captured or public.rules.duty is not Duty.CLAIMABLE:
        return False
    return bool(captures(public.rules.capture, move.card, public.table))


def prepared(view: SeatView, move: Move) -> Prepares | None:
    """Find how the player could capture the card that a move lays, if nobody else does first: by an escoba, if any."""
    if not isinstance(move, Play) or move.captured:
        return None
    table, rule = move.table_after(view.public.table), view.public.rules.capture
    found = None
    for card in reversed(list(_held_after(view, move))):
        groups = [group for group in captures(rule, card, table) if move.card in group]
        if table in groups:
            return Prepares(card, escoba=True)
        if groups and found is None:
            found = Prepares(card)
    return found


def _held_after(view: SeatView, move: Move) -> CardSet:
    return view.hand.without(move.card) if isinstance(move, Play) and move.card in view.hand else view.hand


def _counting(item: Item, cards: CardSet) -> CardSet:
    """Return the cards that count for an item."""
    if item is Item.PRIME:
        return CardSet.of(card for card in cards if card.rank in _GOOD_FOR_PRIME)
    return cards & MOST_OF[item].cards if item in MOST_OF else cards
