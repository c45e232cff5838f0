"""The time zones that people find by cities and countries, in any language, with or without accents."""

import pytest

from bot.platform.language.calendar import countries_of_zones, zone_named, zones_for


@pytest.mark.parametrize(
    ("typed", "first", "number"),
    [
        ("Madrid", "Europe/Madrid", 1),
        ("  europe/madrid ", "Europe/Madrid", 1),
        ("buenos aires", "America/Argentina/Buenos_Aires", 1),
        ("Buenos_Aires", "America/Argentina/Buenos_Aires", 1),
        ("Uruguay", "America/Montevideo", 1),
        ("PERU", "America/Lima", 1),
        ("españa", "Europe/Madrid", 3),
        ("Spain", "Europe/Madrid", 3),
        ("mejico", "", 0),
        ("méxico", "America/Mexico_City", 12),
        ("nueva york", "America/New_York", 1),
        ("santiago", "America/Santiago", 1),
        ("utc", "UTC", 1),
        ("", "", 0),
        ("Mordor", "", 0),
    ],
)
def test_a_city_is_one_zone_and_a_country_its_zones_with_the_capital_in_front(typed: str, first: str, number: int):
    found = zones_for(typed)
    assert (found[:1], len(found)) == ([first][:number], number)


def test_every_zone_that_is_offered_exists_and_is_found_by_its_name():
    for name in countries_of_zones():
        assert zone_named(name).key == name
        assert zones_for(name) == [name]


@pytest.mark.parametrize("name", ["Mars/Olympus_Mons", "", "Europe", "../etc/passwd", "/etc/passwd"])
def test_what_is_no_zone_is_refused(name: str):
    with pytest.raises(ValueError, match="no such time zone"):
        zone_named(name)
