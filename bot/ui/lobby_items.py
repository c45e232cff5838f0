"""The buttons and menus of the lobby."""

from __future__ import annotations

from dataclasses import replace

import discord

from bot.engine.rules import Seating
from bot.players import Level
from bot.tables.actions import AddComputer, Configure, Join, Leave, RemoveComputer, Start
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.state import Phase
from bot.ui import rules_editor
from bot.ui.ending_items import ask_leave
from bot.ui.ids import Ref
from bot.ui.items import GameButton, GameSelect, Press
from bot.ui.texts import Words

TARGETS = (11, 15, 21)
PAIRS_OF = Seating.PAIRS.seats


class JoinButton(GameButton, verb="join"):
    """Take a seat."""

    async def press(self, press: Press) -> None:
        """Join."""
        await press.act(press.table, Join(press.person))


class LeaveButton(GameButton, verb="leave"):
    """Give up one's seat."""

    async def press(self, press: Press) -> None:
        """Leave; where the match has begun meanwhile, ask first."""
        table = press.table
        if table.phase is Phase.PLAYING and table.seat_of(press.person.id) is not None:
            await press.reply.private(ask_leave(table, press.t))
        else:
            await press.act(table, Leave(press.person, lobby_only=True))


class AddComputerButton(GameButton, verb="addc"):
    """Seat a computer player."""

    async def press(self, press: Press) -> None:
        """Add it."""
        await press.act(press.table, AddComputer(press.person, press.ref.version))


class AddEasyComputerButton(GameButton, verb="addeasy"):
    """Seat a computer player that overlooks things."""

    async def press(self, press: Press) -> None:
        """Add it."""
        await press.act(press.table, AddComputer(press.person, press.ref.version, Level.EASY))


class RemoveComputerButton(GameButton, verb="remc"):
    """Send a computer player away."""

    async def press(self, press: Press) -> None:
        """Remove it."""
        await press.act(press.table, RemoveComputer(press.person, press.ref.version))


class TargetSelect(GameSelect, verb="target"):
    """The points to play to."""

    async def press(self, press: Press) -> None:
        """Agree on it."""
        value = next(iter(press.values), "")
        if not value.isdigit() or not value.isascii():
            raise Refusal(RefusalCode.STALE)
        table = press.table
        config = table.view().config
        rules = replace(config.rules, target=int(value))
        await press.act(table, Configure(press.person, press.ref.version, replace(config, rules=rules)))


class TeamsButton(GameButton, verb="teams"):
    """Four players: each for themselves, or two pairs."""

    async def press(self, press: Press) -> None:
        """Change it."""
        table = press.table
        config = table.view().config
        config = replace(config, teams=not config.teams)
        await press.act(table, Configure(press.person, press.ref.version, config))


class RulesButton(GameButton, verb="rules"):
    """Opens the private editor of the rules."""

    async def press(self, press: Press) -> None:
        """Show it to somebody who sits at the table."""
        table = press.table
        if table.seat_of(press.person.id) is None:
            raise Refusal(RefusalCode.NOT_SEATED)
        await press.reply.private(rules_editor.editor_layout(table.view(), press.t))


class StartButton(GameButton, verb="start"):
    """Begin the match."""

    async def press(self, press: Press) -> None:
        """Start."""
        await press.act(press.table, Start(press.person, press.ref.version))


def target_select(ref: Ref, target: int, t: Words) -> TargetSelect:
    """The menu of targets, with the present one chosen."""
    options = [
        discord.SelectOption(label=t("Play to {n} points", n=n), value=str(n), default=n == target)
        for n in sorted({*TARGETS, target})
    ]
    return TargetSelect.make(ref, options, placeholder=t("Points to play to"))
