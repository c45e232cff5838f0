"""The spelling of names and texts: whether anything is seen of one, whether two are the same, and a capital letter."""

from __future__ import annotations

import unicodedata
from typing import Final

BLANKS: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that show nothing: fillers of Korean, and Braille without dots. Some people make a name of them."""


def is_visible(name: str) -> bool:
    """Whether anything of a name can be seen: letters, digits or signs, apart from those that are blank."""
    return any(unicodedata.category(each)[0] in "LNPS" and each not in BLANKS for each in name)


def normalized_name(name: str) -> str:
    """Reduce a name to a form without case, accents and extra spaces, so that look-alikes compare equal.

    >>> normalized_name("La  Peña de los JUEVES") == normalized_name("la pena de los jueves")
    True
    """
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    return " ".join("".join(each for each in letters if not unicodedata.combining(each)).split())


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
