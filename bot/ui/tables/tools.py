"""The tools of everything that shows a table."""

from __future__ import annotations

from dataclasses import dataclass

from bot.tables.manager import TableManager
from bot.tables.server.preferences import PreferencesCache
from bot.ui.kit.tools import Tools


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTools(Tools):
    """Those of every message, and the tables' own.

    Attributes:
        manager: takes the news that a table's channel is gone.
        preferences: says who wants to be told of what.
    """

    manager: TableManager
    preferences: PreferencesCache
