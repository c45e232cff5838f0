"""The editors of a server's settings and of a lobby's rules: values under headings, errors beside what caused them."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from enum import EnumType

import pytest
from discord import ComponentType
from pydantic.fields import FieldInfo

from bot.club.rules.seasons import SeasonLength
from bot.club.screens.settings import PODIUM, WINNER
from bot.club.settings import ClubSettings
from bot.engine.rules import PRESETS
from bot.platform.language.calendar import countries_of_zones
from bot.platform.language.catalogues import words
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout, button
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.choices import Choice, newer_text
from bot.platform.settings.documents import Choices
from bot.platform.settings.ids import PREFERENCES, ListVerb
from bot.platform.settings.language import LanguageSettings
from bot.platform.settings.listing import PREFERENCES_LIST, SETTINGS_LIST
from bot.platform.settings.pages import SettingPage
from bot.platform.settings.role_screen import role_layout
from bot.platform.settings.zone_screen import OWN_ZONE, ZONE, zone_form, zone_layout
from bot.process.dispatch import SCREENS
from bot.process.setting_pages import OWN_PAGES, SERVER_PAGES
from bot.tables.ids.game import RULE_MENUS, Verb
from bot.tables.log.events import Config
from bot.tables.log.pace import Pace
from bot.tables.screens.rules_editor import rule_layout, rules_menu
from bot.tables.screens.settings import COMPUTER, PLAYERS, TARGET, TURN
from bot.tables.settings import SlowNotice, TableSettings
from tests.platform.settings.chosen import OwnChoices, ServerChoices
from tests.support.layouts import every_language, troubles, words_of
from tests.support.limits_commands import modal_problems
from tests.support.settings_pages import Shown, document, listed, with_menus

EN, ES = words("en"), words("es")
LISTED = (
    "preset target turn computer rated language deck pictures hints talk reactions players_role season winner_role "
    "podium_role passes_on day zone rules results"
)
OF_1_0 = "turn_notice slow_notice day_notice digest_hour language deck text_only tempo holidays"
MINE = [page.choice.field for page in OWN_PAGES.pages]


def field_of(page: SettingPage) -> str:
    return page.choice.field


def parts_of(layout: Layout) -> list[str | Component]:
    """The texts, menus and buttons of a layout with one box, from the top."""
    [box] = layout.to_components()
    parts = (part for part in box["components"] if part["type"] != ComponentType.separator.value)
    return [part["content"] if "content" in part else part["components"][0] for part in parts]


def menu_of(layout: Layout, which: Choice, kind: str = "s") -> Component:
    menus = (part for part in parts_of(layout) if isinstance(part, dict))
    return next(part for part in menus if part["custom_id"] == f"{kind}:{which.field}")


def page_of(which: Choice) -> SettingPage:
    return next(page for page in SERVER_PAGES.pages if page.choice is which)


def lines_of(*choices: Choices, t: Words = EN) -> dict[str, str]:
    """The values in the list of settings, by their names."""
    [_, *_, of_new_tables, others, _] = parts_of(Shown(document(*choices)).list(SERVER_PAGES, t))
    return dict(line.split(" · ") for line in f"{of_new_tables}\n{others}".splitlines())


def test_each_setting_has_a_line_with_its_value_and_one_menu_changes_them_all():
    settings = (ClubSettings(podium_role=7), LanguageSettings(zone="Europe/Madrid"), TableSettings(turn=0, talk=False))
    lines = lines_of(*settings)
    assert list(lines) == [f"**{each.choice.name(EN)}**" for each in listed(SERVER_PAGES)]
    assert not [name for name, value in lines.items() if not value]
    assert lines["**Time for a turn**"] == "No limit"
    assert lines["**Talk**"] == "Off"
    assert lines["**Podium's role**"] == "<@&7>"
    assert lines["**Time zone**"] == "Europe/Madrid"
    assert lines["**Season**"] == "A month"
    *_, menu = parts_of(Shown(document(*settings)).list(SERVER_PAGES))
    assert isinstance(menu, dict)
    assert [each["value"] for each in menu["options"]] == [page.choice.field for page in SERVER_PAGES.pages]


def test_what_new_tables_start_with_stands_apart_from_all_others():
    [heading, of_new_tables, *_] = parts_of(Shown().list(SERVER_PAGES))
    assert str(heading).endswith("New tables start with these.")
    names = [text.split("**")[1] for text in str(of_new_tables).splitlines()]
    assert names == ["Variant", "Target", "Time for a turn", "Robots", "New matches"]


def test_the_verbs_of_settings_and_preferences_are_those_of_1_0():
    verbs = "open change export zoneask dayin dayat daynow dayoff " + LISTED.removesuffix("day zone rules results")
    refs = {screen.name: screen.refers_to for screen in SCREENS}  # which have given them their verbs
    assert {*refs["settings"].verbs} >= {*f"{verbs} zone".split()}
    assert {*refs["preferences"].verbs} >= {*f"open change holiday {OF_1_0}".split()}


def test_rewards_are_listed_only_where_there_are_seasons_and_what_becomes_of_them_once_one_is_chosen():
    names = [each.choice.name(EN) for each in listed(SERVER_PAGES)]
    assert set(names) - {name.strip("*") for name in lines_of()} == {"Earlier podium"}
    without = lines_of(ClubSettings(season=SeasonLength.NONE, winner_role=7))
    assert set(names) - {name.strip("*") for name in without} == {"Winner's role", "Podium's role", "Earlier podium"}


def test_the_setting_just_changed_is_marked():
    text = words_of(Shown().list(SERVER_PAGES, EN, "turn"))
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
    shown = Shown(usual=usual)
    for which, text in zip((TURN, COMPUTER), says, strict=True):
        layout = shown.page(page_of(which))
        assert [each["label"] for each in menu_of(layout, which)["options"] if each["default"]] == [text]
    target = menu_of(shown.page(page_of(TARGET)), TARGET)["options"][0]
    assert target == {"label": "To 21 points, the default", "value": "usual", "default": True}


@pytest.mark.spanish
def test_numbers_in_the_settings_are_written_as_the_language_does():
    layout = Shown(usual=Pace(computer=2.5)).page(page_of(COMPUTER), ES)
    assert menu_of(layout, COMPUTER)["options"][0]["label"].startswith("A los 2,5 s")


@pytest.mark.parametrize("page", with_menus(SERVER_PAGES), ids=field_of)
def test_an_error_stands_below_the_menu_of_the_settings_that_caused_it(page: SettingPage):
    parts = parts_of(Shown().page(page, EN, (field_of(page), "No.")))
    cause = parts[parts.index("⚠️ No.") - 1]
    assert isinstance(cause, dict)
    assert cause["custom_id"] == f"s:{field_of(page)}"


@pytest.mark.parametrize("page", with_menus(SERVER_PAGES), ids=field_of)
def test_a_server_can_be_set_to_each_option_and_is_shown_as_it_is_set(page: SettingPage):
    for value in page.choice.options:
        settings = ServerChoices().changed(**{field_of(page): value})
        menu = menu_of(Shown(settings.dump()).page(page), page.choice)
        [chosen] = [option for option in menu["options"] if option["default"]]
        assert page.choice.read(chosen["value"]) == value


@pytest.mark.parametrize("page", with_menus(OWN_PAGES), ids=field_of)
def test_a_person_can_choose_each_option_and_sees_it_chosen(page: SettingPage):
    choice = page.choice
    for value in choice.options:
        shown = Shown(OwnChoices(slow_notice=SlowNotice.DAILY).changed(**{choice.field: value}).dump())
        menu = menu_of(shown.page(page), choice, "m")
        [chosen] = [option for option in menu["options"] if option["default"]]
        assert choice.read(chosen["value"]) == value
        mine = words_of(shown.list(OWN_PAGES, EN, choice.field))
        line = f"✅ **{choice.name(EN)}** · {choice.text(value, EN)}"
        assert any(each.removesuffix(" (UTC)").partition(" → ")[0] == line for each in mine.splitlines())


def test_every_preference_has_a_line_and_one_menu_changes_them_all():
    along = {"digest_zone", "digest_locale", "digest_channel", "digest_refused", "express_on"}
    assert set(MINE) == OwnChoices.model_fields.keys() - along
    [_, lines, menu, _] = parts_of(Shown(OwnChoices(slow_notice=SlowNotice.DAILY).dump()).list(OWN_PAGES))
    assert len(str(lines).splitlines()) == len(MINE)
    assert isinstance(menu, dict)
    assert menu["custom_id"] == PREFERENCES.custom_id(ListVerb.CHANGE)
    assert [each["value"] for each in menu["options"]] == MINE


@pytest.mark.parametrize(("slow", "day"), [("daily", "never"), ("never", "private"), ("never", "never")])
def test_the_hour_is_listed_for_those_who_get_a_private_message(slow: str, day: str):
    mine = words_of(Shown(json.dumps({"slow_notice": slow, "day_notice": day})).list(OWN_PAGES))
    assert ("Hour of the private message" in mine) == ("daily" in slow or "private" in day)


def test_all_preferences_are_explained():
    assert OWN_PAGES.meanings().keys() == OwnChoices.model_fields.keys()
    assert all(OWN_PAGES.meanings().values())


def test_a_preference_of_a_newer_version_is_marked_in_the_list_and_said_to_be_one_on_its_screen():
    for page in with_menus(OWN_PAGES):
        which = page.choice
        shown = Shown(json.dumps({"slow_notice": "daily", "day_notice": "private", which.field: {"newer": True}}))
        assert f"**{which.name(EN)}** · ⚠️" in words_of(shown.list(OWN_PAGES)).splitlines()
        layout = shown.page(page)
        assert newer_text(EN) in parts_of(layout)
        assert not [each for each in menu_of(layout, which, "m")["options"] if each["default"]]


def test_an_option_that_no_menu_has_is_refused():
    for code in ("", "off", "102", "None", "²"):
        with pytest.raises(Refusal) as raised:
            TARGET.read(code)
        assert raised.value.code is CommonRefusal.STALE


@pytest.mark.parametrize("field", sorted(ServerChoices.model_fields.keys() - {"all_organise", "zone"}))
def test_below_a_menu_it_says_that_its_value_is_a_newer_versions_and_shows_nothing_chosen(field: str):
    text = json.dumps({"podium_role": 7, "winner_role": 7, field: {"newer": True}})
    settings, shown = ServerChoices.load(text), Shown(text)
    screens = (
        *map(shown.page, with_menus(SERVER_PAGES)),
        *(role_layout(each, settings, EN) for each in (PLAYERS, WINNER, PODIUM)),
    )
    [parts] = [parts for parts in map(parts_of, screens) if newer_text(EN) in parts]
    assert "⚠️" in words_of(shown.list(SERVER_PAGES))
    menu = parts[parts.index(newer_text(EN)) - 1]
    assert isinstance(menu, dict)
    if field == "rule_set":  # games begin with the rule system meanwhile
        assert menu["custom_id"] == "s:preset"
    else:
        assert menu["custom_id"] == f"s:{field}"
        assert not [each for each in menu.get("options", []) if each["default"]]
        assert "default_values" not in menu


def test_a_time_zone_of_a_newer_version_is_said_to_be_one_and_utc_holds():
    settings = LanguageSettings.load(json.dumps({"zone": "Mars/Olympus_Mons"}))
    text = words_of(zone_layout(SETTINGS_LIST, ZONE, settings, datetime(2026, 11, 26, 9, tzinfo=UTC), EN))
    assert "**UTC (it's 09:00 there)**" in text
    assert newer_text(EN) in text


@every_language
def test_the_time_is_asked_for_and_likely_zones_of_the_language_come_first(t: Words):
    noon = datetime(2026, 1, 26, 12, tzinfo=UTC)
    for listing, which, choices in (
        (SETTINGS_LIST, ZONE, LanguageSettings()),
        (PREFERENCES_LIST, OWN_ZONE, OwnChoices()),
    ):
        layout = zone_layout(listing, which, choices, noon, t)
        assert troubles(layout) == []
    spanish = menu_of(zone_layout(SETTINGS_LIST, ZONE, LanguageSettings(), noon, ES), ZONE)
    assert spanish["options"][0]["label"] == "13:00 · Madrid"
    assert {each["value"] for each in spanish["options"]} >= {"America/Mexico_City", "America/Montevideo"}
    assert all(each["value"] in countries_of_zones() for each in spanish["options"])
    own = menu_of(zone_layout(PREFERENCES_LIST, OWN_ZONE, OwnChoices(), noon, words("pt_BR")), OWN_ZONE, "m")
    assert [each["value"] for each in own["options"]][:2] == ["usual", "America/Sao_Paulo"]


@every_language
def test_as_many_time_zones_as_fit_are_offered(t: Words):
    many = list(countries_of_zones())
    assert len(many) > 400
    assert (
        troubles(
            zone_layout(SETTINGS_LIST, ZONE, LanguageSettings(), datetime(2026, 11, 26, tzinfo=UTC), t, found=many)
        )
        == []
    )
    assert not list(modal_problems(zone_form(SETTINGS_LIST, t).to_dict()))


@pytest.mark.spanish
def test_settings_that_cannot_be_read_are_shown_as_such():
    shown = Shown("{")
    lists = shown.list(SERVER_PAGES), shown.list(OWN_PAGES)
    for layout in (*lists, *map(shown.page, with_menus(SERVER_PAGES))):
        assert parts_of(layout).count(newer_text(EN)) == (layout in lists)
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


@pytest.mark.parametrize("stored", ['{"NOTICE": "loudly"}', "["])
def test_whoever_has_chosen_in_a_newer_version_when_to_be_told_is_never_told(stored: str) -> None:
    notices = {name: kind for kind in OWN_PAGES.kinds for name, each in kind.model_fields.items() if has_never(each)}
    assert "turn_notice" in notices
    told = {name: getattr(kind.load(stored.replace("NOTICE", name)), name) for name, kind in notices.items()}
    assert told == dict.fromkeys(notices, "never")


def has_never(each: FieldInfo) -> bool:
    return isinstance(each.annotation, EnumType) and "NEVER" in each.annotation.__members__
