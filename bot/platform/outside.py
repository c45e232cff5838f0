"""JSON from outside this process, which may be anything: from a page, Discord, a worker, or the database."""

import json
from math import isfinite
from typing import Any, Final, cast

DEEPEST: Final = 32
"""The most levels of lists and objects in each other; nothing that the bot reads has a quarter of them."""
_DIGITS: Final = 20
"""The most characters of a whole number."""
_LARGEST: Final = 2**63 - 1
"""The largest whole number that a column holds."""


def read_json(text: str | bytes) -> Any:
    """Read a value that can be handled: with numbers that fit, text that can be written, and few levels.

    Raises:
        ValueError: if there is none.
    """
    try:
        value = json.loads(text, parse_int=_whole, parse_float=_finite, parse_constant=_finite)
    except RecursionError as error:
        raise ValueError("JSON with too many levels") from error
    _check(value)
    return value


def _whole(digits: str) -> int:
    if len(digits) > _DIGITS or abs(value := int(digits)) > _LARGEST:
        raise ValueError("a number that is too large")
    return value


def _finite(digits: str) -> float:
    if not isfinite(value := float(digits)):
        raise ValueError("a number that isn't finite")
    return value


def _check(value: object) -> None:
    """Raise ValueError if a value has too many levels, or text with half of a character."""
    level = [value]
    for _ in range(DEEPEST):
        below: list[object] = []
        for item in level:
            if isinstance(item, str):
                item.encode()
            elif isinstance(item, list):
                below += cast("list[object]", item)
            elif isinstance(item, dict):
                members = cast("dict[str, object]", item)
                below += members
                below += members.values()
        if not below:
            return
        level = below
    raise ValueError("JSON with too many levels")
