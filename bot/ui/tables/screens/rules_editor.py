"""The private editor of a lobby's rules: the preset and its switches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import discord
from discord import ButtonStyle

from bot.club.rule_set import LONGEST_NAME
from bot.engine.rules import SWITCHES, Rules
from bot.tables.log.events import FIVE_SEATS, LARGEST_CAPACITY, USUAL_CAPACITY, Config
from bot.tables.server.rule_sets import SavedRules
from bot.tables.view import TableView
from bot.ui.kit.choices import Choice
from bot.ui.kit.ids.game import Ref, Verb
from bot.ui.kit.numbers import base36
from bot.ui.layout import Component, Layout, box_of, button, menu, option, row
from bot.ui.words.items import capital, switch_name
from bot.ui.words.names import plain, safe
from bot.ui.words.rules import (
    CAPTURE_NAMES,
    DEAL_NAMES,
    DUTY_NAMES,
    OPENING_NAMES,
    PRESET_WORDS,
    PRIME_NAMES,
    PRIME_NOTES,
    lead_name,
    plain_rules_name,
    preset_name,
)
from bot.ui.words.texts import N_, Words

LEAD: Final = "lead"
"""The value for a win by two points in the menu of switches."""
PRESET: Final = Choice(
    "preset",
    N_("**Variant**"),
    {name: each.name for name, each in PRESET_WORDS.items()},
    {name: each.introduction for name, each in PRESET_WORDS.items()},
)
DEAL: Final = Choice("hand-table", N_("**The deal**"), DEAL_NAMES)
SEATS: Final = Choice(
    "capacity-threes",
    N_("**Players**"),
    {
        (USUAL_CAPACITY, False): N_("Up to four players"),
        (FIVE_SEATS, False): N_("Up to five players"),
        (LARGEST_CAPACITY, False): N_("Up to six: three pairs"),
        (LARGEST_CAPACITY, True): N_("Up to six: three against three"),
    },
    {(FIVE_SEATS, False): N_("Five play alone: three cards each and five on the table, then four each.")},
)
RULES: Final[Mapping[Verb, Choice]] = {
    Verb.CAPTURE: Choice("capture", N_("**What a card takes**"), CAPTURE_NAMES),
    Verb.DUTY: Choice("duty", N_("**Missed captures**"), DUTY_NAMES),
    Verb.OPENING: Choice("opening", N_("**When the first cards make 15 or 30**"), OPENING_NAMES),
    Verb.PRIME: Choice("prime", N_("**The prime**"), PRIME_NAMES, PRIME_NOTES),
}
"""The menus that set one field of the rules each, by their verbs."""


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
        noted: the menu just used, and why it changed nothing, or what else it has changed.
        sets: the server's own rules, which are offered first.
        saving: what the reader, who may manage the server, can do about its own rules; None for anybody else.
    """
    config = view.config
    rules = config.rules
    ref = Ref(view.id, view.version)
    own = [
        option(plain(each.name), each.key, chosen=config.rule_set == each.rule_set, description=_origin(each, t))
        for each in sets
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
    no_switch = t("None of them")
    extra = row(menu(ref.custom_id(Verb.SWITCH), switches, placeholder=no_switch, least=0, most=len(switches)))

    def menu_of(verb: Verb, choice: Choice, chosen: Any, placeholder: str = "…", **how: Any) -> list[Component | str]:
        return choice.parts(ref.custom_id(verb), chosen, t, placeholder=placeholder, **how)

    headed: dict[Verb, Sequence[Component | str]] = {
        Verb.PRESET: menu_of(
            Verb.PRESET,
            PRESET,
            config.preset if config.own is None else None,
            first=own,
            placeholder=plain_rules_name(config, t),
        ),
        **{verb: menu_of(verb, choice, getattr(rules, choice.field)) for verb, choice in RULES.items()},
        Verb.SWITCH: (t("**Extras**"), extra),
        Verb.DEAL: menu_of(Verb.DEAL, _deals(rules), (rules.hand, rules.table), hand=rules.hand, table=rules.table),
        Verb.SEATS: menu_of(Verb.SEATS, SEATS, _seats(config)),
    }
    parts: list[Component | str] = []
    for verb, below in headed.items():
        parts += below
        if noted is not None and noted[0] is verb:
            parts.append(f"⚠️ {noted[1]}")
    return box_of(None, t("### The rules here"), *parts, *_last_parts(ref, saving, t))


def _deals(rules: Rules) -> Choice:
    """The first deals that can be chosen, and that of the rules."""
    offered = dict.fromkeys((*DEAL.options, (rules.hand, rules.table)), N_("{hand} cards each, {table} on the table"))
    return replace(DEAL, options={**offered, **DEAL.options})


def _seats(config: Config) -> tuple[int, bool]:
    """Return how many may sit, and whether six would be two sides of three."""
    capacity = max(config.capacity, USUAL_CAPACITY)
    return capacity, config.threes and capacity == LARGEST_CAPACITY


def _origin(saved: SavedRules, t: Words) -> str:
    """Name the rule system that a server's own rules began with."""
    return t("House rules, based on: {preset}", preset=preset_name(saved.config.preset, t))


def _last_parts(ref: Ref, saving: Saving | None, t: Words) -> list[Component | str]:
    """The way back, and what the reader can do about the server's own rules."""
    back = button(ref.custom_id(Verb.OPTIONS), t("Back"), emoji="⚙️")
    if saving is None:
        return [row(back)]
    if saving.instead_of is None:
        save = button(ref.custom_id(Verb.SAVE_RULES), t("Save house rules"), emoji="💾")
        return [*([] if saving.note is None else [saving.note]), row(back, save)]
    asked = t(
        "This server has house rules called **{name}**. Replace them with these?", name=safe(saving.instead_of.name)
    )
    replacing = ref.with_args(base36(saving.instead_of.number))
    yes = button(replacing.custom_id(Verb.REPLACE_RULES), t("Replace"), style=ButtonStyle.danger)
    other = button(ref.custom_id(Verb.SAVE_RULES), t("Another name"), emoji="💾")
    return [f"⚠️ {asked}", row(back, yes, other)]


def name_form(config: Config, ref: Ref, t: Words) -> discord.ui.Modal:
    """The form for the name under which rules are saved; it is prefilled with that of the chosen rule set, if any."""
    form = discord.ui.Modal(title=t("Save house rules"), custom_id=Ref(ref.game).custom_id(Verb.SAVE_RULES))
    name = None if config.own is None else plain(config.own.name)
    field = discord.ui.TextInput[Any](custom_id="name", min_length=1, max_length=LONGEST_NAME, default=name)
    form.add_item(discord.ui.Label(text=t("What the server calls them"), component=field))
    form.stop()  # so that discord.py doesn't track it: submissions are served by their custom_id
    return form
