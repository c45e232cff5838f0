"""Links: clickable command mentions, help, and the operator's privacy notice and terms."""

import shutil
from pathlib import Path

import pytest

from bot.platform.language import catalogues
from bot.platform.language.commands import Translator
from bot.process import commands
from bot.process.commands import CommandSync
from tests.support.escoba import Room, RoomOf, own
from tests.support.limits_components import BUTTON, walk
from tests.support.people import Person, components_of, set_locale

HELP, PAPER, TERMS = "https://example.org/help", "https://example.org/privacy", "http://example.org/terms?x=1#y"
ADDRESSES = {"support_url": HELP, "privacy_url": PAPER, "terms_url": TERMS}


def links(here: Room, person: Person) -> list[tuple[str, str]]:
    """The labels and addresses of the link buttons on the newest private message."""
    nodes = [node for _, node in walk(components_of(person.panel(here.channel)))]
    return [(node["label"], node["url"]) for node in nodes if node.get("type") == BUTTON and node.get("url")]


async def status(here: Room, person: Person) -> None:
    """Open the bot's status."""
    await person.slash(here.channel, "escoba-admin")


LINKING = (Room.open_data, status)
"""The ways to the screens with links."""


async def test_help_privacy_notice_and_terms_are_linked(room_of: RoomOf):
    async with room_of(1, **ADDRESSES) as here:
        [ana] = here.people
        own(here, ana)
        for opened in LINKING:
            await opened(here, ana)
            expected = [("Get help", HELP), ("Privacy notice", PAPER), ("Terms of use", TERMS)]
            assert links(here, ana) == expected, opened.__name__


@pytest.mark.spanish
async def test_only_configured_addresses_are_linked(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        own(here, ana)
        for opened in LINKING:
            await opened(here, ana)
            assert links(here, ana) == [], opened.__name__
    async with room_of(1, terms_url=TERMS) as here:
        [ana] = here.people
        own(here, ana)
        set_locale(ana, "es-419")
        for opened in LINKING:
            await opened(here, ana)
            assert links(here, ana) == [("Condiciones de uso", TERMS)], opened.__name__


def mention(here: Room, name: str) -> str:
    """A subcommand's mention in Discord's markup."""
    [number] = {number for path, number in here.bot.parts.wording.command_ids.ids if path == f"escoba {name}"}
    return f"</escoba {name}:{number}>"


@pytest.mark.spanish
async def test_commands_named_in_a_private_text_can_be_clicked(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await ana.slash(here.channel, "escoba hand")
        assert mention(here, "play") in here.private_text(ana)
        set_locale(ana, "es-ES")
        await ana.slash(here.channel, "escoba hand")
        assert "`/escoba jugar`" in here.private_text(ana), "Discord would show the English name, which isn't listed"


async def test_commands_named_on_a_table_can_be_clicked(room_of: RoomOf):
    async with room_of(2, lobby_minutes=1) as here:
        await here.lobby()
        await here.wait(61)
        assert mention(here, "play") in here.public_texts()[0]


async def synced(here: Room) -> bool:
    """Sync the commands as a bot does on the real Discord. Returns whether they were sent."""
    parts = here.bot.parts
    sync = CommandSync(
        here.bot.tree, parts.stores.values, parts.clock, parts.wording, sends=True, always=False, home=None
    )
    return await sync.sync()


async def test_command_ids_are_known_even_when_no_sync_is_needed(room_of: RoomOf):
    async with room_of(1) as here:
        before = here.bot.parts.wording.command_ids
        assert {path for path, _ in before.ids} >= {"escoba play", "escoba table", "escoba me"}
        syncs = len(here.tap.to("PUT", "/applications/*/commands"))
        here.bot.parts.wording.command_ids = type(before)()
        assert not await synced(here)
        assert here.bot.parts.wording.command_ids == before
        assert len(here.tap.to("PUT", "/applications/*/commands")) == syncs


async def test_commands_are_sent_again_once_a_catalogue_has_changed_but_no_catalogue_is_parsed_to_see_that(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    # a process hashes them once, and each sync here stands for a process of its own
    monkeypatch.setattr(commands, "catalogues_digest", catalogues.catalogues_digest.__wrapped__)
    async with room_of(1) as here:
        with monkeypatch.context() as parsing:
            parsing.setattr(Translator, "translate", None)
            assert not await synced(here)
        folder = tmp_path / "locale"
        shutil.copytree(catalogues.LOCALE_DIR, folder)
        monkeypatch.setattr(catalogues, "LOCALE_DIR", folder)
        assert not await synced(here)
        with (folder / "es" / "LC_MESSAGES" / "bot.po").open("a", encoding="utf-8") as file:
            file.write("# changed\n")
        assert await synced(here)
        assert not await synced(here)
