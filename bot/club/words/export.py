"""A server's results as CSV, for a spreadsheet: a line for each player of a match, the latest match first.

The columns are in English in every language, so that a program that reads the file needn't know the language.
"""

import io
from collections.abc import Iterable
from datetime import UTC
from functools import lru_cache
from typing import Final

from bot.club.rules.rating import Rating
from bot.club.store.career import ResultRow
from bot.platform.language.spreadsheet import lines
from bot.platform.memories import naming
from bot.platform.people import plain

COLUMNS: Final = (
    "match",
    "ended_utc",
    "rules",
    "rule_set",
    "target",
    "kind",
    "side",
    "player",
    "name",
    "won",
    "points",
    "escobas",
    "rating",
    "rating_change",
)
_name: Final = naming(lru_cache(maxsize=1024)(plain))


class ResultsFile:
    """A file while it is written, with a match only if all of it fits.

    A player is named as in that match, and numbered within the file, as names change and may be equal. Computers and
    people who were erased have no number.

    Args:
        most: the most bytes that the file may have.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._content = io.BytesIO()
        self._numbers: dict[int, int] = {}
        self.matches = 0
        self._content.write("\ufeff".encode() + lines([COLUMNS]))  # without the mark, Excel misreads accents

    def add(self, match: int, rows: Iterable[ResultRow]) -> bool:
        """Add the rows of a server's nth match; return False, and add nothing, if they don't fit."""
        added = lines(self._cells(match, row) for row in rows)
        if self._content.tell() + len(added) > self._most:
            return False
        self._content.write(added)
        self.matches += 1
        return True

    def content(self) -> bytes:
        return self._content.getvalue()

    def _cells(self, match: int, row: ResultRow) -> tuple[object, ...]:
        number = None if row.user_id is None else self._numbers.setdefault(row.user_id, len(self._numbers) + 1)
        rating, change = _rating(row)
        return (
            match,
            f"{row.ended_at.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
            row.preset,
            None if row.rule_set is None else _name(row.rule_set) or "deleted",
            row.target,
            "rated" if row.ranked else "friendly" if row.friendly else "practice",
            row.side + 1,
            number,
            _name(row.name),
            "yes" if row.won else "no",
            row.points,
            row.escobas,
            rating,
            change,
        )


def _rating(row: ResultRow) -> tuple[int | None, int | None]:
    if row.mu is None or row.sigma is None or row.new_mu is None or row.new_sigma is None:
        return None, None
    after = Rating(row.new_mu, row.new_sigma).shown
    return after, after - Rating(row.mu, row.sigma).shown
