"""The page for people with a screen reader, a keyboard or weak eyes: axe finds nothing, in either theme."""

from collections.abc import AsyncGenerator

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from bot.demo import Demo
from bot.demo.people import locale_for, tags_of
from bot.platform.language.catalogues import language_of, languages
from tests.demo.conftest import PHONE, WIDE, Open
from tests.demo.steps import button, show_board, type_command
from tests.demo.test_saved_match import GAMES, drop
from tests.support.dose import thorough_but

pytestmark = pytest.mark.asyncio(loop_scope="module")

THEMES = "light", "dark"
STANDARDS = "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice", "experimental"
AXE = Axe()
TAGS = [tags_of(language)[0] for language in languages()]
USUAL = "es-ES"
every_language = pytest.mark.parametrize("tag", thorough_but(TAGS, USUAL))
every_language_of_discord = pytest.mark.parametrize(
    "tag", thorough_but((tag for tag in TAGS if locale_for(tag) == tag), USUAL)
)
"""For the sample bot, which can't remember other languages."""


async def open_in(demo: Demo, open_as: Open, tag: str, *size: tuple[int, int]) -> Page:
    """Open a window for somebody whose language has this tag."""
    await demo.world.languages.choose(demo.world.residents["ana"], tag)
    page = await open_as(demo, "ana", *size, reduced_motion="reduce")
    await expect(page.locator("html")).to_have_attribute("lang", (language_of(tag) or "").replace("_", "-"))
    return page


async def faults(page: Page, state: str) -> list[str]:
    """What axe finds on a page, and where; in the other theme, only what has to do with its colours."""
    found: list[str] = []
    for theme in THEMES:
        await page.emulate_media(color_scheme=theme)
        only = STANDARDS if theme == THEMES[0] else ("color-contrast",)
        results = await AXE.run(page, options={"runOnly": only, "resultTypes": ["violations"]})
        for fault in results.response["violations"]:
            found += [f"{state}, {theme}: {fault['id']}: {node['html'][:150]}" for node in fault["nodes"]]
    return found


async def sample_states(page: Page, *, phone: bool) -> AsyncGenerator[str]:
    """Bring the page into one state after the other, and name each."""
    yield "welcome"
    await page.locator("#header .icon-button").last.click()
    yield "members shown or hidden"
    await page.locator("#header .icon-button").last.click()
    if phone:
        await page.locator("#header .icon-button").first.click()
        yield "channels"
        await page.keyboard.press("Escape")
    line = page.locator("#composer textarea")
    await line.fill("/")
    yield "commands"
    await line.fill("/zzz")
    yield "no such command"
    await type_command(page, "echo")
    yield "a number is asked for"
    await page.keyboard.press("Enter")
    yield "a number is missing"
    await page.keyboard.type("7")
    await page.keyboard.press("Tab")
    yield "options"
    await page.locator(".add-option").first.click()
    yield "values"
    await page.locator(".value").first.click()
    yield "options filled in"
    await page.keyboard.press("Escape")
    await show_board(page)
    yield "components"
    await page.locator(".alt-badge").click()
    yield "alt text"
    await page.keyboard.press("Escape")
    await page.locator(".zoom").click()
    yield "picture"
    await page.keyboard.press("Escape")
    await page.locator(".spoiler").click()
    yield "spoiler"
    await page.locator(".container .menu").click()
    yield "menu"
    await page.keyboard.press("Escape")
    await button(page, "form").click()
    yield "form"
    await page.locator(".modal [type=submit]").click()
    yield "form to complete"
    await page.keyboard.press("Escape")
    await button(page, "secret").click()
    await expect(page.locator(".message.ephemeral")).to_be_visible()
    yield "private message"
    await button(page, "broken").click()
    await expect(page.locator(".toast")).to_be_visible()
    yield "failure"
    if phone:
        await page.locator("#header .icon-button").first.click()
    for part in (".guild-button", ".user-button", "#user .icon-button", ".language.own"):
        await page.locator(part).click()
        yield f"menu of {part}"
        await page.keyboard.press("Escape")
    await drop(page, "match.escoba", (GAMES / "escoba-chosen-in-the-open.escoba").read_bytes())
    await expect(page.locator(".hands")).to_be_visible()
    yield "saved match"
    await page.keyboard.press("Escape")
    await drop(page, "match.escoba", b"nothing")
    await expect(page.locator(".match-refused")).to_be_visible()
    yield "refused match"


async def match_states(page: Page) -> AsyncGenerator[str]:
    """Begin a match against a computer, and name what the page shows."""
    await page.locator("#composer textarea").fill("/")
    await expect(page.locator(".command").nth(9)).to_be_attached()
    yield "long list of commands"
    await page.keyboard.press("Escape")
    await page.locator("#composer textarea").fill("")
    await page.locator("#welcome .big").click()
    await page.locator("[data-id^='e:options:']").click()
    await page.locator(".message.ephemeral").wait_for()
    yield "lobby and its options"
    await page.locator("[data-id^='e:addc:']").click()
    await page.locator("[data-id^='e:start:']:enabled").click()
    await page.locator("[data-id^='e:hand:']").click()
    await page.locator("[data-id^='e:card:'], [data-id^='e:take:']").first.wait_for()
    yield "table and hand"
    await page.locator("[data-id^='e:rules:']").first.click()
    await expect(page.locator(".message.ephemeral").last).to_contain_text("15")
    yield "rules"


@every_language_of_discord
@pytest.mark.parametrize("size", thorough_but((WIDE, PHONE), WIDE), ids={WIDE: "wide", PHONE: "phone"}.get)
async def test_axe_finds_nothing_in_any_state_of_the_page(
    sample: Demo, open_as: Open, tag: str, size: tuple[int, int], expected_errors: list[tuple[str, str]]
) -> None:
    expected_errors.append(("discord.ui.view", "Ignoring exception"))
    page = await open_in(sample, open_as, tag, size)
    states = sample_states(page, phone=size == PHONE)
    found = [fault async for state in states for fault in await faults(page, state)]
    assert found == [], "\n".join(found)


@every_language
async def test_axe_finds_nothing_in_a_match(demo: Demo, open_as: Open, tag: str) -> None:
    page = await open_in(demo, open_as, tag)
    found = [fault async for state in match_states(page) for fault in await faults(page, state)]
    assert found == [], "\n".join(found)


async def test_an_emoji_alone_on_a_button_is_a_word_by_ear(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "ana")
    await show_board(page)
    await expect(button(page, "again")).to_have_accessible_name("Actualizar")
