"""The parts that the handlers of the tables use."""

from __future__ import annotations

from dataclasses import dataclass

from bot.ui.tables.boards.presenter import Presenter


@dataclass(frozen=True, slots=True)
class TableParts:
    """The presenter of the tables."""

    presenter: Presenter
