"""The menus of the private editor of a lobby's rules, and the form for its target."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from bot.engine.rules import PRESETS, SWITCHES, Capture, Duty, Opening, Prime
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.log.actions import Configure
from bot.tables.log.events import LARGEST_CAPACITY, USUAL_CAPACITY, Config
from bot.ui.clicks.press import GameHandler, GamePress
from bot.ui.screens.ids import Verb
from bot.ui.screens.layout import notice
from bot.ui.screens.rules_editor import FOUR, SIX, editor_layout, target_form
from bot.ui.words.refusals import refusal

Change = Callable[[Config, list[str]], Config]
"""Applies a choice in a menu to the config. Raises ValueError or LookupError for a value that was never offered."""


def _with(config: Config, **changes: Any) -> Config:
    return replace(config, rules=replace(config.rules, **changes))


def _preset(config: Config, values: list[str]) -> Config:
    """The preset as its source plays it, with the same target as before."""
    if values[0] not in PRESETS:
        raise ValueError("no such preset")
    return Config.of_preset(values[0], target=config.rules.target)


def _switches(config: Config, values: list[str]) -> Config:
    """All switches as chosen: sevens, and larger values."""
    return _with(config, **{name: name in values for name in SWITCHES})


def _seats(config: Config, values: list[str]) -> Config:
    return replace(config, capacity={FOUR: USUAL_CAPACITY, SIX: LARGEST_CAPACITY}[values[0]])


def _menu(verb: Verb, change: Change) -> GameHandler:
    async def choose(press: GamePress) -> None:
        try:
            config = change(press.table.view().config, press.values)
        except (ValueError, LookupError):
            raise Refusal(RefusalCode.STALE) from None
        await _agree(press, verb, config)

    return choose


async def _agree(press: GamePress, verb: Verb, config: Config) -> None:
    """Agree on other rules, and answer with the editor, where a refusal is explained below what was used.

    Where nothing can be edited any more, only the refusal is left of it.
    """
    table = press.table
    refused: tuple[Verb, str] | None = None
    try:
        await table.submit(Configure(press.person, press.ref.version, config))
    except Refusal as error:
        if error.code in (RefusalCode.NOT_SEATED, RefusalCode.GAME_OVER, RefusalCode.LOBBY_OVER):
            await press.reply.update_private(notice(refusal(error, press.t)))
            return
        refused = verb, refusal(error, press.t)
    await press.reply.update_private(editor_layout(table.view(), press.t, refused=refused))


async def ask_target(press: GamePress) -> None:
    """Ask for any target from 5 to 101."""
    await press.reply.modal(target_form(press.table.view(), press.ref, press.t))


async def set_target(press: GamePress, text: str) -> None:
    """Agree on the target that somebody typed; anything but a number is refused as a target."""
    text = text.strip()
    target = int(text) if text.isascii() and text.isdigit() else 0
    await _agree(press, Verb.AIM, _with(press.table.view().config, target=target))


_CHANGES: Final[Mapping[Verb, Change]] = {
    Verb.PRESET: _preset,
    Verb.CAPTURE: lambda config, values: _with(config, capture=Capture(values[0])),
    Verb.DUTY: lambda config, values: _with(config, duty=Duty(values[0])),
    Verb.OPENING: lambda config, values: _with(config, opening=Opening(values[0])),
    Verb.PRIME: lambda config, values: _with(config, prime=Prime(values[0])),
    Verb.SWITCH: _switches,
    Verb.SEATS: _seats,
}
HANDLERS: Final[Mapping[Verb, GameHandler]] = {
    **{verb: _menu(verb, change) for verb, change in _CHANGES.items()},
    Verb.AIM: ask_target,
}
