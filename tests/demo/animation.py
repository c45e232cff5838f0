"""Writes frames as a GIF."""

from collections.abc import Sequence
from pathlib import Path

from PIL import Image

Frame = tuple[Image.Image, float]
"""A picture, and the seconds that it is shown."""
WIDTH = 800


def save(frames: Sequence[Frame], file: Path) -> None:
    """Write frames as an endless GIF, each with the colours that suit it best, and without dither, which blurs text."""
    images: list[Image.Image] = []
    for image, _ in frames:
        smaller = image.convert("RGB").resize((WIDTH, image.height * WIDTH // image.width), Image.Resampling.LANCZOS)
        images.append(smaller.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE))
    milliseconds = [round(seconds * 1000) for _, seconds in frames]
    images[0].save(file, save_all=True, append_images=images[1:], duration=milliseconds, loop=0)
