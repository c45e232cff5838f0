"""What an event brought about, for whoever tells the players: all of it public."""

from dataclasses import dataclass

from bot.engine.cards import Card, CardSet
from bot.engine.scoring import RoundScore


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """A round begins: its number from 1, and who deals."""

    number: int
    dealer: int


@dataclass(frozen=True, slots=True)
class DealMade:
    """Everybody was dealt a hand: the deal's number from 1; the last one is announced."""

    number: int
    last: bool


@dataclass(frozen=True, slots=True)
class OpeningTaken:
    """The first table cards made 15 or 30, and the dealer took them."""

    seat: int
    cards: CardSet
    escobas: int


@dataclass(frozen=True, slots=True)
class CardLaid:
    """A card with several captures lies face up; its player has yet to choose."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class CardTakenBack:
    """The player took the laid card back; which one is theirs to know again."""

    seat: int


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played; `captured` are the table cards it took, if any."""

    seat: int
    card: Card
    captured: CardSet
    escoba: bool


@dataclass(frozen=True, slots=True)
class CaptureClaimed:
    """The next player took a missed capture; `captured` holds the card that missed it."""

    seat: int
    card: Card
    captured: CardSet
    escoba: bool


@dataclass(frozen=True, slots=True)
class RoundScored:
    """All cards are played, and the round is scored."""

    number: int
    score: RoundScore


@dataclass(frozen=True, slots=True)
class MatchWon:
    """A side won the match."""

    side: int


Fact = (
    RoundBegan
    | DealMade
    | OpeningTaken
    | CardLaid
    | CardTakenBack
    | CardPlayed
    | CaptureClaimed
    | RoundScored
    | MatchWon
)
