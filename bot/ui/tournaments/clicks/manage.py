"""The presses of a tournament's organiser: asking people, check-in, beginning, the next round, removing people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final

import discord

from bot.club.tournaments.actions import Ask, Begin, BeginCheckIn, CancelTournament, DrawRound, Remove
from bot.club.tournaments.refusal import TournamentRefusal
from bot.club.tournaments.tournament import Entry
from bot.platform.kit.interactions import member_of, members_in
from bot.platform.kit.screen import Screen
from bot.platform.language.refusals import refusal
from bot.platform.language.texts import Words
from bot.platform.layout import Layout
from bot.platform.people.names import safe
from bot.platform.people.person import Person
from bot.platform.refusal import CommonRefusal, Refusal
from bot.tournaments.live import LiveTournament
from bot.ui.ids.tournament import TournamentRef, TournamentVerb
from bot.ui.tournaments.clicks import appointment, corrections, tournament
from bot.ui.tournaments.clicks.setup import SHOWN_SECONDS, come_back, show_changing
from bot.ui.tournaments.clicks.tournament import TournamentHandler, TournamentPress, in_tournament
from bot.ui.tournaments.parts import TournamentParts
from bot.ui.tournaments.screens.manage import begin_question, cancel_tournament_question, remove_layout, remove_question
from bot.ui.words.tournaments.tables import MENTIONED, check_in_call

_SEES: Final = discord.Permissions(view_channel=True).value
"""The permissions of a member for whom Discord names none."""


async def _show_question(press: TournamentPress, live: LiveTournament, layout: Layout) -> None:
    """Ask about what is done to a tournament, unless it is over by now: the screen may be an old one."""
    if not live.open:
        await press.show_managed(live)
        return
    await press.reply.update_private(layout)


async def show(press: TournamentPress) -> None:
    await press.show_managed(await press.managed())


async def change(press: TournamentPress) -> None:
    """Show the screen for changing what is played."""
    await show_changing(press, await press.managed())


async def choose_change(press: TournamentPress) -> None:
    """Change what was chosen in the menu: what is played, the title and the time, whether it is repeated, the event."""
    await press.managed()
    verb, _, wished = press.value.partition(".")
    if (handler := _CHANGES.get(verb)) is None:
        raise Refusal(CommonRefusal.STALE)
    args = (int(wished == "1"),) if wished else ()
    await handler(TournamentPress(press.interaction, replace(press.ref, args=args)))


async def begin_check_in(press: TournamentPress) -> None:
    """Ask everybody who has signed up to say that they are there, and mention those who weren't mentioned before."""
    live = await press.managed()
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


async def ask_to_begin(press: TournamentPress) -> None:
    live = await press.managed()
    await _show_question(press, live, begin_question(live.view(), press.t))


async def begin(press: TournamentPress) -> None:
    live = await press.managed()
    await press.submit(live, Begin(press.person))
    await press.show_managed(live, press.t("The first round is drawn, and its tables open."))


async def next_round(press: TournamentPress) -> None:
    live = await press.managed()
    await press.submit(live, DrawRound(press.person))
    await press.show_managed(live)


async def ask_to_cancel(press: TournamentPress) -> None:
    live = await press.managed()
    await _show_question(press, live, cancel_tournament_question(live.view(), press.t))


async def cancel(press: TournamentPress) -> None:
    live = await press.managed()
    await press.submit(live, CancelTournament(press.person))
    await press.show_managed(live)


async def ask_to_remove(press: TournamentPress) -> None:
    """Show who can be taken out, or ask about somebody who was chosen."""
    live = await press.managed()
    if not press.values:
        await _show_question(press, live, remove_layout(live.view(), press.t))
    else:
        await _show_question(press, live, remove_question(live.view(), _entry(live, press.chosen()), press.t))


def _entry(live: LiveTournament, number: int | None) -> Entry:
    if number is None or not live.state.has_entry(number):
        raise Refusal(TournamentRefusal.NO_TABLE)
    return live.state.entry(number)


async def _remove(press: TournamentPress, *, disqualified: bool) -> None:
    live = await press.managed()
    entry = _entry(live, press.ref.number(0))
    await press.submit(live, Remove(press.person, entry.number, disqualified=disqualified))
    await press.show_managed(live)


async def add(press: TournamentPress) -> None:
    """Ask the member of the server whom the organiser has chosen to take part, and mention them if they weren't
    mentioned before."""
    live, member = await press.managed(), _member(press)
    note, called = press.t("**{name}** is asked to play.", name=safe(member.name)), live.state.called
    tools, throttle = press.host.tools, press.host.throttle
    asked = False
    try:
        throttle.asks.take_or_refuse(press.person.id, TournamentRefusal.TOO_MANY_ASKED)
        await press.submit(live, Ask(press.person, member))
        asked = True
    except Refusal as error:
        note = refusal(error, press.t)
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

    Raises:
        Refusal: if it is a bot, nobody on the server, or can't see the channel.
    """
    chosen = members_in(press.interaction).get(press.value)
    if chosen is None:
        raise Refusal(CommonRefusal.STALE)
    if chosen.get("bot"):
        raise Refusal(TournamentRefusal.ASKS_BOT)
    if not discord.Permissions(int(chosen["member"].get("permissions", _SEES))).view_channel:
        raise Refusal(TournamentRefusal.ASKS_ABSENT)
    return member_of(chosen)


_CHANGES: Final[Mapping[str, TournamentHandler]] = {TournamentVerb.CHANGE: change, **appointment.HANDLERS}
HANDLERS: Final[Mapping[TournamentVerb, TournamentHandler]] = {
    TournamentVerb.MANAGE: show,
    TournamentVerb.MORE: choose_change,
    TournamentVerb.CHANGE: change,
    TournamentVerb.CHECK_IN: begin_check_in,
    TournamentVerb.BEGIN: ask_to_begin,
    TournamentVerb.CONFIRM_BEGIN: begin,
    TournamentVerb.NEXT: next_round,
    TournamentVerb.CANCEL: ask_to_cancel,
    TournamentVerb.CONFIRM_CANCEL: cancel,
    TournamentVerb.REMOVE: ask_to_remove,
    TournamentVerb.CONFIRM_REMOVE: partial(_remove, disqualified=False),
    TournamentVerb.DISQUALIFY: partial(_remove, disqualified=True),
    TournamentVerb.ADD: add,
}
SCREEN: Final = Screen(
    "tournaments",
    TournamentRef,
    in_tournament(
        {
            **tournament.HANDLERS,
            **HANDLERS,
            **corrections.HANDLERS,
            **appointment.HANDLERS,
            TournamentVerb.BACK: come_back,
        }
    ),
    forms={
        TournamentVerb.WHEN: lambda press, ref, written: appointment.set_when(
            TournamentPress(press.interaction, ref), written
        ),
        TournamentVerb.POINTS: lambda press, ref, written: corrections.set_points(
            TournamentPress(press.interaction, ref), written
        ),
    },
    public=[
        TournamentVerb.JOIN,
        TournamentVerb.YES,
        TournamentVerb.LEAVE,
        TournamentVerb.HERE,
        TournamentVerb.MINE,
        TournamentVerb.BACK,
        TournamentVerb.STANDINGS,
        TournamentVerb.RULES,
        TournamentVerb.MANAGE,
    ],
)
