"""Dates and times as people type them on a phone, in any zone, also when the clocks change."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from discord import Locale
from hypothesis import given
from hypothesis import strategies as st

from bot.platform.language.appointments import (
    FURTHEST,
    Unclear,
    UnclearAppointment,
    minute_of_week,
    next_in_week,
    read_appointment,
    read_day,
)
from bot.platform.language.calendar import calendar_words, puts_month_first
from bot.platform.language.catalogues import words

MADRID = ZoneInfo("Europe/Madrid")
SPOKEN = calendar_words()
NOW = datetime(2026, 11, 26, 19, 0, tzinfo=UTC)
"""A Thursday, eight in the evening in Madrid."""
ZONES = [
    ZoneInfo(name)
    for name in (
        "Europe/Madrid",
        "America/Santiago",  # the clocks change at midnight
        "America/New_York",
        "Australia/Lord_Howe",  # by half an hour
        "Asia/Kathmandu",
        "Pacific/Kiritimati",
        "UTC",
    )
]
MOMENTS = st.integers(0, 4 * 365 * 24 * 60).map(
    lambda minutes: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)


def local(text: str, **more: bool) -> str:
    """What is understood, by the clocks of Madrid."""
    return f"{read_appointment(text, NOW, MADRID, SPOKEN, **more).astimezone(MADRID):%Y-%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("language", "text", "meant"),
    [
        ("pt_BR", "sex 21:30", "2026-11-27 21:30"),
        ("pt_BR", "terça-feira às 9 da noite", "2026-12-01 21:00"),
        ("pt_BR", "sexta que vem às 21:30", "2026-11-27 21:30"),
        ("pt_BR", "amanhã de manhã às 10", "2026-11-27 10:00"),
        ("pt_BR", "amanhã 21h30", "2026-11-27 21:30"),
        ("pt_BR", "amanhã às 21", "2026-11-27 21:00"),
        ("pt_BR", "3 dez 21:30", "2026-12-03 21:30"),
        ("pt_BR", "1º dez 21:30", "2026-12-01 21:30"),
        ("pt_BR", "1° de dezembro 21h", "2026-12-01 21:00"),
        ("it", "gio 21.30", "2026-11-26 21:30"),
        ("it", "3 gen 21:30", "2027-01-03 21:30"),
        ("it", "dopodomani alle 21:30", "2026-11-28 21:30"),
        ("it", "domani alle 21", "2026-11-27 21:00"),
        ("it", "domani sera alle 9", "2026-11-27 21:00"),
        ("it", "domani alle 9", None),  # in the morning?
        ("it", "stasera 9.30", "2026-11-26 21:30"),
        ("it", "l’8 dicembre ore 21", "2026-12-08 21:00"),
        ("it", "questa sera alle 9", "2026-11-26 21:00"),
        ("it", "domani mattina alle 10", "2026-11-27 10:00"),
        ("it", "il prossimo venerdì alle ore 21", "2026-11-27 21:00"),
        ("fr", "dim 21h30", "2026-11-29 21:30"),
        ("fr", "1 févr. à 20h", "2027-02-01 20:00"),
        ("fr", "1er févr. 20h", "2027-02-01 20:00"),
        ("fr", "1er janvier à 20h", "2027-01-01 20:00"),
        ("pt_BR", "1º de janeiro 20h", "2027-01-01 20:00"),
        ("fr", "mar 20h", "2026-12-01 20:00"),  # Tuesday, not March
        ("fr", "ven. 21 h 30", "2026-11-27 21:30"),
        ("fr", "ce soir à 9h", "2026-11-26 21:00"),
        ("fr", "dimanche prochain à 18h", "2026-11-29 18:00"),
        ("fr", "3 jui 21:30", None),  # June or July?
        ("fr", "aujourd'hui à 21h", "2026-11-26 21:00"),
        ("fr", "demain soir à 9 heures", "2026-11-27 21:00"),
        ("fr", "demain après-midi à 4h", "2026-11-27 16:00"),
        ("ca", "dv. 21:30", "2026-11-27 21:30"),
        ("ca", "3 d’agost 21:30", None),  # too far ahead
        ("ca", "3 de gener 21:30", "2027-01-03 21:30"),
        ("ca", "l'1 de desembre a les 9 del vespre", "2026-12-01 21:00"),
        ("ca", "aquesta nit a les 9:30", "2026-11-26 21:30"),
        ("ca", "divendres vinent a les 21", "2026-11-27 21:00"),
        ("ca", "demà al matí a les 10", "2026-11-27 10:00"),
        ("gl", "xov 21:30", "2026-11-26 21:30"),
        ("gl", "hoxe ás 9 da noite", "2026-11-26 21:00"),
        ("gl", "pasado mañá pola mañá ás 10", "2026-11-28 10:00"),
        ("gl", "o venres que vén ás 21:30", "2026-11-27 21:30"),
        ("eu", "og. 21:30", "2026-11-26 21:30"),
        ("eu", "bihar 21:30", "2026-11-27 21:30"),
        ("eu", "ostiralean 21:30ean", "2026-11-27 21:30"),
        ("eu", "azaroaren 27an 21etan", "2026-11-27 21:00"),
        ("eu", "gaur gaueko 9etan", "2026-11-26 21:00"),
        ("eu", "datorren larunbatean, goizeko 10etan", "2026-11-28 10:00"),
        ("en", "tomorrow morning at 10", "2026-11-27 10:00"),
        ("es", "viernes por la noche 9:30", "2026-11-27 21:30"),
        ("es", "mañana por la mañana a las 10", "2026-11-27 10:00"),
        ("es_AR", "vie 21:30", "2026-11-27 21:30"),
        ("fr", "vie 21:30", "2026-11-27 21:30"),  # Spanish and English are understood by everyone's bot
    ],
)
def test_days_are_understood_in_the_readers_language(language: str, text: str, meant: str | None):
    spoken = calendar_words(words(language))
    if meant is None:
        with pytest.raises(UnclearAppointment):
            read_appointment(text, NOW, MADRID, spoken)
    else:
        assert f"{read_appointment(text, NOW, MADRID, spoken).astimezone(MADRID):%Y-%m-%d %H:%M}" == meant


@pytest.mark.parametrize("locale", [each.value for each in Locale])
def test_only_americans_write_the_month_first(locale: str):
    assert puts_month_first(locale) == (locale == "en-US")


def why_not(text: str, **more: bool) -> Unclear:
    with pytest.raises(UnclearAppointment) as refused:
        read_appointment(text, NOW, MADRID, SPOKEN, **more)
    return refused.value.why


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("21:30", "2026-11-26 21:30"),
        ("19:30", "2026-11-27 19:30"),
        ("21.30", "2026-11-26 21:30"),
        ("21h30", "2026-11-26 21:30"),
        ("21:30 h", "2026-11-26 21:30"),
        ("21h", "2026-11-26 21:00"),
        ("a las 21", "2026-11-26 21:00"),
        ("9 pm", "2026-11-26 21:00"),
        ("9:30pm", "2026-11-26 21:30"),
        ("9:30 p. m.", "2026-11-26 21:30"),
        ("12 am", "2026-11-27 00:00"),
        ("12pm", "2026-11-27 12:00"),
        ("vie 21:30", "2026-11-27 21:30"),
        ("Viernes, 21:30", "2026-11-27 21:30"),
        ("el viernes a las 21:30", "2026-11-27 21:30"),
        ("VIE. 21:30", "2026-11-27 21:30"),
        ("jueves 21:30", "2026-11-26 21:30"),
        ("jue 19:30", "2026-12-03 19:30"),
        ("sábado 18h", "2026-11-28 18:00"),
        ("miércoles a las 9 de la noche", "2026-12-02 21:00"),
        ("fri 9:30 pm", "2026-11-27 21:30"),
        ("next Friday at 21:30", "2026-11-27 21:30"),
        ("tuesday 20:00", "2026-12-01 20:00"),
        ("mar 20:00", "2026-12-01 20:00"),
        ("hoy 21:30", "2026-11-26 21:30"),
        ("esta noche a las 9", "2026-11-26 21:00"),
        ("tonight 9:30", "2026-11-26 21:30"),
        ("mañana 21:30", "2026-11-27 21:30"),
        ("mañana a las 10 de la mañana", "2026-11-27 10:00"),
        ("pasado mañana 21:30", "2026-11-28 21:30"),
        ("tomorrow at 9pm", "2026-11-27 21:00"),
        ("27/11 21:30", "2026-11-27 21:30"),
        ("21:30 27/11", "2026-11-27 21:30"),
        ("27-11-2026 21:30", "2026-11-27 21:30"),
        ("27/11/26 21.30", "2026-11-27 21:30"),
        ("vie 27/11 21:30", "2026-11-27 21:30"),
        ("2026-11-27 21:30", "2026-11-27 21:30"),
        ("2026-11-27T21:30", "2026-11-27 21:30"),
        ("27 nov 21:30", "2026-11-27 21:30"),
        ("27 de noviembre a las 21:30", "2026-11-27 21:30"),
        ("1 de enero de 2027 21:30", "2027-01-01 21:30"),
        ("Nov 27, 9:30 pm", "2026-11-27 21:30"),
        ("3rd of December 2026 at 20:00", "2026-12-03 20:00"),
        ("5/1 20:00", "2027-01-05 20:00"),
        ("feb 3 2027 20:00", "2027-02-03 20:00"),
    ],
)
def test_what_people_type_is_understood(text: str, meant: str) -> None:
    assert local(text) == meant


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", Unclear.NO_TIME),
        ("viernes", Unclear.NO_TIME),
        ("27/11", Unclear.NO_TIME),
        ("vie 21", Unclear.NO_TIME),  # the 21st, or nine o'clock?
        ("a las 9", Unclear.NO_TIME),  # in the morning?
        ("25:00", Unclear.NO_TIME),
        ("21:75", Unclear.NO_TIME),
        ("21:30 21:45", Unclear.NO_TIME),
        ("vie sab 21:30", Unclear.NO_TIME),
        ("mañana 27/11 21:30", Unclear.NO_TIME),
        ("cuando queráis 21:30", Unclear.NO_TIME),
        ("-1:30", Unclear.NO_TIME),
        ("31/11 21:30", Unclear.NO_SUCH_DATE),
        ("11/27 21:30", Unclear.NO_SUCH_DATE),
        ("2026-02-30 21:30", Unclear.NO_SUCH_DATE),
        ("sáb 27/11 21:30", Unclear.NO_SUCH_DATE),
        ("hoy 19:30", Unclear.PAST),
        ("25/11 21:30", Unclear.PAST),
        ("2026-11-25 21:30", Unclear.PAST),
        ("2020-11-25 21:30", Unclear.PAST),
        ("1/4 21:30", Unclear.TOO_FAR),
        ("2027-11-25 21:30", Unclear.TOO_FAR),
        ("2026-11-26 20:00", Unclear.PAST),
    ],
)
def test_what_is_unclear_is_refused_with_the_reason(text: str, why: Unclear) -> None:
    assert why_not(text) is why


def test_where_people_may_write_the_month_first_only_what_is_clear_is_taken() -> None:
    assert why_not("3/12 21:30", month_first=True) is Unclear.WHICH_DATE
    assert local("12/12 21:30", month_first=True) == "2026-12-12 21:30"
    assert local("12/27 21:30", month_first=True) == local("27/12 21:30", month_first=True) == "2026-12-27 21:30"


def test_a_time_that_the_clocks_skip_does_not_exist_and_one_that_comes_twice_is_the_first() -> None:
    spring = datetime(2026, 3, 28, 12, tzinfo=UTC)
    with pytest.raises(UnclearAppointment) as refused:
        read_appointment("29/3 2:30", spring, MADRID, SPOKEN)
    assert refused.value.why is Unclear.NO_SUCH_TIME
    assert read_appointment("29/3 3:00", spring, MADRID, SPOKEN) == datetime(2026, 3, 29, 1, tzinfo=UTC)
    autumn = datetime(2026, 10, 24, 12, tzinfo=UTC)
    assert read_appointment("25/10 2:30", autumn, MADRID, SPOKEN) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert read_appointment("25/10 3:00", autumn, MADRID, SPOKEN) == datetime(2026, 10, 25, 2, tzinfo=UTC)


FORMATS = (
    "{0:%Y-%m-%d %H:%M}",
    "{0.day}/{0.month}/{0.year} {0.hour}:{0:%M}",
    "{0:%H:%M} {0:%d-%m-%Y}",
    "{0:%A} {0.day} {0:%B} {0.year} {0:%I:%M %p}",
    "{0:%b} {0.day}, {0.year} at {0:%H}h{0:%M}",
    "{0:%a} {0.day}/{0.month} {0:%H.%M}",
    "{0.day} {0:%b} {0:%H:%M}",
)


@given(MOMENTS, st.timedeltas(timedelta(minutes=1), FURTHEST), st.sampled_from(ZONES), st.sampled_from(FORMATS))
def test_every_moment_that_is_written_out_is_read_back(
    now: datetime, ahead: timedelta, zone: ZoneInfo, how: str
) -> None:
    moment = (now + ahead).replace(second=0, microsecond=0)
    shown = moment.astimezone(zone)
    first = shown.replace(fold=0).astimezone(UTC)
    if first <= now:
        return
    assert read_appointment(how.format(shown), now, zone, SPOKEN) == first


@given(st.text("0123456789:/-. aehilmnoprstuvyñá", max_size=24), MOMENTS, st.sampled_from(ZONES), st.booleans())
def test_whatever_is_typed_gives_a_moment_ahead_or_a_reason(
    text: str, now: datetime, zone: ZoneInfo, first: bool
) -> None:
    try:
        moment = read_appointment(text, now, zone, SPOKEN, month_first=first)
    except UnclearAppointment:
        return
    assert now < moment <= now + FURTHEST
    assert moment.second == 0


@given(MOMENTS, st.sampled_from(ZONES))
def test_the_same_time_of_each_week_is_the_same_on_the_clocks_of_the_zone(start: datetime, zone: ZoneInfo) -> None:
    minute = minute_of_week(start, zone)
    moments = [start]
    for _ in range(30):
        moments.append(next_in_week(minute, moments[-1], zone))
    dates = [each.astimezone(zone).date() for each in moments]
    assert {later - earlier for earlier, later in pairwise(dates)} <= {timedelta(days=7)}
    skipped = [each for each in moments[1:] if minute_of_week(each, zone) != minute]
    assert len(skipped) <= 2, "only on days on which the clocks go forward past it"
    for each in skipped:
        assert each.astimezone(zone).utcoffset() != (each - timedelta(hours=3)).astimezone(zone).utcoffset()


def test_an_evening_stays_at_half_past_nine_over_the_change_of_clocks() -> None:
    start = read_appointment("vie 21:30", datetime(2026, 10, 22, tzinfo=UTC), MADRID, SPOKEN)
    later = next_in_week(minute_of_week(start, MADRID), start, MADRID)
    assert (start.hour, later.hour) == (19, 20)
    assert later.astimezone(MADRID).date() == date(2026, 10, 30)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("hoy", date(2026, 11, 26)),
        ("26/11", date(2026, 11, 26)),
        ("25/11", date(2027, 11, 25)),
        ("3 de ago", date(2027, 8, 3)),
        ("Aug 3rd, 2028", date(2028, 8, 3)),
        ("thu", date(2026, 11, 26)),
        ("mañana", date(2026, 11, 27)),
    ],
)
def test_a_day_without_a_time_is_the_next_that_comes_today_included(text: str, day: date):
    assert read_day(text, NOW.date(), SPOKEN) == day


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", Unclear.NO_TIME),
        ("soon", Unclear.NO_TIME),
        ("31/2", Unclear.NO_SUCH_DATE),
        ("fri 26/11", Unclear.NO_SUCH_DATE),
        ("25/11/2026", Unclear.PAST),
        ("3/4", Unclear.WHICH_DATE),
    ],
)
def test_what_is_no_day_is_refused(text: str, why: Unclear):
    with pytest.raises(UnclearAppointment) as raised:
        read_day(text, NOW.date(), SPOKEN, month_first=True)
    assert raised.value.why is why
