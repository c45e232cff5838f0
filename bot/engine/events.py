"""What is recorded of a match: one event a version. The deal is an event, so that replay needs no random generator."""

from dataclasses import dataclass

from bot.engine.cards import EMPTY, Card, CardSet
from bot.engine.rules import Rules, Seating


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The match begins; `dealer` is the seat that deals its first round."""

    rules: Rules
    seating: Seating
    dealer: int


@dataclass(frozen=True, slots=True)
class RoundDealt:
    """A round's shuffled deck, all forty cards in the order they are dealt. Secret while the round lasts."""

    deck: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Laid:
    """A card with several captures lies face up before its player, who has yet to say which one it takes."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The player took the laid card back in hand."""

    seat: int


@dataclass(frozen=True, slots=True)
class Played:
    """A card went to the table, or took `captured` from it."""

    seat: int
    card: Card
    captured: CardSet = EMPTY


@dataclass(frozen=True, slots=True)
class Claimed:
    """The next player took a capture that the card just laid had missed; `captured` holds that card (002 §12)."""

    seat: int
    captured: CardSet


Later = RoundDealt | Laid | TakenBack | Played | Claimed
"""What can follow the start of a match."""
Event = MatchStarted | Later
