"""The editors of a server's settings and of a lobby's rules: values under headings, errors beside what caused them."""

from __future__ import annotations

import pytest

from bot.tables.log.events import Phase
from bot.tables.pace import Pace
from bot.tables.server.guild_settings import GuildSettings
from bot.ui.kit.ids.game import Verb
from bot.ui.kit.ids.server import SettingsMenu
from bot.ui.layout import Component, Layout
from bot.ui.server.screens.guild_settings import guild_settings_layout
from bot.ui.tables.screens.rules_editor import editor_layout
from bot.ui.words.texts import words
from tests.ui.layouts import table_of

EN, ES = words("en"), words("es")


def parts_of(layout: Layout) -> list[str | Component]:
    """The texts, menus and buttons of a layout with one box, from the top."""
    [box] = layout.to_components()
    return [part["content"] if "content" in part else part["components"][0] for part in box["components"]]


def menu_of(layout: Layout, which: SettingsMenu) -> Component:
    return next(part for part in parts_of(layout) if isinstance(part, dict) and part["custom_id"] == f"s:{which}")


def test_each_menu_of_the_settings_has_a_heading():
    parts = parts_of(guild_settings_layout(GuildSettings(), Pace(), EN))
    for place, part in enumerate(parts):
        if isinstance(part, dict):
            assert str(parts[place - 1]).startswith("**")


@pytest.mark.parametrize(
    ("usual", "says"),
    [
        (Pace(), ("2 minutes a turn, the default", "Computers play at a steady pace, the default")),
        (Pace(turn=0, computer=6), ("No deadline, the default", "Computers play slowly, the default")),
        (Pace(turn=100, computer=2.5), ("100 seconds a turn, the default", "Computers play after 2.5 s, the default")),
    ],
)
def test_a_default_says_what_it_is(usual: Pace, says: tuple[str, str]):
    layout = guild_settings_layout(GuildSettings(), usual, EN)
    for which, text in zip((SettingsMenu.TURN, SettingsMenu.PACE), says, strict=True):
        assert [each["label"] for each in menu_of(layout, which)["options"] if each["default"]] == [text]
    target = menu_of(layout, SettingsMenu.TARGET)["options"][0]
    assert target == {"label": "Play to 21 points, the default", "value": "usual", "default": True}


def test_numbers_in_the_settings_are_written_as_the_language_does():
    layout = guild_settings_layout(GuildSettings(), Pace(computer=2.5), ES)
    assert menu_of(layout, SettingsMenu.PACE)["options"][0]["label"].startswith("Los robots juegan a los 2,5 s")


@pytest.mark.parametrize("which", SettingsMenu)
def test_an_error_stands_below_the_menu_of_the_settings_that_caused_it(which: SettingsMenu):
    parts = parts_of(guild_settings_layout(GuildSettings(), Pace(), EN, refused=(which, "No.")))
    cause = parts[parts.index("⚠️ No.") - 1]
    assert isinstance(cause, dict)
    assert cause["custom_id"] == f"s:{which}"


@pytest.mark.parametrize("verb", [Verb.PRESET, Verb.OPENING, Verb.SWITCH, Verb.AIM])
def test_an_error_stands_below_what_caused_it_in_the_rules_editor(verb: Verb):
    parts = parts_of(editor_layout(table_of(None, 2, phase=Phase.LOBBY), EN, noted=(verb, "No.")))
    cause = parts[parts.index("⚠️ No.") - 1]
    assert isinstance(cause, dict)
    assert cause["custom_id"].startswith(f"e:{verb}:")
