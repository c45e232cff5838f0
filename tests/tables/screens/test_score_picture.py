"""A round's score: one size all through a match, whole names, and totals clearly apart from what was gained."""

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from itertools import groupby
from typing import Any

import pytest
from PIL import Image, ImageColor

from bot.cards.pictures.canvas import BADGE_HIGH, WIDE
from bot.cards.pictures.deck.ink import PAPER
from bot.cards.pictures.sprites import DARK, GOLD
from bot.engine.moves import Stage
from bot.engine.rules import Seating
from bot.engine.scoring import Item
from bot.platform.drawing.scenes import paint
from bot.platform.language.faces import Deck
from bot.tables.pictures.score import ItemRow, RoundScene, round_scene
from tests.support.layouts import view_of
from tests.tables.screens.test_scenes import EN, played


def rounds(preset: str, seating: Seating) -> list[RoundScene]:
    """The scenes of a match's scores."""
    return [
        round_scene(view_of(state), EN)
        for state in played(5, preset=preset, seating=seating)
        if state.scores and state.stage is not Stage.TO_PLAY
    ]


def scene_of(sides: int, names: tuple[str, ...], gained: int = 1, total: int = 1) -> RoundScene:
    """A round in which each side of these players has taken some cards."""
    rows = (ItemRow(Item.CARDS, "Cards", (8,) * sides, (0,) * sides, ()),)
    return RoundScene(Deck.SPANISH, (names,) * sides, rows, (gained,) * sides, (total,) * sides)


def pixels(scene: RoundScene) -> Image.Image:
    with Image.open(BytesIO(paint(scene).data)) as image:
        return image.convert("RGB")


@pytest.mark.parametrize(
    ("preset", "seating"),
    [("escoba", Seating.TWO), ("juegon", Seating.FOUR), ("quince", Seating.TRIPLE_PAIRS), ("escoba", Seating.PAIRS)],
)
def test_the_scores_of_a_match_have_one_size(preset: str, seating: Seating) -> None:
    assert len({pixels(scene).size for scene in rounds(preset, seating)}) == 1


@pytest.mark.parametrize("sides", [2, 3, 4, 5])
@pytest.mark.parametrize(("gained", "total"), [(0, 1), (1, 1), (1, 21), (12, 101)])
def test_a_total_stands_on_a_plate_of_its_own_apart_from_what_was_gained(sides: int, gained: int, total: int) -> None:
    image = pixels(scene_of(sides, ("Ana",), gained, total))
    row = image.height - 48 - (BADGE_HIGH if sides > 3 else 0)  # within the plates, above their text
    colours = [ImageColor.getrgb(colour) for colour in (GOLD, PAPER, DARK)]
    seen = [nearest(image.getpixel((x, row)), colours) for x in range(WIDE)]
    runs = [(colour, len(list(run))) for colour, run in groupby(seen)]
    assert [colour for colour, _ in runs] == [2, *[0, 2, 1, 2] * sides]
    assert all(length >= 8 for _, length in runs)


def nearest(seen: Any, colours: Sequence[tuple[int, ...]]) -> int:
    """The index of the colour closest to a pixel."""
    return min(range(len(colours)), key=lambda n: sum(abs(a - b) for a, b in zip(seen, colours[n], strict=True)))


def test_a_pairs_names_stand_below_each_other() -> None:
    scene = scene_of(3, ("Ana", "Bea"))
    whole = pixels(scene)
    for side in range(3):
        for place in range(2):
            names = list(scene.sides[side])
            names[place] = "Maximiliano"
            other = replace(scene, sides=(*scene.sides[:side], tuple(names), *scene.sides[side + 1 :]))
            lines = [(side * 200, 7 + line * 30, side * 200 + 200, 37 + line * 30) for line in range(2)]
            changed = [whole.crop(box).tobytes() != pixels(other).crop(box).tobytes() for box in lines]
            assert changed == [line == place for line in range(2)]
