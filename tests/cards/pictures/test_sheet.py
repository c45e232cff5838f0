"""The sheet of both decks, made by one command and shown in docs/PLAYING.md."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from bot.cards.pictures import sheet

ROOT = Path(__file__).parents[3]
PICTURE = ROOT / "docs" / "pictures" / "decks.png"


@pytest.mark.thorough
def test_the_sheet_in_the_documentation_shows_the_present_drawings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "decks.png"
    monkeypatch.setattr("sys.argv", ["sheet", str(file)])
    sheet.main()
    made, kept = (Image.open(BytesIO(each.read_bytes())).convert("L") for each in (file, PICTURE))
    assert made.size == kept.size
    histogram = ImageChops.difference(made, kept).histogram()
    assert sum(histogram[40:]) < 20, "make the sheet again: python -m bot.cards.pictures.sheet docs/pictures/decks.png"


def test_a_sheet_has_a_row_for_each_suit_of_both_decks_and_one_of_backs() -> None:
    small = Image.open(BytesIO(sheet.sheet(13)))
    assert small.size == (10 * 21 + 8, 9 * 28 + 8)
    assert len(small.getcolors() or ()) > 30


def test_the_documentation_shows_the_sheet() -> None:
    assert "(pictures/decks.png)" in (ROOT / "docs" / "PLAYING.md").read_text(encoding="utf-8")
