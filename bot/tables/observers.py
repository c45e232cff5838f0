"""Calls everybody who shows people what happens at tables."""

from __future__ import annotations

from collections.abc import Callable

from bot.tables.table import Observer, Table


class Observers:
    """Calls every observer, in the order in which they were added.

    `before_change` is called first with each table that has changed.
    """

    def __init__(self, before_change: Callable[[Table], None] = lambda table: None) -> None:
        self._before_change = before_change
        self._observers: list[Observer] = []

    def add(self, observer: Observer) -> None:
        """Call this observer too, from now on."""
        self._observers.append(observer)

    def table_changed(self, table: Table) -> None:
        self._before_change(table)
        for observer in self._observers:
            observer.table_changed(table)

    def deadline_near(self, table: Table) -> None:
        for observer in self._observers:
            observer.deadline_near(table)

    def nudge_due(self, table: Table) -> None:
        for observer in self._observers:
            observer.nudge_due(table)

    def table_lost(self, table: Table) -> None:
        for observer in self._observers:
            observer.table_lost(table)
