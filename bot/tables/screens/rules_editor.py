"""The private editor of a lobby's or a server's own rules: what is played, and the menu of each rule."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import discord
from discord import ButtonStyle

from bot.cards.words.rules import (
    CAPTURE_NAMES,
    DEAL_NAMES,
    DUTY_NAMES,
    OPENING_NAMES,
    PRESET_WORDS,
    PRIME_NAMES,
    PRIME_NOTES,
    deal_name,
    lead_name,
    preset_name,
    summary,
    switch_name,
)
from bot.club.rules.seasons import LONGEST_NAME
from bot.engine.rules import SWITCHES, Rules
from bot.platform.kit.codec import base36
from bot.platform.kit.colours import FELT
from bot.platform.language.spelling import capital
from bot.platform.language.texts import N_, NC_, Words
from bot.platform.layout import Component, Layout, box_of, button, menu, option, row
from bot.platform.people import plain, safe
from bot.platform.settings.choices import Choice
from bot.platform.settings.listing import menu_of_changes
from bot.tables.ids.game import RULE_MENUS, Ref, Verb
from bot.tables.live.own_rules import SavedRules
from bot.tables.live.view import TableView
from bot.tables.log.events import FIVE_SEATS, LARGEST_CAPACITY, USUAL_CAPACITY, Config
from bot.tables.screens.lobby import difference_lines
from bot.tables.screens.options import TARGET
from bot.tables.words.names import plain_rules_name, rules_name

OFFERED_TARGETS: Final = (11, 15, 21, 31, 41, 51, 61, 101)
LEAD: Final = "lead"
"""The value for a win by two points in the menu of switches."""
PRESET: Final = Choice(
    "preset",
    NC_("heading", "**Variant**"),
    {name: words.name for name, words in PRESET_WORDS.items()},
    {name: words.introduction for name, words in PRESET_WORDS.items()},
)
DEAL: Final = Choice("hand-table", N_("**The deal**"), DEAL_NAMES)
SEATS: Final = Choice(
    "capacity-threes",
    NC_("heading", "**Players**"),
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
_MENUS: Final[Mapping[Verb, Choice]] = {
    Verb.PRESET: PRESET,
    Verb.TARGET: TARGET,
    **RULES,
    Verb.SWITCH: Choice("switch", NC_("heading", "**Extras**"), {}),
    Verb.DEAL: DEAL,
    Verb.SEATS: SEATS,
}


@dataclass(frozen=True, slots=True)
class Saving:
    """The changes to a server's own rules that are open to somebody who may manage it.

    Attributes:
        note: what came of saving the lobby's rules.
        instead_of: the server's own rules that already have the name under which those were to be saved.
    """

    note: str | None = None
    instead_of: SavedRules | None = None


def editor_layout(view: TableView, t: Words, *, said: str | None = None, saving: Saving | None = None) -> Layout:
    """The editor with the rules as agreed now.

    Args:
        view: the lobby.
        t: the words.
        said: what else the latest choice has changed.
        saving: what the reader, who may manage the server, can do about its own rules; None for anybody else.
    """
    ref = Ref(view.id, view.version)
    lines = [f"## 📜 {rules_name(view.config, t)}", f"-# {summary(view.config.rules, t)}", *difference_lines(view, t)]
    return box_of(
        FELT,
        "\n".join(lines),
        said and f"⚠️ {said}",
        rules_menu(view.config, ref.custom_id(Verb.RULE), t),
        *_last_parts(ref, saving, t),
    )


def rules_menu(config: Config, custom_id: str, t: Words, verbs: Iterable[Verb] = RULE_MENUS) -> Component:
    """The menu of what can be changed, each with what it is now."""
    options = [option(_MENUS[verb].name(t), verb, chosen=False, description=_value(verb, config, t)) for verb in verbs]
    return menu_of_changes(custom_id, options, t)


def rule_layout(
    verb: Verb,
    config: Config,
    custom_id: str,
    back: Component,
    t: Words,
    *,
    sets: Sequence[SavedRules] = (),
    note: str | None = None,
) -> Layout:
    """The screen with the menu of one rule.

    Args:
        verb: which menu.
        config: the rules as they are now.
        custom_id: of the menu.
        back: the button that leads back.
        t: the words.
        sets: the server's own rules, which are offered before the variants.
        note: why the menu changed nothing.
    """
    rules, how = config.rules, dict[str, Any]()
    choice, chosen = _MENUS[verb], getattr(config.rules, _MENUS[verb].field, None)
    if verb is Verb.PRESET:
        how["first"] = [
            option(plain(own.name), own.key, chosen=config.rule_set == own.rule_set, description=_origin(own, t))
            for own in sets
        ]
        chosen = None if config.own else config.preset
    elif verb is Verb.TARGET:
        how["only"] = sorted({*OFFERED_TARGETS, rules.target})
    elif verb is Verb.DEAL:
        choice, chosen = _deals(rules), (rules.hand, rules.table)
        how |= {"hand": rules.hand, "table": rules.table}
    elif verb is Verb.SEATS:
        chosen = _seats(config)
    if verb is Verb.SWITCH:
        shown = row(_extras(rules, custom_id, t))
    else:
        shown = choice.menu(custom_id, chosen, t, placeholder=plain_rules_name(config, t), **how)
    return box_of(FELT, f"## {choice.name(t)}", shown, note and f"⚠️ {note}", row(back))


def _extras(rules: Rules, custom_id: str, t: Words) -> Component:
    """The menu of all switches."""
    notes = {
        "cantos": t("Sing three cards before you play them: escalera, flor, miseria, tres de nueve, chorizo."),
        LEAD: t("At the target the winner needs two points more than the next side; else another round."),
    }
    switches = [
        option(capital(switch_name(name, t)), name, chosen=getattr(rules, name), description=notes.get(name))
        for name in SWITCHES
    ]
    switches.append(option(capital(lead_name(2, t)), LEAD, chosen=rules.lead > 1, description=notes[LEAD]))
    return menu(custom_id, switches, placeholder=t("None of them"), least=0, most=len(switches))


def _value(verb: Verb, config: Config, t: Words) -> str:
    """Say in a few words what a menu has set."""
    rules = config.rules
    if verb is Verb.PRESET:
        return plain_rules_name(config, t)
    if verb is Verb.SWITCH:
        names = [switch_name(name, t) for name in SWITCHES if getattr(rules, name)]
        names += [lead_name(rules.lead, t)] if rules.lead > 1 else []
        return capital(", ".join(names)) or t("None of them")
    if verb is Verb.DEAL:
        return capital(deal_name(rules.hand, rules.table, t))
    return _MENUS[verb].text(_seats(config) if verb is Verb.SEATS else getattr(rules, _MENUS[verb].field), t)


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
    back = button(ref.custom_id(Verb.OPTIONS), t.context("button", "Back"), emoji="⚙️")
    if saving is None:
        return [row(back)]
    if saving.instead_of is None:
        save = button(ref.custom_id(Verb.SAVE_RULES), t("Save house rules"), emoji="💾")
        return [*([] if saving.note is None else [saving.note]), row(back, save)]
    asked = t(
        "This server has house rules called **{name}**. Replace them with these?", name=safe(saving.instead_of.name)
    )
    replacing = ref.with_args(base36(saving.instead_of.number))
    yes = button(replacing.custom_id(Verb.REPLACE_RULES), t.context("button", "Replace"), style=ButtonStyle.danger)
    other = button(ref.custom_id(Verb.SAVE_RULES), t("Another name"), emoji="💾")
    return [f"⚠️ {asked}", row(back, yes, other)]


def name_form(title: str, custom_id: str, name: str | None, t: Words) -> discord.ui.Modal:
    """The form for the name of a server's own rules, prefilled with `name`, if they have one.

    Its custom_id says everything, as a button's does, so a restart loses nothing.
    """
    form = discord.ui.Modal(title=title, custom_id=custom_id)
    name = None if name is None else plain(name)
    field = discord.ui.TextInput[Any](custom_id="name", min_length=1, max_length=LONGEST_NAME, default=name)
    form.add_item(discord.ui.Label(text=t("What the server calls them"), component=field))
    form.stop()  # so that discord.py doesn't track it: submissions are served by their custom_id
    return form
