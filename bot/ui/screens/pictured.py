"""The pictures of the screens, each with its words: what is drawn of a table, a panel, a round's score and a result.

None where the server has no pictures. What everybody sees is made once for all who see it in one language.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.views import SeatView
from bot.tables.view import TableView
from bot.ui.pictures.alt import alt_text
from bot.ui.pictures.deck.decks import Deck
from bot.ui.pictures.scenes import PanelScene, Scene, TableScene, result_scene, round_scene, table_scene
from bot.ui.screens.layout import Component, picture_of
from bot.ui.words.memo import told_once
from bot.ui.words.texts import Words


@dataclass(frozen=True, slots=True)
class Pictured:
    """A scene, and the component that shows its picture."""

    scene: Scene
    component: Component


def pictured_table(view: TableView, t: Words) -> Pictured | None:
    """The table of a running round."""
    return _table(view, t) if t.faces.pictured else None


def pictured_panel(view: TableView, seat: SeatView, t: Words) -> Pictured | None:
    """The same with a hand below."""
    if not t.faces.pictured:
        return None
    return _of(PanelScene(_scene(view, t), tuple(seat.hand)), t)


def pictured_round(view: TableView, t: Words) -> Pictured | None:
    """The score of the round before."""
    return _of(round_scene(view, t, _deck(t)), t) if t.faces.pictured else None


def pictured_result(view: TableView, t: Words) -> Pictured | None:
    """Who won, and how."""
    return _of(result_scene(view, _deck(t)), t) if t.faces.pictured else None


@told_once
def _table(view: TableView, t: Words) -> Pictured:
    return _of(_scene(view, t), t)


@told_once
def _scene(view: TableView, t: Words) -> TableScene:
    match = view.match
    order = () if match is None else (card for card in match.places if card is not None)
    return table_scene(view, _deck(t), order=order, escoba=t("Escoba!"))


def _of(scene: Scene, t: Words) -> Pictured:
    return Pictured(scene, picture_of(alt_text(scene, t)))


def _deck(t: Words) -> Deck:
    return Deck.FRENCH if t.faces.french else Deck.SPANISH
