"""Holidays in `/escoba me`, by click: adding some by a form, removing one, and what a slow match's table says."""

from datetime import date

import pytest

from bot.tables.log.holidays import MOST_DAYS
from bot.tables.log.pace import DAY
from bot.tables.settings import TablePreferences
from tests.played.tables.test_slow_match import OWN_PAUSE, at_a_day_a_turn, misses
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, set_locale, text_of

# The simulation begins on 1 January 2026.


async def open_holidays(here: Room, person: Person) -> None:
    await person.slash(here.channel, "escoba me")
    await person.choose(here.channel, ["holidays"], custom_id="^m:change$")


async def add(here: Room, person: Person, first: str, last: str) -> str:
    """Type two dates into the form; returns the answer."""
    await open_holidays(here, person)
    form = await person.press(here.channel, custom_id="^m:holiday$")
    await person.submit(form, {"first": first, "last": last})
    return here.private_text(person)


def kept(here: Room, person: Person) -> tuple[tuple[date, date], ...]:
    return here.bot.parts.preferences.cached(person.id, TablePreferences).holidays


async def test_dates_are_typed_as_people_write_them_listed_and_removed(room_of: RoomOf):
    async with room_of(1) as here:
        ana = here.people[0]
        await open_holidays(here, ana)
        assert "30 days left this year" in here.private_text(ana)
        assert "🌴 Aug 3, 2026 – Aug 10, 2026" in await add(here, ana, "3 Aug", "10 August 2026")
        assert "20 days left this year" in await add(here, ana, "2026-12-24", "Dec 25")
        await ana.slash(here.channel, "escoba me")
        assert "**Holidays** · Aug 3, 2026 – Aug 10, 2026, Dec 24, 2026 – Dec 25, 2026" in here.private_text(ana)
        await open_holidays(here, ana)
        await ana.choose(here.channel, ["2026-08-03"], custom_id="^m:holidays$")
        assert kept(here, ana) == ((date(2026, 12, 24), date(2026, 12, 25)),)
        assert "28 days left this year" in here.private_text(ana)


@pytest.mark.parametrize(
    ("first", "last", "answer"),
    [
        ("soon", "3 Aug", "“soon” isn't a date I know."),
        ("3 Aug", "31 Feb", "“31 Feb” isn't a date I know."),
        ("3/4", "4/4", "“3/4” could be two dates."),
        ("3 Aug 2025", "4 Aug", "“3 Aug 2025” is over already."),
        ("3 Aug", "2 Sep", "That's too long: in 2026 you have 30 days left."),
        ("3 Aug", "2 Aug", "That's too long: in 2026 you have 30 days left."),
    ],
)
async def test_wrong_dates_are_refused_with_the_reason(room_of: RoomOf, first: str, last: str, answer: str):
    async with room_of(1) as here:
        ana = here.people[0]
        set_locale(ana, "en-US")
        assert answer in await add(here, ana, first, last)
        assert kept(here, ana) == ()


async def test_a_year_has_thirty_days_however_they_are_divided(room_of: RoomOf):
    async with room_of(1) as here:
        ana = here.people[0]
        await add(here, ana, "1 Jun", "25 Jun")
        assert "in 2026 you have 5 days left" in await add(here, ana, "1 Dec", "6 Dec")
        await add(here, ana, "28 Dec", "1 Jan")
        assert kept(here, ana)[-1] == (date(2026, 12, 28), date(2027, 1, 1))


@pytest.mark.spanish
async def test_a_table_says_until_when_its_player_is_on_holiday_and_the_turn_waits(room_of: RoomOf):
    async with room_of(2) as here:
        current, other = await at_a_day_a_turn(here, days=MOST_DAYS)
        set_locale(current, "es-ES")
        answer = await add(here, current, "hoy", "4 ene")
        assert "Te quedan 26 días este año" in answer
        assert "🌴 On holiday until <t:" in here.public_text
        assert "On holiday" in here.private_text(other)
        await here.wait(3 * DAY)
        assert here.table.view().missed == ()
        assert "On holiday" in here.public_text
        await here.wait(1.5 * DAY)
        assert "On holiday" not in here.public_text
        rest = date(2026, 10, 1), date(2026, 10, 26)  # or the missed turn would spend another day
        days = (*kept(here, current), rest)
        await here.bot.parts.preferences.change(current.id, TablePreferences, holidays=days)
        await here.wait(DAY)
        assert here.table.view().missed == (here.seat_of(current),)


async def test_a_missed_turn_spends_a_day_first_which_only_its_person_is_told(room_of: RoomOf):
    async with room_of(2) as here:
        late, other = await at_a_day_a_turn(here, days=1)
        table = here.table
        version = table.view().version
        await misses(here)
        assert table.view().version == version, "no robot has played"
        assert table.view().missed == ()
        await here.press(late, here.shown, "hand")
        told = "so a day of your holidays was spent for it"
        assert told in text_of(here.panel(late))
        await here.press(other, here.shown, "hand")
        assert told not in text_of(here.panel(other))
        assert told not in here.public_text
        await here.restart()
        await here.wait(DAY)
        await here.wait(OWN_PAUSE)
        assert table.view().version == version
        assert here.table.view().missed == (here.seat_of(late),), "then a robot plays"
