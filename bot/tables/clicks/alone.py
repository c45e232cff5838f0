"""Playing alone in private against robots: the command, and what offers it where nobody else plays."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import discord

from bot.club.store.newcomers import Newcomers
from bot.club.store.ratings import Ratings
from bot.platform.kit.host import host_of
from bot.platform.layout import layout_of, row
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.transport.reply import person_of, private_words, reply_to
from bot.tables.clicks.press import GamePress, at_table
from bot.tables.ids.game import Verb
from bot.tables.live.logbook import Finished
from bot.tables.live.manager import TableManager
from bot.tables.live.opponents import default_level
from bot.tables.live.own_rules import new_config
from bot.tables.live.table import Table
from bot.tables.log.actions import Start
from bot.tables.log.events import Config, Phase
from bot.tables.log.seats import Alone, Seat, place_of
from bot.tables.parts import TableParts
from bot.tables.refusals import TableRefusal
from bot.tables.screens.picking import solo_button
from bot.tables.settings import TableSettings
from bot.tables.store.alone import GamesAlone


async def play_alone(
    interaction: discord.Interaction[Any], preset: str | None = None, robot: Seat | None = None
) -> None:
    """Show the person's own match against robots, or what they can begin: it is like their last one.

    With a `preset` and a `robot` these are what they play, and the match begins at once.

    Raises:
        Refusal: if another process has their match, or they open too many.
        StoreError: if it can't be read.
    """
    manager, person = host_of(interaction).of(TableManager), person_of(interaction)
    table = await manager.alone(person.id)
    if robot is not None and table is not None and table.phase is Phase.LOBBY:
        await table.abandon(Phase.CANCELLED)
        table = await manager.alone(person.id)
    if table is None and robot is None:
        number = await host_of(interaction).of(GamesAlone).latest(person.id)
        before = None
        if number is not None:
            with suppress(Refusal):  # a newer version has written it
                before = await manager.finished(number)
        table = await _opened(interaction, *await _like(before, interaction))
    elif table is None:
        table = await _opened(interaction, new_config(TableSettings(), preset), [robot] if robot else [])
        await _begin(table, interaction)
    board = await host_of(interaction).of(TableParts).presenter.board_for(interaction, table)
    await board.panels.open(interaction)


async def _like(before: Finished | None, interaction: discord.Interaction[Any]) -> tuple[Config, Sequence[Seat]]:
    """Choose what is played and against whom: as before, or by default the usual rules against a robot that fits."""
    if before is None:
        host, config = host_of(interaction), new_config(TableSettings())
        known, now = (host.of(Newcomers), host.of(Ratings)), host.tools.clock.now()
        level = await default_level(*known, [interaction.user.id], config.preset, None, now)
        return config, [Seat("", level=level)]
    return before.state.config, [seat for seat in before.state.seats if seat.is_computer]


async def _opened(interaction: discord.Interaction[Any], config: Config, robots: Sequence[Seat]) -> Table:
    host = host_of(interaction)
    host.throttle.tables.take_or_refuse(interaction.user.id, TableRefusal.TOO_MANY_OPENED)
    return await host.of(TableManager).open(
        guild_id=None,
        channel_id=None,
        opener=person_of(interaction),
        config=config,
        locale=interaction.locale.value,
        computers=robots,
    )


async def _begin(table: Table, interaction: discord.Interaction[Any]) -> None:
    with suppress(Refusal):  # they can change what they play, and start it
        await table.submit(Start(person_of(interaction), table.version))


async def offer_solo(interaction: discord.Interaction[Any], error: Refusal) -> None:
    """Say why nobody can play in a channel, and offer to play alone in private, which is possible anywhere."""
    t = private_words(interaction)
    await reply_to(interaction).send_private(layout_of(error.reason(t), row(solo_button(t))))


@at_table(Verb.SOLO)
async def open_solo(press: GamePress) -> None:
    """Show the person's own match, below the message that offers it."""
    await play_alone(press.interaction)


@at_table(Verb.AGAIN)
async def again(press: GamePress) -> None:
    """Begin another match like the one that is over, on its message; if the person has begun one since, show that.

    Raises:
        Refusal: if it isn't over or was somebody else's, besides as for `play_alone`.
    """
    manager = press.host.of(TableManager)
    before = await manager.finished(press.ref.game)
    if before is None or place_of(before.row) != Alone(press.person.id):
        raise Refusal(CommonRefusal.STALE)
    table = await manager.alone(press.person.id)
    if table is None:
        table = await _opened(press.interaction, *await _like(before, press.interaction))
        await _begin(table, press.interaction)
    board = await press.host.of(TableParts).presenter.board_for(press.interaction, table)
    await board.answer(press.interaction, None, None)
