"""The editors of a server's settings and of a lobby's rules: values under headings, errors beside what caused them."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.club.seasons import SeasonLength
from bot.engine.rules import PRESETS
from bot.platform.language.texts import Words, words
from bot.platform.language.time_zones import countries_of_zones
from bot.platform.layout import Component, Layout, button
from bot.platform.refusal import CommonRefusal, Refusal
from bot.platform.settings.choices import Choice, newer_text
from bot.platform.settings.role_screen import role_layout
from bot.platform.settings.zone_screen import zone_form, zone_settings_layout
from bot.tables.log.events import Config
from bot.tables.pace import Pace
from bot.tables.server.guild_settings import GuildSettings
from bot.tables.server.preferences import Preferences
from bot.tables.turn import SlowNotice
from bot.ui.ids.game import RULE_MENUS, Verb
from bot.ui.ids.server import PREFERENCES, ListVerb
from bot.ui.server.screens.guild_settings import (
    CHOICES,
    COMPUTER,
    LISTED,
    PRESET,
    RESULTS,
    ROLES,
    TARGET,
    TURN,
    Current,
    choice_layout,
    guild_settings_layout,
)
from bot.ui.server.screens.me import CHOICES as ME
from bot.ui.server.screens.me import LISTED as MINE
from bot.ui.server.screens.me import me_layout, preference_layout
from bot.ui.tables.screens.rules_editor import rule_layout, rules_menu
from tests.support.layouts import every_language, troubles, words_of
from tests.support.limits_commands import modal_problems

EN, ES = words("en"), words("es")


def parts_of(layout: Layout) -> list[str | Component]:
    """The texts, menus and buttons of a layout with one box, from the top."""
    [box] = layout.to_components()
    return [part["content"] if "content" in part else part["components"][0] for part in box["components"]]


def menu_of(layout: Layout, which: Choice, kind: str = "s") -> Component:
    menus = (part for part in parts_of(layout) if isinstance(part, dict))
    return next(part for part in menus if part["custom_id"] == f"{kind}:{which.field}")


def lines_of(settings: GuildSettings, t: Words = EN, **how: Any) -> dict[str, str]:
    """The values in the list of settings, by their names."""
    [_, *_, lines, _] = parts_of(guild_settings_layout(Current(settings, Pace(), **how), t))
    return dict(line.split(" · ") for line in str(lines).splitlines())


def test_each_setting_has_a_line_with_its_value_and_one_menu_changes_them_all():
    settings = GuildSettings(podium_role=7, zone="Europe/Madrid", turn=0, talk=False)
    lines = lines_of(settings)
    assert list(lines) == [f"**{each.name(EN)}**" for each in LISTED]
    assert not [name for name, value in lines.items() if not value]
    assert lines["**Time for a turn**"] == "No limit"
    assert lines["**Talk**"] == "Off"
    assert lines["**Podium's role**"] == "<@&7>"
    assert lines["**Time zone**"] == "Europe/Madrid"
    assert lines["**Season**"] == "A month"
    *_, menu = parts_of(guild_settings_layout(Current(settings, Pace()), EN))
    assert isinstance(menu, dict)
    assert [each["value"] for each in menu["options"]] == [each.field for each in (*LISTED, RESULTS)]


def test_rewards_are_listed_only_where_there_are_seasons_and_what_becomes_of_them_once_one_is_chosen():
    names = [each.name(EN) for each in LISTED]
    assert set(names) - {name.strip("*") for name in lines_of(GuildSettings())} == {"Earlier podium"}
    without = lines_of(GuildSettings(season=SeasonLength.NONE, winner_role=7))
    assert set(names) - {name.strip("*") for name in without} == {"Winner's role", "Podium's role", "Earlier podium"}


def test_the_setting_just_changed_is_marked():
    text = words_of(guild_settings_layout(Current(GuildSettings(), Pace()), EN, changed="turn"))
    assert [line for line in text.splitlines() if "✅" in line] == ["✅ **Time for a turn** · 2 minutes"]


@pytest.mark.parametrize(
    ("usual", "says"),
    [
        (Pace(), ("2 minutes, the default", "Steady, the default")),
        (Pace(turn=0, computer=6), ("No limit, the default", "Slow, the default")),
        (Pace(turn=100, computer=2.5), ("100 seconds, the default", "After 2.5 s, the default")),
    ],
)
def test_a_default_says_what_it_is(usual: Pace, says: tuple[str, str]):
    for which, text in zip((TURN, COMPUTER), says, strict=True):
        layout = choice_layout(which, Current(GuildSettings(), usual), EN)
        assert [each["label"] for each in menu_of(layout, which)["options"] if each["default"]] == [text]
    target = menu_of(choice_layout(TARGET, Current(GuildSettings(), usual), EN), TARGET)["options"][0]
    assert target == {"label": "To 21 points, the default", "value": "usual", "default": True}


@pytest.mark.spanish
def test_numbers_in_the_settings_are_written_as_the_language_does():
    layout = choice_layout(COMPUTER, Current(GuildSettings(), Pace(computer=2.5)), ES)
    assert menu_of(layout, COMPUTER)["options"][0]["label"].startswith("A los 2,5 s")


@pytest.mark.parametrize("which", [PRESET, *CHOICES], ids=lambda choice: choice.field)
def test_an_error_stands_below_the_menu_of_the_settings_that_caused_it(which: Choice):
    parts = parts_of(choice_layout(which, Current(GuildSettings(), Pace()), EN, (which.field, "No.")))
    cause = parts[parts.index("⚠️ No.") - 1]
    assert isinstance(cause, dict)
    assert cause["custom_id"] == f"s:{which.field}"


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.field)
def test_a_server_can_be_set_to_each_option_and_is_shown_as_it_is_set(choice: Choice):
    for value in choice.options:
        settings = GuildSettings().changed(**{choice.field: value})
        menu = menu_of(choice_layout(choice, Current(settings, Pace()), EN), choice)
        [chosen] = [option for option in menu["options"] if option["default"]]
        assert choice.read(chosen["value"]) == value


@pytest.mark.parametrize("choice", ME, ids=lambda choice: choice.field)
def test_a_person_can_choose_each_option_and_sees_it_chosen(choice: Choice):
    for value in choice.options:
        preferences = Preferences(slow_notice=SlowNotice.DAILY).changed(**{choice.field: value})
        menu = menu_of(preference_layout(choice, preferences, EN), choice, "m")
        [chosen] = [option for option in menu["options"] if option["default"]]
        assert choice.read(chosen["value"]) == value
        listed = words_of(me_layout(preferences, EN, changed=choice.field))
        shown = f"✅ **{choice.name(EN)}** · {choice.text(value, EN)}"
        assert any(line.removesuffix(" (UTC)") == shown for line in listed.splitlines())


def test_every_preference_has_a_line_and_one_menu_changes_them_all():
    along = {"digest_zone", "digest_locale", "digest_channel", "digest_refused"}
    assert {choice.field for choice in MINE} == Preferences.model_fields.keys() - along
    [_, lines, menu, _] = parts_of(me_layout(Preferences(slow_notice=SlowNotice.DAILY), EN))
    assert len(str(lines).splitlines()) == len(MINE)
    assert isinstance(menu, dict)
    assert menu["custom_id"] == PREFERENCES.custom_id(ListVerb.CHANGE)
    assert [each["value"] for each in menu["options"]] == [each.field for each in MINE]


def test_a_preference_of_a_newer_version_is_marked_in_the_list_and_said_to_be_one_on_its_screen():
    for which in ME:
        preferences = Preferences.load(json.dumps({"slow_notice": "daily", which.field: {"newer": True}}))
        assert f"**{which.name(EN)}** · ⚠️" in words_of(me_layout(preferences, EN)).splitlines()
        layout = preference_layout(which, preferences, EN)
        assert newer_text(EN) in parts_of(layout)
        assert not [each for each in menu_of(layout, which, "m")["options"] if each["default"]]


def test_an_option_that_no_menu_has_is_refused():
    for code in ("", "off", "102", "None", "²"):
        with pytest.raises(Refusal) as raised:
            TARGET.read(code)
        assert raised.value.code is CommonRefusal.STALE


@pytest.mark.parametrize("field", sorted(GuildSettings.model_fields.keys() - {"all_organise", "zone"}))
def test_below_a_menu_it_says_that_its_value_is_a_newer_versions_and_shows_nothing_chosen(field: str):
    settings = GuildSettings.load(json.dumps({"podium_role": 7, "winner_role": 7, field: {"newer": True}}))
    screens = (
        *(choice_layout(each, Current(settings, Pace()), EN) for each in (PRESET, *CHOICES)),
        *(role_layout(each, settings, EN) for each in ROLES),
    )
    [parts] = [parts for parts in map(parts_of, screens) if newer_text(EN) in parts]
    assert "⚠️" in lines_of(settings).values()
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


@pytest.mark.spanish
def test_settings_that_cannot_be_read_are_shown_as_such():
    settings = GuildSettings.load("{")
    listed, mine = guild_settings_layout(Current(settings, Pace()), EN), me_layout(Preferences.load("{"), EN)
    screens = [choice_layout(each, Current(settings, Pace()), EN) for each in (PRESET, *CHOICES)]
    for layout in (listed, mine, *screens):
        assert parts_of(layout).count(newer_text(EN)) == (layout in (listed, mine))
        assert not [menu for menu in parts_of(layout) if isinstance(menu, dict) and "'default': True" in str(menu)]
    assert "más nueva" in newer_text(ES)


BACK = button("e:rules:1", "Back")


@pytest.mark.parametrize("verb", RULE_MENUS)
def test_an_error_stands_below_what_caused_it_in_the_rules_editor(verb: Verb):
    parts = parts_of(rule_layout(verb, Config(), f"e:{verb}:1", BACK, EN, note="No."))
    cause = parts[parts.index("⚠️ No.") - 1]
    assert isinstance(cause, dict)
    assert cause["custom_id"] == f"e:{verb}:1"


def test_the_menu_of_rules_says_what_each_is_now():
    rules = replace(PRESETS["quince"].rules, hand=10, table=0, lead=2, most_sevens=True)
    menu = rules_menu(Config("quince", rules, capacity=6, threes=True), "e:rule:1", EN)["components"][0]
    assert [(each["label"], each["description"]) for each in menu["options"]] == [
        ("Variant", "Escoba de quince"),
        ("What a card takes", "Captures make fifteen"),
        ("Missed captures", "A missed capture may be claimed by the next player"),
        ("When the first cards make 15 or 30", "No opening escoba"),
        ("The prime", "Prime by points"),
        ("Extras", "A point for most sevens, a win by two points"),
        ("The deal", "Ten cards each, none on the table"),
        ("Players", "Up to six: three against three"),
    ]
