"""The buttons and the menu of the lobby."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from bot.players import Level
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.log.actions import (
    AddComputer,
    ChoosePartner,
    Configure,
    Decline,
    Join,
    Leave,
    MoveToThread,
    RemoveComputer,
    SetHints,
    SetRated,
    Start,
)
from bot.tables.log.events import LARGEST_CAPACITY, Config, Phase
from bot.ui.kit.ids.game import Verb
from bot.ui.kit.numbers import number_in
from bot.ui.tables.clicks.press import GameHandler, GamePress
from bot.ui.tables.clicks.rules import editor_of
from bot.ui.tables.parts import TableParts
from bot.ui.tables.screens.ending import leave_question
from bot.ui.tables.screens.lobby import FRIENDLY, OFF, ON, RATED, TARGET
from bot.ui.transport.permissions import may_moderate, may_open_threads


async def join(press: GamePress) -> None:
    async with press.answering():
        await press.table.submit(Join(press.person, friendly=FRIENDLY in press.ref.args))


async def decline(press: GamePress) -> None:
    """Turn a challenge down."""
    async with press.answering():
        await press.table.submit(Decline(press.person))


async def set_rated(press: GamePress) -> None:
    """Make the match rated or friendly."""
    if press.argument() not in (RATED, FRIENDLY):
        raise Refusal(RefusalCode.STALE)
    async with press.answering():
        rated = press.argument() == RATED
        await press.table.submit(SetRated(press.person, rated, may_moderate(press.interaction)))


async def set_hints(press: GamePress) -> None:
    """Allow hints in a friendly match, or not."""
    if press.argument() not in (ON, OFF):
        raise Refusal(RefusalCode.STALE)
    async with press.answering():
        await press.table.submit(SetHints(press.person, press.argument() == ON))


async def leave(press: GamePress) -> None:
    """Give up the person's seat; if the match has begun meanwhile, ask first."""
    table, seat = press.table, press.table.seat_of(press.person.id)
    if table.phase is Phase.PLAYING and seat is not None:
        may_propose = table.may_propose_end(seat)
        await press.reply.send_private(leave_question(table.view(), seat, press.t, may_propose=may_propose))
    else:
        async with press.answering():
            await table.submit(Leave(press.person, lobby_only=True))


async def add_computer(level: Level, press: GamePress) -> None:
    async with press.answering():
        await press.table.submit(AddComputer(press.person, press.ref.version, level))


async def remove_computer(press: GamePress) -> None:
    async with press.answering():
        await press.table.submit(RemoveComputer(press.person, press.ref.version))


async def choose_target(press: GamePress) -> None:
    """Set the points to play to."""
    config = press.table.view().config
    rules = replace(config.rules, target=TARGET.read(press.value))
    await _configure(press, replace(config, rules=rules))


async def switch_teams(press: GamePress) -> None:
    """Switch four players between each for themselves and two pairs, six between three pairs and two sides of three."""
    view = press.table.view()
    config = view.config
    if len(view.seats) == LARGEST_CAPACITY:
        await _configure(press, replace(config, threes=not config.threes))
    else:
        await _configure(press, replace(config, teams=not config.teams))


async def _configure(press: GamePress, config: Config) -> None:
    async with press.answering():
        await press.table.submit(Configure(press.person, press.ref.version, config))


async def choose_partner(press: GamePress) -> None:
    """Make the holder of the chosen seat the person's partner."""
    if (seat := number_in(press.value)) is None:
        raise Refusal(RefusalCode.STALE)
    async with press.answering():
        await press.table.submit(ChoosePartner(press.person, press.ref.version, seat))


async def play_in_a_thread(press: GamePress) -> None:
    """Move to a thread on the lobby's message, which then says where the table is.

    The thread is opened first: if somebody starts or ends the game at that moment, it stays empty.
    """
    table = press.table
    interaction = press.interaction
    moderator = may_moderate(press.interaction)
    async with press.answering():
        if table.thread_id is None:
            table.check_may_move(press.person.id, moderator=moderator)
            if not may_open_threads(interaction) or interaction.message is None:
                raise Refusal(RefusalCode.NO_THREADS)
            thread_id = await press.host.of(TableParts).presenter.open_thread(table, interaction.message.id)
            if table.thread_id is None:  # somebody else may have pressed it as well
                await table.submit(MoveToThread(press.person, thread_id, moderator))


async def open_rules(press: GamePress) -> None:
    """Show the private editor of the rules, to a player of the table."""
    table = press.table
    if table.seat_of(press.person.id) is None:
        raise Refusal(RefusalCode.NOT_SEATED)
    await press.reply.send_private(await editor_of(press))


async def start(press: GamePress) -> None:
    async with press.answering():
        await press.table.submit(Start(press.person, press.ref.version))


HANDLERS: Final[Mapping[Verb, GameHandler]] = {
    Verb.JOIN: join,
    Verb.LEAVE: leave,
    Verb.ADD_COMPUTER: partial(add_computer, Level.NORMAL),
    Verb.ADD_EASY_COMPUTER: partial(add_computer, Level.EASY),
    Verb.ADD_HARD_COMPUTER: partial(add_computer, Level.HARD),
    Verb.REMOVE_COMPUTER: remove_computer,
    Verb.TARGET: choose_target,
    Verb.TEAMS: switch_teams,
    Verb.RULES: open_rules,
    Verb.PARTNER: choose_partner,
    Verb.THREAD: play_in_a_thread,
    Verb.START: start,
    Verb.RATED: set_rated,
    Verb.HINTS: set_hints,
    Verb.DECLINE: decline,
}
