"""The plain values that a table's pace depends on, and what it needs from outside."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from bot.engine.cards import DECK, Card

if TYPE_CHECKING:
    from bot.tables.table import Table


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things wait, in seconds, and how many lobbies may be open at once.

    `turn` 0: no deadline; `warning`, before the deadline, 0: none; `paused`: while nobody can see the table.
    """

    turn: float = 120
    warning: float = 30
    computer: float = 1.5
    next_round: float = 45
    abandon: float = 30 * 60
    paused: float = 24 * 60 * 60
    lobby: float = 60 * 60
    lobbies_per_guild: int = 20
    lobbies_per_person: int = 3


class Chance(Protocol):
    """Where decks and first dealers come from."""

    def deck(self, game_id: int, round_number: int) -> tuple[Card, ...]:
        """A shuffled deck for a round."""
        ...

    def dealer(self, game_id: int, seats: int) -> int:
        """The seat that deals first."""
        ...


class SystemChance:
    """Decks from the operating system's random source, which nobody can foresee."""

    def __init__(self) -> None:
        self._random = random.SystemRandom()

    def deck(self, game_id: int, round_number: int) -> tuple[Card, ...]:
        """A shuffled deck."""
        return tuple(self._random.sample(DECK, len(DECK)))

    def dealer(self, game_id: int, seats: int) -> int:
        """Any seat, all equally likely."""
        return self._random.randrange(seats)


class Observer(Protocol):
    """Who tells people what happened. Called after the store holds it; must not block and must not raise."""

    def changed(self, table: Table) -> None:
        """The table's state changed."""
        ...

    def warned(self, table: Table) -> None:
        """The player at turn has little time left."""
        ...

    def lost(self, table: Table) -> None:
        """The table's channel is gone: there is nobody to be told what happens there from now on."""
        ...
