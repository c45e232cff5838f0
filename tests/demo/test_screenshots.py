"""The pictures of matches: the same each time, and those of the README small and there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.demo.conftest import CHROMIUM
from tests.demo.screenshots import README, camera, stage

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROOT = Path(__file__).parents[2]
LARGEST = 150_000


@pytest.mark.skipif(CHROMIUM is None, reason="chromium isn't installed")
async def test_a_scene_looks_the_same_each_time(tmp_path: Path) -> None:
    made: list[dict[str, bytes]] = []
    for folder in (tmp_path / "first", tmp_path / "second"):
        folder.mkdir()
        async with camera() as browser, stage(browser, folder, "french", "quince", "es", ()) as shoot:
            await shoot.open("quince", 11)
        made.append({file.name: file.read_bytes() for file in folder.iterdir()})
    assert made[0].keys() == {"quince-french-lobby-wide.webp", "quince-french-lobby-phone.webp"}
    assert made[0] == made[1]


async def test_the_readme_shows_those_that_are_made_for_it() -> None:
    shown = re.findall(r"docs/pictures/([\w-]+)\.webp", (ROOT / "README.md").read_text())
    assert sorted(shown) == sorted(README)
    assert {file.stem for file in (ROOT / "docs/pictures").glob("*.webp")} == set(README)
    for name in README:
        assert 10_000 < (ROOT / f"docs/pictures/{name}.webp").stat().st_size < LARGEST
