"""Checks of the coach's reasons by means other than those that found them, with every hand open."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import assert_never

from bot.coach.analysis import Analysis, Term
from bot.coach.reasons import (
    AllSafe,
    AtMost,
    Brings,
    Chances,
    EndsBetter,
    Farther,
    FewCollect,
    FewSweep,
    Gains,
    Guards,
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
    Trap,
    Unswept,
    Waits,
)
from bot.engine.cards import DECK, Card, CardSet
from bot.engine.match import Match
from bot.engine.moves import Claim, Move, Play, Sing, Stage
from bot.engine.rules import Capture, Rules
from bot.engine.scoring import SEVEN_OF_OROS, Item
from bot.engine.views import SeatView


def check_danger(left: TableAfter, match: Match, view: SeatView, played: Move) -> None:
    table = played.table_after(view.public.table)
    cards = sweepers(match, table, playable(match))
    assert {card.worth for card in cards} == {left.need}
    assert (left.total, left.out) == (sum(card.worth for card in table), len(cards))
    if known(match):
        holder = after(match, played).turn
        assert match.round is not None
        assert holder is not None
        assert holder != view.seat
        assert cards[0] in match.round.hands[holder]


def playable(match: Match) -> CardSet:
    """The cards that the others may play, as far as the current player can tell, who knows what lies open."""
    now = match.round
    assert now is not None
    others = [seat for seat in range(match.seating.seats) if seat != now.turn]
    if len(others) == 1 and now.shown[others[0]]:
        return now.hands[others[0]]
    return CardSet.of([card for seat in others for card in now.hands[seat]] + list(now.deck[now.dealt :]))


def groups(table: CardSet) -> Iterator[CardSet]:
    """All groups of the cards on a table, one by one."""
    cards = list(table)
    for size in range(1, len(cards) + 1):
        yield from map(CardSet.of, combinations(cards, size))


def takes(rules: Rules, card: Card, group: CardSet) -> bool:
    total = sum(each.worth for each in group)
    return total + card.worth == 15 if rules.capture is Capture.FIFTEEN else total == card.worth


def takers(match: Match, table: CardSet, cards: CardSet) -> int:
    """Count the cards that could take one of these from a table."""
    return sum(
        any(group & cards and takes(match.rules, card, group) for group in groups(table)) for card in playable(match)
    )


def openings(match: Match, table: CardSet, held: CardSet) -> int:
    """Count the cards that capture nothing from a table but, laid there, let one of the cards held capture."""
    found = 0
    for card in playable(match):
        laid = list(groups(table.with_card(card)))
        taken = any(takes(match.rules, card, group) for group in groups(table))
        found += not taken and any(takes(match.rules, own, group) for own in held for group in laid)
    return found


def most_taken(match: Match, table: CardSet) -> int:
    """The most cards of a table that a card could take."""
    return max(
        (len(group) for card in playable(match) for group in groups(table) if takes(match.rules, card, group)),
        default=0,
    )


def sweepers(match: Match, table: CardSet, unseen: CardSet) -> list[Card]:
    return [card for card in unseen if table and takes(match.rules, card, table)]


def after(match: Match, move: Move) -> Match:
    """The match after a move whose card may have been laid already."""
    return match.apply(match.event_of(move))


def of_kind(term: Term, counted: CardSet, worths: Collection[int] = range(1, 11)) -> int:
    cards = [card for card in counted if card.worth in worths]
    match term:
        case Item.CARDS:
            return len(cards)
        case Item.OROS:
            return sum(card.suit.letter == "o" for card in cards)
        case Item.SEVEN_OF_OROS:
            return int(SEVEN_OF_OROS in cards)
        case Item.SEVENS:
            return sum(card.worth == 7 for card in cards)
        case _:
            return sum(card.worth in (7, 6, 1) for card in cards)


def check(reason: Reason, match: Match, view: SeatView, analysis: Analysis, other: Move | None) -> None:
    best, before = analysis.best.move, match.round
    assert before is not None
    table = CardSet.of([card for card in before.table if card not in best.captured])
    if isinstance(best, Play) and not best.captured:
        table = table.with_card(best.card)
    held = CardSet.of([card for card in view.hand if not (isinstance(best, Play) and card is best.card)])
    others = [move for move in view.moves if move != best]
    match reason:
        case Sweeps():
            assert any(getattr(fact, "escoba", False) for fact in after(match, best).facts)
        case Sings(cantos):
            assert isinstance(best, Sing)
            assert cantos == before.singable()
        case TakesLast(certain):
            assert other is not None
            assert view.public.deal == view.public.deals
            if certain:
                assert known(match)
                assert ends(after(match, best), view.seat).last == {True}
                assert True not in ends(after(match, other), view.seat).last
            else:
                assert not known(match)
                assert analysis.best.last > analysis.rating_of(other).last
        case Brings(terms, cards):
            assert cards
            assert cards <= best.captured.with_card(best.card) if isinstance(best, Play) else best.captured >= cards
            for term in terms:
                assert of_kind(term, cards) == len(cards)
                compared, more = (others, 0) if other is None else ([other], 1)
                kinds = [(7,), (7, 6), (7, 6, 1)] if term is Item.PRIME else [range(1, 11)]
                assert any(
                    all(
                        of_kind(term, best.gained, kind) >= of_kind(term, each.gained, kind) + more for each in compared
                    )
                    for kind in kinds
                )
        case MostCards(count):
            assert len(best.gained) == count > max(len(each.gained) for each in others)
        case Keeps(card):
            assert card in held
            assert isinstance(other, Play)
            assert card is other.card
            assert not other.captured
        case OutOfReach(total):
            assert total == sum(card.worth for card in table) > 0
            assert not any(takes(match.rules, card, group) for card in playable(match) for group in groups(table))
            assert not claims(after(match, best))
        case Unswept(total, need, in_hand):
            assert total == sum(card.worth for card in table) > 0
            assert not sweepers(match, table, playable(match))
            assert in_hand is bool(sweepers(match, table, view.unseen))
            assert not any(claim.captured == table for claim in claims(after(match, best)))
            assert need is None or takes(match.rules, Card.parse(f"{need if need < 8 else need + 2}o"), table)
        case FewSweep(total, out, least):
            assert total == sum(card.worth for card in table)
            assert out == len(sweepers(match, table, playable(match)))
            compared = others if least else [other]
            left = [len(sweepers(match, each.table_after(before.table), playable(match))) for each in compared if each]
            assert all(out <= number for number in left) if least else all(out < number for number in left)
            assert not any(claim.captured == table for claim in claims(after(match, best)))
            assert not known(match)
        case LeavesRest(rest, need, card):
            assert card is not None or match.seating.seats == len(before.hands) == 2
            assert not claims(after(match, best))
            left = [
                table - group for each in playable(match) for group in groups(table) if takes(match.rules, each, group)
            ]
            assert {sum(each.worth for each in cards) for cards in left} == {rest}
            assert all(takes(match.rules, each, left[0]) for each in view.unseen if each.worth == need)
            if card is not None:
                assert card in held
                assert takes(match.rules, card, left[0])
            else:
                assert not held
                assert view.public.deal < view.public.deals
        case Trap(worth, group, rest, card):
            assert card in held
            assert not claims(after(match, best))
            cards = [each for each in playable(match) if each.worth == worth]
            assert cards
            assert all(
                [taken for taken in groups(table) if takes(match.rules, each, taken)] == [group] for each in cards
            )
            assert sum(each.worth for each in table - group) == rest > 0
            assert takes(match.rules, card, table - group)
        case Guards(cards, out, None, everything):
            assert everything
            assert cards == table
            assert not known(match)
            assert not claims(after(match, best))
            left = [each.table_after(before.table) for each in others]
            assert 0 < out == takers(match, table, table) <= min(takers(match, each, each) for each in left)
        case Guards(cards, out, against, everything):
            assert against is not None
            assert other is not None
            assert cards
            assert cards <= table
            assert not claims(after(match, best))
            left = other.table_after(before.table)
            assert out == takers(match, table, cards) < takers(match, left, left if everything else cards) == against
            assert not everything or cards == table
            assert not out or not known(match)
        case AtMost(most, None):
            assert not claims(after(match, best))
            left = [each.table_after(before.table) for each in others]
            assert 0 < most == most_taken(match, table) <= min(most_taken(match, each) for each in left)
        case AtMost(most, against):
            assert other is not None
            assert against is not None
            assert not claims(after(match, best))
            assert 0 < most == most_taken(match, table) < most_taken(match, other.table_after(before.table)) == against
        case AllSafe():
            assert not any(sweepers(match, each.table_after(before.table), playable(match)) for each in view.moves)
        case Waits(worth, card):
            assert card in held
            assert not known(match)
            assert not claims(after(match, best))
            cards = [each for each in playable(match) if each.worth == worth]
            assert cards
            assert not any(takes(match.rules, each, group) for each in cards for group in groups(table))
            assert all(takes(match.rules, card, table.with_card(each)) for each in cards)
        case Chances(out, None):
            assert not known(match)
            assert not claims(after(match, best))
            for each in others:
                kept = CardSet.of([card for card in view.hand if not (isinstance(each, Play) and card is each.card)])
                assert openings(match, each.table_after(before.table), kept) <= out
            assert out == openings(match, table, held) > 0
        case Chances(out, against):
            assert other is not None
            assert against is not None
            assert not known(match)
            assert not claims(after(match, best))
            kept = CardSet.of([card for card in view.hand if not (isinstance(other, Play) and card is other.card)])
            assert (
                out == openings(match, table, held) > openings(match, other.table_after(before.table), kept) == against
            )
        case FewCollect(item, out, against):
            assert other is not None
            assert not known(match)
            assert not claims(after(match, best))
            cards = [card for card in playable(match) if of_kind(item, CardSet.of([card]))]
            tables = table, other.table_after(before.table)
            counts = [
                sum(any(takes(match.rules, card, group) for group in groups(left)) for card in cards) for left in tables
            ]
            assert [out, against] == counts
            assert out < against
        case Farther(total, against):
            assert other is not None
            assert not claims(after(match, best))
            assert total == sum(each.worth for each in table)
            assert against == sum(each.worth for each in other.table_after(before.table)) < total
            assert not any(
                takes(match.rules, each, left) for each in DECK for left in (table, other.table_after(before.table))
            )
        case Prepares(card, cards, escoba):
            assert card in held
            assert isinstance(best, Play)
            assert cards
            assert cards <= table
            assert takes(match.rules, card, cards)
            assert escoba is (cards == table)
            assert other is not None or best.card in cards
        case Gains(None, points):
            assert other is not None
            assert points == analysis.rating_of(other).behind > 0
        case Gains(term, points, seen):
            assert other is not None
            assert term is not None
            rating = analysis.rating_of(other)
            assert points == analysis.best.terms[term] - rating.terms[term] >= 2 * rating.errors[term]
            assert not seen or (term is Item.SEVEN_OF_OROS and SEVEN_OF_OROS not in view.unseen)
        case EndsBetter(points):
            assert other is not None
            assert ends(after(match, best), view.seat).lead - ends(after(match, other), view.seat).lead == points > 0
        case NothingBetter():
            lead = ends(after(match, best), view.seat).lead
            assert all(lead >= ends(after(match, each), view.seat).lead for each in others)
        case _:
            assert_never(reason)


@dataclass(frozen=True, slots=True)
class Ends:
    """The end of a round with the best play of both sides: a side's lead, and whether it gets the leftovers.

    `last` has both values if that depends on which of several best moves is made.
    """

    lead: int
    last: set[bool]


def claims(match: Match) -> list[Claim]:
    return [move for move in match.legal_moves() if isinstance(move, Claim)] if match.turn is not None else []


def ends(match: Match, seat: int) -> Ends:
    """Find how a round ends, by trying every line of play by the rules of the engine."""
    side = match.seating.side_of(seat)
    if match.stage is not Stage.TO_PLAY:
        score = match.scores[-1]
        ours = score.leftovers_to is not None and match.seating.side_of(score.leftovers_to) == side
        return Ends(2 * score.points[side] - sum(score.points), {ours and bool(score.leftovers)})
    assert match.turn is not None
    found = [ends(after(match, move), seat) for move in match.legal_moves()]
    lead = (max if match.seating.side_of(match.turn) == side else min)(each.lead for each in found)
    return Ends(lead, set().union(*(each.last for each in found if each.lead == lead)))


def known(match: Match) -> bool:
    """Whether at most one other hand holds cards, and the player knows them: they lie open, or the stock is empty."""
    now = match.round
    assert now is not None
    others = [seat for seat, hand in enumerate(now.hands) if seat != match.turn and hand]
    return len(others) <= 1 and (len(now.deck) == now.dealt or any(now.shown[seat] for seat in others))
