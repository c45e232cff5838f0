"""People's names as plain text: nothing in them formats, pings or reverses the text direction."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from bot.platform.language.spelling import BLANKS
from bot.platform.people.namesakes import sign_of

LONGEST: Final = 32
# Characters that format anywhere (the colon begins :emoji: and ends http), and those that do at the start of a line,
# for a heading, a quote or a list. A dot makes a list only after a number.
_MARKS: Final = re.compile(r"[\\*_~|`<\[:]|^[#>-]")
_NUMBERED: Final = re.compile(r"^([0-9]+)\.")
# Discord looks for these before it handles backslashes, so only a character in the middle breaks them.
_PINGS: Final = re.compile(r"@(?=everyone|here|[!&]?[0-9]{17,20})")


def plain(name: str, longest: int = LONGEST) -> str:
    """Write a name without control and direction marks, on one line, at most `longest` characters long.

    The sign of somebody who has a namesake isn't counted.
    """
    kept = "".join(
        " " if c.isspace() or c in BLANKS else c
        for c in name
        if unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
    )
    kept = " ".join(kept.split())
    longest += len(sign_of(kept))
    return kept if len(kept) <= longest else kept[: longest - 1] + "…"


@lru_cache(maxsize=4096)  # one click writes the same few names a dozen times
def safe(name: str, longest: int = LONGEST) -> str:
    """Escape a name for a text that Discord formats, at most twice as long as the plain one."""
    escaped = _NUMBERED.sub(r"\1\\.", _MARKS.sub(r"\\\g<0>", plain(name, longest)))
    return _PINGS.sub("@\u200b", escaped) or "?"
