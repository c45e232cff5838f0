"""Moves: a card played, a missed capture claimed, cantos sung."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.cards import EMPTY, Card, CardSet


@dataclass(frozen=True, slots=True)
class Play:
    """A move: a card and the table cards it captures; if there are none, it is laid on the table."""

    card: Card
    captured: CardSet = EMPTY

    @property
    def gained(self) -> CardSet:
        """The cards that go to the pile: the capture, the played card included."""
        return self.captured.with_card(self.card) if self.captured else EMPTY

    def table_after(self, table: CardSet) -> CardSet:
        """The table once this move has been made on `table`."""
        return table - self.captured if self.captured else table.with_card(self.card)


@dataclass(frozen=True, slots=True)
class Claim:
    """A move before playing: take a capture that the card just laid has missed; `captured` includes that card."""

    captured: CardSet

    @property
    def gained(self) -> CardSet:
        """The cards that go to the pile."""
        return self.captured

    def table_after(self, table: CardSet) -> CardSet:
        """The table once this move has been made on `table`."""
        return table - self.captured


@dataclass(frozen=True, slots=True)
class Sing:
    """A move before a player's first card of a deal: show the hand and sing all its cantos. The turn doesn't pass."""

    @property
    def captured(self) -> CardSet:
        """Singing captures nothing."""
        return EMPTY

    @property
    def gained(self) -> CardSet:
        return EMPTY

    def table_after(self, table: CardSet) -> CardSet:
        """The table as it was."""
        return table


Move = Play | Claim | Sing
