"""The private editor of a lobby's rules: the preset and its switches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import discord
from discord import ButtonStyle

from bot.club.rule_set import LONGEST_NAME
from bot.engine.rules import PRESETS, SWITCHES, TARGETS, Capture, Duty, Opening, Prime
from bot.tables.log.events import FIVE_SEATS, LARGEST_CAPACITY, Config
from bot.tables.server.rule_sets import SavedRules
from bot.tables.view import TableView
from bot.ui.kit.ids.game import Ref, Verb
from bot.ui.kit.numbers import base36
from bot.ui.layout import Component, Layout, box_of, button, menu, option, row
from bot.ui.words.items import capital, switch_name
from bot.ui.words.names import plain, safe
from bot.ui.words.rules import (
    DEALS,
    capture_name,
    deal_name,
    duty_name,
    introduction,
    lead_name,
    opening_name,
    plain_rules_name,
    preset_name,
    prime_name,
    prime_note,
)
from bot.ui.words.texts import Words

FOUR: Final = "four"
FIVE: Final = "five"
SIX: Final = "six"
THREES: Final = "threes"
"""The values of the menu for the number of seats."""
LEAD: Final = "lead"
"""The value for a win by two points in the menu of switches."""


@dataclass(frozen=True, slots=True)
class Saving:
    """The changes to a server's own rules that are open to somebody who may manage it.

    Attributes:
        note: what came of saving the lobby's rules.
        instead_of: the server's own rules that already have the name under which those were to be saved.
    """

    note: str | None = None
    instead_of: SavedRules | None = None


def editor_layout(
    view: TableView,
    t: Words,
    *,
    noted: tuple[Verb, str] | None = None,
    sets: Sequence[SavedRules] = (),
    saving: Saving | None = None,
) -> Layout:
    """The editor with the rules as agreed now.

    Args:
        view: the lobby.
        t: the words.
        noted: the menu or button just used, and why it changed nothing, or what else it has changed.
        sets: the server's own rules, which are offered first.
        saving: what the reader, who may manage the server, can do about its own rules; None for anybody else.
    """
    config = view.config
    rules = config.rules
    ref = Ref(view.id, view.version)
    presets = [
        *(
            option(plain(each.name), each.key, chosen=config.rule_set == each.rule_set, description=_origin(each, t))
            for each in sets
        ),
        *(
            option(
                preset_name(name, t),
                name,
                chosen=config.own is None and name == config.preset,
                description=introduction(name, t),
            )
            for name in PRESETS
        ),
    ]
    notes = {
        "cantos": t("Sing three cards before you play them: escalera, flor, miseria, tres de nueve, chorizo."),
        LEAD: t("At the target the winner needs two points more than the next side; else another round."),
    }
    switches = [
        option(capital(switch_name(name, t)), name, chosen=getattr(rules, name), description=notes.get(name))
        for name in SWITCHES
    ]
    switches.append(option(capital(lead_name(2, t)), LEAD, chosen=rules.lead > 1, description=notes[LEAD]))
    deals = [
        option(capital(deal_name(*dealt, t)), deal_value(dealt), chosen=dealt == (rules.hand, rules.table))
        for dealt in dict.fromkeys((*DEALS, (rules.hand, rules.table)))
    ]
    no_switch = t("None of them")
    extra = row(menu(ref.custom_id(Verb.SWITCH), switches, placeholder=no_switch, least=0, most=len(switches)))
    headed = {
        Verb.PRESET: (t("**Rule system**"), _menu(ref, Verb.PRESET, presets, plain_rules_name(config, t))),
        Verb.CAPTURE: (
            t("**What a card takes**"),
            _menu(ref, Verb.CAPTURE, _options(Capture, rules.capture, capture_name, t)),
        ),
        Verb.DUTY: (t("**Must it capture?**"), _menu(ref, Verb.DUTY, _options(Duty, rules.duty, duty_name, t))),
        Verb.OPENING: (
            t("**When the first cards make 15 or 30**"),
            _menu(ref, Verb.OPENING, _options(Opening, rules.opening, opening_name, t)),
        ),
        Verb.PRIME: (t("**The prime**"), _menu(ref, Verb.PRIME, _primes(rules.prime, t))),
        Verb.SWITCH: (t("**Extras**"), extra),
        Verb.DEAL: (t("**The deal**"), _menu(ref, Verb.DEAL, deals)),
        Verb.SEATS: (t("**Players**"), _menu(ref, Verb.SEATS, _seats(config, t))),
        Verb.AIM: (row(button(ref.custom_id(Verb.AIM), t("Target: {n} points", n=rules.target), emoji="🎯")),),
    }
    parts: list[Component | str] = []
    for verb, below in headed.items():
        parts += below
        if noted is not None and noted[0] is verb:
            parts.append(f"⚠️ {noted[1]}")
    return box_of(None, t("### The rules of this game"), *parts, *_saving_parts(ref, saving, t))


def deal_value(dealt: tuple[int, int]) -> str:
    """The value of a first deal in its menu: "9-4"."""
    return f"{dealt[0]}-{dealt[1]}"


def _seats(config: Config, t: Words) -> list[Component]:
    """Offer how many may sit, and how six share the sides."""
    six = config.capacity == LARGEST_CAPACITY
    alone = t("Five play alone: three cards each and five on the table, then four each.")
    return [
        option(t("Up to four players"), FOUR, chosen=config.capacity < FIVE_SEATS),
        option(t("Up to five players"), FIVE, chosen=config.capacity == FIVE_SEATS, description=alone),
        option(t("Up to six: three pairs"), SIX, chosen=six and not config.threes),
        option(t("Up to six: two sides of three"), THREES, chosen=six and config.threes),
    ]


def _primes(chosen: Prime, t: Words) -> list[Component]:
    return [
        option(capital(prime_name(prime, t)), prime, chosen=prime is chosen, description=prime_note(prime, t))
        for prime in Prime
    ]


def _menu(ref: Ref, verb: Verb, options: list[Component], placeholder: str = "…") -> Component:
    return row(menu(ref.custom_id(verb), options, placeholder=placeholder))


def _origin(saved: SavedRules, t: Words) -> str:
    """Name the rule system that a server's own rules began with."""
    return t("This server's own rules, from: {preset}", preset=preset_name(saved.config.preset, t))


def _saving_parts(ref: Ref, saving: Saving | None, t: Words) -> list[Component | str]:
    if saving is None:
        return []
    if saving.instead_of is None:
        save = button(ref.custom_id(Verb.SAVE_RULES), t("Save these rules for the server"), emoji="💾")
        return [*([] if saving.note is None else [saving.note]), row(save)]
    asked = t(
        "This server has rules of its own called **{name}**. Replace them by these?", name=safe(saving.instead_of.name)
    )
    replacing = ref.with_args(base36(saving.instead_of.number))
    yes = button(replacing.custom_id(Verb.REPLACE_RULES), t("Replace"), style=ButtonStyle.danger)
    other = button(ref.custom_id(Verb.SAVE_RULES), t("Another name"), emoji="💾")
    return [f"⚠️ {asked}", row(yes, other)]


def name_form(config: Config, ref: Ref, t: Words) -> discord.ui.Modal:
    """The form for the name under which rules are saved; it is prefilled with that of the chosen rule set, if any."""
    form = discord.ui.Modal(
        title=t("Save these rules for the server"), custom_id=Ref(ref.game).custom_id(Verb.SAVE_RULES)
    )
    name = None if config.own is None else plain(config.own.name)
    field = discord.ui.TextInput[Any](custom_id="name", min_length=1, max_length=LONGEST_NAME, default=name)
    form.add_item(discord.ui.Label(text=t("What the server calls them"), component=field))
    form.stop()  # as below
    return form


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
