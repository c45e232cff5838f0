"""The results of an event, to be announced to players. All of it is public."""

from dataclasses import dataclass, field

from bot.engine.cards import Canto, Card, CardSet
from bot.engine.scoring import RoundScore


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """A round began: its number, from 1, and the dealer's seat."""

    number: int
    dealer: int


@dataclass(frozen=True, slots=True)
class DealMade:
    """Everybody was dealt a hand. `number` counts the round's deals from 1; the `last` one is announced."""

    number: int
    last: bool


@dataclass(frozen=True, slots=True)
class OpeningTaken:
    """The first table cards added up to 15 or 30, and the dealer took them."""

    seat: int
    cards: CardSet
    escobas: int


@dataclass(frozen=True, slots=True)
class CardLaid:
    """A card with several captures was shown; its player has yet to choose one."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played; `captured` holds the table cards it took, if any. `forced`: see the event `Played`."""

    seat: int
    card: Card
    captured: CardSet
    escoba: bool
    forced: bool = field(default=False, repr=False)  # what characters say is drawn by a fact's text, as in 1.0


@dataclass(frozen=True, slots=True)
class CaptureClaimed:
    """The next player claimed a capture that `card` had missed; `captured` holds its other cards."""

    seat: int
    card: Card
    captured: CardSet
    escoba: bool


@dataclass(frozen=True, slots=True)
class CantosSung:
    """A player sang the cantos of their hand; `cards` lie open until they are played."""

    seat: int
    cards: CardSet
    cantos: tuple[Canto, ...]


@dataclass(frozen=True, slots=True)
class RoundScored:
    """All cards had been played, and the round was scored."""

    number: int
    score: RoundScore


@dataclass(frozen=True, slots=True)
class MatchWon:
    """A side won the match."""

    side: int


Fact = (
    RoundBegan | DealMade | OpeningTaken | CantosSung | CardLaid | CardPlayed | CaptureClaimed | RoundScored | MatchWon
)
