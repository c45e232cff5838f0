"""The pictures on the screens with their alt texts: a table, a panel, a round's score and a result.

Each is None where the display has no pictures. A public one is made once in each language, for everybody who sees it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.engine.cards import CardSet
from bot.engine.replays.moments import Moment
from bot.engine.scoring import Item
from bot.engine.views import SeatView
from bot.store import Career
from bot.tables.log.state import Seat
from bot.tables.view import TableView
from bot.ui.kit.display import Display
from bot.ui.layout import Component, picture_of
from bot.ui.pictures.alt import alt_text
from bot.ui.pictures.clip_scene import clip_scene
from bot.ui.pictures.result_scene import result_scene
from bot.ui.pictures.scenes import Scene, item_scene, panel_scene, replay_scene, round_scene, table_scene
from bot.ui.pictures.stats_charts_scene import ChartScene
from bot.ui.pictures.stats_scene import stats_scene
from bot.ui.words.memo import cached_by_language
from bot.ui.words.texts import Words


@dataclass(frozen=True, slots=True)
class Pictured:
    """A scene, and the component that shows its picture."""

    scene: Scene
    component: Component


def pictured_table(view: TableView, display: Display) -> Pictured | None:
    """The table of a running round."""
    return _table(view, display.words) if display.pictures else None


def pictured_panel(view: TableView, seat: SeatView, display: Display) -> Pictured | None:
    """The table of a running round with a hand below it."""
    t = display.words
    return _of(panel_scene(view, seat, t), t) if display.pictures else None


def pictured_replay(view: TableView, hands: Sequence[CardSet], display: Display) -> Pictured | None:
    """A step of a match that is over, with all `hands` open."""
    return _of(replay_scene(view, hands, display.words), display.words) if display.pictures else None


def pictured_clip(moment: Moment, seats: Sequence[Seat], display: Display) -> Pictured | None:
    """A moment of a match that is over, as a clip."""
    return _of(clip_scene(moment, seats, display.words), display.words) if display.pictures else None


def pictured_round(view: TableView, display: Display) -> Pictured | None:
    """The score of the latest round."""
    return _of(round_scene(view, display.words), display.words) if display.pictures else None


def pictured_item(view: TableView, item: Item, display: Display, *, points: bool) -> Pictured | None:
    """One item of the latest scored round, with its points or without."""
    return _of(item_scene(view, item, display.words, points=points), display.words) if display.pictures else None


def pictured_result(view: TableView, display: Display, viewer: int | None = None) -> Pictured | None:
    """Who won, and how: for everybody, or for a player of the side `viewer`. After a draw there is no picture."""
    if view.match is None or view.match.winner is None:
        return None
    return _of(result_scene(view, display.words, viewer), display.words) if display.pictures else None


def pictured_stats(name: str, career: Career, at: datetime, display: Display) -> Pictured | None:
    """The statistics of a player who has played matches that count, as they stand at a moment."""
    return _of(stats_scene(name, career, at, display.words), display.words) if display.pictures else None


def pictured_chart(scene: ChartScene, display: Display) -> Pictured | None:
    """A further page of somebody's statistics."""
    return _of(scene, display.words) if display.pictures else None


@cached_by_language
def _table(view: TableView, t: Words) -> Pictured:
    return _of(table_scene(view, t), t)


def _of(scene: Scene, t: Words) -> Pictured:
    return Pictured(scene, picture_of(alt_text(scene, t)))
