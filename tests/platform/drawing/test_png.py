"""PNG files joined from pieces that were compressed on their own."""

import importlib.util
import random
import sys
import zlib
from io import BytesIO

import pytest
from PIL import Image

from bot.platform.drawing import png
from bot.platform.drawing.png import compressed, png_file

WIDE = 60
COLOURS = bytes(part for level in range(256) for part in (level, 255 - level, 7))


def rows_of(seed: int, height: int) -> list[bytes]:
    """Rows of pixels with runs of one value in them, like pictures."""
    chosen = random.Random(seed)
    return [bytes(chosen.choices((5, 9, 250), (8, 1, 1))[0] for _ in range(WIDE)) for _ in range(height)]


def stored(rows: list[bytes]) -> bytes:
    return b"".join(b"\0" + row for row in rows)


def chunks(file: bytes) -> dict[bytes, bytes]:
    """A file's chunks by kind; checks the checksum of each."""
    found: dict[bytes, bytes] = {}
    at = 8
    while at < len(file):
        length = int.from_bytes(file[at : at + 4])
        kind, data = file[at + 4 : at + 8], file[at + 8 : at + 8 + length]
        assert zlib.crc32(kind + data) == int.from_bytes(file[at + 8 + length : at + 12 + length])
        found[kind] = data
        at += 12 + length
    return found


@pytest.mark.parametrize("heights", [(1,), (40,), (30, 12), (1, 1, 1), (400, 3)])
def test_a_file_shows_its_pieces_below_each_other(heights: tuple[int, ...]) -> None:
    parts = [rows_of(seed, height) for seed, height in enumerate(heights)]
    file = png_file(WIDE, [compressed(stored(rows)) for rows in parts], COLOURS).data
    with Image.open(BytesIO(file)) as image:
        assert (image.size, image.mode) == ((WIDE, sum(heights)), "P")
        assert image.tobytes() == b"".join(row for rows in parts for row in rows)
        assert bytes(image.getpalette() or []) == COLOURS
    found = chunks(file)
    assert list(found) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    # unlike Pillow, zlib checks the checksum at the end of the stream
    assert zlib.decompress(found[b"IDAT"]) == stored([row for rows in parts for row in rows])


@pytest.mark.parametrize("value", [0, 255])
def test_the_checksum_is_right_for_long_pieces_of_one_colour(value: int) -> None:
    rows = [bytes([value]) * WIDE] * 3000
    file = png_file(WIDE, [compressed(stored(rows))] * 3, COLOURS).data
    assert len(zlib.decompress(chunks(file)[b"IDAT"])) == 3 * 3000 * (WIDE + 1)


def test_a_piece_depends_on_nothing_but_its_own_rows() -> None:
    one, other = stored(rows_of(1, 300)), stored(rows_of(2, 200))
    first = compressed(one)
    for rows in (other, bytes(100_000), one[:5000]):
        compressed(rows)
        assert compressed(one) == first
    data = chunks(png_file(WIDE, [first, compressed(other)], COLOURS).data)[b"IDAT"]
    assert data[2:].startswith(first.deflated)
    assert zlib.decompressobj(-15).decompress(first.deflated) == one


def test_without_isal_zlib_makes_the_same_file(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [stored(rows_of(seed, 40)) for seed in (1, 2)]
    known = png_file(WIDE, [compressed(part) for part in parts], COLOURS)
    monkeypatch.setitem(sys.modules, "isal", None)  # now its import fails
    found = importlib.util.find_spec(png.__name__)
    assert found
    assert found.loader
    without = importlib.util.module_from_spec(found)
    monkeypatch.setitem(sys.modules, found.name, without)  # its dataclasses look there for their module
    found.loader.exec_module(without)
    assert without._fastest() is zlib
    pieces = [without.compressed(part) for part in parts]
    assert [zlib.decompressobj(-15).decompress(piece.deflated) for piece in pieces] == parts
    file = without.png_file(WIDE, pieces, COLOURS)
    assert zlib.decompress(chunks(file.data)[b"IDAT"]) == b"".join(parts)
    assert file.digest == known.digest


def test_a_file_is_recognized_however_its_rows_were_compressed(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = stored(rows_of(1, 300)), stored(rows_of(2, 300))
    file = png_file(WIDE, [compressed(one), compressed(other)], COLOURS)
    different = [
        ([other, one], COLOURS),
        ([one], COLOURS),
        ([one, other[:-1] + b"\6"], COLOURS),
        ([one, other], bytes(768)),
    ]
    for rows, colours in different:
        assert png_file(WIDE, [compressed(each) for each in rows], colours).digest != file.digest
    monkeypatch.setattr(png, "_LEVEL", 0)
    again = png_file(WIDE, [compressed(one), compressed(other)], COLOURS)
    assert again.data != file.data
    assert again.digest == file.digest
