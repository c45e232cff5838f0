"""A check that names written from right to left turn nothing round, by the rules of Unicode's bidirectional algorithm
that matter for our texts."""

import re
import unicodedata
from collections.abc import Iterator

ISOLATES = re.compile("[\u2066-\u2069]")
MARKS = re.compile("[\u200b\u200e\u200f\u2060\u2066-\u2069]")
FROM_RIGHT = re.compile("[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]")
"""The blocks of the signs that are written from right to left; no other sign turns anything."""
_LEFT, _FIGURES = ("R", "AL"), ("EN", "AN")
_IN_A_NAME = re.compile(r"\S*| [-.|]+ | ")
"""The signs between two words of one name."""


def turned(text: str, without: re.Pattern[str] = ISOLATES) -> Iterator[str]:
    """The lines that are shown in another order than they are written in, if Discord removes these marks.

    A line begins on the left unless its first letter is one from right to left. After such a letter everything goes on
    to its left, up to the next letter from left to right: figures too, and other names.
    """
    if not FROM_RIGHT.search(text):
        return
    for line in without.sub("", text).splitlines():
        kinds = [(sign, unicodedata.bidirectional(sign)) for sign in line]
        before, between = "L", ""
        if next((kind for _, kind in kinds if kind in ("L", *_LEFT)), "L") in _LEFT:
            yield f"begins on the right: {line!r}"
            continue
        for sign, kind in kinds:
            figure = kind in _FIGURES and between
            if before in _LEFT and (figure or (kind in _LEFT and not _IN_A_NAME.fullmatch(between))):
                yield f"turned round after a name: {line!r}"
                break
            if kind in ("L", *_LEFT):
                before, between = kind, ""
            elif kind not in ("NSM", *_FIGURES):
                between += sign
