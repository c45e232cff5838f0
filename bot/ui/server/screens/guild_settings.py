"""The private editor of a server's settings, for people who may manage the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from babel.numbers import format_decimal

from bot.engine.rules import PRESETS
from bot.store import DayChannel
from bot.tables.pace import Pace
from bot.tables.server.guild_settings import GuildSettings
from bot.tables.server.rule_sets import SavedRules
from bot.ui.kit.colours import FELT
from bot.ui.kit.ids.server import SETTINGS, SettingsMenu
from bot.ui.layout import Component, Layout, box_of, menu, option, row
from bot.ui.server.screens.club_settings import club_button
from bot.ui.server.screens.day_settings import day_button, stopped_text
from bot.ui.server.screens.own_rules import own_rules_button
from bot.ui.server.screens.season_settings import season_button
from bot.ui.words.names import plain
from bot.ui.words.rules import preset_name
from bot.ui.words.texts import N_, Words, language_name, languages

USUAL: Final = "usual"
DECK_NAMES: Final = {"spanish": N_("Spanish cards"), "french": N_("French cards: diamonds are oros")}
PICTURES: Final = {"on": N_("Tables as pictures"), "off": N_("Tables without pictures: cards as text")}
HINTS: Final = {"on": N_("Hints in matches that don't count"), "off": N_("No hints")}
TALKS: Final = {"yes": N_("Computers say a word now and then"), "no": N_("Computers say nothing")}
REACTIONS: Final = {"yes": N_("Players may react to moves"), "no": N_("No reactions to moves")}
_TARGETS: Final = (11, 15, 21, 31, 41, 51, 61, 101)
TURNS: Final = {
    "30": N_("30 seconds a turn"),
    "60": N_("1 minute a turn"),
    "120": N_("2 minutes a turn"),
    "300": N_("5 minutes a turn"),
    "900": N_("15 minutes a turn"),
    "3600": N_("1 hour a turn"),
    "86400": N_("1 day a turn"),
    "0": N_("No deadline"),
}
PACES: Final = {
    "0.5": N_("Computers play fast"),
    "1.5": N_("Computers play at a steady pace"),
    "3": N_("Computers play calmly"),
    "6": N_("Computers play slowly"),
}


_HEADINGS: Final = {
    SettingsMenu.PRESET: N_("**Rule system**"),
    SettingsMenu.TARGET: N_("**Points to play to**"),
    SettingsMenu.TURN: N_("**Time for a turn**"),
    SettingsMenu.PACE: N_("**Computer players**"),
    SettingsMenu.LANGUAGE: N_("**Language of the table**"),
    SettingsMenu.DECK: N_("**The deck**"),
    SettingsMenu.PICTURES: N_("**Pictures**"),
    SettingsMenu.HINTS: N_("**Hints**"),
    SettingsMenu.TALK: N_("**Talk**"),
    SettingsMenu.REACTIONS: N_("**Reactions**"),
}


def guild_settings_layout(
    settings: GuildSettings,
    usual: Pace,
    t: Words,
    *,
    day: DayChannel | None = None,
    sets: Sequence[SavedRules] = (),
    refused: tuple[SettingsMenu, str] | None = None,
) -> Layout:
    """The editor. `usual` applies where a server hasn't chosen.

    `day`: the channel for the day's position. `sets`: the server's own rules, which are offered first. `refused`: the
    menu just used, and why it changed nothing.
    """
    own = settings.usual_rules(sets)
    target = (PRESETS[settings.preset] if own is None else own.config).rules.target
    preset = settings.preset if own is None else own.key
    names = {each.key: plain(each.name) for each in sets} | {name: preset_name(name, t) for name in PRESETS}
    chosen = None if settings.target is None else str(settings.target)
    targets = {str(n): t("Play to {n} points", n=n) for n in sorted({*_TARGETS, settings.target or target})}
    turns = {value: t(name) for value, name in TURNS.items()}
    paces = {value: t(name) for value, name in PACES.items()}
    usual_turn = turns.get(f"{usual.turn:g}") or t.plural("{n} second a turn", "{n} seconds a turn", int(usual.turn))
    usual_pace = paces.get(f"{usual.computer:g}") or t(
        "Computers play after {n} s", n=format_decimal(usual.computer, locale=t.language)
    )
    turn = None if settings.turn is None else str(settings.turn)
    pace = None if settings.computer is None else f"{settings.computer:g}"
    spoken = {code: language_name(code) for code in languages()}
    language = settings.language if settings.language in spoken else None
    menus = {
        SettingsMenu.PRESET: [option(name, value, chosen=value == preset) for value, name in names.items()],
        SettingsMenu.TARGET: _with_usual(targets, chosen, t("Play to {n} points", n=target), t),
        SettingsMenu.TURN: _with_usual(turns, turn, usual_turn, t),
        SettingsMenu.PACE: _with_usual(paces, pace, usual_pace, t),
        SettingsMenu.LANGUAGE: _with_usual(spoken, language, t("Automatic"), t),
        SettingsMenu.DECK: _options(DECK_NAMES, settings.deck, t),
        SettingsMenu.PICTURES: _options(PICTURES, "on" if settings.pictures else "off", t),
        SettingsMenu.HINTS: _options(HINTS, "on" if settings.hints else "off", t),
        SettingsMenu.TALK: _options(TALKS, "yes" if settings.talk else "no", t),
        SettingsMenu.REACTIONS: _options(REACTIONS, "yes" if settings.reactions else "no", t),
    }
    parts: list[Component | str] = []
    for which, options in menus.items():
        parts += [t(_HEADINGS[which]), row(menu(SETTINGS.custom_id(which), options))]
        if refused is not None and refused[0] is which:
            parts.append(f"⚠️ {refused[1]}")
    return box_of(
        FELT,
        t("## ⚙️ This server's games") + "\n" + t("New games begin with these. Changes are saved at once."),
        *parts,
        t("**The day's position, seasons, matches and players**")
        + ("" if day is None or day.stopped is None else f"\n⚠️ {stopped_text(day, t)}"),
        row(
            day_button(on=day is not None and day.stopped is None, t=t),
            season_button(t),
            club_button(t),
            own_rules_button(t),
        ),
        "-# " + t("Automatic: the language of a Community server, elsewhere that of whoever opens the table."),
    )


def _with_usual(values: Mapping[str, str], chosen: str | None, usual: str, t: Words) -> list[Component]:
    """Options for the default, and for the values that the server may choose instead."""
    others = [option(name, value, chosen=value == chosen) for value, name in values.items()]
    return [option(t("{value}, the default", value=usual), USUAL, chosen=chosen is None), *others]


def _options(values: Mapping[str, str], chosen: str, t: Words) -> list[Component]:
    return [option(t(name), value, chosen=value == chosen) for value, name in values.items()]
