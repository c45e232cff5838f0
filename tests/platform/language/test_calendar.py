"""Dates in words."""

from datetime import date

import pytest

from bot.platform.language.calendar import written_date
from bot.platform.language.catalogues import words


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


@pytest.mark.parametrize(
    ("year", "day", "written"),
    [
        (2025, 8, "2025eko maiatzaren 8a"),
        (2026, 11, "2026ko maiatzaren 11"),  # hamaika: said, it ends in the ending
        (2030, 15, "2030eko maiatzaren 15a"),
        (2031, 31, "2031ko maiatzaren 31"),
        (2041, 21, "2041eko maiatzaren 21a"),
    ],
)
def test_numbers_in_basque_dates_are_declined_as_they_are_said(year: int, day: int, written: str):
    assert written_date("yMMMMd", date(year, 5, day), words("eu")) == written
