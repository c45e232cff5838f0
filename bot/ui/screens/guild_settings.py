"""The private editor of a server's settings, for people who may manage the server."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from bot.tables.data.guild_settings import GuildSettings
from bot.ui.screens.colours import FELT
from bot.ui.screens.layout import Component, Layout, box_of, menu, option, row
from bot.ui.words.rules import PRESET_NAMES
from bot.ui.words.texts import N_, Words, language_name, languages

KIND: Final = "s"
"""Begins this screen's custom_ids: `s:<menu>`."""


class SettingsMenu(StrEnum):
    """A menu of the editor; the value is part of its custom_id."""

    PRESET = "preset"
    TARGET = "target"
    TURN = "turn"
    PACE = "pace"
    LANGUAGE = "language"
    DECK = "deck"
    PICTURES = "pictures"
    HINTS = "hints"
    TALK = "talk"


USUAL: Final = "usual"
DECK_NAMES: Final = {"spanish": N_("Spanish cards"), "french": N_("French cards: diamonds are oros")}
PICTURES: Final = {"on": N_("Tables as pictures"), "off": N_("Tables without pictures: cards as text")}
HINTS: Final = {"on": N_("Hints in matches that don't count"), "off": N_("No hints")}
TALKS: Final = {"yes": N_("Computers say a word now and then"), "no": N_("Computers say nothing")}
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


def guild_settings_layout(settings: GuildSettings, t: Words) -> Layout:
    chosen = None if settings.target is None else str(settings.target)
    targets = [
        option(t("The rule system's target"), USUAL, chosen=chosen is None),
        *(
            option(t("Play to {n} points", n=value), value, chosen=value == chosen)
            for value in map(str, sorted({*_TARGETS, settings.target or _TARGETS[0]}))
        ),
    ]
    turn = None if settings.turn is None else str(settings.turn)
    pace = None if settings.computer is None else f"{settings.computer:g}"
    spoken = {code: language_name(code) for code in languages()}
    return box_of(
        FELT,
        t("## ⚙️ This server's games") + "\n" + t("New games begin with these. Changes are saved at once."),
        _menu(SettingsMenu.PRESET, _options(PRESET_NAMES, settings.preset, t)),
        _menu(SettingsMenu.TARGET, targets),
        _menu(SettingsMenu.TURN, _with_usual(TURNS, turn, t("The bot's usual deadline"), t)),
        _menu(SettingsMenu.PACE, _with_usual(PACES, pace, t("Computers play at the usual pace"), t)),
        _menu(
            SettingsMenu.LANGUAGE,
            [
                option(t("Public messages: automatic language"), USUAL, chosen=settings.language not in spoken),
                *(
                    option(t("Public messages: {language}", language=name), code, chosen=code == settings.language)
                    for code, name in spoken.items()
                ),
            ],
        ),
        _menu(SettingsMenu.DECK, _options(DECK_NAMES, settings.deck, t)),
        _menu(SettingsMenu.PICTURES, _options(PICTURES, "on" if settings.pictures else "off", t)),
        _menu(SettingsMenu.HINTS, _options(HINTS, "on" if settings.hints else "off", t)),
        _menu(SettingsMenu.TALK, _options(TALKS, "yes" if settings.talk else "no", t)),
        "-# " + t("Automatic: the language of a Community server, elsewhere that of whoever opens the table."),
    )


def _menu(which: SettingsMenu, options: list[Component]) -> Component:
    return row(menu(f"{KIND}:{which}", options))


def _with_usual(values: Mapping[str, str], chosen: str | None, usual: str, t: Words) -> list[Component]:
    return [option(usual, USUAL, chosen=chosen is None), *_options(values, chosen, t)]


def _options(values: Mapping[str, str], chosen: str | None, t: Words) -> list[Component]:
    return [option(t(name), value, chosen=value == chosen) for value, name in values.items()]
