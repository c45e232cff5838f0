"""The moments at which characters talk in a match: folded from its public facts, so that a restart changes nothing.

What somebody says again and again is said in another way each time: `Remark.number` counts how often they have said
something on such an occasion before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from zlib import crc32

from bot.engine.cards import CardSet
from bot.engine.facts import CaptureClaimed, CardPlayed, DealMade, Fact, OpeningTaken
from bot.engine.moves import Claim, Play
from bot.players.characters import PERSONAS, Character, shows


class Occasion(StrEnum):
    """The subject of a character's remark."""

    ESCOBA = "escoba"
    """An escoba of their own."""
    HABIT = "habit"
    """A move that shows their habit."""
    OTHERS = "others"
    """A person's escoba."""


_OF: Final = 12
"""The number of escobas of which a persona's `talks` and `comments` are parts."""
_SHOWN_OF: Final = 18
"""The number of moves that show a habit of which `talks` is a part."""


@dataclass(frozen=True, slots=True)
class Remark:
    """The seat of the character that says something, the occasion, and how often it came to that before."""

    seat: int
    occasion: Occasion
    number: int


@dataclass(frozen=True, slots=True)
class Talk:
    """Remarks made in a match: by seat and occasion, in order; and what is said about the latest event.

    `lot` decides who speaks; it follows from the plays, which everybody has seen.
    """

    said: tuple[tuple[int, Occasion], ...] = ()
    remark: Remark | None = None
    lot: int = 0

    def after(
        self, characters: Sequence[Character | None], facts: Sequence[Fact], table: CardSet, held: Sequence[int]
    ) -> Talk:
        """The talk once these facts have happened. `table`, and the cards each seat has `held`, are after them."""
        said, remark, lot = self.said, None, self.lot
        last = any(isinstance(fact, DealMade) for fact in facts)
        for fact in facts:
            if isinstance(fact, OpeningTaken | CardPlayed | CaptureClaimed):
                lot = crc32(repr(fact).encode(), lot)
                left = 0 if last else held[fact.seat]
                spoken = _spoken(characters, fact, table, left, lot)
                if spoken is not None:
                    seat, occasion = spoken
                    alike = [each for each in said if each == spoken or each[1] is occasion is Occasion.OTHERS]
                    said, remark = (*said, spoken), Remark(seat, occasion, len(alike))
        return Talk(said, remark, lot)


SILENCE: Final = Talk()
"""The talk before a match begins."""


def _spoken(
    characters: Sequence[Character | None],
    fact: OpeningTaken | CardPlayed | CaptureClaimed,
    table: CardSet,
    left: int,
    lot: int,
) -> tuple[int, Occasion] | None:
    """Choose the seat that says something about a fact, and why."""
    swept = fact.escobas > 0 if isinstance(fact, OpeningTaken) else fact.escoba
    own = characters[fact.seat]
    if own is None:
        commenting = (
            seat for seat, each in enumerate(characters) if each is not None and lot % _OF < PERSONAS[each].comments
        )
        seat = next(commenting, None) if swept else None
        return None if seat is None else (seat, Occasion.OTHERS)
    persona = PERSONAS[own]
    if swept:
        return (fact.seat, Occasion.ESCOBA) if lot % _OF < persona.talks else None
    match fact:
        case CardPlayed(seat, card, captured):
            move = Play(card, captured)
        case CaptureClaimed(seat, card, captured):
            move = Claim(captured.with_card(card))
        case _:
            return None
    talks = lot % _SHOWN_OF < persona.talks and shows(persona.habit, move, table, left)
    return (seat, Occasion.HABIT) if talks else None
