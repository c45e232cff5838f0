"""The editors of a server's settings and of a lobby's rules: values under headings, errors beside what caused them."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from bot.tables.errors import Refusal, RefusalCode
from bot.tables.log.events import Phase
from bot.tables.pace import Pace
from bot.tables.server.guild_settings import GuildSettings
from bot.tables.server.preferences import Preferences
from bot.tables.server.zones import countries_of_zones
from bot.ui.kit.choices import Choice, newer_text, stored_parts
from bot.ui.kit.ids.game import Verb
from bot.ui.kit.ids.server import SETTINGS, PreferencesRef
from bot.ui.layout import Component, Layout
from bot.ui.server.screens.club_settings import RATED, club_settings_layout
from bot.ui.server.screens.guild_settings import CHOICES, COMPUTER, PRESET, TARGET, TURN, guild_settings_layout
from bot.ui.server.screens.me import CHOICES as ME
from bot.ui.server.screens.me import me_layout
from bot.ui.server.screens.season_settings import PASSES_ON, SEASON, season_settings_layout
from bot.ui.server.screens.zone_settings import zone_form, zone_settings_layout
from bot.ui.tables.screens.rules_editor import editor_layout
from bot.ui.words.texts import Words, words
from tests.support.layouts import every_language, table_of, troubles, words_of
from tests.support.limits_commands import modal_problems

EN, ES = words("en"), words("es")


def parts_of(layout: Layout) -> list[str | Component]:
    """The texts, menus and buttons of a layout with one box, from the top."""
    [box] = layout.to_components()
    return [part["content"] if "content" in part else part["components"][0] for part in box["components"]]


def menu_of(layout: Layout, which: Choice) -> Component:
    return next(part for part in parts_of(layout) if isinstance(part, dict) and part["custom_id"] == f"s:{which.field}")


def test_each_menu_of_the_settings_has_a_heading():
    parts = parts_of(guild_settings_layout(GuildSettings(), Pace(), EN))
    for place, part in enumerate(parts):
        if isinstance(part, dict):
            assert str(parts[place - 1]).startswith("**")


@pytest.mark.parametrize(
    ("usual", "says"),
    [
        (Pace(), ("2 minutes per turn, the default", "Robots play at a steady pace, the default")),
        (Pace(turn=0, computer=6), ("No time limit, the default", "Robots play slowly, the default")),
        (Pace(turn=100, computer=2.5), ("100 seconds per turn, the default", "Robots play after 2.5 s, the default")),
    ],
)
def test_a_default_says_what_it_is(usual: Pace, says: tuple[str, str]):
    layout = guild_settings_layout(GuildSettings(), usual, EN)
    for which, text in zip((TURN, COMPUTER), says, strict=True):
        assert [each["label"] for each in menu_of(layout, which)["options"] if each["default"]] == [text]
    target = menu_of(layout, TARGET)["options"][0]
    assert target == {"label": "To 21 points, the default", "value": "usual", "default": True}


def test_numbers_in_the_settings_are_written_as_the_language_does():
    layout = guild_settings_layout(GuildSettings(), Pace(computer=2.5), ES)
    assert menu_of(layout, COMPUTER)["options"][0]["label"].startswith("Los robots juegan a los 2,5 s")


@pytest.mark.parametrize("which", [each.field for each in (PRESET, *CHOICES)])
def test_an_error_stands_below_the_menu_of_the_settings_that_caused_it(which: str):
    parts = parts_of(guild_settings_layout(GuildSettings(), Pace(), EN, note=(which, "No.")))
    cause = parts[parts.index("⚠️ No.") - 1]
    assert isinstance(cause, dict)
    assert cause["custom_id"] == f"s:{which}"


@pytest.mark.parametrize("choice", [*CHOICES, SEASON, PASSES_ON, RATED], ids=lambda choice: choice.field)
def test_a_server_can_be_set_to_each_option_and_is_shown_as_it_is_set(choice: Choice):
    for value in choice.options:
        settings = GuildSettings().changed(**{choice.field: value})
        [heading, row] = stored_parts(choice, settings, SETTINGS, EN, only=[value], value="…")
        assert heading == EN(choice.heading)
        assert isinstance(row, dict)
        [option] = row["components"][0]["options"]
        assert option["default"]
        assert choice.read(option["value"]) == value


@pytest.mark.parametrize("choice", ME)
def test_a_person_can_choose_each_option_and_sees_it_chosen(choice: Choice):
    for value in choice.options:
        preferences = Preferences().changed(**{choice.field: value})
        menus = (part for part in parts_of(me_layout(preferences, EN)) if isinstance(part, dict))
        [menu] = [each for each in menus if each["custom_id"] == PreferencesRef().custom_id(choice.field)]
        [chosen] = [option for option in menu["options"] if option["default"]]
        assert choice.read(chosen["value"]) == value


def test_every_preference_has_its_menu():
    assert {choice.field for choice in ME} == Preferences.model_fields.keys()


def test_an_option_that_no_menu_has_is_refused():
    for code in ("", "off", "102", "None", "²"):
        with pytest.raises(Refusal) as raised:
            TARGET.read(code)
        assert raised.value.code is RefusalCode.STALE


@pytest.mark.parametrize("field", sorted(GuildSettings.model_fields.keys() - {"all_organise", "zone"}))
def test_below_a_menu_it_says_that_its_value_is_a_newer_versions_and_shows_nothing_chosen(field: str):
    settings = GuildSettings.load(json.dumps({"podium_role": 7, "winner_role": 7, field: {"newer": True}}))
    screens = (
        guild_settings_layout(settings, Pace(), EN),
        season_settings_layout(settings, EN),
        club_settings_layout(settings, EN),
    )
    [parts] = [parts for parts in map(parts_of, screens) if newer_text(EN) in parts]
    menu = parts[parts.index(newer_text(EN)) - 1]
    assert isinstance(menu, dict)
    if field == "rule_set":  # games begin with the rule system meanwhile
        assert menu["custom_id"] == "s:preset"
    else:
        assert menu["custom_id"] == f"s:{field}"
        assert not [each for each in menu.get("options", []) if each["default"]]
        assert "default_values" not in menu


def test_a_time_zone_of_a_newer_version_is_said_to_be_one_and_utc_holds():
    settings = GuildSettings.load(json.dumps({"zone": "Mars/Olympus_Mons"}))
    text = words_of(zone_settings_layout(settings, datetime(2026, 11, 26, 9, tzinfo=UTC), EN))
    assert "**UTC (it's 09:00 there)**" in text
    assert newer_text(EN) in text


@every_language
def test_as_many_time_zones_as_fit_are_offered(t: Words):
    many = list(countries_of_zones())
    assert len(many) > 400
    assert troubles(zone_settings_layout(GuildSettings(), datetime(2026, 11, 26, tzinfo=UTC), t, found=many)) == []
    assert not list(modal_problems(zone_form(t).to_dict()))


def test_settings_that_cannot_be_read_are_shown_as_such():
    settings = GuildSettings.load("{")
    for layout in (
        guild_settings_layout(settings, Pace(), EN),
        season_settings_layout(settings, EN),
        club_settings_layout(settings, EN),
        me_layout(Preferences.load("{"), EN),
    ):
        assert parts_of(layout).count(newer_text(EN)) == 1
        assert not [menu for menu in parts_of(layout) if isinstance(menu, dict) and "'default': True" in str(menu)]
    assert "más nueva" in newer_text(ES)


@pytest.mark.parametrize("verb", [Verb.PRESET, Verb.OPENING, Verb.SWITCH, Verb.SEATS])
def test_an_error_stands_below_what_caused_it_in_the_rules_editor(verb: Verb):
    parts = parts_of(editor_layout(table_of(None, 2, phase=Phase.LOBBY), EN, noted=(verb, "No.")))
    cause = parts[parts.index("⚠️ No.") - 1]
    assert isinstance(cause, dict)
    assert cause["custom_id"].startswith(f"e:{verb}:")
