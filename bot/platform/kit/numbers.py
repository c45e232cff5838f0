"""Numbers in text that anybody could have made up: custom_ids, menus' values, and what is typed into forms."""

from __future__ import annotations

from typing import Final

LARGEST: Final = 2**63 - 1
"""The largest number that the database can hold."""
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def base36(number: int) -> str:
    """Format a number of at least 0 in base 36."""
    if number < 0:
        raise ValueError("custom_ids have no negative numbers")
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"


def number_in(text: str, most: int = LARGEST, *, base: int = 10) -> int | None:
    """Parse a number of at least 0; None if the text is anything else, or more than `most`.

    Only the plain digits count: `int` also accepts signs, spaces, underscores and other scripts' digits.

    >>> number_in("15"), number_in("1f", base=36), number_in("102", 101), number_in("²"), number_in("-1")
    (15, 51, None, None, None)
    """
    digits = _DIGITS[:base]
    if not text or len(text) > len(str(most)) or any(each not in digits for each in text):
        return None
    number = int(text, base)
    return number if number <= most else None
