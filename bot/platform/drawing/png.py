"""Files of pictures: PNG files joined from pieces, GIF files, and drawings turned into pixels.

    top, bottom = compressed(rows_of_top), compressed(rows_of_bottom)
    short, long = png_file(600, [top], colours), png_file(600, [top, bottom], colours)

A piece is compressed by itself, so it reveals nothing about the rows next to it. Now and then isal compresses the same
rows to different bytes, so a file is recognized by checksums of its rows.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final


def png_of(drawing: str, width: int) -> bytes:
    """Render an SVG document as PNG, `width` pixels wide."""
    import resvg_py  # here: a process that draws nothing does without it

    return resvg_py.svg_to_bytes(svg_string=drawing, width=width, skip_system_fonts=True)


@cache
def _fastest() -> Any:
    """The fastest zlib; untyped, because isal's stubs leave the types of arguments out."""
    try:
        from isal import isal_zlib  # here: as above
    except ImportError:  # there are no wheels of it for some kinds of machines, and it can do nothing that zlib can't
        return zlib
    return isal_zlib


_LEVEL: Final = 1
_ADLER: Final = 65521
"""The modulus of the checksum at the end of a zlib stream."""
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_STREAM: Final = b"\x78\x01"
_LAST_BLOCK: Final = b"\x03\x00"
"""The header of a zlib stream, and an empty block that ends it."""
_RAW: Final = -15


@dataclass(frozen=True, slots=True)
class Piece:
    """Compressed rows. The other fields describe the rows before compression; `crc` is a second checksum."""

    deflated: bytes
    length: int
    checksum: int
    crc: int


@dataclass(frozen=True, slots=True)
class PngFile:
    """A file. `digest` is the same for the same rows and colours, however they were compressed."""

    data: bytes = field(compare=False)
    digest: bytes


def compressed(rows: bytes) -> Piece:
    """Compress rows of palette indices, each after a zero: PNG's mark for a row that is stored as it is."""
    fastest = _fastest()
    deflating = fastest.compressobj(_LEVEL, zlib.DEFLATED, _RAW)
    deflated = deflating.compress(rows) + deflating.flush(zlib.Z_FULL_FLUSH)  # ends at a byte; another can follow
    # Two checksums take 0.01 ms together. A cryptographic one of all rows would take a third of the time for painting.
    return Piece(deflated, len(rows), fastest.adler32(rows), fastest.crc32(rows))


def png_file(width: int, pieces: Sequence[Piece], colours: bytes) -> PngFile:
    """A PNG file of pieces, one below the other; `colours` is the palette, three bytes for each colour."""
    height = sum(piece.length for piece in pieces) // (width + 1)
    checksum = 1
    for piece in pieces:
        checksum = _checksum_of_both(checksum, piece)
    data = b"".join([_STREAM, *(piece.deflated for piece in pieces), _LAST_BLOCK, checksum.to_bytes(4)])
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)  # 8 bits a pixel, of a palette
    chunks = (*_chunk(b"IHDR", head), *_chunk(b"PLTE", colours), *_chunk(b"IDAT", data), *_chunk(b"IEND", b""))
    sums = (struct.pack(">QLL", piece.length, piece.checksum, piece.crc) for piece in pieces)
    return PngFile(b"".join([_SIGNATURE, *chunks]), hashlib.sha256(b"".join([head, colours, *sums])).digest())


def _chunk(kind: bytes, data: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    return len(data).to_bytes(4), kind, data, zlib.crc32(data, zlib.crc32(kind)).to_bytes(4)


def _checksum_of_both(before: int, piece: Piece) -> int:
    """The checksum of rows with the checksum `before` and a piece after them, without reading either again."""
    low = (before & 0xFFFF) + (piece.checksum & 0xFFFF) - 1
    high = (before >> 16) + (piece.checksum >> 16) + piece.length * ((before & 0xFFFF) - 1)
    return high % _ADLER << 16 | low % _ADLER


if TYPE_CHECKING:
    from PIL import Image

_COLOURS: Final = 192


def gif_file(frames: Sequence[Image.Image], milliseconds: Sequence[int]) -> bytes:
    """Make a GIF file of frames, each shown for its `milliseconds`, with one palette made from all their colours."""
    from PIL import Image

    wide, high = frames[0].size
    strip = Image.new("RGB", (wide, high * len(frames)))
    for number, frame in enumerate(frames):
        strip.paste(frame, (0, number * high))
    strip = strip.quantize(_COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    first, *others = [strip.crop((0, number * high, wide, (number + 1) * high)) for number in range(len(frames))]
    file = BytesIO()
    first.save(
        file,
        "GIF",
        save_all=True,
        append_images=others,
        duration=list(milliseconds),
        loop=0,
        optimize=False,
        disposal=1,
    )
    return file.getvalue()
