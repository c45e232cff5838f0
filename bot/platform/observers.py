"""Observers of what happens at tables. Nothing here depends on what a table is."""

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")
Seen = TypeVar("Seen", contravariant=True)


class Observer(Protocol[Seen]):
    """Hears what happens at tables, once the store holds it. Must neither block nor raise.

    A class that derives from this need only have the methods for what it is interested in.
    """

    def table_changed(self, table: Seen) -> None:
        """Something has happened at the table."""

    def table_over(self, table: Seen) -> None:
        """The table is over; called before `table_changed`, whenever that is."""

    def deadline_near(self, table: Seen) -> None:
        """The current player has little time left."""

    def nudge_due(self, table: Seen) -> None:
        """The current player should be notified that it's their turn."""

    def nudged(self, table: Seen) -> None:
        """Another player has asked for that."""

    def table_lost(self, table: Seen) -> None:
        """The table's channel is gone: nobody can see what happens there from now on."""

    def table_rests(self, table: Seen) -> None:
        """The table goes to sleep until its person, who plays alone, comes back, perhaps to another process."""


class Observers(Observer[T], Generic[T]):
    """Calls every observer, in the order in which they were added.

    `before_change` is called first with each table that has changed, and says whether that is over.
    """

    def __init__(self, before_change: Callable[[T], bool] = lambda table: False) -> None:
        self._before_change = before_change
        self._observers: list[Observer[T]] = []

    def add(self, observer: Observer[T]) -> None:
        """Call this observer too, from now on."""
        self._observers.append(observer)

    def table_changed(self, table: T) -> None:
        over = self._before_change(table)
        for observer in self._observers:
            if over:
                observer.table_over(table)
            observer.table_changed(table)

    def deadline_near(self, table: T) -> None:
        for observer in self._observers:
            observer.deadline_near(table)

    def nudge_due(self, table: T) -> None:
        for observer in self._observers:
            observer.nudge_due(table)

    def nudged(self, table: T) -> None:
        for observer in self._observers:
            observer.nudged(table)

    def table_lost(self, table: T) -> None:
        for observer in self._observers:
            observer.table_lost(table)

    def table_rests(self, table: T) -> None:
        for observer in self._observers:
            observer.table_rests(table)
