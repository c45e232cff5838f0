"""The reasons why one move is better than another, found in a seat's view and an analysis of it."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from bot.coach.analysis import Analysis, MoveRating, Others, Term
from bot.coach.facts import (
    at_most,
    chances,
    claimable,
    count_chances,
    counting,
    farther,
    few_collect,
    guards,
    held_after,
    knows_the_other,
    left_by_all,
    more_counting,
    most_taken,
    prepared,
    sweeps,
    table_after,
    takers,
    theirs,
    trap,
    waits,
)
from bot.coach.grading import SURE, lost
from bot.coach.reasons import (
    AllSafe,
    AtMost,
    Brings,
    Chances,
    EndsBetter,
    FewCollect,
    FewSweep,
    Gains,
    Guards,
    Keeps,
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
from bot.engine.cards import CardSet, cantos_of
from bot.engine.moves import Move, Play, Sing
from bot.engine.scoring import MOST_OF, SEVEN_OF_OROS, Item
from bot.engine.views import SeatView
from bot.players.last_deal import leftovers_won
from bot.players.lookahead import Hidden, fast_move

_MOST: Final = 2
"""Most reasons that are given."""
_SECOND: Final = 0.5
"""The least fraction of the first term's gain that makes a second term a reason, too."""
_LEAST: Final = 0.05
"""The least difference that is a reason, in points."""
_WORTH_ADDING: Final = 0.15
"""The least measurement that is told beside a fact, in points."""
_LAST: Final = 0.25
"""The least difference in how often two moves lead to the latest capture that is a reason, in the last deal."""
_TWO: Final = 2
_SCARCEST_FIRST: Final = sorted(
    (item for item in MOST_OF if item is not Item.CARDS), key=lambda item: len(MOST_OF[item].cards)
)
"""The items that are about some of the cards: the fewer these are, the more it says to capture one."""


def why_best(view: SeatView, analysis: Analysis) -> Why:
    """Explain why the best move beats the best of those that aren't as good; if there are none, what speaks for it."""
    worse = next((rating for rating in analysis.ratings if lost(rating)), None)
    if worse is not None:
        return why_better(view, analysis, worse.move)
    found, known = list(_plain(view, analysis))[:1], knows_the_other(view)
    if analysis.exact:
        return Why((*found, NothingBetter()), known=known, exact=True)
    return Why(tuple(found), known=known)


def why_better(view: SeatView, analysis: Analysis, played: Move) -> Why:
    best = analysis.best
    other = analysis.rating_of(played)
    known = knows_the_other(view)
    if isinstance(best.move, Sing):
        return Why((Sings(cantos_of(view.hand)),), known=known, exact=analysis.exact, other=played)
    gains = _sure_gains(best, other)
    terms = decisive = _decisive_terms(gains)
    danger = _danger(view, played) if Others.ESCOBAS in terms else None
    found = list[Reason]()
    if sweeps(view, best.move):
        found.append(Sweeps())
        terms = [term for term in terms if term is not Item.ESCOBAS]
    if not {Item.ESCOBAS, Others.ESCOBAS} & set(terms[:1]):
        found += _takes_last(view, analysis, other, known)
    for term in terms:
        measured = [] if analysis.exact else [_measured(term, gains[term], view)]
        found += [*_facts(term, view, best.move, played, known), *measured][:1]
    found = _together(found)
    if all(isinstance(reason, Gains) for reason in found):
        facts = (_facts(term, view, best.move, played, known) for term in gains if term not in decisive)
        found = [*found[:1], *chain.from_iterable(facts)]
    found.sort(key=lambda reason: isinstance(reason, Gains))
    found = [*found[:1], *(each for each in found[1:] if not isinstance(each, Gains) or each.points >= _WORTH_ADDING)]
    if analysis.exact:
        found = [*found[: _MOST - 1], EndsBetter(round(other.behind))]
    elif not found:
        facts = chain(_chances(view, best.move, played, known), _guards(Item.CARDS, view, best.move, played, known))
        found = [*facts, Gains(None, other.behind)][:1]
    return Why(tuple(dict.fromkeys(found))[:_MOST], danger, known, analysis.exact, played)


def _sure_gains(best: MoveRating, other: MoveRating) -> dict[Term, float]:
    """Collect the terms in which the best move is ahead by more than may be chance, the most important first."""
    gains = {term: value - other.terms[term] for term, value in best.terms.items()}
    sure = [term for term, gain in gains.items() if gain >= max(_LEAST, SURE * other.errors.get(term, other.error))]
    return {term: gains[term] for term in sorted(sure, key=lambda term: -gains[term])}


def _measured(term: Term, gain: float, view: SeatView) -> Gains:
    return Gains(term, gain, seen=term is Item.SEVEN_OF_OROS and SEVEN_OF_OROS not in view.unseen)


def _decisive_terms(gains: dict[Term, float]) -> list[Term]:
    """Choose the one or two terms that gain most, the most important first."""
    ranked = list(gains)
    return ranked[:1] + [term for term in ranked[1:_MOST] if gains[term] >= _SECOND * gains[ranked[0]]]


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
        mine, others = (leftovers_won(state, fast_move(rating.move), side) for rating in (best, other))
        if all(mine) and not any(others):
            yield TakesLast(certain=True)


def _together(reasons: list[Reason]) -> list[Reason]:
    """Mention only once what a capture brings: merge two reasons about the same cards; otherwise drop the one about the
    number of cards. Mention only one item that others can collect less of."""
    less = next((reason for reason in reasons if isinstance(reason, FewCollect)), None)
    reasons = [reason for reason in reasons if reason is less or not isinstance(reason, FewCollect)]
    brought = [reason for reason in reasons if isinstance(reason, Brings)]
    if len(brought) < _TWO:
        return reasons
    first, second = brought
    if first.cards == second.cards:
        both = Brings((*first.items, *second.items), first.cards)
        return [both if reason is first else reason for reason in reasons if reason is not second]
    return [reason for reason in reasons if not (isinstance(reason, Brings) and reason.items == (Item.CARDS,))]


def _danger(view: SeatView, move: Move) -> TableAfter | None:
    """Return the table that a move leaves to the next player, if a card sweeps it."""
    left = table_after(view, move)
    return left if left.out and isinstance(move, Play) else None


def _facts(term: Term, view: SeatView, best: Move, other: Move, known: bool) -> Iterator[Reason]:
    """Yield the facts that explain the best move's gain in a term, the most telling first."""
    if term is Others.ESCOBAS:
        yield from _safer(view, best, other, known)
        return
    assert isinstance(term, Item)
    if term is Item.ESCOBAS:
        for find in (left_by_all, trap):
            if (mine := find(view, best)) is not None and find(view, other) is None:
                yield mine
    elif more := more_counting(term, best.gained, other.gained):
        yield Brings((term,), more)
    laid = other.card if isinstance(other, Play) and not other.captured and term is not Item.CARDS else None
    if laid is not None and laid in held_after(view, best) and counting(term, CardSet.of([laid])):
        yield Keeps(laid)
    mine, alike = (prepared(view, move, term) for move in (best, other))
    if mine is not None and (alike is None or _better_prepared(term, mine, alike)):
        yield mine
    if term is Item.CARDS and (most := at_most(view, best, other)) is not None:
        yield most
    if term is Item.ESCOBAS:
        (waiting, count), (_, fewer) = (waits(view, move) for move in (best, other))
        if waiting is not None and count > fewer and not known:
            yield waiting
        ready, alike = (prepared(view, move, Item.CARDS) for move in (best, other))
        if ready is not None and alike is None:
            yield ready
    if term is not Item.ESCOBAS or mine is not None:
        yield from _guards(Item.CARDS if term is Item.ESCOBAS else term, view, best, other, known)
    if term is not Item.CARDS and not known and (fewer_collect := few_collect(view, term, best, other)) is not None:
        yield fewer_collect
    yield from _chances(view, best, other, known)


def _chances(view: SeatView, best: Move, other: Move, known: bool) -> Iterator[Reason]:
    if not known and (found := chances(view, best, other)) is not None:
        yield found


def _guards(item: Item, view: SeatView, best: Move, other: Move, known: bool) -> Iterator[Reason]:
    """Yield the reason that fewer cards could take what counts for an item; of a known hand only that none does."""
    found = guards(view, item, best, other)
    if found is not None and not (known and found.out):
        yield OutOfReach(found.cards.worth) if found.everything and not found.out else found


def _better_prepared(item: Item, mine: Prepares, alike: Prepares) -> bool:
    if mine.escoba or alike.escoba:
        return mine.escoba and not alike.escoba
    return item is not Item.ESCOBAS and len(counting(item, mine.cards)) > len(counting(item, alike.cards))


def _safer(view: SeatView, best: Move, other: Move, known: bool) -> Iterator[Reason]:
    """Explain why the best move allows fewer escobas than the other does."""
    yield from _safe_table_reasons(view, best, [other])
    allowed = table_after(view, other).out
    if (
        not known
        and isinstance(best, Play)
        and not claimable(view, best)
        and 0 < (left := table_after(view, best)).out < allowed
    ):
        yield FewSweep(left.total, left.out)
    for found in (farther(view, best, other), at_most(view, best, other)):
        if found is not None:
            yield found
    yield from _guards(Item.CARDS, view, best, other, known)


def _safe_table_reasons(view: SeatView, move: Move, others: Sequence[Move]) -> Iterator[Reason]:
    """Explain why the table that a move leaves is safe: if it is, another move's isn't, and somebody has a card left to
    play on it."""
    cards = theirs(view)
    if not isinstance(move, Play) or not cards or not (left := table_after(view, move)).total:
        return
    if claimable(view, move) or left.out or not any(table_after(view, other).out for other in others):
        return
    table = move.table_after(view.public.table)
    if not takers(view, table, table):
        yield OutOfReach(left.total)
    yield Unswept(left.total, left.need, in_hand=any(card.worth == left.need for card in view.unseen))


def _plain(view: SeatView, analysis: Analysis) -> Iterator[Reason]:
    """Explain what speaks for the best move if no other is worse, beginning with what sets it apart."""
    best, known = analysis.best.move, knows_the_other(view)
    others = [move for move in view.moves if move != best]
    if sweeps(view, best):
        yield Sweeps()
    if (rest := left_by_all(view, best)) is not None:
        yield rest
    for item in _SCARCEST_FIRST:
        own = counting(item, best.gained)
        if item in analysis.best.terms and own and all(len(own) > len(counting(item, each.gained)) for each in others):
            yield Brings((item,), own)
    if best.gained and all(len(best.gained) > len(move.gained) for move in others):
        yield MostCards(len(best.gained))
    yield from _safe_table_reasons(view, best, others)
    for ready in (trap(view, best), prepared(view, best), None if known else waits(view, best)[0]):
        if ready is not None:
            yield ready
    left = table_after(view, best)
    if (
        not known
        and left.out
        and isinstance(best, Play)
        and not claimable(view, best)
        and all(isinstance(move, Play) and left.out <= table_after(view, move).out for move in others)
    ):
        yield FewSweep(left.total, left.out, least=True)
    for item in (*_SCARCEST_FIRST, Item.CARDS):
        own = counting(item, best.gained)
        if item in analysis.best.terms and own and all(len(own) >= len(counting(item, each.gained)) for each in others):
            yield Brings((item,), own)
    if others and isinstance(best, Play) and not claimable(view, best):
        yield from _no_worse(view, best, others, known)
    if all(
        isinstance(move, Play) and not claimable(view, move) and not table_after(view, move).out for move in view.moves
    ):
        yield AllSafe()


def _no_worse(view: SeatView, best: Move, others: Sequence[Move], known: bool) -> Iterator[Reason]:
    """Yield what the best move leaves to the others and to the player, if no other move is better in that; what is
    true of every move comes last."""
    left, *tables = (move.table_after(view.public.table) for move in (best, *others))
    out, *other_outs = (takers(view, table, table) for table in (left, *tables))
    few = [Guards(left, out, None, everything=True) if out else OutOfReach(left.worth)] if left else []
    if known and out:
        few.clear()
    if out < max(other_outs) and out <= min(other_outs):
        yield from few
    chance, *other_chances = (count_chances(view, move) for move in (best, *others))
    if not known and chance > min(other_chances) and chance >= max(other_chances):
        yield Chances(chance, None)
    if out <= min(other_outs):
        yield from few
    if 0 < (most := most_taken(view, left)) <= min(most_taken(view, table) for table in tables):
        yield AtMost(most, None)
