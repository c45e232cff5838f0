"""The parts that the handlers of the tables use."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.ui.tables.boards.presenter import Presenter


@dataclass(frozen=True, slots=True)
class TableParts:
    """The presenter of the tables, and by channel the people who want to be told of its next one."""

    presenter: Presenter
    waiting: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
