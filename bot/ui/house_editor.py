"""The private editor of a server's defaults, for those who may manage the server."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Self

import discord
from discord.ui import DynamicItem, Item, LayoutView, Select

from bot.engine.rules import PRESETS, TARGETS
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.house import House
from bot.ui.colours import FELT
from bot.ui.interactions import answered, host_of, private_words, values_of
from bot.ui.layout import box_of, row
from bot.ui.permissions import may_manage
from bot.ui.reply import Reply
from bot.ui.texts import N_, Words
from bot.ui.wording import PRESET_NAMES

USUAL: Final = "usual"
_TARGETS: Final = (11, 15, 21, 31, 41, 51, 61, 101)
_TURNS: Final = {
    "30": N_("30 seconds a turn"),
    "60": N_("1 minute a turn"),
    "120": N_("2 minutes a turn"),
    "300": N_("5 minutes a turn"),
    "900": N_("15 minutes a turn"),
    "3600": N_("1 hour a turn"),
    "86400": N_("1 day a turn"),
    "0": N_("No deadline"),
}
_PACES: Final = {
    "0.5": N_("Computers play fast"),
    "1.5": N_("Computers play at a steady pace"),
    "3": N_("Computers play calmly"),
    "6": N_("Computers play slowly"),
}


def check_manages(interaction: discord.Interaction[Any]) -> None:
    """Let only those go on who may manage the server.

    Raises:
        Refusal: for everybody else.
    """
    if not may_manage(interaction):
        raise Refusal(RefusalCode.NOT_MANAGER)


def house_layout(house: House, t: Words) -> LayoutView:
    """The editor with the defaults as they are."""
    presets = [
        discord.SelectOption(label=t(name), value=key, default=key == house.preset)
        for key, name in PRESET_NAMES.items()
    ]
    chosen = None if house.target is None else str(house.target)
    targets = [
        discord.SelectOption(label=t("The rule system's target"), value=USUAL, default=chosen is None),
        *(
            discord.SelectOption(label=t("Play to {n} points", n=value), value=value, default=value == chosen)
            for value in map(str, sorted({*_TARGETS, house.target or _TARGETS[0]}))
        ),
    ]
    turn = None if house.turn is None else str(house.turn)
    pace = None if house.computer is None else f"{house.computer:g}"
    return box_of(
        FELT,
        t("## ⚙️ This server's games") + "\n" + t("New games begin with these. Changes are saved at once."),
        row(HouseSelect.make("preset", presets)),
        row(HouseSelect.make("target", targets)),
        row(HouseSelect.make("turn", _with_usual(_TURNS, turn, t("The bot's usual deadline"), t))),
        row(HouseSelect.make("pace", _with_usual(_PACES, pace, t("Computers play at the usual pace"), t))),
    )


def _with_usual(values: Mapping[str, str], chosen: str | None, usual: str, t: Words) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=usual, value=USUAL, default=chosen is None),
        *(discord.SelectOption(label=t(name), value=value, default=value == chosen) for value, name in values.items()),
    ]


def changed(house: House, kind: str, value: str) -> House:
    """The defaults after a choice.

    Raises:
        Refusal: for a value that was never offered.
    """
    usual = value == USUAL
    if kind == "preset" and value in PRESETS:
        return replace(house, preset=value)
    if kind == "target" and (usual or value in map(str, TARGETS)):
        return replace(house, target=None if usual else int(value))
    if kind == "turn" and (usual or value in _TURNS):
        return replace(house, turn=None if usual else int(value))
    if kind == "pace" and (usual or value in _PACES):
        return replace(house, computer=None if usual else float(value))
    raise Refusal(RefusalCode.STALE)


class HouseSelect(DynamicItem[Select[Any]], template=r"s:(?P<kind>preset|target|turn|pace)"):
    """A menu of the editor."""

    def __init__(self, item: Select[Any], kind: str) -> None:
        super().__init__(item)
        self.kind = kind

    @classmethod
    def make(cls, kind: str, options: list[discord.SelectOption]) -> Self:
        """The menu to put in a layout."""
        return cls(Select(options=options, custom_id=f"s:{kind}"), kind)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: Item[Any], match: re.Match[str], /
    ) -> Self:
        """The menu that was used."""
        return cls(item, match["kind"])  # pyright: ignore[reportArgumentType] - a menu by its pattern

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Keep the choice, and show the editor as it stands."""
        await answered(interaction, self._keep(interaction))

    async def _keep(self, interaction: discord.Interaction[Any]) -> None:
        check_manages(interaction)
        manager = host_of(interaction).manager
        guild_id = interaction.guild_id or 0
        house = changed(await manager.house(guild_id), self.kind, next(iter(values_of(interaction)), ""))
        await manager.settle(guild_id, house)
        await Reply.of(interaction).update_private(house_layout(house, private_words(interaction)))
