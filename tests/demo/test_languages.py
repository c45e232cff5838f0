"""The languages of the demo: people and the server may have every language of the bot, also those Discord lacks."""

import aiohttp
import pytest

from bot.demo import Demo
from bot.demo.actions import ActionError, act
from bot.platform.settings.language import LanguagePreference, LanguageSettings
from bot.process.app import EscobaBot
from bot.process.parts import Parts
from tests.demo.conftest import Open

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("regional")]


def parts_of(demo: Demo) -> Parts:
    assert isinstance(demo.world.bot, EscobaBot)
    return demo.world.bot.parts


async def choose(demo: Demo, slug: str, tag: str, kind: str = "locale") -> None:
    await act(demo.world, demo.world.residents[slug], {"kind": kind, "locale": tag})


def spoken(demo: Demo, slug: str) -> tuple[str, str, str, str | None]:
    """Their Discord's locale, their page's language, what counts as chosen, and what they prefer in the bot."""
    resident = demo.world.residents[slug]
    setting = demo.world.setting(resident, set())
    preferred = parts_of(demo).preferences.cached(resident.user.id, LanguagePreference).language
    return setting["locale"], setting["language"], setting["chosen"], preferred


async def public(demo: Demo) -> tuple[str | None, str, str | None]:
    """The Discord locale of the server, what counts as chosen, and what is set in the bot."""
    return (
        demo.world.languages.guild_locale,
        demo.world.languages.guild_chosen,
        (await parts_of(demo).guild_settings.of(demo.world.guild.id, LanguageSettings)).language,
    )


async def test_a_language_that_discord_lacks_is_chosen_in_the_bot(demo: Demo) -> None:
    await choose(demo, "ana", "es-AR")
    assert spoken(demo, "ana") == ("es-419", "es-AR", "es-AR", "es_AR")
    await choose(demo, "ana", "es-419")
    assert spoken(demo, "ana") == ("es-419", "es-419", "es-419", None)
    with pytest.raises(ActionError, match="invalid"):
        await choose(demo, "ana", "ca")


async def test_a_language_preferred_in_the_bot_is_the_pages(demo: Demo) -> None:
    ana = demo.world.residents["ana"]
    await parts_of(demo).preferences.change(ana.user.id, LanguagePreference, language="pt_BR")
    assert spoken(demo, "ana") == ("es-ES", "pt-BR", "pt-BR", "pt_BR")


async def test_the_server_too_may_have_a_language_that_discord_lacks(demo: Demo) -> None:
    await choose(demo, "ana", "es-AR", "guild_locale")
    assert await public(demo) == ("es-419", "es-AR", "es_AR")
    await choose(demo, "ana", "en-GB", "guild_locale")
    assert await public(demo) == ("en-GB", "en-GB", None)


async def test_the_server_follows_its_first_visitor_unless_its_settings_name_a_language(demo: Demo) -> None:
    ana = demo.world.residents["ana"]
    await demo.world.languages.welcome(ana)
    await choose(demo, "ana", "es-AR")
    assert await public(demo) == ("es-419", "es-AR", "es_AR")
    await choose(demo, "ana", "es-ES")
    assert await public(demo) == ("es-ES", "es-ES", None)
    await parts_of(demo).guild_settings.change(demo.world.guild.id, LanguageSettings, language="pt_BR")
    await choose(demo, "ana", "en-US")
    assert await public(demo) == ("es-ES", "pt-BR", "pt_BR")


async def visit(demo: Demo, languages: str) -> str:
    """Open the demo with a browser, and return whose page it gets."""
    async with (
        aiohttp.ClientSession(demo.address()) as client,
        client.get("/", headers={"Accept-Language": languages}, allow_redirects=False) as answer,
    ):
        return answer.headers["Location"]


async def test_the_first_person_learns_the_browsers_language_if_nobody_speaks_it(demo: Demo) -> None:
    assert await visit(demo, "fr,es-AR;q=0.8,en;q=0.5") == "/as/ana"
    assert spoken(demo, "ana")[1:3] == ("es-AR", "es-AR")
    assert await visit(demo, "pt") == "/as/ana"
    assert spoken(demo, "ana")[1] == "es-AR", "somebody came with it"
    assert await visit(demo, "es-MX") == "/as/luis"


async def test_a_language_that_was_chosen_stays(demo: Demo) -> None:
    await choose(demo, "ana", "en-GB")
    assert await visit(demo, "es-AR") == "/as/ana"
    assert spoken(demo, "ana")[2] == "en-GB"


async def test_a_persons_own_address_leaves_them_their_language(demo: Demo, open_as: Open) -> None:
    page = await open_as(demo, "ana", locale="pt-BR")
    assert await page.locator("html").get_attribute("lang") == "es"
    await page.goto(demo.address())
    await page.locator("#welcome h2").wait_for()
    assert await page.locator("html").get_attribute("lang") == "pt-BR"
