"""The end of a match on the screens: one for everybody, one for the winners, and a friendly one for the others."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.engine.rules import Seating
from bot.tables.log.events import Phase
from bot.tables.view import TableView
from bot.ui.pictures.alt import alt_text
from bot.ui.pictures.result_scene import ResultScene, result_scene
from bot.ui.pictures.studio import paint
from bot.ui.screens.colours import FELT, TURN
from bot.ui.screens.display import Display
from bot.ui.screens.layout import Layout
from bot.ui.screens.score import result_layout, result_panel
from bot.ui.words.texts import Words, words
from tests.engine.kit import random_events
from tests.support.limits_components import walk
from tests.ui.screens.layouts import LANGUAGES, table_of, troubles

EN = words("en")
PICTURES = Display(EN, pictures=True)
TEXT = Display(EN)
NAMES = ("Ana", "Bea", "Ciro", "Dora")


def won(seed: int, seating: Seating = Seating.TWO, target: int = 11) -> TableView:
    """A match that people called Ana, Bea, Ciro and Dora have played to its end."""
    *_, (_, match) = random_events("escoba", seating, Random(seed), target=target)
    view = table_of(match, seating.seats)
    seats = tuple(replace(seat, name=name) for seat, name in zip(view.seats, NAMES, strict=False))
    return replace(view, seats=seats, phase=Phase.FINISHED)


def seats_by_result(view: TableView) -> tuple[int, int]:
    """A seat of the winners, and one of the others."""
    assert view.match is not None
    winner = view.match.winner
    seats = range(view.match.seating.seats)
    return (
        next(seat for seat in seats if view.match.seating.side_of(seat) == winner),
        next(seat for seat in seats if view.match.seating.side_of(seat) != winner),
    )


def said(layout: Layout) -> str:
    return "\n".join(node["content"] for _, node in walk(list(layout.components)) if "content" in node)


def scene_of(layout: Layout) -> ResultScene:
    assert layout.drawing is not None
    assert isinstance(layout.drawing.scene, ResultScene)
    return layout.drawing.scene


def test_a_win_does_not_look_like_a_loss() -> None:
    view = won(1)
    winner, loser = seats_by_result(view)
    panels = [result_panel(view, seat, PICTURES) for seat in (winner, loser)]
    assert "You won!" in said(panels[0])
    assert f"Well played, {NAMES[loser]}" in said(panels[1])
    assert f"{NAMES[winner]} wins this one." in said(panels[1])
    assert [panel.components[0]["accent_color"] for panel in panels] == [TURN, FELT]
    won_picture, lost_picture, public = (
        paint(scene_of(each)).data for each in (*panels, result_layout(view, [], PICTURES))
    )
    assert lost_picture not in (won_picture, public)


@pytest.mark.parametrize("seed", range(6))
def test_whoever_has_lost_is_told_how_close_it_was_and_never_mocked(seed: int) -> None:
    view = won(seed)
    assert view.match is not None
    _, loser = seats_by_result(view)
    behind = max(view.match.totals) - min(view.match.totals)
    text = said(result_panel(view, loser, TEXT))
    assert ("So close" in text) == (behind <= 3)
    assert ("rematch?" in text) == (behind > 3)


def test_partners_are_named_as_people() -> None:
    view = won(2, Seating.PAIRS)
    assert view.match is not None
    winner, loser = seats_by_result(view)
    partner = NAMES[(winner + 2) % 4]
    assert f"You and {partner} won!" in said(result_panel(view, winner, TEXT))
    both = " & ".join(NAMES[seat] for seat in sorted((winner, (winner + 2) % 4)))
    assert f"{both} win this one." in said(result_panel(view, loser, TEXT))
    assert f"🏆 {both} win!" in said(result_layout(view, [], TEXT))


def test_somebody_who_has_left_sees_what_everybody_sees() -> None:
    view = won(1)
    assert said(result_panel(view, None, TEXT)) == said(result_layout(view, [], TEXT))


@pytest.mark.parametrize("t", LANGUAGES)
@pytest.mark.parametrize("seating", [Seating.TWO, Seating.THREE, Seating.FOUR, Seating.PAIRS])
def test_every_result_fits_and_its_alt_text_tells_all_that_the_picture_shows(t: Words, seating: Seating) -> None:
    for seed in range(4):
        view = won(seed, seating)
        assert view.match is not None
        winner, loser = seats_by_result(view)
        for layout in (
            result_layout(view, [], Display(t, pictures=True)),
            result_panel(view, winner, Display(t, pictures=True)),
            result_panel(view, loser, Display(t, pictures=True)),
        ):
            assert troubles(layout) == []
        scene = result_scene(view, t)
        text = alt_text(scene, t)
        assert not text.endswith("…")
        assert scene.best is not None
        assert scene.best.names[0] in text
        assert all(", ".join(map(str, course[1:])) in text for course in scene.course)
