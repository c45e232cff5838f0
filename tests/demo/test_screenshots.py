"""The pictures of matches: identical each time, and those in the documentation exist and are small."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from tests.demo.conftest import CHROMIUM
from tests.demo.screenshots import README, camera, stage

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROOT = Path(__file__).parents[2]
LARGEST = 150_000
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
