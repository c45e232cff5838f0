"""Holidays: which days they are, how many of a year, and that they stop their person's clocks in slow matches."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards import DECK
from bot.engine.events import Played
from bot.platform.clock import Breaks
from bot.tables.live.services import day_spent
from bot.tables.live.table import Table
from bot.tables.live.timing import FEAT_SECONDS
from bot.tables.log.actions import ClaimMatch
from bot.tables.log.events import Fixture
from bot.tables.log.holidays import days_in, times_of, with_days, without_days
from bot.tables.log.pace import DAY, Tempo
from bot.tables.log.spending import Spending
from bot.tables.log.topics import DaySpent
from bot.tables.settings import TablePreferences
from tests.support.tables.hall import Hall, move_by, person_at, state_of, turn_of
from tests.support.tables.kit import ANA, BEA, config_of, the_match
from tests.support.tables.timing import START

SLOW = replace(config_of(), tempo=Tempo.DAY)
TODAY = START.date()  # its noon is when each test begins


def days(first: int, last: int) -> tuple[date, date]:
    """From so many days from today to so many."""
    return TODAY + timedelta(days=first), TODAY + timedelta(days=last)


def left(hall: Hall, table: Table) -> float:
    deadline = table.view().deadline
    assert deadline is not None
    return (deadline - hall.time.now()).total_seconds()


# ------------------------------------------------------------------ the days


def test_days_that_touch_or_overlap_are_one_holiday_and_count_once():
    holidays = with_days(with_days((), *days(1, 3)), *days(10, 10))
    assert holidays == (days(1, 3), days(10, 10))
    assert with_days(holidays, *days(2, 9)) == (days(1, 10),)
    assert days_in(with_days(holidays, *days(2, 5)), TODAY.year) == 6


def test_a_holiday_over_new_year_counts_in_both_years():
    holidays = with_days((), date(2026, 12, 30), date(2027, 1, 3))
    assert (days_in(holidays, 2026), days_in(holidays, 2027)) == (2, 3)
    assert with_days(holidays, date(2028, 2, 1), date(2028, 2, 1)) == (
        (date(2027, 1, 1), date(2027, 1, 3)),
        (date(2028, 2, 1), date(2028, 2, 1)),
    )


def test_what_has_begun_of_a_removed_holiday_counts_and_the_others_stay():
    holidays = (days(-2, 5), days(10, 12))
    assert without_days(holidays, days(-2, 5)[0], TODAY) == (days(-2, 0), days(10, 12))
    assert without_days(holidays, days(10, 12)[0], TODAY) == (days(-2, 5),)


def test_they_are_whole_days_in_utc():
    [(begin, end)] = times_of(((TODAY, TODAY),), ZoneInfo("UTC"))
    assert datetime.fromtimestamp(begin, UTC) == datetime(2026, 3, 14, tzinfo=UTC)
    assert end - begin == DAY


def test_they_are_stored_as_days():
    preferences = TablePreferences(holidays=(days(1, 3),))
    assert preferences.dump() == '{"holidays": [["2026-03-15", "2026-03-17"]]}'
    assert TablePreferences.load(preferences.dump()) == preferences
    assert TablePreferences.load('{"holidays": [["2026-03-15"]]}').unknown == {"holidays"}


# ------------------------------------------------------------------ the clocks


async def at_turn_on_holiday(hall: Hall, first: int, last: int) -> Table:
    """A slow match whose current player takes these days off."""
    table = await hall.match(ANA, BEA, config=SLOW)
    await hall.preferences.change(person_at(table, turn_of(table)).id, TablePreferences, holidays=(days(first, last),))
    return table


async def test_the_deadline_goes_on_after_the_holiday_with_what_was_left(hall: Hall):
    table = await at_turn_on_holiday(hall, 1, 3)
    seat = turn_of(table)
    assert left(hall, table) == 4 * DAY, "half a day runs before it, and half a day after it"
    assert table.view().holiday is None
    await hall.clock.advance(DAY / 2)
    assert table.view().holiday == START + timedelta(days=3.5)
    assert hall.seen.whats()[-1] == "table_changed"
    await hall.clock.advance(3 * DAY)
    assert table.view().holiday is None
    await hall.clock.advance(DAY / 2 - 1)
    assert table.view().missed == ()
    await hall.clock.advance(1)
    assert table.view().missed == (seat,)


async def test_it_survives_a_restart(hall: Hall):
    table = await at_turn_on_holiday(hall, 1, 3)
    deadline = table.view().deadline
    hall = await hall.restarted(away=2 * DAY)
    found = hall.manager.get(table.id)
    assert found is not None
    assert deadline is not None
    before_it = timedelta(hours=12)  # in which the bot was down, too
    assert (found.view().deadline, found.view().holiday is not None) == (deadline + before_it, True)


async def test_it_stops_nobody_elses_clock(hall: Hall):
    table = await at_turn_on_holiday(hall, 0, 5)
    await table.submit(move_by(table))
    assert (left(hall, table), table.view().holiday) == (DAY, None)
    await table.submit(move_by(table))
    assert left(hall, table) == DAY + 5.5 * DAY


async def test_a_holiday_that_is_removed_lets_the_clock_run_after_today(hall: Hall):
    table = await at_turn_on_holiday(hall, 0, 5)
    person = person_at(table, turn_of(table))
    assert left(hall, table) == DAY + 5.5 * DAY
    await hall.preferences.change(person.id, TablePreferences, holidays=without_days((days(0, 5),), TODAY, TODAY))
    assert left(hall, table) == DAY + 0.5 * DAY
    assert hall.seen.whats()[-1] == "table_changed"


async def test_another_process_tells_of_a_holiday(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    person = person_at(table, turn_of(table))
    await hall.store.preferences.put(person.id, TablePreferences(holidays=(days(0, 5),)).dump())
    assert left(hall, table) == DAY
    await hall.preferences.refresh(person.id)
    assert left(hall, table) == DAY + 5.5 * DAY


async def test_a_match_without_deadlines_isnt_claimed_for_it(hall: Hall):
    table = await hall.match(ANA, BEA, config=replace(SLOW, tempo=Tempo.OPEN))
    late = turn_of(table)
    await hall.preferences.change((ANA, BEA)[late].id, TablePreferences, holidays=(days(1, 7),))
    await hall.clock.advance(20 * DAY)
    assert not table.view().claimable
    await hall.clock.advance(DAY)
    await table.submit(ClaimMatch((ANA, BEA)[1 - late], table.view().version))
    assert not table.phase.open


async def test_quick_matches_and_those_of_tournaments_know_no_holidays(hall: Hall):
    table, other = await hall.match(ANA, BEA), await hall.match(ANA, BEA, config=SLOW, channel=5)
    other._set_state(replace(state_of(other), fixture=Fixture(1, 1, 1)))
    before = left(hall, table)
    for person in (ANA, BEA):
        await hall.preferences.change(person.id, TablePreferences, holidays=(days(0, 5),))
    assert (left(hall, table), table.view().holiday) == (before, None)
    other.arm()
    assert (left(hall, other), other.view().holiday) == (DAY, None)


# ------------------------------------------------------------------ spent for a missed turn


def spent(table: Table) -> tuple[int, ...]:
    return state_of(table).spending.seats


async def a_day_passes(hall: Hall) -> None:
    """Until a robot would have moved, too."""
    await hall.clock.advance(DAY)
    await hall.clock.advance(FEAT_SECONDS)


async def test_a_missed_turn_spends_a_day_of_its_persons_holidays_before_a_robot_plays(hall: Hall):
    hall.spends = True
    table = await hall.match(ANA, BEA, config=SLOW)
    late, version = turn_of(table), table.view().version
    person = person_at(table, late)
    await a_day_passes(hall)
    assert (table.view().version, table.view().missed, spent(table)) == (version, (), (late,))
    assert table.view().day_spent
    assert hall.preferences.cached(person.id, TablePreferences).holidays == (days(1, 1),)
    assert DAY - 10 < left(hall, table) <= DAY, "a day, and no more"
    await a_day_passes(hall)
    assert (table.view().missed, spent(table)) == ((late,), (late,)), "not twice in a row"


async def test_none_is_spent_in_the_next_turn_either_but_later_once_more_and_never_a_third_time(hall: Hall):
    hall.spends = True
    table = await hall.match(ANA, BEA, config=replace(SLOW, forced=False, rated=False))
    late = turn_of(table)
    counts: list[int] = []
    for _ in range(6):
        before = len(spent(table))
        await hall.clock.advance(left(hall, table))
        await hall.clock.advance(FEAT_SECONDS)
        counts.append(spent(table).count(late))
        if len(spent(table)) > before:
            await table.submit(move_by(table))
        hall = await hall.restarted()
        found = hall.manager.get(table.id)
        assert found is not None
        table = found
        while turn_of(table) != late:
            await table.submit(move_by(table))
    assert counts == [1, 1, 2, 2, 2, 2]


async def test_whoever_has_no_days_left_spends_none(hall: Hall):
    hall.spends = True
    table = await hall.match(ANA, BEA, config=SLOW)
    late = turn_of(table)
    await hall.preferences.change(person_at(table, late).id, TablePreferences, holidays=(days(100, 129),))
    await a_day_passes(hall)
    assert (table.view().missed, spent(table)) == ((late,), ())


async def test_none_is_spent_in_a_tournament(hall: Hall):
    hall.spends = True
    state = state_of(await hall.match(ANA, BEA, config=SLOW))
    services = SimpleNamespace(spend_day=hall._spend_day, clock=hall.clock)
    assert await day_spent(services, replace(state, fixture=Fixture(1, 1, 1))) == []  # type: ignore[arg-type]
    assert await day_spent(services, state) == [DaySpent(the_match(state).turn or 0)]  # type: ignore[arg-type]


@given(hours=st.floats(0, 23.99), zone=st.sampled_from(["UTC", "Pacific/Auckland", "America/Caracas", "Asia/Kolkata"]))
def test_today_entered_late_gives_no_more_than_a_day(hours: float, zone: str):
    began = START + timedelta(hours=hours)
    entered = began + timedelta(hours=23, minutes=59)
    today = entered.astimezone(ZoneInfo(zone)).date()
    later = Breaks(times_of(((today, today),), ZoneInfo(zone))).after(began, DAY)
    assert timedelta(0) <= later - (began + timedelta(days=1)) <= timedelta(days=1)


def test_a_day_is_one_of_the_persons_zone():
    [(begin, end)] = times_of(((TODAY, TODAY),), ZoneInfo("America/Argentina/Buenos_Aires"))
    assert datetime.fromtimestamp(begin, UTC).hour == 3
    assert end - begin == DAY


def test_a_card_that_played_itself_is_no_turn():
    spending = Spending().spent(0, (1,))
    card = DECK[0]
    assert spending.after([Played(0, card, forced=True)]) == spending
    assert not spending.after([Played(0, card)]).may(0)
    assert spending.after([Played(0, card), Played(1, card), Played(0, card)]).may(0)
