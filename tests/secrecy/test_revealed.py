"""What counts as a difference between two pictures: their pixels and all else, but not how pixels are compressed."""

import zlib

import pytest

from bot.platform.drawing.png import Piece, png_file
from tests.secrecy.revealed import Revealed, Sent, difference

ROWS = b"".join(bytes([0, *(row * column % 7 for column in range(60))]) for row in range(40))
COLOURS = bytes(21)


def revealed(rows: bytes = ROWS, *, level: int = 1, checksum: int = 0, after: bytes = b"") -> Revealed:
    deflating = zlib.compressobj(level, zlib.DEFLATED, -15)
    deflated = deflating.compress(rows) + deflating.flush(zlib.Z_FULL_FLUSH)
    piece = Piece(deflated, len(rows), zlib.adler32(rows) ^ checksum, zlib.crc32(rows))
    file = png_file(60, [piece], COLOURS).data + after
    return Revealed([Sent(None, "POST", "/channels/1/messages", "{}", (("table.png", file),))])


def test_another_compression_of_the_same_pixels_is_no_difference() -> None:
    assert str(revealed().sent[0]) != str(revealed(level=9).sent[0])
    assert difference(revealed(), revealed(level=9)) is None


@pytest.mark.parametrize(
    "other",
    [
        revealed(ROWS[:-1] + b"\x06", level=9),
        revealed(level=9, checksum=1),
        revealed(level=9, after=b"\0"),
        revealed(ROWS + ROWS[-61:], level=9),
    ],
    ids=["a pixel", "the checksum", "bytes after the picture", "a row more"],
)
def test_any_other_change_to_a_picture_is_a_difference(other: Revealed) -> None:
    assert difference(revealed(), other) is not None
