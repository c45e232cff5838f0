"""Dates in words."""

from __future__ import annotations

from datetime import date

import pytest

from bot.ui.words.calendar import written_date
from bot.ui.words.texts import words


@pytest.mark.parametrize(
    ("language", "skeleton", "first", "eleventh"),
    [
        ("fr", "MMMMd", "1er décembre", "11 décembre"),
        ("fr", "MMMMEEEEd", "mar. 1er déc.", "ven. 11 déc."),
        ("it", "yMMMd", "1º dic 2026", "11 dic 2026"),
        ("pt_BR", "MMMMd", "1º de dezembro", "11 de dezembro"),
        ("es", "MMMMd", "1 de diciembre", "11 de diciembre"),
    ],
)
def test_the_first_of_a_month_is_ordinal_where_the_language_says_so(
    language: str, skeleton: str, first: str, eleventh: str
):
    t = words(language)
    assert [written_date(skeleton, date(2026, 12, day), t) for day in (1, 11)] == [first, eleventh]
