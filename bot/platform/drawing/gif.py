"""GIF files: other moving pictures don't play everywhere on Discord."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Final

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
