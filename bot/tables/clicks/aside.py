"""Tables in threads: a lobby moves to one when somebody asks, and a slow one by itself, so that its channel is free."""

from contextlib import suppress
from typing import Any

import discord

from bot.platform.kit.host import host_of
from bot.platform.refusals import Refusal
from bot.platform.transport.channels import QUIET_MINUTES_SLOW
from bot.platform.transport.permissions import may_moderate, may_open_threads
from bot.platform.transport.reply import person_of
from bot.tables.boards.handover import archive_after
from bot.tables.boards.public_message import pointer_to_thread
from bot.tables.clicks.press import GamePress, at_table
from bot.tables.ids.game import Verb
from bot.tables.live.table import Table
from bot.tables.log.actions import MoveToThread
from bot.tables.log.events import Phase
from bot.tables.parts import TableParts
from bot.tables.refusals import TableRefusal


@at_table(Verb.THREAD)
async def play_in_a_thread(press: GamePress) -> None:
    """Move to a thread on the lobby's message, which then says where the table is."""
    table, moderator = press.table, may_moderate(press.interaction)
    if table.thread_id is None:
        table.check_may_move(press.person.id, moderator=moderator)
        await _move(press.interaction, table, moderator=moderator)
    await press.reply.update_private(pointer_to_thread(table, press.t))


async def set_aside(interaction: discord.Interaction[Any], table: Table) -> bool:
    """Keep a slow lobby out of everybody's way, which may wait for its people for a week: move it to a thread, where
    one can be opened, or have its thread stay for as long. Returns whether it has moved.

    Whoever chose its pace decides that. If Discord opens no thread, it stays where it is.
    """
    view = table.view()
    if view.phase is not Phase.LOBBY or not view.slow:
        return False
    if view.movable:
        with suppress(Refusal):
            await _move(interaction, table, moderator=True)
    elif table.thread_id is not None or _is_own_thread(interaction, table):
        tools = host_of(interaction).tools
        tools.spawn(archive_after(tools, table, QUIET_MINUTES_SLOW))
    return view.movable and not table.view().movable


async def _move(interaction: discord.Interaction[Any], table: Table, *, moderator: bool) -> None:
    """Open the thread first: if somebody starts or ends the game at that moment, it stays empty.

    Raises:
        Refusal: if there is no thread, or the lobby can't move any more.
    """
    if not may_open_threads(interaction):
        raise Refusal(TableRefusal.NO_THREADS)
    thread_id = await host_of(interaction).of(TableParts).presenter.open_thread(table)
    if table.thread_id is None:  # somebody else may have pressed it as well
        await table.submit(MoveToThread(person_of(interaction), thread_id, moderator))


def _is_own_thread(interaction: discord.Interaction[Any], table: Table) -> bool:
    """Whether a table is in a thread that the bot has opened, and that Discord would archive too soon."""
    channel, bot = interaction.channel, interaction.client.user
    if not isinstance(channel, discord.Thread) or channel.id != table.channel_id or bot is None:
        return False
    return channel.owner_id == bot.id and channel.auto_archive_duration < QUIET_MINUTES_SLOW
