"""The pictures of matches: identical each time, and those in the documentation exist and are small."""

import re
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageSequence

from tests.demo.animation import save
from tests.demo.conftest import CHROMIUM
from tests.demo.screenshots import README, ROUND, camera, stage

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROOT = Path(__file__).parents[2]
LARGEST, LARGEST_ANIMATION = 150_000, 1_500_000
ALIKE = 24
"""The least difference that counts, of 255. On a busy machine Chromium sometimes draws a line of text half a pixel
higher; a changed word is more.
"""
COARSE = 16


def differ(one: Image.Image, other: Image.Image) -> int:
    """The greatest difference between two pictures, after reducing both."""
    assert one.size == other.size
    found = ImageChops.difference(one.reduce(COARSE), other.reduce(COARSE)).convert("L").getextrema()
    return int(max(found))  # pyright: ignore[reportArgumentType] - of one band it is two numbers


@pytest.mark.skipif(CHROMIUM is None, reason="chromium isn't installed")
@pytest.mark.thorough
async def test_a_scenes_picture_is_the_same_each_time(tmp_path: Path) -> None:
    made: list[dict[str, Image.Image]] = []
    async with camera() as browser:
        for folder in (tmp_path / "first", tmp_path / "second"):
            folder.mkdir()
            async with stage(browser, folder, "french", "quince", "es", ()) as shoot:
                await shoot.open("quince", 11)
            made.append({file.name: Image.open(file).convert("RGB") for file in folder.iterdir()})
    first, second = made
    assert first.keys() == second.keys() == {"quince-french-lobby-wide.webp", "quince-french-lobby-phone.webp"}
    assert max(differ(image, second[name]) for name, image in first.items()) < ALIKE
    wide, phone = first.values()
    assert differ(wide, wide.transpose(Image.Transpose.FLIP_TOP_BOTTOM)) > ALIKE
    assert differ(phone, phone.transpose(Image.Transpose.FLIP_LEFT_RIGHT)) > ALIKE


async def test_the_documentation_shows_the_pictures_made_for_it() -> None:
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/PLAYING.md")]
    assert {name for text in texts for name in re.findall(r"pictures/([\w-]+)\.webp", text)} == set(README)
    assert {file.stem for file in (ROOT / "docs/pictures").glob("*.webp")} == set(README)
    for name in README:
        assert 10_000 < (ROOT / f"docs/pictures/{name}.webp").stat().st_size < LARGEST


async def test_the_readme_shows_a_round_that_can_be_read() -> None:
    file = ROOT / f"docs/pictures/{ROUND}.gif"
    assert f"docs/pictures/{file.name}" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert file.stat().st_size < LARGEST_ANIMATION
    with Image.open(file) as film:
        assert film.info["loop"] == 0
        shown = [frame.info["duration"] for frame in ImageSequence.Iterator(film)]
    assert 8 <= len(shown) <= 12
    assert min(shown) >= 2000


async def test_each_frame_of_an_animation_keeps_its_time_and_its_own_colours(tmp_path: Path) -> None:
    grey, none = Image.linear_gradient("L"), Image.new("L", (256, 256))
    frames = [(Image.merge("RGB", bands), 2.5) for bands in ((grey, none, none), (none, grey, none))]
    save(frames, tmp_path / "two.gif")
    with Image.open(tmp_path / "two.gif") as film:
        for (frame, seconds), shown in zip(frames, ImageSequence.Iterator(film), strict=True):
            assert shown.info["duration"] == seconds * 1000
            assert differ(shown.convert("RGB"), frame.resize(film.size)) < 4
