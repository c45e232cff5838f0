"""Public messages use the server's language, private ones each person's; commands can be found in both."""

from typing import Any
from unittest.mock import patch

import pytest

from bot.engine.rules import PRESETS
from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.language.catalogues import languages, words
from bot.platform.language.texts import Words
from bot.platform.refusals import Refusal
from bot.platform.settings.language import LanguageSettings
from bot.tables.refusals import TableRefusal
from bot.tables.screens.board import turn_text
from bot.tables.store.logs import Games
from tests.support.dose import thorough_but
from tests.support.escoba import RoomOf
from tests.support.fake_discord.worlds import choose_language
from tests.support.people import forge, set_locale, text_of
from tests.support.phrases import STALE

pytestmark = pytest.mark.skipif("es" not in languages(), reason="the Spanish catalogue isn't there")
ES, EN = words("es"), words("en")
NO_SEAT = Refusal(TableRefusal.NOT_SEATED)


@pytest.mark.spanish
async def test_a_spanish_server_reads_spanish_and_each_person_their_own_language(room_of: RoomOf):
    async with room_of(3, guild_locale="es-ES") as here:
        ana, bea, ciro = here.people
        set_locale(bea, "es-419")
        set_locale(ciro, "vi")
        await here.begin(2, target=5)
        view = here.table.view()
        assert view.match is not None
        assert turn_text(view, view.match, ES) in here.public_text
        assert EN("**Your hand**") in text_of(here.panel(ana))
        assert ES("**Your hand**") in text_of(here.panel(bea))
        for person, t in ((ana, EN), (bea, ES), (ciro, EN)):  # a language without a catalogue falls back to English
            if person is ciro:
                await here.press(person, here.shown, "hand")
                assert here.private_text(person) == NO_SEAT.reason(t)
            else:
                assert t("**Your hand**") in text_of(here.panel(person))
        set_locale(ana, "es-ES")
        await here.press(ana, here.panel(ana), "panel")
        assert ES("**Your hand**") in text_of(here.panel(ana))  # from the next click on
        await here.finish()
        assert ES.context("button", "Rematch") in [b.label for b in ana.buttons(here.shown)]
        assert EN.context("button", "Rematch") not in [b.label for b in ana.buttons(here.shown)]


@pytest.mark.thorough
async def test_a_spanish_speaker_gets_a_spanish_panel_on_an_english_server(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        set_locale(bea, "es-ES")
        await here.begin()
        view = here.table.view()
        assert view.match is not None
        assert turn_text(view, view.match, EN) in here.public_text
        assert ES("**Your hand**") in text_of(here.panel(bea))
        version = view.version
        await here.play_out(until=lambda: here.table.view().version > version + 1)
        assert ES("**Your hand**") in text_of(here.panel(bea))  # also when the panel is edited without a click
        assert EN("**Your hand**") in text_of(here.panel(ana))


@pytest.mark.spanish
async def test_the_rules_are_explained_in_the_readers_language(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        set_locale(bea, "es-ES")
        for preset in PRESETS:
            guides: list[str] = []
            for person in (ana, bea):
                await person.slash(here.channel, "escoba rules", variant=preset)
                guides.append(here.private_text(person))
            assert guides[0] != guides[1]
            assert "forty Spanish cards" in guides[0]
            assert "cuarenta" in guides[1]


@pytest.mark.thorough
async def test_a_table_keeps_its_language_after_a_restart(room_of: RoomOf):
    async with room_of(2, guild_locale="es-ES") as here:
        await here.begin()
        await here.restart(killed=True)
        view = here.table.view()
        assert view.match is not None
        assert turn_text(view, view.match, ES) in here.public_text


@pytest.mark.spanish
async def test_commands_have_spanish_names_and_descriptions(room_of: RoomOf):
    async with room_of(1) as here:
        (group,) = [c for c in here.tap.to("PUT", "/applications/*/commands")[-1].body if c["name"] == "escoba"]
        assert set(group["description_localizations"]) >= {"es-ES", "es-419"}
        for command in group["options"]:
            check(command, "command")
            for option in command.get("options") or []:
                check(option, "option")


def check(item: dict[str, Any], kind: str) -> None:
    """Assert that a command or option has a Spanish name and description."""
    for locale in ("es-ES", "es-419"):
        assert item["name_localizations"][locale] == words("es").context(kind, item["name"])
        assert item["description_localizations"][locale] != item["description"], item["name"]


async def test_an_ordinary_servers_tables_use_the_openers_language(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        set_locale(ana, "es-419")
        await here.begin()
        view = here.table.view()
        assert view.match is not None
        assert turn_text(view, view.match, ES) in here.public_text
        assert EN("**Your hand**") in text_of(here.panel(bea))


@pytest.mark.parametrize(("chosen", "spoken"), [pytest.param("en", EN, marks=pytest.mark.thorough), ("es", ES)])
async def test_a_language_in_the_guild_settings_comes_first(room_of: RoomOf, chosen: str, spoken: Words):
    async with room_of(2, guild_locale="es-ES" if chosen == "en" else None) as here:
        ana = here.people[0]
        here.env.backend.get_guild(here.world.guild.id).owner_id = ana.id
        await here.setting(ana, "language")
        menu = next(each for each in ana.selects(ana.panel(here.channel)) if each.custom_id == "s:language")
        names = dict(zip(menu.values, menu.labels, strict=True))
        assert ["usual", *languages()] == list(names)
        assert (names["en"], names["es"]) == ("English", "Español")
        await ana.choose(ana.panel(here.channel), [chosen], custom_id="s:language")
        await ana.slash(here.channel, "escoba play")
        assert spoken.context("button", "Join") in [button.label for button in ana.buttons(here.shown)]
        await here.restart(killed=True)
        await here.setting(ana, "language", "usual")
        assert spoken.context("button", "Join") in [button.label for button in ana.buttons(here.shown)], (
            "that table keeps its language"
        )
        await here.end(ana)
        await ana.slash(here.channel, "escoba play")
        other = {EN: ES, ES: EN}[spoken]
        assert other.context("button", "Join") in [button.label for button in ana.buttons(here.shown)]


async def test_a_language_that_was_never_offered_is_refused(room_of: RoomOf):
    async with room_of(1) as here:
        ana = here.people[0]
        here.env.backend.get_guild(here.world.guild.id).owner_id = ana.id
        await here.setting(ana, "language")
        await forge(ana, ana.panel(here.channel), "s:language", ["xx"])
        assert STALE in here.private_text(ana)
        assert (await here.bot.parts.guild_settings.of(here.world.guild.id, LanguageSettings)).language is None


@pytest.mark.thorough
async def test_a_rematch_uses_the_servers_new_language(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        here.env.backend.get_guild(here.world.guild.id).owner_id = ana.id
        await here.begin(target=5)
        await here.finish()
        await here.setting(ana, "language", "es")
        await here.press(bea, here.shown, "rematch")
        assert ES.context("button", "Join") in [button.label for button in ana.buttons(here.shown)]


@pytest.mark.parametrize("before", thorough_but([None, "en-US"], None))
async def test_a_lobby_changes_language_with_its_server(room_of: RoomOf, before: str | None):
    async with room_of(3, guild_locale=before) as here:
        ana, bea, _ = here.people
        await ana.slash(here.channel, "escoba play")
        assert EN.context("button", "Join") in [button.label for button in ana.buttons(here.shown)]
        choose_language(here.env, here.world.guild.id, "es-ES")
        await here.env.settle()
        assert ES.context("button", "Join") in [button.label for button in ana.buttons(here.shown)]
        await here.restart(killed=True)
        await here.press(bea, here.shown, "join")
        assert ES.context("button", "Join") in [button.label for button in ana.buttons(here.shown)]
        await here.press(ana, here.shown, "start")
        shown = here.public_text
        choose_language(here.env, here.world.guild.id, "en-GB")
        await here.env.settle()
        assert here.public_text == shown, "a match keeps the language it began in"


async def test_a_lobby_keeps_the_language_chosen_in_the_guild_settings(room_of: RoomOf):
    async with room_of(1) as here:
        ana = here.people[0]
        here.env.backend.get_guild(here.world.guild.id).owner_id = ana.id
        await here.setting(ana, "language", "en")
        await ana.slash(here.channel, "escoba play")
        choose_language(here.env, here.world.guild.id, "es-ES")
        await here.env.settle()
        assert EN.context("button", "Join") in [button.label for button in ana.buttons(here.shown)]


async def test_a_lobby_keeps_its_language_when_the_change_cannot_be_stored(
    room_of: RoomOf, caplog: pytest.LogCaptureFixture
):
    async with room_of(1) as here:
        ana = here.people[0]
        await ana.slash(here.channel, "escoba play")
        with patch.object(Games, "set_locale", side_effect=StoreUnavailable(Fault.DISK_FULL, "the disk is full")):
            choose_language(here.env, here.world.guild.id, "es-ES")
            await here.env.settle()
        assert EN.context("button", "Join") in [button.label for button in ana.buttons(here.shown)]
        assert "Could not change the language of open lobbies" in caplog.text
