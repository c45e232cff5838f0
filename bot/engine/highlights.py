"""What is worth telling of a match that is over, folded from its public facts as they happen.

Everybody saw all of it. It is part of a match's state, so that no log has to be read when the match ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from bot.engine.cards import Card, CardSet, Rank, Suit
from bot.engine.facts import CaptureClaimed, CardPlayed, Fact, OpeningTaken
from bot.engine.scoring import SEVEN_OF_OROS

_POINT: Final = 100
_SEVEN: Final = 30
_ORO: Final = 12
_CARD: Final = 3
"""What a capture is worth, in hundredths of a point: an escoba and the seven of oros score one each, other sevens help
to the prime, and oros and cards are counted."""


@dataclass(frozen=True, slots=True)
class Feat:
    """A capture: who took what in which round, and what it is worth beside others, in hundredths of a point."""

    round: int
    seat: int
    card: Card
    taken: CardSet
    escoba: bool

    @property
    def cards(self) -> CardSet:
        """All cards of the capture."""
        return self.taken.with_card(self.card)

    @property
    def worth(self) -> int:
        cards = self.cards
        sevens = len(cards.of_rank(Rank.SEVEN))
        best = SEVEN_OF_OROS in cards
        return (
            _POINT * (self.escoba + best)
            + _SEVEN * (sevens - best)
            + _ORO * len(cards.of_suit(Suit.OROS))
            + _CARD * len(cards)
        )


@dataclass(frozen=True, slots=True)
class Highlights:
    """The highlights so far: each seat's escobas, and the best capture, the earliest of equal ones."""

    escobas: tuple[int, ...]
    best: Feat | None = None

    def after(self, facts: Iterable[Fact], round_number: int) -> Highlights:
        """The highlights once these facts have happened in a round."""
        found = self
        for fact in facts:
            match fact:
                case CardPlayed(seat, card, captured, escoba) | CaptureClaimed(seat, card, captured, escoba) if (
                    captured
                ):
                    found = found._with(Feat(round_number, seat, card, captured, escoba))
                case OpeningTaken(seat, _, escobas):
                    found = found._counting(seat, escobas)
                case _:
                    pass
        return found

    def _with(self, feat: Feat) -> Highlights:
        counted = self._counting(feat.seat, 1) if feat.escoba else self
        better = self.best is None or feat.worth > self.best.worth
        return replace(counted, best=feat) if better else counted

    def _counting(self, seat: int, escobas: int) -> Highlights:
        counted = (*self.escobas[:seat], self.escobas[seat] + escobas, *self.escobas[seat + 1 :])
        return replace(self, escobas=counted)


NONE: Final = Highlights(())
"""Those of a match that has no seats yet."""
