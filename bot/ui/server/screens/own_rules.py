"""The private screens of a server's own rules: the list of all, and one set to be renamed, replaced or deleted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord import ButtonStyle
from discord.utils import format_dt

from bot.club.rule_set import LONGEST_NAME, MAX_RULE_SETS
from bot.engine.rules import PRESETS
from bot.tables.log.events import Config
from bot.tables.server.rule_sets import SavedRules
from bot.ui.kit.colours import FELT
from bot.ui.kit.ids.server import SETTINGS, DaySetting, OwnRulesRef, OwnRulesVerb
from bot.ui.layout import Component, Layout, box_of, button, line, menu, option, row
from bot.ui.words.names import plain, safe
from bot.ui.words.rules import differences, preset_name, rules_name, summary
from bot.ui.words.texts import Words


def own_rules_layout(sets: Sequence[SavedRules], t: Words, *, note: str | None = None) -> Layout:
    """All of a server's own rules. `note`: what came of a click."""
    options = [option(plain(each.name), each.key, chosen=False, description=_beginning(each, t)) for each in sets]
    choosing: list[Component | str] = []
    if options:
        choosing = [
            t("**Rename, replace or delete**"),
            row(menu(OwnRulesRef().custom_id(OwnRulesVerb.PICK), options, placeholder=t("Choose rules"))),
        ]
    return box_of(
        FELT,
        t("## 📜 House rules")
        + "\n"
        + t(
            "Rules that you save in a lobby, with **Change rules**, under a name: they come first in `/escoba play`, "
            "and have a leaderboard of their own."
        ),
        "\n".join(_line(each, t) for each in sets) or t("None are saved yet."),
        None if note is None else note,
        *choosing,
        "-# " + t("{n} of {most} saved", n=len(sets), most=MAX_RULE_SETS),
        row(button(SETTINGS.custom_id(DaySetting.BACK), t("Back"), emoji="⚙️")),
    )


def one_layout(saved: SavedRules, here: Config | None, t: Words, *, note: str | None = None) -> Layout:
    """One rule set. `here`: what the game in this channel plays, if there is one; `note`: what came of a click."""
    ref = OwnRulesRef(saved.number)
    replacing: list[Component | str] = []
    if here is not None and here.rule_set != saved.rule_set:
        text = t("This channel's table plays: {name}. {rules}", name=rules_name(here, t), rules=summary(here.rules, t))
        replacing = ["-# " + text]
    buttons = [button(ref.custom_id(OwnRulesVerb.RENAME), t("Rename"), emoji="✏️")]
    if replacing:
        buttons.append(button(ref.custom_id(OwnRulesVerb.REPLACE), t("Use these rules"), emoji="🔁"))
    buttons.append(button(ref.custom_id(OwnRulesVerb.DELETE), t("Delete"), style=ButtonStyle.danger, emoji="🗑️"))
    return box_of(
        FELT,
        f"## 📜 {safe(saved.name)}",
        "\n".join(_details(saved, t)),
        None if note is None else note,
        line(),
        *replacing,
        row(*buttons, button(OwnRulesRef().custom_id(OwnRulesVerb.OPEN), t("Back"), emoji="📜")),
        None
        if replacing
        else "-# " + t("To replace them, change the rules of a lobby and save those under the same name."),
    )


def delete_question(saved: SavedRules, t: Words) -> Layout:
    ref = OwnRulesRef(saved.number)
    text = t(
        "Delete **{name}**? Tables that play by them go on, and results keep their name. Their leaderboard can no "
        "longer be chosen.",
        name=safe(saved.name),
    )
    yes = button(ref.custom_id(OwnRulesVerb.CONFIRM_DELETE), t("Delete"), style=ButtonStyle.danger)
    return box_of(FELT, text, row(yes, button(ref.custom_id(OwnRulesVerb.ONE), t("Keep"))))


def rename_form(saved: SavedRules, t: Words) -> discord.ui.Modal:
    """The form for another name. Its custom_id says everything, as a button's does, so a restart loses nothing."""
    form = discord.ui.Modal(title=t("Rename"), custom_id=OwnRulesRef(saved.number).custom_id(OwnRulesVerb.RENAME))
    field = discord.ui.TextInput[Any](
        custom_id="name", min_length=1, max_length=LONGEST_NAME, default=plain(saved.name)
    )
    form.add_item(discord.ui.Label(text=t("What the server calls them"), component=field))
    form.stop()  # so that discord.py doesn't track it: submissions are served by their custom_id
    return form


def own_rules_button(t: Words) -> Component:
    """The button of the settings that shows the server's own rules."""
    return button(OwnRulesRef().custom_id(OwnRulesVerb.OPEN), t("House rules…"), emoji="📜")


def _beginning(saved: SavedRules, t: Words) -> str:
    return t(
        "{preset}, to {target} points",
        preset=preset_name(saved.config.preset, t),
        target=saved.config.rules.target,
    )


def _line(saved: SavedRules, t: Words) -> str:
    return f"📜 **{safe(saved.name)}**\n-# {_beginning(saved, t)}"


def _details(saved: SavedRules, t: Words) -> list[str]:
    """Their switches, and when they were saved."""
    config = saved.config
    lines = [_beginning(saved, t), "-# " + summary(config.rules, t)]
    if changed := differences(config.rules, PRESETS[config.preset].rules, t):
        lines.append("-# " + t("Changed: {changes}", changes=", ".join(changed)))
    when = format_dt(saved.saved_at, "d")
    if saved.saved_by is None:
        lines.append("-# " + t("Saved on {when}", when=when))
    else:
        lines.append("-# " + t("Saved by {person} on {when}", person=f"<@{saved.saved_by}>", when=when))
    return lines
