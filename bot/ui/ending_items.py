"""Asking before a game is ended or left, and doing it."""

from __future__ import annotations

from typing import Any

import discord
from discord.ui import LayoutView, TextDisplay

from bot.tables.actions import Cancel, Leave, Touch
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.state import Phase
from bot.tables.table import Table
from bot.ui.ids import Ref
from bot.ui.interactions import person_of
from bot.ui.items import GameButton, Press
from bot.ui.layout import row, view_of
from bot.ui.notices import notice
from bot.ui.permissions import may_moderate
from bot.ui.texts import Words


def check_may_cancel(interaction: discord.Interaction[Any], table: Table) -> None:
    """Let only those go on who may end the game.

    Raises:
        Refusal: for everybody else.
    """
    if not table.may_cancel(interaction.user.id, moderator=may_moderate(interaction)):
        raise Refusal(RefusalCode.NOT_ALLOWED)


def ask_cancel(table: Table, t: Words) -> LayoutView:
    """The question before a game is cancelled."""
    ref = Ref(table.id, table.version)
    return _question(
        t("Do you want to end this game for everybody? It will count for nobody."),
        ConfirmCancelButton.make(ref, t("End the game"), style=discord.ButtonStyle.danger),
        KeepButton.make(ref, t("Keep playing")),
    )


def ask_leave(table: Table, t: Words) -> LayoutView:
    """The question before somebody leaves a match."""
    ref = Ref(table.id, table.version)
    return _question(
        t("Do you want to leave? A computer plays your cards to the end, and the match counts as lost for you."),
        ConfirmLeaveButton.make(ref, t("Leave the game"), style=discord.ButtonStyle.danger),
        KeepButton.make(ref, t("Keep playing")),
    )


def _question(text: str, *buttons: GameButton) -> LayoutView:
    return view_of(TextDisplay(text), row(*buttons))


class CancelButton(GameButton, verb="cancel"):
    """Asks whether the game is to be ended."""

    async def press(self, press: Press) -> None:
        """Ask somebody who may."""
        table = press.table
        check_may_cancel(press.interaction, table)
        await press.reply.private(ask_cancel(table, press.t))


class ConfirmCancelButton(GameButton, verb="cancelyes"):
    """Ends the game."""

    async def press(self, press: Press) -> None:
        """End it."""
        await press.table.submit(Cancel(press.person, moderator=may_moderate(press.interaction)))
        await press.reply.update_private(notice(press.t("The game was cancelled.")))


class ConfirmLeaveButton(GameButton, verb="leaveyes"):
    """Leaves the match for good."""

    async def press(self, press: Press) -> None:
        """Leave."""
        await press.table.submit(Leave(person_of(press.interaction)))
        await press.reply.update_private(notice(press.t("You have left the game.")))


class KeepButton(GameButton, verb="keep"):
    """Nothing is to happen."""

    async def press(self, press: Press) -> None:
        """Say so."""
        table = press.host.manager.get(press.ref.game)
        if table is not None and table.phase is Phase.PLAYING and table.seat_of(press.person.id) is not None:
            await table.submit(Touch(press.person))
        over = table is None and press.t("This game is over.")
        await press.reply.update_private(notice(over or press.t("Nothing has changed: the game goes on.")))
