"""The spelling of texts, and the direction they are read in."""

import re
import unicodedata
from typing import Final

_LEFT: Final = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
"""The signs of alphabets that are written from right to left."""
_WORD: Final = f"[0-9]*{_LEFT}(?:{_LEFT}|[0-9])*"
_NAME: Final = re.compile(rf"{_WORD}(?:(?:(?:[^\w\s]|_){{1,4}}| [-.|]+ | ){_WORD})*")
"""Words of one name. Between two names, or a name and figures, there is a space with another sign beside it."""
FROM_THE_RIGHT: Final = re.compile(_LEFT)
"""Found in texts that have to be directed; most have no such sign, and stay as they are."""
_BEFORE, _AFTER = "\u200e\u2068", "\u2069\u200e"
"""A left-to-right mark on each side is enough; the isolate between them serves where those marks are removed."""


def directed(text: str) -> str:
    """Mark what is written from right to left in a text, so that the rest of its line reads from left to right.

    Otherwise figures that follow such a name would be shown on its other side, in reverse order.
    """
    return _NAME.sub(rf"{_BEFORE}\g<0>{_AFTER}", text)


def units(text: str) -> int:
    """Count a text's UTF-16 units once it is `directed`, as Discord's limits do: an emoji has two or more."""
    return len(directed(text).encode("utf-16-le", "surrogatepass")) // 2


def label_of(text: str, most: int) -> str:
    """Direct a label, cut so that it has at most `most` units."""
    while units(text) > most:
        text = text.removesuffix("…")[:-1].rstrip() + "…"
    return directed(text)


BLANKS: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that show nothing: fillers of Korean, and Braille without dots. Some people make a name of them."""


def is_visible(name: str) -> bool:
    """Whether anything of a name can be seen: letters, digits or signs, apart from those that are blank."""
    return any(unicodedata.category(letter)[0] in "LNPS" and letter not in BLANKS for letter in name)


def normalized_name(name: str) -> str:
    """Reduce a name to a form without case, accents and extra spaces, so that look-alikes compare equal.

    >>> normalized_name("La  Peña de los JUEVES") == normalized_name("la pena de los jueves")
    True
    """
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
