"""Telling the player at turn: for that the table's message is posted anew, because an edit notifies nobody."""

from __future__ import annotations

from bot.tables.view import TableView
from bot.ui.transport.mentions import person_at_turn


class Nudge:
    """Whom the table's message is to tell when it is shown next; nobody, unless it was asked for."""

    __slots__ = ("_asked",)

    def __init__(self) -> None:
        self._asked: tuple[int, int | None] | None = None

    def ask(self, view: TableView) -> None:
        """Tell the player at turn, as long as they haven't moved."""
        self._asked = (view.version, person_at_turn(view))

    def heard(self, person_id: int) -> None:
        """Somebody has clicked: they needn't be told any more."""
        if self._asked is not None and self._asked[1] == person_id:
            self.drop()

    def drop(self) -> None:
        """Nobody is to be told: they were, or can't be."""
        self._asked = None

    def due(self, view: TableView) -> bool:
        """Whether a message that shows this is to tell the player at turn."""
        person_id = person_at_turn(view)
        return person_id is not None and self._asked == (view.version, person_id)
