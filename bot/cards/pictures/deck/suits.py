"""The suits' symbols, and their emblems for emojis."""

import re
from math import cos, pi, sin
from typing import Final

from bot.cards.pictures.deck.ink import (
    BLUE,
    BROWN,
    GREEN,
    INK,
    LEAF,
    PAPER,
    RED,
    SNOW,
    STEEL,
    YELLOW,
    block,
    disc,
    line,
    oval,
    path,
    placed,
)
from bot.cards.pictures.deck.signs import width_of, writing
from bot.engine.cards import Suit

_BLUSH: Final = "#e58a3a"


def pip(suit: Suit) -> str:
    """The suit as it is repeated on the cards from two to seven, and held by the figures."""
    return (oro, copa, espada, basto)[suit]()


def star(points: int, outer: float, inner: float, fill: str, *, width: float = 2) -> str:
    """A star around (0, 0), one point up."""
    corners = [
        (radius * sin(pi * n / points), -radius * cos(pi * n / points))
        for n in range(2 * points)
        for radius in ((outer, inner)[n % 2],)
    ]
    return path("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "Z", fill, width=width)


def oro() -> str:
    """A coin: a milled rim, a sunburst, and a rosette."""
    rays = star(12, 34, 21, RED, width=2)
    mill = "".join(
        line(f"M{38 * sin(a):.1f} {-38 * cos(a):.1f}L{45 * sin(a):.1f} {-45 * cos(a):.1f}", 2.2)
        for a in (2 * pi * n / 24 for n in range(24))
    )
    petals = "".join(
        disc(8.5 * sin(a), -8.5 * cos(a), 5.5, YELLOW, width=2) for a in (2 * pi * n / 6 for n in range(6))
    )
    return (
        disc(0, 0, 47, YELLOW, width=4)
        + mill
        + disc(0, 0, 37, SNOW, width=2.5)
        + rays
        + disc(0, 0, 18, YELLOW, width=2.5)
        + petals
        + disc(0, 0, 4.5, RED, width=1.5)
    )


def sun() -> str:
    """The great coin of the ace, of radius 60: a sun with a face."""
    rays = star(16, 51.6, 33.6, YELLOW, width=2.5) + star(16, 44.4, 33.6, RED, width=2)
    mill = "".join(disc(56.1 * sin(a), -56.1 * cos(a), 2.4, RED, width=0) for a in (2 * pi * n / 40 for n in range(40)))
    features = (
        line("M-16 -10Q-10 -16 -4 -10M16 -10Q10 -16 4 -10", 3)
        + disc(-10, -4, 3.2, INK, width=0) + disc(10, -4, 3.2, INK, width=0)
        + line("M2 -8L-4 7H3", 2.5)
        + path("M-10 13Q0 23 10 13Q0 16 -10 13Z", RED, width=2)
        + disc(-19, 7, 4.5, _BLUSH, width=0) + disc(19, 7, 4.5, _BLUSH, width=0)
    )  # fmt: skip
    return (
        disc(0, 0, 60, YELLOW, width=4.5) + mill + disc(0, 0, 52.2, SNOW, width=3) + rays
        + disc(0, 0, 33.6, YELLOW, width=3) + features
    )  # fmt: skip


def copa() -> str:
    """A chalice: a wide red bowl with a golden rim, a knop, and a foot."""
    return (
        path("M-13 22C-14 34 -32 36 -33 47H33C32 36 14 34 13 22Z", YELLOW)
        + path("M-8 8H8V24H-8Z", BLUE)
        + oval(0, 17, 14, 7, YELLOW)
        + path("M-38 -38C-38 -6 -22 10 0 10C22 10 38 -6 38 -38Z", RED)
        + path(
            "M-36 -22C-20 -12 20 -12 36 -22C35 -15 33 -9 30 -4C14 4 -14 4 -30 -4C-33 -9 -35 -15 -36 -22Z",
            YELLOW,
            width=2.5,
        )
        + disc(0, -8, 4.5, BLUE, width=2)
        + disc(-18, -10.5, 3.5, BLUE, width=2)
        + disc(18, -10.5, 3.5, BLUE, width=2)
        + oval(0, -38, 38, 10, YELLOW)
        + oval(0, -38, 27, 5.2, BLUE, width=2)
        + line("M-24 42H24", 2)
    )


def espada() -> str:
    """A short sword, point up: blue steel, a golden guard, a red grip."""
    return (
        path("M0 -53L10 -38V18H-10V-38Z", STEEL)
        + path("M0 -46V18H8V-37Z", BLUE, width=0)
        + line("M0 -40V16", 2)
        + block(-6, 22, 12, 20, RED, radius=3, outline=2.5)
        + line("M-5 28L5 32M-5 34L5 38", 2, YELLOW)
        + disc(0, 46, 7, YELLOW, width=2.5)
        + path(
            "M-27 11C-29 20 -21 24 -12 22L0 26L12 22C21 24 29 20 27 11C22 18 15 15 0 15C-15 15 -22 18 -27 11Z", YELLOW
        )
    )


def basto() -> str:
    """A knobbly green club, thick end up, its branches cut off."""
    return (
        path("M9 -22L19 -31Q24 -31 25 -25L12 -12Z", GREEN, width=2.5) + oval(22.5, -28, 3.6, 4.4, YELLOW, width=2)
        + path("M-8 -6L-19 -14Q-24 -13 -23 -7L-8 6Z", GREEN, width=2.5) + oval(-21, -10.5, 3.4, 4.2, YELLOW, width=2)
        + path("M6 14L15 7Q19 8 19 13L6 23Z", GREEN, width=2.5) + oval(17, 10, 3, 3.6, YELLOW, width=2)
        + path(
            "M-5 50L-4 34L-7 28L-6 12L-9 5L-9 -8L-12 -16L-13 -38C-13 -49 -6 -53 1 -53C8 -53 13 -48 13 -39L11 -26L13 -18"
            "L9 -9L9 6L6 13L7 26L4 32L5 50Q0 53 -5 50Z",
            GREEN,
        )
        + path("M-12 -36C-13 -49 -6 -53 1 -53C8 -53 13 -48 13 -39C8 -44 -6 -45 -12 -36Z", YELLOW, width=2.5)
        + line("M-5 -32V-20M3 -34V-26M-4 -6V6M3 -14V-2M-1 18V32M2 36V44", 2.4, LEAF)
        + line("M-3 -47Q2 -49 6 -46", 2, BROWN)
    )  # fmt: skip


SIDE: Final = 128
_RIM: Final = 15
_STROKE: Final = re.compile(r'fill="[^"]*" stroke="[^"]*"(?: stroke-width="[^"]*")?')


def suit_emblem(pip: str) -> str:
    """A suit, filling the square."""
    return placed(pip, 64, 64, size=1.14)


def rimmed_emblem(pip: str) -> str:
    """A suit with a light rim, so that blue steel stands out on a blue button and green wood on a green one."""
    return placed(rimmed(pip, _RIM), 64, 64, size=1.04)


def rimmed(pip: str, width: float) -> str:
    """A suit with a rim of paper."""
    return _STROKE.sub(f'fill="{PAPER}" stroke="{PAPER}" stroke-width="{width:g}"', pip) + pip


def card_emblem(index: str, pip: str, *, tall: bool, colour: str = INK) -> str:
    """A little card: the index as large as fits, and the suit beside it; `tall` suits are narrow."""
    paper = block(4, 4, 120, 120, PAPER, radius=20, outline=6)
    if len(index) == 2:
        suit = placed(pip, 96, 76, size=0.86) if tall else placed(pip, 88, 88, size=0.6)
        return paper + writing(index, 18, 20, 46, bold=15, colour=colour) + suit
    high = min(76, 44 * 60 / max(1, width_of(index)))  # a wide letter must stay clear of the edge
    x, y = 38 - width_of(index) * high / 120, 64 - high / 2
    suit = placed(pip, 95, 64, size=0.94) if tall else placed(pip, 92, 74, size=0.58)
    return paper + suit + writing(index, x, y, high, bold=13.5, colour=colour)
