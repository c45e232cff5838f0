"""Where decks and first dealers come from."""

from __future__ import annotations

import random
from typing import Protocol

from bot.engine.cards import DECK, Card


class Chance(Protocol):
    """Where decks and first dealers come from."""

    def deck(self, game_id: int, round_number: int) -> tuple[Card, ...]:
        """A shuffled deck for a round."""
        ...

    def dealer(self, game_id: int, seats: int) -> int:
        """The seat that deals first."""
        ...


class SystemChance:
    """Decks from the operating system's random source, which nobody can predict."""

    def __init__(self) -> None:
        self._random = random.SystemRandom()

    def deck(self, game_id: int, round_number: int) -> tuple[Card, ...]:
        return tuple(self._random.sample(DECK, len(DECK)))

    def dealer(self, game_id: int, seats: int) -> int:
        """Any seat, all equally likely."""
        return self._random.randrange(seats)
