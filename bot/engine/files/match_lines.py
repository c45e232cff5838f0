"""The lines of a match's file that follow from its moves: remarks for people, the score of a round, the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from bot.engine.cards import CardSet
from bot.engine.facts import CantosSung, CaptureClaimed, CardPlayed, DealMade, Fact, OpeningTaken
from bot.engine.match import Match
from bot.engine.rules import Prime
from bot.engine.scoring import Item, ItemScore
from bot.engine.stages import Stage

_RANKED: Final = (Prime.SETENTA, Prime.SEVENS)
"""The primes whose amounts only rank the sides and aren't points."""
_RANKS: Final = (7, 6, 1, 5, 4, 3, 2, 10, 11, 12)
"""The order in which the cards of these primes are written, best first."""


def move_remarks(match: Match) -> str:
    """The remarks to append to the line of a move."""
    return "".join(f"  # {remark}" for remark in map(_remark, match.facts) if remark)


def _remark(fact: Fact) -> str:
    match fact:
        case CardPlayed(escoba=True) | CaptureClaimed(escoba=True):
            return "escoba"
        case CantosSung(_, cards, cantos):
            return f"{', '.join(cantos)}: {cards}"
        case _:
            return ""


def remark_lines(match: Match) -> Iterator[str]:
    """Tell what the latest line doesn't show: the hands that were dealt, and what the dealer took."""
    opening = next((fact for fact in match.facts if isinstance(fact, OpeningTaken)), None)
    if match.round is not None and any(isinstance(fact, DealMade) for fact in match.facts):
        hands = " · ".join(f"seat {seat}: {hand}" for seat, hand in enumerate(match.round.hands))
        table = match.round.table if opening is None else opening.cards
        yield f"# {hands} · table: {table or 'empty'}"
    if opening is not None:
        escobas = "escoba" if opening.escobas == 1 else f"{opening.escobas} escobas"
        yield f"# seat {opening.seat} takes the table: {escobas}"


def score_lines(match: Match) -> Iterator[str]:
    """The score of the round that has just ended."""
    score = match.scores[-1]
    to = "nobody" if score.leftovers_to is None else f"seat {score.leftovers_to}"
    yield f"left: {score.leftovers or 'nothing'} ({score.leftovers.worth}) to {to}"
    for item in score.items:
        yield f"{item.item}: {_compared(item, match)} => {_sides(item.points)}"
    yield f"points: {_sides(score.points)}"
    yield f"totals: {_sides(match.totals)}"


def _compared(item: ItemScore, match: Match) -> str:
    """Tell what was compared between the sides: the amounts, or the cards if the amounts only rank them."""
    if item.item is Item.PRIME and match.rules.prime in _RANKED:
        return " - ".join(map(_ranks, item.cards))
    return _sides(item.amounts)


def _ranks(cards: CardSet) -> str:
    return " ".join(map(str, sorted((card.printed for card in cards), key=_RANKS.index))) or "none"


def _sides(values: Iterable[int]) -> str:
    return " - ".join(map(str, values))


def result_line(match: Match) -> str:
    if match.winner is not None:
        return f"result: side {match.winner} wins"
    return "result: drawn" if match.stage is Stage.OVER else "result: broken off"
