"""The recorded events of a match, one per version. Deals are events too, so a replay needs no random generator."""

from dataclasses import dataclass

from bot.engine.cards import EMPTY, Card, CardSet
from bot.engine.rules import Rules, Seating


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The match begins; `dealer` is the seat that deals the first round."""

    rules: Rules
    seating: Seating
    dealer: int


@dataclass(frozen=True, slots=True)
class RoundDealt:
    """A round's shuffled deck: all forty cards in dealing order. Secret until the round is over."""

    deck: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Laid:
    """A player has shown a card with several captures and has yet to choose one."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Played:
    """A card was played: it captured `captured`, or was laid on the table if that is empty.

    `forced`: it was the only legal move, and nobody had to make it.
    """

    seat: int
    card: Card
    captured: CardSet = EMPTY
    forced: bool = False


@dataclass(frozen=True, slots=True)
class Claimed:
    """The next player claimed a capture that the card just laid had missed; `captured` includes that card (002 §12)."""

    seat: int
    captured: CardSet


@dataclass(frozen=True, slots=True)
class Sang:
    """A player sang all cantos of their three cards, and showed them (decision 19)."""

    seat: int


LaterEvent = RoundDealt | Laid | Played | Claimed | Sang
"""Any event after the start of the match."""
Event = MatchStarted | LaterEvent
