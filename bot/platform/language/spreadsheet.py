"""CSV for a spreadsheet, which must run nothing of it, whichever character it takes for the separator of cells."""

import csv
import io
import re
from collections.abc import Iterable
from typing import Final

_BREAKS: Final = ",;|\t\r\n\v\f\x85\u2028\u2029"
"""The signs that may separate cells or lines: where Excel's language has decimal commas, it separates cells at `;`."""
_SIGNS: Final = "=+\\-@＝＋－＠﹦﹢﹣﹫⁼⁺₌₊﬩⩵⩶"
"""The signs that begin a formula, also full-width, small and raised ones."""
_FORMULA: Final = re.compile(rf'(?:^|(?<=[{_BREAKS}]))(?=[\s"]*[{_SIGNS}]|[\t\r])')
"""The beginning of each part of a cell that a spreadsheet may take for a formula in a cell of its own."""


def lines(rows: Iterable[Iterable[object]]) -> bytes:
    """Write rows as CSV, with quotes around every cell."""
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerows([cell(each) if isinstance(each, str) else each for each in row] for row in rows)
    return text.getvalue().encode()


def cell(text: str) -> str:
    """Write a text so that no spreadsheet takes any part of it for a formula."""
    return _FORMULA.sub("'", text)
