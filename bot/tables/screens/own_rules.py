"""The private screens of a server's own rules: the list of all, and one set to be changed, renamed or deleted."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from discord import ButtonStyle
from discord.utils import format_dt

from bot.cards.words.rules import differences, preset_name, summary
from bot.club.rules.seasons import MAX_RULE_SETS
from bot.engine.rules import PRESETS
from bot.platform.kit.colours import FELT
from bot.platform.language.texts import N_, Words
from bot.platform.layout import Layout, box_of, button, menu, option, row
from bot.platform.people import plain, safe
from bot.platform.settings.choices import Choice
from bot.platform.settings.listing import SETTINGS_LIST
from bot.tables.ids.game import RULE_MENUS, Verb
from bot.tables.ids.own_rules import OwnRulesRef, OwnRulesVerb
from bot.tables.live.own_rules import SavedRules
from bot.tables.screens.rules_editor import rule_layout, rules_menu

HOUSE_RULES: Final = Choice(
    "rules",
    N_("**House rules**"),
    {},
    about=N_("Your own rules under a name. They come first in `/escoba play`, and have a leaderboard of their own."),
)
RULES_OF_SETS: Final = (Verb.PRESET, Verb.TARGET, *RULE_MENUS[1:])
"""The menus of a rule set, in order."""


def own_rules_layout(sets: Sequence[SavedRules], t: Words, *, note: str | None = None) -> Layout:
    """All of a server's own rules. `note`: what came of a click."""
    options = [option(plain(saved.name), saved.key, chosen=False, description=_beginning(saved, t)) for saved in sets]
    choosing = menu(OwnRulesRef().custom_id(OwnRulesVerb.PICK), options, placeholder=t("Choose rules"))
    return SETTINGS_LIST.page(
        HOUSE_RULES,
        t,
        "\n".join(f"**{safe(saved.name)}** · {_beginning(saved, t)}" for saved in sets) or t("None are saved yet."),
        note,
        row(choosing) if sets else None,
        buttons=[
            button(
                OwnRulesRef().custom_id(OwnRulesVerb.NEW),
                t.context("button", "New"),
                emoji="➕",
                disabled=len(sets) >= MAX_RULE_SETS,
            )
        ],
    )


def one_layout(saved: SavedRules, t: Words, *, note: str | None = None) -> Layout:
    """One rule set, in which each choice is saved at once. `note`: what came of a click."""
    ref = OwnRulesRef(saved.number)
    return box_of(
        FELT,
        f"## 📜 {safe(saved.name)}",
        "\n".join(_details(saved, t)),
        note,
        rules_menu(replace(saved.config, own=None), ref.custom_id(Verb.RULE), t, RULES_OF_SETS),
        row(
            button(ref.custom_id(OwnRulesVerb.RENAME), t.context("button", "Rename"), emoji="✏️"),
            button(
                ref.custom_id(OwnRulesVerb.DELETE), t.context("button", "Delete"), style=ButtonStyle.danger, emoji="🗑️"
            ),
            button(OwnRulesRef().custom_id(OwnRulesVerb.OPEN), t.context("button", "Back"), emoji="⚙️"),
        ),
    )


def own_rule_layout(saved: SavedRules, verb: Verb, t: Words, note: str | None = None) -> Layout:
    """The screen with the menu of one rule. `note`: why it changed nothing."""
    ref = OwnRulesRef(saved.number)
    back = button(ref.custom_id(OwnRulesVerb.ONE), t.context("button", "Back"), emoji="📜")
    return rule_layout(verb, replace(saved.config, own=None), ref.custom_id(verb), back, t, note=note)


def delete_question(saved: SavedRules, t: Words) -> Layout:
    ref = OwnRulesRef(saved.number)
    text = t(
        "Delete **{name}**? Tables that play by them go on, and results keep their name. Their leaderboard can no "
        "longer be chosen.",
        name=safe(saved.name),
    )
    yes = button(ref.custom_id(OwnRulesVerb.CONFIRM_DELETE), t.context("button", "Delete"), style=ButtonStyle.danger)
    return box_of(FELT, text, row(yes, button(ref.custom_id(OwnRulesVerb.ONE), t.context("button", "Keep"))))


def _beginning(saved: SavedRules, t: Words) -> str:
    return t(
        "{preset}, to {target} points",
        preset=preset_name(saved.config.preset, t),
        target=saved.config.rules.target,
    )


def _details(saved: SavedRules, t: Words) -> list[str]:
    """Their switches, and when they were saved."""
    lines = [_beginning(saved, t), "-# " + summary(saved.config.rules, t)]
    if changed := differences(saved.config.rules, PRESETS[saved.config.preset].rules, t):
        lines.append("-# " + t("Changed: {changes}", changes=", ".join(changed)))
    when = format_dt(saved.saved_at, "d")
    if saved.saved_by is None:
        lines.append("-# " + t("Saved on {when}", when=when))
    else:
        lines.append("-# " + t("Saved by {person} on {when}", person=f"<@{saved.saved_by}>", when=when))
    return lines
