"""The private editor of a lobby's rules: the preset and its switches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, Final

import discord

from bot.engine.rules import PRESETS, SWITCHES, TARGETS, Capture, Duty, Opening, Prime
from bot.tables.log.events import LARGEST_CAPACITY
from bot.tables.view import TableView
from bot.ui.screens.ids import Ref, Verb
from bot.ui.screens.layout import Component, Layout, box_of, button, menu, option, row
from bot.ui.words.rules import (
    INTRODUCTIONS,
    PRESET_NAMES,
    capital,
    capture_name,
    duty_name,
    opening_name,
    prime_name,
    switch_name,
)
from bot.ui.words.texts import Words

FOUR: Final = "four"
SIX: Final = "six"
"""The values of the menu for the number of seats."""


def editor_layout(view: TableView, t: Words, *, refused: tuple[Verb, str] | None = None) -> Layout:
    """The editor with the rules as agreed now. `refused`: what was just used, and why it changed nothing."""
    config = view.config
    rules = config.rules
    ref = Ref(view.id, view.version)
    presets = [
        option(t(PRESET_NAMES[name]), name, chosen=name == config.preset, description=t(INTRODUCTIONS[name]))
        for name in PRESETS
    ]
    switches = [option(capital(switch_name(name, t)), name, chosen=getattr(rules, name)) for name in SWITCHES]
    six = config.capacity == LARGEST_CAPACITY
    seats = [
        option(t("Up to four players"), FOUR, chosen=not six),
        option(t("Up to six players"), SIX, chosen=six, description=t("Six play in three pairs.")),
    ]
    no_switch = t("No extra points")
    extra = row(menu(ref.custom_id(Verb.SWITCH), switches, placeholder=no_switch, least=0, most=len(switches)))
    headed = {
        Verb.PRESET: (t("**Rule system**"), _menu(ref, Verb.PRESET, presets)),
        Verb.CAPTURE: (
            t("**What a card takes**"),
            _menu(ref, Verb.CAPTURE, _options(Capture, rules.capture, capture_name, t)),
        ),
        Verb.DUTY: (t("**Must it capture?**"), _menu(ref, Verb.DUTY, _options(Duty, rules.duty, duty_name, t))),
        Verb.OPENING: (
            t("**When the first cards make 15 or 30**"),
            _menu(ref, Verb.OPENING, _options(Opening, rules.opening, opening_name, t)),
        ),
        Verb.PRIME: (t("**The prime**"), _menu(ref, Verb.PRIME, _options(Prime, rules.prime, prime_name, t))),
        Verb.SEATS: (t("**Players**"), _menu(ref, Verb.SEATS, seats)),
        Verb.SWITCH: (t("**Extra points**"), extra),
        Verb.AIM: (row(button(ref.custom_id(Verb.AIM), t("Target: {n} points", n=rules.target), emoji="🎯")),),
    }
    parts: list[Component | str] = []
    for verb, below in headed.items():
        parts += below
        if refused is not None and refused[0] is verb:
            parts.append(f"⚠️ {refused[1]}")
    return box_of(None, t("### The rules of this game"), *parts)


def _menu(ref: Ref, verb: Verb, options: list[Component]) -> Component:
    return row(menu(ref.custom_id(verb), options, placeholder="…"))


def _options(values: Iterable[Any], chosen: StrEnum, name: Callable[[Any, Words], str], t: Words) -> list[Component]:
    return [option(capital(name(value, t)), value.value, chosen=value is chosen) for value in values]


def target_form(view: TableView, ref: Ref, t: Words) -> discord.ui.Modal:
    """The form for any target. Its custom_id says everything, as a button's does, so a restart loses nothing."""
    form = discord.ui.Modal(title=t("Points to play to"), custom_id=Ref(ref.game, ref.version).custom_id(Verb.AIM))
    field = discord.ui.TextInput[Any](
        custom_id="target", min_length=1, max_length=3, default=str(view.config.rules.target)
    )
    text = t("A number from {low} to {high}", low=TARGETS[0], high=TARGETS[-1])
    form.add_item(discord.ui.Label(text=text, component=field))
    form.stop()  # so that discord.py doesn't track it: submissions are served by their custom_id
    return form
