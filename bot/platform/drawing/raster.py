"""Turns drawings into pixels, in memory: the disk may be read-only."""

from __future__ import annotations


def png_of(drawing: str, width: int) -> bytes:
    """Render an SVG document as PNG, `width` pixels wide."""
    import resvg_py  # here: a process that draws nothing does without it

    return resvg_py.svg_to_bytes(svg_string=drawing, width=width, skip_system_fonts=True)
