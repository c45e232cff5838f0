"""What a round has scored, and how a match ended, as lines of a match's file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from bot.engine.cards import CardSet
from bot.engine.match import Match, Stage
from bot.engine.rules import Prime
from bot.engine.scoring import Item, ItemScore

_RANKS: Final = (7, 6, 1, 5, 4, 3, 2, 10, 11, 12)
"""The order in which the cards of a setenta are written: the best first."""


def score_lines(match: Match) -> Iterator[str]:
    """What the round that is over has scored."""
    score = match.scores[-1]
    to = "nobody" if score.leftovers_to is None else f"seat {score.leftovers_to}"
    yield f"left: {score.leftovers or 'nothing'} ({score.leftovers.worth}) to {to}"
    for item in score.items:
        yield f"{item.item}: {_compared(item, match)} => {_sides(item.points)}"
    yield f"points: {_sides(score.points)}"
    yield f"totals: {_sides(match.totals)}"


def _compared(item: ItemScore, match: Match) -> str:
    """What was compared between the sides; the cards of a setenta, whose number tells nobody anything."""
    if item.item is Item.PRIME and match.rules.prime is Prime.SETENTA:
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
