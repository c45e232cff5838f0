"""The private editor of a server's settings, for people who may manage the server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from babel.numbers import format_decimal

from bot.engine.rules import PRESETS
from bot.store import DayChannel
from bot.tables.pace import Pace
from bot.tables.server.guild_settings import GuildSettings
from bot.tables.server.rule_sets import SavedRules
from bot.ui.kit.choices import Choice, Note, newer_text, parts_below, stored_parts
from bot.ui.kit.colours import FELT
from bot.ui.kit.ids.server import SETTINGS
from bot.ui.layout import Component, Layout, box_of, option, row
from bot.ui.server.screens.club_settings import club_button
from bot.ui.server.screens.day_settings import day_button, stopped_text
from bot.ui.server.screens.own_rules import own_rules_button
from bot.ui.server.screens.season_settings import season_button
from bot.ui.tables.screens.options import TARGET as LOBBY_TARGET
from bot.ui.tables.screens.rules_editor import PRESET as LOBBY_PRESET
from bot.ui.words.names import plain
from bot.ui.words.texts import N_, Words, language_name, languages

_OFFERED_TARGETS: Final = (11, 15, 21, 31, 41, 51, 61, 101)
_USUAL: Final = N_("{value}, the default")
PRESET: Final = replace(LOBBY_PRESET, notes=None)
TARGET: Final = replace(LOBBY_TARGET, options={None: _USUAL, **LOBBY_TARGET.options})
TURN: Final = Choice(
    "turn",
    N_("**Time limit for a turn**"),
    {
        None: _USUAL,
        30: N_("30 seconds per turn"),
        60: N_("1 minute per turn"),
        120: N_("2 minutes per turn"),
        300: N_("5 minutes per turn"),
        900: N_("15 minutes per turn"),
        3600: N_("1 hour per turn"),
        86400: N_("1 day per turn"),
        0: N_("No time limit"),
    },
)
COMPUTER: Final = Choice(
    "computer",
    N_("**Robots**"),
    {
        None: _USUAL,
        0.5: N_("Robots play fast"),
        1.5: N_("Robots play at a steady pace"),
        3.0: N_("Robots play calmly"),
        6.0: N_("Robots play slowly"),
    },
)
LANGUAGE: Final = Choice(
    "language", N_("**Language of the table**"), {None: _USUAL, **{code: language_name(code) for code in languages()}}
)
CHOICES: Final = (
    TARGET,
    TURN,
    COMPUTER,
    LANGUAGE,
    Choice(
        "deck",
        N_("**The deck**"),
        {"spanish": N_("Spanish cards"), "french": N_("French cards: diamonds are oros")},
    ),
    Choice(
        "pictures",
        N_("**Pictures**"),
        {True: N_("Tables as pictures"), False: N_("Tables without pictures: cards as text")},
    ),
    Choice("hints", N_("**Hints**"), {True: N_("Hints in matches that don't count"), False: N_("No hints")}),
    Choice(
        "talk",
        N_("**Talk**"),
        {True: N_("Robots say a word now and then"), False: N_("Robots say nothing")},
    ),
    Choice(
        "reactions",
        N_("**Reactions**"),
        {True: N_("Players may react to moves"), False: N_("No reactions to moves")},
    ),
)
"""A server's choices for its games, in order, besides the rule system, which stands first."""


def guild_settings_layout(
    settings: GuildSettings,
    usual: Pace,
    t: Words,
    *,
    day: DayChannel | None = None,
    sets: Sequence[SavedRules] = (),
    note: Note | None = None,
) -> Layout:
    """The editor. `usual` applies where a server hasn't chosen.

    `day`: the channel for the day's position. `sets`: the server's own rules, which are offered first. `note`: the menu
    just used, and why it changed nothing.
    """
    own = settings.usual_rules(sets)
    target = (PRESETS[settings.preset] if own is None else own.config).rules.target
    defaults = {
        TARGET.field: TARGET.text(target, t),
        TURN.field: TURN.text(usual.turn, t)
        or t.plural("{n} second per turn", "{n} seconds per turn", int(usual.turn)),
        COMPUTER.field: COMPUTER.text(usual.computer, t)
        or t("Robots play after {n} s", n=format_decimal(usual.computer, locale=t.language)),
        LANGUAGE.field: t("Automatic"),
    }
    parts = _preset_parts(settings, sets, t, note)
    for each in CHOICES:
        only = (None, *sorted({*_OFFERED_TARGETS, settings.target or target})) if each is TARGET else None
        parts += stored_parts(each, settings, SETTINGS, t, note, only=only, value=defaults.get(each.field))
    return box_of(
        FELT,
        t("## ⚙️ This server's tables") + "\n" + t("New tables start with these. Changes are saved at once."),
        newer_text(t) if settings.unreadable else None,
        *parts,
        t("**The daily puzzle, seasons, matches and people**")
        + ("" if day is None or day.stopped is None else f"\n⚠️ {stopped_text(day, t)}"),
        row(
            day_button(on=day is not None and day.stopped is None, t=t),
            season_button(t),
            club_button(t),
            own_rules_button(t),
        ),
        "-# " + t("Automatic: the language of a Community server, elsewhere that of whoever opens the table."),
    )


def _preset_parts(
    settings: GuildSettings, sets: Sequence[SavedRules], t: Words, note: Note | None
) -> list[Component | str]:
    """The menu of the rule systems, below the server's own rules."""
    own = settings.usual_rules(sets)
    chosen = settings.preset if own is None and settings.knows(PRESET.field) else None
    first = [option(plain(each.name), each.key, chosen=each is own) for each in sets]
    parts = PRESET.parts(SETTINGS.custom_id(PRESET.field), chosen, t, first=first)
    return parts + (parts_below(settings, PRESET.field, note, t) or parts_below(settings, "rule_set", None, t))
