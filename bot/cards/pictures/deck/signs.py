"""Digits, capitals of three alphabets and marks as strokes: lettering of our own, so that no font is needed.

Each sign stands at (0, 0), sixty units high, with accents above. `can_write` checks for signs that it lacks.
"""

from typing import Final
from unicodedata import combining

from bot.cards.pictures.deck.ink import INK, line, placed
from bot.platform.people import capitals

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
    "Æ": (58, "M58 0H30L0 60M58 60H34V0M34 29H54M14 42H34"),
    "Đ": (44, "M8 0V60H20C52 60 52 0 20 0ZM0 29H24"),
    "Ħ": (48, "M7 0V60M41 0V60M7 34H41M0 15H48"),
    "Ł": (32, "M6 0V60H32M0 38L20 22"),
    "Ŋ": (36, "M0 0V60M0 16C8 -4 36 -6 36 20V52C36 68 26 72 18 68"),
    "Œ": (60, "M60 0H24C-8 0 -8 60 24 60H60M34 0V60M34 29H56"),
    "Ø": (42, "M21 0C-7 0 -7 60 21 60C49 60 49 0 21 0ZM40 -4L2 64"),
    "Þ": (31, "M0 0V60M0 14H15C36 14 36 45 15 45H0"),
    "Ŧ": (36, "M0 0H36M18 0V60M6 31H30"),
    "Ə": (42, "M2 12C12 -6 42 -4 42 30C42 70 0 70 0 32H42"),
    "Б": (31, "M28 0H0V60H15C36 60 36 26 15 26H0"),
    "Г": (28, "M28 0H0V60"),
    "Д": (46, "M0 63V53H46V63M6 54C16 40 16 18 16 0H40V53"),
    "Ж": (54, "M27 0V60M0 0L22 30H32L54 0M0 60L22 30M32 30L54 60"),
    "И": (36, "M0 0V60L36 0V60"),
    "Л": (38, "M0 60C10 58 10 30 10 0H38V60"),
    "П": (36, "M0 60V0H36V60"),
    "У": (38, "M0 0L19 36M38 0L15 46C10 58 5 62 0 59"),
    "Ф": (50, "M25 -3V63M25 10C-8 10 -8 48 25 48C58 48 58 10 25 10Z"),
    "Ц": (44, "M0 0V54H44V63M36 0V54"),
    "Ч": (32, "M0 0V20C0 34 12 37 32 33M32 0V60"),
    "Ш": (52, "M0 0V60H52V0M26 0V60"),
    "Щ": (60, "M0 0V54H60V63M26 0V54M52 0V54"),
    "Ъ": (44, "M0 0H12V60H28C50 60 50 27 28 27H12"),
    "Ы": (48, "M0 0V60H14C36 60 36 27 14 27H0M48 0V60"),
    "Ь": (31, "M0 0V60H15C36 60 36 27 15 27H0"),
    "Э": (38, "M0 10C10 -6 38 -6 38 30C38 66 10 66 0 50M14 30H38"),
    "Ю": (60, "M0 0V60M0 30H19M39 0C12 0 12 60 39 60C67 60 67 0 39 0Z"),
    "Я": (32, "M32 60V0H17C-3 0 -3 31 17 31H32M17 31L0 60"),
    "Ђ": (42, "M0 0H34M13 0V60M13 36C20 22 42 22 42 44C42 62 36 68 26 66"),
    "Є": (38, "M38 10C28 -6 0 -6 0 30C0 66 28 66 38 50M0 30H24"),
    "Љ": (58, "M0 60C10 58 10 30 10 0H34V60H42C63 60 63 27 42 27H34"),
    "Њ": (56, "M0 0V60M32 0V60H40C61 60 61 27 40 27H0"),
    "Ћ": (42, "M0 0H34M13 0V60M13 36C20 22 42 22 42 42V60"),
    "Џ": (36, "M0 0V54H36V0M18 54V63"),
    "Ґ": (28, "M28 -11V0H0V60"),
    "Ғ": (34, "M34 0H7V60M0 31H26"),
    "Қ": (44, "M0 0V60M34 0L2 36M12 26L34 55H44V63"),
    "Ң": (42, "M0 0V60M34 0V55H42V63M0 29H34"),
    "Ұ": (38, "M0 0L19 31L38 0M19 31V60M6 44H32"),
    "Һ": (34, "M0 0V60M0 36C6 22 34 20 34 42V60"),
    "Δ": (44, "M0 60L22 0L44 60Z"),
    "Θ": (42, "M21 0C-7 0 -7 60 21 60C49 60 49 0 21 0ZM10 30H32"),
    "Λ": (40, "M0 60L20 0L40 60"),
    "Ξ": (32, "M0 0H32M5 29H27M0 60H32"),
    "Σ": (34, "M34 0H0L22 30L0 60H34"),
    "Ψ": (46, "M23 0V60M0 0V14C0 44 46 44 46 14V0"),
    "Ω": (44, "M0 60H14C-10 36 -2 0 22 0C46 0 54 36 30 60H44"),
    "!": (2, "M1 0V40M1 58V59"),
    "¡": (2, "M1 60V20M1 2V1"),
    "?": (28, "M0 12C2 -4 28 -4 28 14C28 28 14 26 14 42M14 58V59"),
    "¿": (28, "M28 48C26 64 0 64 0 46C0 32 14 34 14 18M14 2V1"),
    ".": (2, "M1 58V59"),
    ",": (6, "M4 57L0 68"),
    ":": (2, "M1 20V21M1 54V55"),
    ";": (6, "M4 20V21M4 54L0 66"),
    "'": (2, "M1 0V14"),
    '"': (16, "M1 0V14M15 0V14"),
    "(": (12, "M12 -2C-4 15 -4 45 12 62"),
    ")": (12, "M0 -2C16 15 16 45 0 62"),
    "[": (12, "M12 -2H0V62H12"),
    "]": (12, "M0 -2H12V62H0"),
    "{": (14, "M14 -2C0 -2 12 30 0 30C12 30 0 62 14 62"),
    "}": (14, "M0 -2C14 -2 2 30 14 30C2 30 14 62 0 62"),
    "<": (26, "M26 10L0 31L26 52"),
    ">": (26, "M0 10L26 31L0 52"),
    "/": (26, "M26 -2L0 62"),
    "\\": (26, "M0 -2L26 62"),
    "|": (2, "M1 -2V62"),
    "~": (34, "M0 36C6 22 14 26 18 30C22 35 29 38 34 25"),
    "^": (26, "M0 18L13 2L26 18"),
    "*": (26, "M13 1V31M0 8L26 24M26 8L0 24"),
    "@": (50, "M36 30C36 16 16 16 16 30C16 46 36 46 36 30V18V34C36 48 50 46 50 28C50 -8 0 -8 0 30C0 66 30 66 42 56"),
    "$": (32, "M31 9C24 -4 0 -3 1 15C2 32 31 26 32 45C32 64 6 64 0 51M16 -8V68"),
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
}  # fmt: skip
_ACCENTS: Final = {
    "\u0300": "M-8 -24L4 -12",
    "\u0301": "M8 -24L-4 -12",
    "\u0302": "M-10 -11L0 -23L10 -11",
    "\u0303": "M-13 -13Q-7 -24 0 -17Q7 -10 13 -21",
    "\u0304": "M-11 -16H11",
    "\u0306": "M-10 -23C-8 -9 8 -9 10 -23",
    "\u0307": "M0 -17V-16",
    "\u0308": "M-9 -17V-16M9 -17V-16",
    "\u0309": "M-5 -22C0 -29 9 -23 3 -18L0 -13",
    "\u030a": "M0 -27C-8 -27 -8 -14 0 -14C8 -14 8 -27 0 -27Z",
    "\u030b": "M-1 -24L-11 -12M13 -24L3 -12",
    "\u030c": "M-10 -23L0 -11L10 -23",
    "\u031b": "M-5 3C7 5 10 -3 7 -10",
    "\u0323": "M0 73V74",
    "\u0326": "M2 69L-3 77",
    "\u0327": "M0 62Q8 68 -2 74",
    "\u0328": "M-2 60C-11 67 -8 76 2 73",
}
_AT_THE_END: Final = "\u031b\u0328"
"""Accents that grow out of a letter's right edge, not out of its middle."""
_ABOVE: Final = 230
"""The combining class of accents above a letter; a second one stands to the right of the first."""


def can_write(text: str) -> bool:
    """Whether the alphabet has every sign of a text."""
    return all(sign in _SIGNS or sign in _ACCENTS or sign == " " for sign in capitals(text))


def width_of(text: str) -> float:
    """The width of a text at a height of sixty, without the thickness of the strokes."""
    return max(0, sum(_advance(sign) for sign in capitals(text)) - _GAP)


def writing(
    text: str, x: float, y: float, high: float, *, bold: float = 11, colour: str = INK, centred: bool = False
) -> str:
    """A text in capitals `high` units high, with its top left corner, or if `centred` its top centre, at (x, y)."""
    size = high / HIGH
    at = x - width_of(text) * size / 2 if centred else x
    drawn, middle, end = "", at, at
    for sign in capitals(text):
        if sign in _ACCENTS:
            drawn += placed(line(_ACCENTS[sign], bold, colour), end if sign in _AT_THE_END else middle, y, size=size)
            middle += 15 * size if combining(sign) == _ABOVE else 0
            continue
        if sign in _SIGNS:
            drawn += placed(line(_SIGNS[sign][1], bold, colour), at, y, size=size)
            end = at + _SIGNS[sign][0] * size
            middle = (at + end) / 2
        at += _advance(sign) * size
    return drawn


def _advance(sign: str) -> float:
    if sign in _ACCENTS:
        return 0
    return _SIGNS[sign][0] + _GAP if sign in _SIGNS else _BLANK
