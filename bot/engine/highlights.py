"""The highlights of a match, to be told once it is over, folded from its public facts as they happen.

Everybody saw all of it. A table's state carries its match's highlights, so no log has to be read when the match ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple

from bot.engine.cards import DECK, EMPTY, Canto, Card, CardSet, Rank, Suit, canto_points
from bot.engine.facts import CantosSung, CaptureClaimed, CardPlayed, Fact, OpeningTaken, RoundBegan
from bot.engine.match import Match
from bot.engine.round import Round
from bot.engine.rules import Seating
from bot.engine.scoring import SEVEN_OF_OROS

_POINT: Final = 100
_SEVEN: Final = 30
_ORO: Final = 12
_CARD: Final = 3
"""The worth of each part of a capture, in hundredths of a point: an escoba and the seven of oros score a point each,
other sevens help towards the prime, and oros and cards are counted."""
_MANY_ESCOBAS: Final = 4
_MANY_CARDS: Final = 6


class Deed(StrEnum):
    """Something a player did that is rare enough to be remembered."""

    FOUR_ESCOBAS = "four_escobas"
    """At least four escobas in one round."""
    GOLDEN_ESCOBA = "golden_escoba"
    """An escoba with the seven of oros in it."""
    LAST_CARD = "last_card"
    """An escoba with the player's own last card of a round. The very last card of the round can't make one where
    captures are of fifteen, because cards worth ten or more always remain."""
    SIX_CARDS = "six_cards"
    """A capture of at least six cards."""


@dataclass(frozen=True, slots=True)
class Feat:
    """A capture: who took what in which round, and its worth beside others, in hundredths of a point."""

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


class Taken(NamedTuple):
    """Cards that somebody took, the one played included."""

    seat: int
    cards: CardSet


@dataclass(frozen=True, slots=True)
class Song:
    """A hand that was sung: by whom, in which round, and as which cantos."""

    round: int
    seat: int
    cards: CardSet
    cantos: tuple[Canto, ...]

    @property
    def points(self) -> int:
        return canto_points(self.cantos)


@dataclass(frozen=True, slots=True)
class Highlights:
    """The highlights so far: each seat's escobas in the match and in the latest round, the best capture and the best
    song (among equals, the earliest), and a (seat, deed) pair for each rare thing that a player did.

    Of the latest round: the `sweeps` in order, `in_a_row` how many escobas each seat has made without another move
    between, and who took the seven of oros, with what.
    """

    escobas: tuple[int, ...]
    best: Feat | None = None
    in_round: tuple[int, ...] = ()
    deeds: frozenset[tuple[int, Deed]] = frozenset()
    song: Song | None = None
    sweeps: tuple[Taken, ...] = ()
    in_a_row: tuple[int, ...] = ()
    seven: Taken | None = None

    def after_event(self, match: Match) -> Highlights:
        """The highlights once one more event has made `match`."""
        return self.after(match.facts, match.round_number, match.round)

    def after(self, facts: Iterable[Fact], round_number: int, now: Round | None = None) -> Highlights:
        """The highlights once these facts have happened in a round. `now` is the round after them."""
        found = self
        for fact in facts:
            match fact:
                case RoundBegan():
                    zeros = (0,) * len(self.escobas)
                    found = replace(found, in_round=zeros, sweeps=(), in_a_row=zeros, seven=None)
                case CardPlayed(seat, card, captured, escoba) | CaptureClaimed(seat, card, captured, escoba) if (
                    captured
                ):
                    found = found._with(Feat(round_number, seat, card, captured, escoba))
                    found = found._taking(seat, captured.with_card(card), int(escoba))
                    if escoba and isinstance(fact, CardPlayed) and now is not None and _has_played_out(now, seat):
                        found = found._having(seat, Deed.LAST_CARD)
                case CardPlayed(seat):
                    found = found._taking(seat, EMPTY, 0)
                case OpeningTaken(seat, cards, escobas):
                    found = found._counting(seat, escobas)._taking(seat, cards, escobas)
                case CantosSung(seat, cards, cantos):
                    song = Song(round_number, seat, cards, cantos)
                    if found.song is None or song.points > found.song.points:
                        found = replace(found, song=song)
                case _:
                    pass
        return found

    def _with(self, feat: Feat) -> Highlights:
        found = self._counting(feat.seat, 1) if feat.escoba else self
        if feat.escoba and SEVEN_OF_OROS in feat.cards:
            found = found._having(feat.seat, Deed.GOLDEN_ESCOBA)
        if len(feat.cards) >= _MANY_CARDS:
            found = found._having(feat.seat, Deed.SIX_CARDS)
        better = self.best is None or feat.worth > self.best.worth
        return replace(found, best=feat) if better else found

    def _counting(self, seat: int, escobas: int) -> Highlights:
        in_round = _added(self.in_round or (0,) * len(self.escobas), seat, escobas)
        found = replace(self, escobas=_added(self.escobas, seat, escobas), in_round=in_round)
        return found._having(seat, Deed.FOUR_ESCOBAS) if in_round[seat] >= _MANY_ESCOBAS else found

    def _taking(self, seat: int, cards: CardSet, escobas: int) -> Highlights:
        """Note a move, which makes or ends a row of escobas."""
        found, in_a_row = self, self.in_a_row or (0,) * len(self.escobas)
        if escobas or in_a_row[seat]:
            row = _added(in_a_row, seat, escobas if escobas else -in_a_row[seat])
            found = replace(found, in_a_row=row)
        if escobas:
            found = replace(found, sweeps=(*found.sweeps, Taken(seat, cards)))
        return replace(found, seven=Taken(seat, cards)) if SEVEN_OF_OROS in cards else found

    def _having(self, seat: int, deed: Deed) -> Highlights:
        return replace(self, deeds=self.deeds | {(seat, deed)})


def _has_played_out(now: Round, seat: int) -> bool:
    """Whether a player has no cards left and won't get any more in this round."""
    return now.dealt == len(DECK) and not now.hands[seat]


def _added(values: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    return (*values[:index], values[index] + more, *values[index + 1 :])


def no_highlights(seating: Seating) -> Highlights:
    """The highlights of a match that begins."""
    return Highlights((0,) * seating.seats)
