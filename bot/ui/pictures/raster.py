"""Drawings become pixels. Nothing is written to a disk, which may be read-only: drawings are kept in the process."""

from __future__ import annotations

import resvg_py


def png_of(drawing: str, width: int) -> bytes:
    """An SVG document as PNG, so many pixels wide."""
    return resvg_py.svg_to_bytes(svg_string=drawing, width=width, skip_system_fonts=True)
