"""Pictures are made once, shared, and kept within bounds; nobody waits for one when there is too much to do."""

import asyncio
import threading
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from bot.cards.pictures.canvas import WIDE, Still
from bot.cards.pictures.emojis import common_form
from bot.engine.cards import DECK
from bot.engine.views import seat_view
from bot.platform.clock import utc_now
from bot.platform.drawing import scenes
from bot.platform.drawing.scenes import Picture, Pictures, Scene, Shared, paint
from bot.platform.language.catalogues import words
from bot.platform.layout import box_of
from bot.platform.operating.meter import Meter
from bot.platform.transport.gallery import Gallery
from bot.tables.pictures.table import PanelScene, TableScene, table_scene
from tests.support.engine import position
from tests.support.layouts import view_of


def scene_of(total: int = 0) -> TableScene:
    """A small table, a different one for each number."""
    scene = table_scene(view_of(position(["7o 1c", "2c"], "5e 3c")), words("en"))
    return replace(scene, sides=(replace(scene.sides[0], total=total), *scene.sides[1:]))


async def asked(pictures: Pictures, scene: Scene) -> Picture | None:
    """The picture of a scene as a layout gets it."""
    gallery = Gallery(pictures, utc_now, Meter(), lambda: None, common_form)
    return (await gallery.illustrated(box_of(None, scene=scene), 1, 30, editing=False)).picture


async def test_one_state_is_painted_once_for_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    painted: list[Scene] = []

    def counted(scene: Scene, shared: Shared) -> Picture:
        painted.append(scene)
        return paint(scene, shared)

    monkeypatch.setattr(scenes, "paint", counted)
    pictures = Pictures()
    found = await asyncio.gather(*(asked(pictures, scene_of()) for _ in range(5)))
    again = await asked(pictures, scene_of())
    assert len(painted) == 1
    assert {picture and picture.data for picture in (*found, again)} == {again and again.data}
    assert (pictures.made, pictures.hits) == (1, 5)
    await pictures.close()


async def test_only_what_a_move_changes_is_painted_and_the_rest_is_reused(monkeypatch: pytest.MonkeyPatch) -> None:
    painted: list[Scene] = []

    def counted(scene: Scene, shared: Shared) -> Picture:
        painted.append(scene)
        return paint(scene, shared)

    monkeypatch.setattr(scenes, "paint", counted)
    pictures = Pictures()
    hands = DECK[:3], DECK[3:6]
    for hand in hands:
        await asked(pictures, PanelScene(scene_of(), hand))
    painted.clear()
    mover, other, public = PanelScene(scene_of(1), hands[0][1:]), PanelScene(scene_of(1), hands[1]), scene_of(1)
    found = await asyncio.gather(*(asked(pictures, scene) for scene in (mover, other, public)))
    assert painted == [mover]
    assert found == [paint(scene) for scene in (mover, other, public)]
    assert pictures.made == 5
    await pictures.close()


async def test_a_picture_that_is_being_painted_is_not_put_together_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    painted, go = threading.Event(), threading.Event()

    def slow(scene: Scene, shared: Shared) -> Picture:
        picture = paint(scene, shared)
        painted.set()
        go.wait(20)
        return picture

    monkeypatch.setattr(scenes, "paint", slow)
    pictures = Pictures()
    first = asyncio.create_task(asked(pictures, scene_of()))
    await asyncio.to_thread(painted.wait, 20)
    assert pictures.get_if_ready(scene_of()) is None
    go.set()
    assert await first is pictures.get_if_ready(scene_of())
    assert pictures.made == 1
    await pictures.close()


async def test_past_the_bound_nobody_waits_and_nothing_is_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()

    def slow(scene: Scene, shared: Shared) -> Picture:
        go.wait(20)
        return paint(scene, shared)

    monkeypatch.setattr(scenes, "paint", slow)
    pictures = Pictures(most_waiting=2)
    begun = [asyncio.create_task(asked(pictures, scene_of(n))) for n in range(2)]
    await asyncio.sleep(0)
    assert await asked(pictures, scene_of(2)) is None
    assert pictures.refused == 1
    same = asyncio.create_task(asked(pictures, scene_of(1)))  # asking for one that is under way adds nothing
    await asyncio.sleep(0)
    go.set()
    assert all(await asyncio.gather(*begun, same))
    await pictures.close()


async def test_the_cache_is_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Still, "put_together", lambda scene, shared: None)
    size = len(paint(scene_of(0)).data)
    pictures = Pictures(most_bytes=3 * size)
    for n in range(6):
        await asked(pictures, scene_of(n))
    assert pictures.get_if_ready(scene_of(0)) is None
    assert pictures.get_if_ready(scene_of(5)) is not None
    assert sum(pictures.get_if_ready(scene_of(n)) is not None for n in range(6)) in (2, 3)
    await pictures.close()


async def test_a_caller_that_gives_up_does_not_cancel_the_picture_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()

    def slow(scene: Scene, shared: Shared) -> Picture:
        go.wait(20)
        return paint(scene, shared)

    monkeypatch.setattr(scenes, "paint", slow)
    pictures = Pictures()
    first, second = (asyncio.create_task(asked(pictures, scene_of())) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)
    go.set()
    assert await second is not None
    await pictures.close()


async def test_a_picture_that_fails_is_logged_and_left_out(
    monkeypatch: pytest.MonkeyPatch, expected_errors: list[tuple[str, str]]
) -> None:
    def broken(scene: Scene, shared: Shared) -> Picture:
        raise ValueError("no ink")

    expected_errors.append(("bot.platform.drawing.scenes", "Could not paint"))
    monkeypatch.setattr(scenes, "paint", broken)
    pictures = Pictures()
    assert await asked(pictures, scene_of()) is None
    await asyncio.sleep(0)
    await pictures.close()


async def test_after_closing_there_are_no_pictures() -> None:
    pictures = Pictures()
    await pictures.close()
    assert await asked(pictures, scene_of()) is None


def test_a_picture_is_twice_as_wide_as_a_phone_shows_it() -> None:
    assert Image.open(BytesIO(paint(scene_of()).data)).width == WIDE == 600


def test_equal_scenes_have_equal_files_and_a_panels_name_reveals_nothing() -> None:
    match = position(["7o 1c", "2c"], "5e 3c")
    table = table_scene(view_of(match), words("en"))
    one, other = (paint(PanelScene(table, tuple(seat_view(match, seat).hand))) for seat in range(2))
    assert one.data != other.data
    assert one.name == other.name
    assert paint(scene_of()) == paint(scene_of())
    assert paint(scene_of(1)).name != paint(scene_of(2)).name
