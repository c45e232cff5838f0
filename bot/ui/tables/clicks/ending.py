"""Ending or leaving a game, after asking first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import discord

from bot.tables.errors import Refusal, RefusalCode
from bot.tables.log.actions import Cancel, Leave, Touch
from bot.tables.log.events import Phase
from bot.tables.table import Table
from bot.ui.kit.ids.game import Verb
from bot.ui.layout import notice
from bot.ui.tables.clicks.press import GameHandler, GamePress
from bot.ui.tables.screens.ending import cancel_question
from bot.ui.transport.permissions import may_moderate


def check_may_cancel(interaction: discord.Interaction[Any], table: Table) -> None:
    """Check that the person may end the game.

    Raises:
        Refusal: if they may not.
    """
    if not table.may_cancel(interaction.user.id, moderator=may_moderate(interaction)):
        raise Refusal(RefusalCode.NOT_ALLOWED)


async def ask_to_cancel(press: GamePress) -> None:
    table = press.table
    check_may_cancel(press.interaction, table)
    await press.reply.send_private(cancel_question(table.id, press.t))


async def cancel(press: GamePress) -> None:
    await press.table.submit(Cancel(press.person, moderator=may_moderate(press.interaction)))
    await press.reply.update_private(notice(press.t("The game was cancelled.")))


async def leave(press: GamePress) -> None:
    await press.table.submit(Leave(press.person))
    await press.reply.update_private(notice(press.t("You have left the game.")))


async def keep(press: GamePress) -> None:
    """The answer was no: say that nothing happened."""
    table = press.host.manager.get(press.ref.game)
    if table is not None and table.phase is Phase.PLAYING and table.seat_of(press.person.id) is not None:
        await table.submit(Touch(press.person))
    over = table is None and press.t("This game is over.")
    await press.reply.update_private(notice(over or press.t("Nothing has changed: the game goes on.")))


HANDLERS: Final[Mapping[Verb, GameHandler]] = {
    Verb.CANCEL: ask_to_cancel,
    Verb.CONFIRM_CANCEL: cancel,
    Verb.CONFIRM_LEAVE: leave,
    Verb.KEEP: keep,
}
