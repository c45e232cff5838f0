"""Digits, capital letters and a few marks as strokes: a small alphabet of our own, so that no font is needed.

Each sign stands at (0, 0), sixty units high, with accents above. `can_write` checks for signs that it lacks.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from bot.ui.pictures.deck.ink import INK, line, placed

HIGH: Final = 60
_GAP: Final = 16
_BLANK: Final = 16
_SIGNS: Final[dict[str, tuple[int, str]]] = {
    "0": (34, "M17 0C6 0 0 12 0 30C0 48 6 60 17 60C28 60 34 48 34 30C34 12 28 0 17 0Z"),
    "1": (13, "M0 13L13 1V60"),
    "2": (32, "M0 14C0 4 8 0 16 0C26 0 32 7 32 16C32 32 8 40 0 60H32"),
    "3": (32, "M0 7C6 0 28 -4 31 14C32 25 22 29 14 29C22 29 33 32 32 46C30 62 6 63 0 52"),
    "4": (38, "M26 60V0L0 42H38"),
    "5": (31, "M29 0H4L1 28C8 20 31 19 31 40C31 62 6 64 0 53"),
    "6": (33, "M28 3C8 0 0 22 0 40C0 54 8 60 17 60C26 60 33 54 33 43C33 32 26 26 17 26C8 26 1 32 0 42"),
    "7": (31, "M0 0H32C20 18 12 36 11 60M8 31H26"),
    "8": (32, "M16 28C8 27 3 22 3 14C3 5 8 0 16 0C24 0 29 5 29 14C29 22 24 27 16 28C6 29 0 35 0 44C0 54 7 60 16 60"
              "C25 60 32 54 32 44C32 35 26 29 16 28Z"),
    "9": (33, "M5 57C25 60 33 38 33 20C33 6 25 0 16 0C7 0 0 6 0 17C0 28 7 34 16 34C25 34 32 28 33 18"),
    "A": (40, "M0 60L20 0L40 60M7 42H33"),
    "B": (32, "M0 0V60H16C36 60 36 29 16 29H0M16 29C33 29 32 0 14 0H0"),
    "C": (36, "M36 10C28 -4 0 -6 0 30C0 66 28 64 36 50"),
    "D": (36, "M0 0V60H12C44 60 44 0 12 0Z"),
    "E": (28, "M28 0H0V60H28M0 29H22"),
    "F": (28, "M28 0H0V60M0 29H22"),
    "G": (38, "M36 10C28 -4 0 -6 0 30C0 68 38 66 38 34H22"),
    "H": (34, "M0 0V60M34 0V60M0 29H34"),
    "I": (0, "M0 0V60"),
    "J": (26, "M26 0V42C26 66 0 64 0 46"),
    "K": (34, "M0 0V60M34 0L2 36M12 26L36 60"),
    "L": (26, "M0 0V60H26"),
    "M": (44, "M0 60V0L22 40L44 0V60"),
    "N": (36, "M0 60V0L36 60V0"),
    "O": (42, "M21 0C-7 0 -7 60 21 60C49 60 49 0 21 0Z"),
    "P": (31, "M0 60V0H15C36 0 36 33 15 33H0"),
    "Q": (42, "M21 0C-7 0 -7 60 21 60C49 60 49 0 21 0ZM24 42L42 64"),
    "R": (32, "M0 60V0H15C35 0 35 31 15 31H0M15 31L32 60"),
    "S": (32, "M31 9C24 -4 0 -3 1 15C2 32 31 26 32 45C32 64 6 64 0 51"),
    "T": (36, "M0 0H36M18 0V60"),
    "U": (36, "M0 0V38C0 68 36 68 36 38V0"),
    "V": (40, "M0 0L20 60L40 0"),
    "W": (58, "M0 0L15 60L29 12L43 60L58 0"),
    "X": (38, "M0 0L38 60M38 0L0 60"),
    "Y": (38, "M0 0L19 31L38 0M19 31V60"),
    "Z": (34, "M0 0H34L0 60H34"),
    "!": (2, "M1 0V40M1 58V59"),
    "¡": (2, "M1 60V20M1 2V1"),
    "?": (28, "M0 12C2 -4 28 -4 28 14C28 28 14 26 14 42M14 58V59"),
    ".": (2, "M1 58V59"),
    ",": (6, "M4 57L0 68"),
    "'": (2, "M1 0V14"),
    "-": (20, "M0 31H20"),
    "–": (26, "M0 31H26"),
    "_": (30, "M0 62H30"),
    "#": (34, "M12 8L6 52M28 8L22 52M2 21H34M0 39H32"),
    "&": (44, "M44 60L10 18C2 6 10 0 17 0C26 0 30 10 20 20C8 30 0 34 0 45C2 64 32 66 40 34"),
    "%": (44, "M8 4C-3 4 -3 26 8 26C19 26 19 4 8 4ZM36 34C25 34 25 56 36 56C47 56 47 34 36 34ZM40 2L4 58"),
    "+": (30, "M15 16V46M0 31H30"),
    "−": (30, "M0 31H30"),
    "±": (30, "M15 10V36M0 23H30M0 50H30"),
    "=": (30, "M0 21H30M0 41H30"),
    "×": (26, "M0 18L26 44M26 18L0 44"),
    "·": (2, "M1 31V32"),
    "△": (40, "M0 54L20 8L40 54Z"),
    "□": (38, "M0 12H38V50H0Z"),
    "○": (42, "M21 10C-5 10 -5 52 21 52C47 52 47 10 21 10Z"),
    "◇": (40, "M20 8L40 31L20 54L0 31Z"),
    "▽": (40, "M0 8L20 54L40 8Z"),
    "…": (30, "M1 58V59M15 58V59M29 58V59"),
}  # fmt: skip
_ACCENTS: Final = {
    "\u0300": "M-8 -24L4 -12",
    "\u0301": "M8 -24L-4 -12",
    "\u0302": "M-10 -11L0 -23L10 -11",
    "\u0303": "M-13 -13Q-7 -24 0 -17Q7 -10 13 -21",
    "\u0308": "M-9 -17V-16M9 -17V-16",
    "\u030a": "M0 -27C-8 -27 -8 -14 0 -14C8 -14 8 -27 0 -27Z",
    "\u030c": "M-10 -23L0 -11L10 -23",
    "\u0327": "M0 62Q8 68 -2 74",
}


def can_write(text: str) -> bool:
    """Whether the alphabet has every sign of a text."""
    return all(sign in _SIGNS or sign in _ACCENTS or sign == " " for sign in _signs(text))


def width_of(text: str) -> float:
    """The width of a text at a height of sixty, without the thickness of the strokes."""
    return max(0, sum(_advance(sign) for sign in _signs(text)) - _GAP)


def writing(
    text: str, x: float, y: float, high: float, *, bold: float = 11, colour: str = INK, centred: bool = False
) -> str:
    """A text in capitals `high` units high, with its top left corner, or if `centred` its top centre, at (x, y)."""
    size = high / HIGH
    at = x - width_of(text) * size / 2 if centred else x
    drawn, middle = "", at
    for sign in _signs(text):
        if sign in _ACCENTS:
            drawn += placed(line(_ACCENTS[sign], bold, colour), middle, y, size=size)
            continue
        if sign in _SIGNS:
            drawn += placed(line(_SIGNS[sign][1], bold, colour), at, y, size=size)
            middle = at + _SIGNS[sign][0] * size / 2
        at += _advance(sign) * size
    return drawn


def _signs(text: str) -> str:
    """Split a text into capitals and accents. Fancy letters (𝓔, Ⓐ) become plain ones first: they have no capitals."""
    plain = unicodedata.normalize("NFKD", text.replace("…", "\ue000")).upper()
    return unicodedata.normalize("NFKD", plain).replace("\ue000", "…")


def _advance(sign: str) -> float:
    if sign in _ACCENTS:
        return 0
    return _SIGNS[sign][0] + _GAP if sign in _SIGNS else _BLANK
