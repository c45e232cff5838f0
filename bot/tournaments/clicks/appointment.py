"""Changes to a tournament's set-up: what menus choose, its title and its time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.engine.rules import PRESETS, TARGETS
from bot.platform.kit.screen import Press
from bot.platform.language.appointments import UnclearAppointment, minute_of_week, read_appointment
from bot.platform.language.calendar import calendar_words, puts_month_first, zone_named
from bot.platform.language.spelling import is_visible
from bot.platform.people import plain, safe
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.documents import GuildSettingsCache
from bot.platform.settings.language import LanguageSettings
from bot.tournaments.boards.changes import Changed
from bot.tournaments.clicks.tournament import TournamentPress, check_may_change, form_in_tournament, in_tournament
from bot.tournaments.ids.tournament import DraftVerb, TournamentVerb
from bot.tournaments.live.running import LiveTournament
from bot.tournaments.parts import TournamentParts
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.log import ChangeSetup, Repeat
from bot.tournaments.rules.setup import BOARDS, LONGEST_TITLE, ROUNDS, Start, is_invalid
from bot.tournaments.rules.tournament import Format, Setup
from bot.tournaments.screens.setup import appointment_form, unclear_text
from bot.tournaments.words.formats import begins_text


def number_of(value: str, offered: range | tuple[int, ...]) -> int:
    """The number that was chosen in a menu. Raises Refusal if it wasn't offered."""
    if value not in map(str, offered):
        raise Refusal(CommonRefusal.STALE)
    return int(value)


def _with_format(setup: Setup, value: str) -> Setup:
    if value not in {each.value for each in Format}:
        raise Refusal(CommonRefusal.STALE)
    return replace(setup, format=Format(value))


CHANGES: Final[Mapping[DraftVerb, Callable[[Setup, str], Setup]]] = {
    DraftVerb.FORMAT: _with_format,
    DraftVerb.PAIRS: lambda setup, value: replace(setup, pairs=bool(number_of(value, (0, 1)))),
    DraftVerb.TARGET: lambda setup, value: replace(setup, target=number_of(value, TARGETS)),
    DraftVerb.ROUNDS: lambda setup, value: replace(setup, rounds=number_of(value, (0, *ROUNDS)) or None),
    DraftVerb.BOARDS: lambda setup, value: replace(setup, boards=number_of(value, BOARDS)),
    DraftVerb.SEEDED: lambda setup, value: replace(setup, seeded=bool(number_of(value, (0, 1)))),
}
"""The change that each menu makes to a set-up; raises `Refusal` for a value that wasn't offered."""


def nearest_valid(setup: Setup) -> Setup:
    """The nearest set-up that can be played: rounds only where they can be chosen, a rule system for so many people."""
    if setup.format not in (Format.SWISS, Format.DUPLICATE):
        setup = replace(setup, rounds=None)
    if setup.format is not Format.KNOCKOUT:
        setup = replace(setup, seeded=False)
    if is_invalid(setup):
        setup = replace(setup, own=None)
    if is_invalid(setup):
        setup = replace(setup, preset=next(each for each in PRESETS if not is_invalid(replace(setup, preset=each))))
    return setup


async def zone_of(press: Press) -> str:
    """The server's time zone, by its IANA name."""
    return (await press.host.of(GuildSettingsCache).of(press.guild_id, LanguageSettings)).zone


async def typed_appointment(press: Press, written: Sequence[str]) -> tuple[str, Start | None]:
    """Read a title and a time from the form; no time if that was left empty.

    Raises UnclearAppointment if the time isn't clear, is past or too far ahead.
    """
    title, when = [*written, "", ""][:2]
    title = plain(title, longest=LONGEST_TITLE) if is_visible(title) else ""
    if not when.strip():
        return title, None
    zone, now = await zone_of(press), press.host.tools.clock.now()
    month_first = puts_month_first(press.interaction.locale.value)
    spoken = calendar_words(press.t, (await press.public_display()).words)
    moment = read_appointment(when, now, zone_named(zone), spoken, month_first=month_first)
    return title, Start(round(moment.timestamp()), zone)


@in_tournament(TournamentVerb.WHEN)
async def ask_when(press: TournamentPress, live: LiveTournament) -> None:
    """Show the form for the title and the time."""
    check_may_change(live)
    custom_id, setup = press.ref.custom_id(TournamentVerb.WHEN), live.state.setup
    await press.reply.modal(appointment_form(custom_id, await zone_of(press), press.t, setup=setup))


@form_in_tournament(TournamentVerb.WHEN)
async def set_when(press: TournamentPress, live: LiveTournament, written: Sequence[str]) -> None:
    """Change the title and the time, and tell people who have signed up if the time is another."""
    before = live.state.setup
    try:
        title, start = await typed_appointment(press, written)
        if start is not None and before.start is not None:
            start = replace(start, event=before.start.event)
            if before.start.weekly is not None:
                start = replace(start, weekly=minute_of_week(start.moment, zone_named(start.zone)))
        await press.submit(live, ChangeSetup(press.person, replace(before, title=title, start=start)))
    except UnclearAppointment as error:
        await press.show_managed(live, unclear_text(error.why, written[1], press.t))
        return
    except Refusal as error:
        await press.show_managed(live, error.reason(press.t))
        return
    await press.show_managed(live, press.t.context("notice", "Saved."))
    if start != before.start and any(not entry.withdrawn for entry in live.state.entries):
        t = press.host.tools.display(live.locale, live.guild_id).words
        text = t("📅 **{name}** changed when the tournament starts.", name=safe(press.person.name))
        if start is not None:
            text += " " + begins_text(start, t)
        press.host.of(TournamentParts).boards.of(live).changes.tell(Changed.START, text)


@in_tournament(TournamentVerb.WEEKLY)
async def set_weekly(press: TournamentPress, live: LiveTournament) -> None:
    """Have the tournament held every week at its time, or stop that."""
    start = live.state.setup.start
    if start is None:
        raise Refusal(TournamentRefusal.NO_TIME)
    wished = press.ref.number(0) == 1
    weekly = minute_of_week(start.moment, zone_named(start.zone)) if wished else None
    await press.submit(live, Repeat(press.person, weekly))
    note = press.t("It's held every week at this time. When this one is over, the next sign-up opens.")
    await press.show_managed(live, note if wished else press.t("It's no longer repeated."))


@in_tournament(TournamentVerb.EVENT)
async def set_event(press: TournamentPress, live: LiveTournament) -> None:
    """Have Discord list the tournament among the server's events, if the person and the bot may make any; or stop
    that."""
    check_may_change(live)
    setup, wished = live.state.setup, press.ref.number(0) == 1
    if setup.start is None:
        raise Refusal(TournamentRefusal.NO_TIME)
    if wished and not press.interaction.permissions.create_events:
        note = press.t("To make an event, you need the permission **Create Events**.")
    elif wished and not press.interaction.app_permissions.create_events:
        note = press.t(
            "To make an event, I need the permission **Create Events**, which I don't ask for otherwise. Give it to my "
            "role in the server's settings, then try again."
        )
    else:
        start = replace(setup.start, event=wished)
        await press.submit(live, ChangeSetup(press.person, replace(setup, start=start)))
        note = press.t("Discord lists it among the server's events in a moment.")
        note = note if wished else press.t("Discord's event goes in a moment.")
    await press.show_managed(live, note)
