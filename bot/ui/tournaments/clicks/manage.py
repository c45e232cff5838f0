"""The presses of a tournament's organiser: beginning, the next round, removing people, correcting results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final, cast

from bot.club.person import Person
from bot.club.tournaments.actions import (
    Begin,
    BeginCheckIn,
    CancelTournament,
    Correct,
    DrawRound,
    Enter,
    PlayAgain,
    Remove,
)
from bot.club.tournaments.refusal import TournamentRefusal
from bot.club.tournaments.tournament import Entry, Outcome, Pairing, TournamentRound
from bot.tables.errors import Refusal, RefusalCode
from bot.tournaments.live import LiveTournament
from bot.ui.kit.ids.tournament import TournamentRef, TournamentVerb
from bot.ui.kit.numbers import number_in
from bot.ui.kit.screen import Screen
from bot.ui.tournaments.clicks import appointment, tournament
from bot.ui.tournaments.clicks.setup import SHOWN_SECONDS, show_changing
from bot.ui.tournaments.clicks.tournament import TournamentHandler, TournamentPress, in_tournament
from bot.ui.tournaments.parts import TournamentParts
from bot.ui.tournaments.screens.manage import (
    begin_question,
    cancel_tournament_question,
    correct_layout,
    log_layout,
    manage_layout,
    points_form,
    remove_layout,
    remove_question,
    tables_layout,
)
from bot.ui.words.refusals import refusal
from bot.ui.words.tournaments.tables import MENTIONED, check_in_call

_BOTH_LOST: Final = 2
"""Stands for "nobody" in place of the side that has won."""


async def _show(press: TournamentPress, live: LiveTournament, note: str | None = None) -> None:
    await press.reply.update_private(manage_layout(live.view(), press.t, note))


async def show(press: TournamentPress) -> None:
    await _show(press, await press.managed())


async def change(press: TournamentPress) -> None:
    """Show the screen for changing what is played."""
    await show_changing(press, await press.managed())


async def begin_check_in(press: TournamentPress) -> None:
    """Ask everybody who has signed up to say that they are there, and mention them once."""
    live = await press.managed()
    await press.submit(live, BeginCheckIn(press.person))
    board = press.host.of(TournamentParts).boards.of(live)
    await board.settled(SHOWN_SECONDS)
    await _show(press, live, press.t("Check-in has begun, and everybody who has signed up is told."))
    people = iter([person.id for each in live.state.entries if not each.withdrawn for person in each.people])
    tools, display = press.host.tools, press.host.tools.display(live.locale, live.guild_id)
    while some := list(islice(people, MENTIONED)):
        text = check_in_call(some, board.url, display.words)
        await press.reply.announce(text, allowed_mentions=tools.willing(some))


async def ask_to_begin(press: TournamentPress) -> None:
    live = await press.managed()
    await press.reply.update_private(begin_question(live.view(), press.t))


async def begin(press: TournamentPress) -> None:
    live = await press.managed()
    await press.submit(live, Begin(press.person))
    await _show(press, live, press.t("The first round is drawn, and its tables open."))


async def next_round(press: TournamentPress) -> None:
    live = await press.managed()
    await press.submit(live, DrawRound(press.person))
    await _show(press, live)


async def ask_to_cancel(press: TournamentPress) -> None:
    live = await press.managed()
    await press.reply.update_private(cancel_tournament_question(live.view(), press.t))


async def cancel(press: TournamentPress) -> None:
    live = await press.managed()
    await press.submit(live, CancelTournament(press.person))
    await _show(press, live)


async def ask_to_remove(press: TournamentPress) -> None:
    """Show who can be taken out, or ask about somebody who was chosen."""
    live = await press.managed()
    if not press.values:
        await press.reply.update_private(remove_layout(live.view(), press.t))
    else:
        await press.reply.update_private(remove_question(live.view(), _entry(live, press.chosen()), press.t))


def _entry(live: LiveTournament, number: int | None) -> Entry:
    if number is None or not 1 <= number <= len(live.state.entries):
        raise Refusal(TournamentRefusal.NO_TABLE)
    return live.state.entry(number)


async def remove(press: TournamentPress) -> None:
    live = await press.managed()
    await press.submit(live, Remove(press.person, _entry(live, press.ref.number(0)).number))
    await _show(press, live)


async def add(press: TournamentPress) -> None:
    """Sign up the member of the server whom the organiser has chosen."""
    live = await press.managed()
    note: str | None = None
    try:
        await press.submit(live, Enter(_member(press)))
    except Refusal as error:
        note = refusal(error, press.t)
        if error.code is TournamentRefusal.ALREADY_ENTERED:
            note = press.t("They have signed up already.")
        elif error.code is TournamentRefusal.REMOVED:
            note = press.t("They were taken out, so they can't come back.")
    await _show(press, live, note)


def _member(press: TournamentPress) -> Person:
    """The chosen member, as Discord describes them.

    Raises:
        Refusal: if it is a bot, or nobody on the server.
    """
    data = cast("dict[str, Any]", press.interaction.data or {})
    resolved = data.get("resolved", {})
    user, member = resolved.get("users", {}).get(press.value), resolved.get("members", {}).get(press.value)
    if user is None or member is None:
        raise Refusal(RefusalCode.STALE)
    if user.get("bot"):
        raise Refusal(RefusalCode.CHALLENGES_BOT)
    return Person(int(press.value), member.get("nick") or user.get("global_name") or user["username"])


# ------------------------------------------------------------------------------------------- corrections


async def choose_table(press: TournamentPress) -> None:
    """Show the latest round's tables, or how a chosen one ended."""
    live = await press.managed()
    if not live.state.rounds:
        raise Refusal(TournamentRefusal.NOT_STARTED)
    if not press.values:
        await press.reply.update_private(tables_layout(live.view(), len(live.state.rounds), press.t))
        return
    number, _, table = press.value.partition(".")
    drawn, pairing = _table(live, number_in(number), number_in(table))
    await press.reply.update_private(correct_layout(live.view(), drawn.number, pairing.table, press.t))


def _table(live: LiveTournament, number: int | None, table: int | None) -> tuple[TournamentRound, Pairing]:
    """A table of a round.

    Raises:
        Refusal: if there is none.
    """
    if number is None or not 1 <= number <= len(live.state.rounds):
        raise Refusal(TournamentRefusal.NO_TABLE)
    drawn = live.state.rounds[number - 1]
    pairing = None if table is None else drawn.pairing(table)
    if pairing is None:
        raise Refusal(TournamentRefusal.NO_TABLE)
    return drawn, pairing


async def choose_round(press: TournamentPress) -> None:
    live, number = await press.managed(), press.chosen()
    if not 1 <= number <= len(live.state.rounds):
        raise Refusal(TournamentRefusal.NO_TABLE)
    await press.reply.update_private(tables_layout(live.view(), number, press.t))


async def set_winner(press: TournamentPress) -> None:
    """Set who has won; the points stay if they fit, else the match counts as one that wasn't played."""
    live = await press.managed()
    drawn, pairing = _table(live, press.ref.number(0), press.ref.number(1))
    side = press.ref.number(2)
    if side not in (0, 1, _BOTH_LOST):
        raise Refusal(TournamentRefusal.NO_TABLE)
    winner = None if side == _BOTH_LOST else side
    before, outcome = drawn.outcomes.get(pairing.table), Outcome((0, 0), winner, forfeit=True)
    if before is not None and winner is not None and before.points[winner] > before.points[1 - winner]:
        outcome = Outcome(before.points, winner, before.forfeit, before.board_points)
    await _correct(press, live, drawn.number, pairing.table, outcome)


async def _correct(press: TournamentPress, live: LiveTournament, number: int, table: int, outcome: Outcome) -> None:
    note = press.t("The result is noted.")
    try:
        await press.submit(live, Correct(press.person, number, table, outcome))
    except Refusal as error:
        note = refusal(error, press.t)
    await press.reply.update_private(correct_layout(live.view(), number, table, press.t, note))
    if not live.open:  # after a restart the message with its end isn't known: it is posted again
        press.host.of(TournamentParts).boards.of(live).surface.invalidate()


async def ask_points(press: TournamentPress) -> None:
    live = await press.managed()
    drawn, pairing = _table(live, press.ref.number(0), press.ref.number(1))
    await press.reply.modal(points_form(live.view(), drawn.number, pairing.table, press.t))


async def _set_points(press: TournamentPress, written: Sequence[str]) -> None:
    """Note the points that somebody typed; the side with more has won."""
    live = await press.managed()
    drawn, pairing = _table(live, press.ref.number(0), press.ref.number(1))
    points = [number for text in written if (number := number_in(text.strip(), 999)) is not None]
    if len(points) != 2:
        note = refusal(Refusal(TournamentRefusal.BAD_OUTCOME), press.t)
        await press.reply.update_private(correct_layout(live.view(), drawn.number, pairing.table, press.t, note))
        return
    first, second = points
    winner = None if first == second else int(second > first)
    await _correct(press, live, drawn.number, pairing.table, Outcome((first, second), winner))


async def play_again(press: TournamentPress) -> None:
    live = await press.managed()
    drawn, pairing = _table(live, press.ref.number(0), press.ref.number(1))
    note = press.t("The table plays again.")
    try:
        await press.submit(live, PlayAgain(press.person, drawn.number, pairing.table))
    except Refusal as error:
        note = refusal(error, press.t)
    await press.reply.update_private(correct_layout(live.view(), drawn.number, pairing.table, press.t, note))


async def show_log(press: TournamentPress) -> None:
    live = await press.managed()
    await press.reply.update_private(log_layout(live.view(), press.t))


HANDLERS: Final[Mapping[TournamentVerb, TournamentHandler]] = {
    TournamentVerb.MANAGE: show,
    TournamentVerb.CHANGE: change,
    TournamentVerb.CHECK_IN: begin_check_in,
    TournamentVerb.BEGIN: ask_to_begin,
    TournamentVerb.CONFIRM_BEGIN: begin,
    TournamentVerb.NEXT: next_round,
    TournamentVerb.CANCEL: ask_to_cancel,
    TournamentVerb.CONFIRM_CANCEL: cancel,
    TournamentVerb.REMOVE: ask_to_remove,
    TournamentVerb.CONFIRM_REMOVE: remove,
    TournamentVerb.ADD: add,
    TournamentVerb.CORRECT: choose_table,
    TournamentVerb.ROUND: choose_round,
    TournamentVerb.OUTCOME: set_winner,
    TournamentVerb.POINTS: ask_points,
    TournamentVerb.AGAIN: play_again,
    TournamentVerb.LOG: show_log,
}
SCREEN: Final = Screen(
    "tournaments",
    TournamentRef,
    in_tournament({**tournament.HANDLERS, **HANDLERS, **appointment.HANDLERS}),
    forms={
        TournamentVerb.WHEN: lambda press, ref, written: appointment.set_when(
            TournamentPress(press.interaction, ref), written
        ),
        TournamentVerb.POINTS: lambda press, ref, written: _set_points(
            TournamentPress(press.interaction, ref), written
        ),
    },
    public=[
        TournamentVerb.JOIN,
        TournamentVerb.LEAVE,
        TournamentVerb.HERE,
        TournamentVerb.MINE,
        TournamentVerb.STANDINGS,
        TournamentVerb.RULES,
        TournamentVerb.MANAGE,
    ],
)
