"""The alphabet of pictures, and how any text is folded to it: what is left of a name says whose names look the same."""

from __future__ import annotations

from functools import lru_cache
from typing import Final
from unicodedata import combining, normalize

LETTERS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZÆĐĦŁŊŒØÞŦƏБГДЖИЛПУФЦЧШЩЪЫЬЭЮЯЂЄЉЊЋЏҐҒҚҢҰҺΔΘΛΞΣΨΩ"
"""Digits and capitals of Latin, Cyrillic and Greek; those that look the same in two of them are here only once."""
ACCENTS: Final = (
    "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0309\u030a\u030b\u030c\u031b\u0323\u0326\u0327\u0328"
)
_ALIKE: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТХҮЗӘӨ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧΓΠΦ" + "Ðıĸᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ" + "’‘ʼʻ′´`⁄—",
    "ABESIJKMHOPCTXY3ƏΘ" + "ABEZHIKMNOPTYXГПФ" + "ĐIKABCDEFGHIJKLMNOPRSTUVWYZ" + "'''''''/–",
)
"""Letters that are drawn as others: those of two alphabets that look the same, and small capitals."""
_FILLED: Final = {
    first + n: chr(ord("A") + n)
    for first in (0x1F150, 0x1F170)  # white letters in black circles and squares
    for n in range(26)
}


@lru_cache(maxsize=4096)
def capitals(text: str) -> str:
    """Fold a text to capitals, each followed by its accents. Fancy letters become plain, and unknown accents fall away.

    >>> capitals("𝓔𝓶𝓶𝓪 O’Neil")
    "EMMA O'NEIL"
    """
    plain = normalize("NFKD", text.translate(_ALIKE).translate(_FILLED)).upper()
    signs = normalize("NFKD", plain.replace("ẞ", "SS")).translate(_ALIKE)
    return "".join(sign for sign in signs if sign in ACCENTS or not combining(sign))
