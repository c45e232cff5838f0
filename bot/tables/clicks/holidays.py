"""A person's holidays: adding some by a form, and removing one."""

from collections.abc import Sequence
from datetime import date

from bot.platform.kit.screen import Press
from bot.platform.language.appointments import Unclear, UnclearAppointment, read_day
from bot.platform.language.calendar import calendar_words, puts_month_first
from bot.platform.people import safe
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.documents import PreferencesCache
from bot.platform.settings.ids import PreferencesRef
from bot.platform.settings.pages import OwnPages
from bot.tables.log.holidays import MOST_DAYS, days_in, with_days, without_days
from bot.tables.screens.holidays import holiday_form, holidays_layout
from bot.tables.screens.preferences import HOLIDAYS
from bot.tables.settings import TablePreferences, today_of


def _chosen(press: Press) -> TablePreferences:
    return press.host.of(PreferencesCache).cached(press.person.id, TablePreferences)


def _today(press: Press) -> date:
    return today_of(_chosen(press), press.host.tools.clock.now())


async def show_holidays(press: Press, problem: str | None = None) -> None:
    """Show them as they stand. `problem`: why the latest click changed nothing."""
    preferences = _chosen(press)
    note = None if problem is None else (HOLIDAYS.field, problem)
    await press.reply.update_private(holidays_layout(preferences, _today(press), press.t, note))


async def ask_holidays(press: Press) -> None:
    """Open the form in which somebody types the days when they don't play."""
    await press.reply.modal(holiday_form(press.t))


async def add_holidays(press: Press, _: PreferencesRef, written: Sequence[str]) -> None:
    """Keep the days that were typed into the form, or say why they can't be taken."""
    t, typed, today = press.t, "", _today(press)
    month_first = puts_month_first(press.interaction.locale.value)
    days: list[date] = []
    try:
        for typed in [*written, "", ""][:2]:
            days.append(read_day(typed, days[0] if days else today, calendar_words(t), month_first=month_first))
    except UnclearAppointment as error:
        text = t("“{typed}” isn't a date I know. Write it like this: 3 Aug.", typed=safe(typed))
        if error.why is Unclear.WHICH_DATE:
            text = t("“{typed}” could be two dates. Write the month as a word, such as 3 Aug.", typed=safe(typed))
        elif error.why is Unclear.PAST:
            text = t("“{typed}” is over already.", typed=safe(typed))
        await show_holidays(press, text)
        return
    before = _chosen(press).holidays
    first, last = days
    after = before if (last - first).days > MOST_DAYS else with_days(before, first, last)
    too_many = next((year for year in (first.year, last.year) if days_in(after, year) > MOST_DAYS), None)
    if too_many is not None or after is before:
        year = too_many or first.year
        left = t.plural("{n} day", "{n} days", max(0, MOST_DAYS - days_in(before, year)))
        await show_holidays(press, t("That's too long: in {year} you have {days} left.", year=str(year), days=left))
        return
    await OwnPages.change(press, TablePreferences, holidays=after)
    await show_holidays(press)


async def remove_holiday(press: Press) -> None:
    """Remove the holiday chosen in the menu; what has begun of it counts."""
    before = _chosen(press).holidays
    first = next((first for first, _ in before if first.isoformat() == press.value), None)
    if first is None:
        raise Refusal(CommonRefusal.STALE)
    await press.host.of(PreferencesCache).change(
        press.person.id, TablePreferences, holidays=without_days(before, first, _today(press))
    )
    await show_holidays(press)
