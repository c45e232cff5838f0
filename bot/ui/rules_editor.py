"""The private editor of a lobby's rules: the preset, and every switch of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import StrEnum
from typing import Any

import discord
from discord.ui import LayoutView

from bot.engine.rules import PRESETS, SWITCHES, TARGETS, Capture, Duty, Opening, Prime
from bot.tables.actions import Configure
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.state import LARGEST_CAPACITY, USUAL_CAPACITY, Config
from bot.tables.view import TableView
from bot.ui.ids import Ref
from bot.ui.items import GameButton, GameSelect, Press
from bot.ui.layout import box_of, row
from bot.ui.texts import Words
from bot.ui.wording import (
    PRESET_NAMES,
    capital,
    capture_name,
    duty_name,
    opening_name,
    prime_name,
    refusal,
    switch_name,
)

SIX = "six"


def editor_layout(view: TableView, t: Words, *, note: str | None = None) -> LayoutView:
    """The editor with the rules as they are agreed now. `note` is a line for this moment only."""
    config = view.config
    rules = config.rules
    ref = Ref(view.id, view.version)
    title = t("### The rules of this game")
    presets = [
        discord.SelectOption(label=t(PRESET_NAMES[name]), value=name, default=name == config.preset) for name in PRESETS
    ]
    switches = [
        discord.SelectOption(label=capital(switch_name(name, t)), value=name, default=getattr(rules, name))
        for name in SWITCHES
    ]
    six = t("Up to six may play, in three pairs")
    switches.append(discord.SelectOption(label=six, value=SIX, default=config.capacity == LARGEST_CAPACITY))
    return box_of(
        None,
        f"{title}\n{note}" if note else title,
        row(PresetSelect.make(ref, presets, placeholder="…")),
        row(CaptureSelect.make(ref, _options(Capture, rules.capture, capture_name, t), placeholder="…")),
        row(DutySelect.make(ref, _options(Duty, rules.duty, duty_name, t), placeholder="…")),
        row(OpeningSelect.make(ref, _options(Opening, rules.opening, opening_name, t), placeholder="…")),
        row(PrimeSelect.make(ref, _options(Prime, rules.prime, prime_name, t), placeholder="…")),
        row(SwitchSelect.make(ref, switches, placeholder=t("No extra points"), least=0, most=len(switches))),
        row(TargetButton.make(ref, t("Target: {n} points", n=rules.target), emoji="🎯")),
    )


def _options(
    values: Iterable[Any], chosen: StrEnum, name: Callable[[Any, Words], str], t: Words
) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=capital(name(value, t)), value=value.value, default=value is chosen)
        for value in values
    ]


class RuleSelect(GameSelect):
    """A menu of the editor; a subclass says what its choice makes of the config."""

    def changed(self, config: Config, values: list[str]) -> Config:
        """The config after the choice.

        Raises:
            ValueError, KeyError, IndexError: for a value that was never offered.
        """
        raise NotImplementedError

    async def press(self, press: Press) -> None:
        """Agree on it, and show the editor as it stands."""
        try:
            config = self.changed(press.table.view().config, press.values)
        except (ValueError, KeyError, IndexError):
            raise Refusal(RefusalCode.STALE) from None
        await configure(press, config)


async def configure(press: Press, config: Config) -> None:
    """Agree on other rules, and answer with the editor; what is refused is said there."""
    table = press.table
    note: str | None = None
    try:
        await table.submit(Configure(press.person, press.ref.version, config))
    except Refusal as error:
        if error.code in (RefusalCode.NOT_SEATED, RefusalCode.GAME_OVER, RefusalCode.LOBBY_OVER):
            raise
        note = "⚠️ " + refusal(error, press.t)
    await press.reply.update_private(editor_layout(table.view(), press.t, note=note))


def _with(config: Config, **changes: Any) -> Config:
    return replace(config, rules=replace(config.rules, **changes))


class PresetSelect(RuleSelect, verb="preset"):
    """The rule system."""

    def changed(self, config: Config, values: list[str]) -> Config:
        """The preset as its source plays it; the target stays."""
        return Config.of_preset(values[0] if values[0] in PRESETS else "", target=config.rules.target)


class CaptureSelect(RuleSelect, verb="capture"):
    """What a card takes."""

    def changed(self, config: Config, values: list[str]) -> Config:
        """Other captures."""
        return _with(config, capture=Capture(values[0]))


class DutySelect(RuleSelect, verb="duty"):
    """Whether a capture may be missed."""

    def changed(self, config: Config, values: list[str]) -> Config:
        """Another duty."""
        return _with(config, duty=Duty(values[0]))


class OpeningSelect(RuleSelect, verb="opening"):
    """The opening escoba."""

    def changed(self, config: Config, values: list[str]) -> Config:
        """Another opening."""
        return _with(config, opening=Opening(values[0]))


class PrimeSelect(RuleSelect, verb="prime"):
    """The prime."""

    def changed(self, config: Config, values: list[str]) -> Config:
        """Another prime."""
        return _with(config, prime=Prime(values[0]))


class SwitchSelect(RuleSelect, verb="switch"):
    """Sevens, larger values, and whether six may play."""

    def changed(self, config: Config, values: list[str]) -> Config:
        """All switches as chosen."""
        switched = _with(config, **{name: name in values for name in SWITCHES})
        return replace(switched, capacity=LARGEST_CAPACITY if SIX in values else USUAL_CAPACITY)


class TargetButton(GameButton, verb="aim"):
    """Asks for any target from 5 to 101."""

    async def press(self, press: Press) -> None:
        """Ask."""
        await press.reply.modal(TargetModal(press))


class TargetModal(discord.ui.Modal):
    """Asks for the points to play to. Like a button, its custom_id tells all, so that a restart loses nothing."""

    def __init__(self, press: Press) -> None:
        t = press.t
        super().__init__(
            title=t("Points to play to"), custom_id=Ref(press.ref.game, press.ref.version).custom_id(TargetButton.verb)
        )
        target = str(press.table.view().config.rules.target)
        field = discord.ui.TextInput[Any](custom_id="target", min_length=1, max_length=3, default=target)
        text = t("A number from {low} to {high}", low=TARGETS[0], high=TARGETS[-1])
        self.add_item(discord.ui.Label(text=text, component=field))
        self.stop()  # so that discord.py keeps no modal of its own: `set_target` serves what is sent


async def set_target(press: Press, text: str) -> None:
    """Agree on the number that somebody wrote; what is no number is no target."""
    text = text.strip()
    target = int(text) if text.isascii() and text.isdigit() else 0
    await configure(press, _with(press.table.view().config, target=target))
