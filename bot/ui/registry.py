"""All items that can be clicked, and the answer to clicks on anything else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import discord
from discord.ui import DynamicItem

from bot.ui import ending_items, house_editor, lobby_items, play_items, privacy, ranking, rules_editor
from bot.ui.ids import Ref
from bot.ui.interactions import answered, private_words
from bot.ui.items import Press
from bot.ui.notices import notice
from bot.ui.reply import Reply

ITEMS: Final[tuple[type[DynamicItem[Any]], ...]] = (
    lobby_items.JoinButton,
    lobby_items.LeaveButton,
    lobby_items.AddComputerButton,
    lobby_items.AddEasyComputerButton,
    lobby_items.RemoveComputerButton,
    lobby_items.TargetSelect,
    lobby_items.TeamsButton,
    lobby_items.RulesButton,
    lobby_items.StartButton,
    play_items.HandButton,
    play_items.PanelButton,
    play_items.CardButton,
    play_items.TakeButton,
    play_items.LayButton,
    play_items.ClaimButton,
    play_items.PickSelect,
    play_items.TakeBackButton,
    play_items.NextRoundButton,
    play_items.RematchButton,
    ending_items.CancelButton,
    ending_items.ConfirmCancelButton,
    ending_items.ConfirmLeaveButton,
    ending_items.KeepButton,
    rules_editor.PresetSelect,
    rules_editor.CaptureSelect,
    rules_editor.DutySelect,
    rules_editor.OpeningSelect,
    rules_editor.PrimeSelect,
    rules_editor.SwitchSelect,
    rules_editor.TargetButton,
    house_editor.HouseSelect,
    privacy.PrivacyButton,
    ranking.RankButton,
    ranking.RankSelect,
)
"""Every interactive item of the bot. Their templates are disjoint."""


async def answer_unserved(interaction: discord.Interaction[Any]) -> None:
    """Answer what discord.py hands to no item: modals, and components of an older version or forged ones."""
    custom_id = str((interaction.data or {}).get("custom_id", ""))
    if interaction.type is discord.InteractionType.modal_submit:
        match = rules_editor.TargetButton.__discord_ui_compiled_template__.fullmatch(custom_id)
        if match is not None:
            text = next(_values((interaction.data or {}).get("components", ())), "")
            press = Press(interaction, Ref.parse(match))
            await answered(interaction, rules_editor.set_target(press, text))
        else:
            await answered(interaction, _unknown(interaction))
    elif interaction.type is discord.InteractionType.component and interaction.message is not None:
        served = any(item.__discord_ui_compiled_template__.fullmatch(custom_id) for item in ITEMS)
        if not (served and custom_id in _custom_ids(interaction.message.components)):
            await answered(interaction, _unknown(interaction))


async def _unknown(interaction: discord.Interaction[Any]) -> None:
    t = private_words(interaction)
    text = t("That button is no longer in use. `/escoba table` shows the game as it stands.")
    await Reply.of(interaction).private(notice(text))


def _values(components: Iterable[Any]) -> Iterator[str]:
    """What was written into a modal's fields, as Discord sends it."""
    for component in components:
        if isinstance(value := component.get("value"), str):
            yield value
        yield from _values(component.get("components", ()))
        yield from _values([inner] if (inner := component.get("component")) else ())


def _custom_ids(components: Iterable[Any]) -> Iterator[str]:
    for component in components:
        if (custom_id := getattr(component, "custom_id", None)) is not None:
            yield custom_id
        yield from _custom_ids(getattr(component, "children", ()))
        if (accessory := getattr(component, "accessory", None)) is not None:
            yield from _custom_ids((accessory,))
