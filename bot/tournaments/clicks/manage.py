"""The presses of a tournament's organiser: asking people, check-in, beginning, the next round, removing people."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final

import discord

from bot.platform.kit.interactions import member_of, members_in
from bot.platform.kit.screen import Handling
from bot.platform.language.texts import Words
from bot.platform.layout import Layout
from bot.platform.people import Person, safe
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tournaments.clicks.appointment import ask_when, set_event, set_weekly
from bot.tournaments.clicks.setup import SHOWN_SECONDS, show_changing
from bot.tournaments.clicks.tournament import TournamentPress, in_tournament
from bot.tournaments.ids.tournament import TournamentVerb
from bot.tournaments.live.running import LiveTournament
from bot.tournaments.parts import TournamentParts
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.log import Ask, Begin, BeginCheckIn, CancelTournament, DrawRound, Remove
from bot.tournaments.rules.tournament import Entry
from bot.tournaments.screens.manage import begin_question, cancel_tournament_question, remove_layout, remove_question
from bot.tournaments.words.formats import MENTIONED, check_in_call

_SEES: Final = discord.Permissions(view_channel=True).value
"""The permissions of a member for whom Discord names none."""


async def _show_question(
    press: TournamentPress, live: LiveTournament, layout: Layout, *, too_late: bool = False
) -> None:
    """Ask about what is done to a tournament, unless it is `too_late` or over by now: the screen may be an old one."""
    if too_late or not live.open:
        await press.show_managed(live)
        return
    await press.reply.update_private(layout)


@in_tournament(TournamentVerb.MANAGE)
async def show(press: TournamentPress, live: LiveTournament) -> None:
    await press.show_managed(live)


@in_tournament(TournamentVerb.CHANGE)
async def change(press: TournamentPress, live: LiveTournament) -> None:
    """Show the screen for changing what is played."""
    await show_changing(press, live)


_CHANGES: Final[Mapping[str, Callable[[TournamentPress, LiveTournament], Handling]]] = {
    TournamentVerb.CHANGE: change,
    TournamentVerb.WHEN: ask_when,
    TournamentVerb.WEEKLY: set_weekly,
    TournamentVerb.EVENT: set_event,
}


@in_tournament(TournamentVerb.MORE)
async def choose_change(press: TournamentPress, live: LiveTournament) -> None:
    """Change what was chosen in the menu: what is played, the title and the time, whether it is repeated, the event."""
    verb, _, wished = press.value.partition(".")
    if (handler := _CHANGES.get(verb)) is None:
        raise Refusal(CommonRefusal.STALE)
    args = (int(wished == "1"),) if wished else ()
    await handler(TournamentPress(press.interaction, replace(press.ref, args=args)), live)


@in_tournament(TournamentVerb.CHECK_IN)
async def begin_check_in(press: TournamentPress, live: LiveTournament) -> None:
    """Ask everybody who has signed up to say that they are there, and mention those who weren't mentioned before."""
    uncalled = live.state.uncalled
    await press.submit(live, BeginCheckIn(press.person))
    board = press.host.of(TournamentParts).boards.of(live)
    await board.settled(SHOWN_SECONDS)
    tools, display = press.host.tools, press.host.tools.display(live.locale, live.guild_id)
    if not press.host.throttle.calls.take(press.person.id):
        note = press.t("Check-in is open. You called people often lately, so nobody is notified of it.")
        await press.show_managed(live, note)
        return
    note = press.t("Check-in is open. Everyone who joined is told, except those who want no notifications.")
    await press.show_managed(live, note)
    people = iter(tools.tellable(uncalled))
    while some := list(islice(people, MENTIONED)):
        text = check_in_call(some, board.url, display.words)
        await press.reply.announce(text, allowed_mentions=tools.willing(some))


@in_tournament(TournamentVerb.BEGIN)
async def ask_to_begin(press: TournamentPress, live: LiveTournament) -> None:
    await _show_question(press, live, begin_question(live.view(), press.t), too_late=bool(live.state.rounds))


@in_tournament(TournamentVerb.CONFIRM_BEGIN)
async def begin(press: TournamentPress, live: LiveTournament) -> None:
    await press.submit(live, Begin(press.person))
    await press.show_managed(live, press.t("The first round is drawn, and its tables open."))


@in_tournament(TournamentVerb.NEXT)
async def next_round(press: TournamentPress, live: LiveTournament) -> None:
    await press.submit(live, DrawRound(press.person))
    await press.show_managed(live)


@in_tournament(TournamentVerb.CANCEL)
async def ask_to_cancel(press: TournamentPress, live: LiveTournament) -> None:
    await _show_question(press, live, cancel_tournament_question(live.view(), press.t))


@in_tournament(TournamentVerb.CONFIRM_CANCEL)
async def cancel(press: TournamentPress, live: LiveTournament) -> None:
    await press.submit(live, CancelTournament(press.person))
    await press.show_managed(live)


@in_tournament(TournamentVerb.REMOVE)
async def ask_to_remove(press: TournamentPress, live: LiveTournament) -> None:
    """Show who can be taken out, or ask about somebody who was chosen."""
    if not press.values:
        await _show_question(press, live, remove_layout(live.view(), press.t))
    else:
        await _show_question(press, live, remove_question(live.view(), _entry(live, press.chosen()), press.t))


def _entry(live: LiveTournament, number: int | None) -> Entry:
    if number is None or not live.state.has_entry(number):
        raise Refusal(TournamentRefusal.NO_TABLE)
    return live.state.entry(number)


async def _remove(press: TournamentPress, live: LiveTournament, *, disqualified: bool) -> None:
    entry = _entry(live, press.ref.number(0))
    await press.submit(live, Remove(press.person, entry.number, disqualified=disqualified))
    await press.show_managed(live)


@in_tournament(TournamentVerb.ADD)
async def add(press: TournamentPress, live: LiveTournament) -> None:
    """Ask the member of the server whom the organiser has chosen to take part, and mention them if they weren't
    mentioned before."""
    member = _member(press)
    note, called = press.t("**{name}** is asked to play.", name=safe(member.name)), live.state.called
    tools, throttle = press.host.tools, press.host.throttle
    asked = False
    try:
        throttle.asks.take_or_refuse(press.person.id, TournamentRefusal.TOO_MANY_ASKED)
        await press.submit(live, Ask(press.person, member))
        asked = True
    except Refusal as error:
        note = error.reason(press.t)
        if error.code is TournamentRefusal.ALREADY_ENTERED:
            note = press.t("They joined already.")
        elif error.code is TournamentRefusal.REMOVED:
            note = press.t("They were removed, so they can't come back.")
    board = press.host.of(TournamentParts).boards.of(live)
    await board.settled(SHOWN_SECONDS)
    await press.show_managed(live, note)
    mentions = asked and member.id not in called and tools.tellable([member.id])
    if mentions and throttle.challenges.take((press.person.id, member.id)):
        text = _invitation(member.id, press.person.name, board.url, tools.display(live.locale, live.guild_id).words)
        await press.reply.announce(text, allowed_mentions=tools.willing([member.id]))


def _invitation(person_id: int, by: str, url: str | None, t: Words) -> str:
    """The message that asks somebody to take part, in the language of the tournament."""
    text = t(
        "{person} **{name}** asks whether you play in the tournament. If so, press **Yes, I play**.",
        person=f"<@{person_id}>",
        name=safe(by),
    )
    return text if url is None else text + " " + t("[Go to the tournament]({url})", url=url)


def _member(press: TournamentPress) -> Person:
    """The chosen member, as Discord describes them.

    Raises Refusal if it is a bot, nobody on the server, or can't see the channel.
    """
    chosen = members_in(press.interaction).get(press.value)
    if chosen is None:
        raise Refusal(CommonRefusal.STALE)
    if chosen.get("bot"):
        raise Refusal(TournamentRefusal.ASKS_BOT)
    if not discord.Permissions(int(chosen["member"].get("permissions", _SEES))).view_channel:
        raise Refusal(TournamentRefusal.ASKS_ABSENT)
    return member_of(chosen)


in_tournament(TournamentVerb.CONFIRM_REMOVE)(partial(_remove, disqualified=False))
in_tournament(TournamentVerb.DISQUALIFY)(partial(_remove, disqualified=True))
