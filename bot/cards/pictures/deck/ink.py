"""The means that cards are drawn with: the printer's inks, and shapes as SVG elements.

A drawing is a string of SVG elements; `page` turns it into a document. Everything is a shape, digits too, so no font is
needed and every machine draws the same card.
"""

from typing import Final

WIDTH: Final = 200
HEIGHT: Final = 310
"""The size of a card in the units of its drawing."""

INK: Final = "#1f1a17"
PAPER: Final = "#fdf6e3"
YELLOW: Final = "#f2b62b"
RED: Final = "#c9341f"
BLUE: Final = "#2b62a8"
GREEN: Final = "#3f8f43"
SKIN: Final = "#f4cda4"
STEEL: Final = "#a9cbe6"
LEAF: Final = "#7cb950"
BROWN: Final = "#8a5a2b"
SNOW: Final = "#f7f7f2"


def path(d: str, fill: str = "none", *, width: float = 3, stroke: str = INK) -> str:
    """A path; `width` 0 draws no outline."""
    outline = f' stroke="{stroke}" stroke-width="{width:g}"' if width else ' stroke="none"'
    return f'<path d="{d}" fill="{fill}"{outline}/>'


def disc(x: float, y: float, radius: float, fill: str = "none", *, width: float = 3, stroke: str = INK) -> str:
    outline = f' stroke="{stroke}" stroke-width="{width:g}"' if width else ' stroke="none"'
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"{outline}/>'


def oval(x: float, y: float, rx: float, ry: float, fill: str = "none", *, width: float = 3) -> str:
    """An upright ellipse."""
    outline = f' stroke="{INK}" stroke-width="{width:g}"' if width else ' stroke="none"'
    return f'<ellipse cx="{x:g}" cy="{y:g}" rx="{rx:g}" ry="{ry:g}" fill="{fill}"{outline}/>'


def line(d: str, width: float = 2.5, stroke: str = INK) -> str:
    """An open stroke."""
    return path(d, width=width, stroke=stroke)


def block(x: float, y: float, width: float, height: float, fill: str, *, radius: float = 0, outline: float = 3) -> str:
    """A rectangle."""
    edge = f' stroke="{INK}" stroke-width="{outline:g}"' if outline else ' stroke="none"'
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" fill="{fill}"{edge}/>'


def placed(
    drawing: str, x: float = 0, y: float = 0, *, size: float = 1, turn: float = 0, mirrored: bool = False
) -> str:
    """A drawing that is scaled or mirrored, then turned by degrees, then moved."""
    transform = f"translate({x:g} {y:g})"
    if turn:
        transform += f" rotate({turn:g})"
    if mirrored or size != 1:
        transform += f" scale({-size if mirrored else size:g} {size:g})"
    return f'<g transform="{transform}">{drawing}</g>'


def page(drawing: str, width: float = WIDTH, height: float = HEIGHT) -> str:
    """An SVG document of `width` × `height` units."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}"><g stroke-linejoin="round" stroke-linecap="round">{drawing}</g></svg>'
    )
