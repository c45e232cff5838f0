"""The pictures on a table's screens: the table, a panel, a round's score and the result.

Each is None where the display has no pictures. A public one is made once in each language, for everybody who sees it.
"""

from __future__ import annotations

from bot.engine.scoring import Item
from bot.engine.views import SeatView
from bot.platform.kit.display import Display
from bot.platform.kit.pictured import Pictured, pictured
from bot.platform.language.memo import cached_by_language
from bot.platform.language.texts import Words
from bot.tables.live.view import TableView
from bot.tables.pictures.panel import panel_scene
from bot.tables.pictures.result import result_scene
from bot.tables.pictures.score import item_scene, round_scene
from bot.tables.pictures.table import table_scene


def pictured_table(view: TableView, display: Display) -> Pictured | None:
    """The table of a running round."""
    return _table(view, display.words) if display.pictures else None


def pictured_panel(view: TableView, seat: SeatView, display: Display) -> Pictured | None:
    """The table of a running round with a hand below it."""
    t = display.words
    return pictured(panel_scene(view, seat, t), t) if display.pictures else None


def pictured_round(view: TableView, display: Display) -> Pictured | None:
    """The score of the latest round."""
    return pictured(round_scene(view, display.words), display.words) if display.pictures else None


def pictured_item(view: TableView, item: Item, display: Display, *, points: bool) -> Pictured | None:
    """One item of the latest scored round, with its points or without."""
    t = display.words
    return pictured(item_scene(view, item, t, points=points), t) if display.pictures else None


def pictured_result(view: TableView, display: Display) -> Pictured | None:
    """Picture who won, and how. After a draw there is no picture."""
    if view.match is None or view.match.winner is None:
        return None
    return pictured(result_scene(view, display.words), display.words) if display.pictures else None


@cached_by_language
def _table(view: TableView, t: Words) -> Pictured:
    return pictured(table_scene(view, t), t)
