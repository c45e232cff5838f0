"""A window: its user and language, what it shows of the server, and what it does while the server is down."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from bot.demo import Demo, running
from bot.demo.server import listen
from bot.settings import Settings
from tests.demo.conftest import PHONE, WIDE, Open
from tests.demo.sample import create_sample
from tests.demo.steps import button, show_board
from tests.support.dose import thorough_but

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.thorough
async def test_somebody_else_takes_over_without_reloading(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "ana")
    await show_board(page)
    await button(page, "secret").click()
    await expect(page.locator(".message.ephemeral")).to_have_count(1)
    await page.evaluate("window.same = true")
    await page.locator(".face-button", has_text="Emma").click()
    await expect(page).to_have_url(sample.address() + "as/emma")
    await expect(page.locator("#welcome h2")).to_have_text("Welcome to #mesa-1!")
    await expect(page.locator(".message")).to_have_count(1)
    await page.go_back()
    await expect(page.locator(".message.ephemeral")).to_have_count(1)
    assert await page.evaluate("window.same")


@pytest.mark.parametrize("size", thorough_but((WIDE, PHONE), PHONE), ids={WIDE: "wide", PHONE: "phone"}.get)
async def test_languages_are_chosen_in_the_page(sample: Demo, open_as: Open, size: tuple[int, int]) -> None:
    page = await open_as(sample, "ana", size)
    await show_board(page)
    await page.get_by_role("button", name="Tu idioma Español (España)").press("Enter")
    await page.keyboard.press("Home")
    await expect(page.get_by_role("menuitemradio", name="English (United States)")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("#welcome h2")).to_have_text("Welcome to #mesa-1!")
    await expect(page.locator("html")).to_have_attribute("lang", "en")
    await expect(page.get_by_role("button", name="Your language English (United States)")).to_be_focused()
    await page.locator(".hint .language").click()
    await page.get_by_role("menuitemradio", name="English (United Kingdom)").click()
    public = "Language of the messages everyone sees: English (United Kingdom)"
    await expect(page.get_by_role("button", name=public)).to_be_visible()
    await button(page, "language").click()
    await expect(page.locator(".message.ephemeral .markup")).to_have_text("en-US en-GB")


@pytest.mark.thorough
async def test_channels_have_their_own_messages_and_show_unread_ones(sample: Demo, open_as: Open) -> None:
    ana, emma = await open_as(sample, "ana"), await open_as(sample, "emma")
    await ana.locator(".channel", has_text="mesa-2").click()
    await expect(ana.locator("#header h1")).to_have_text("mesa-2")
    await ana.locator("#composer textarea").fill("hello")
    await ana.keyboard.press("Enter")
    await expect(emma.locator(".channel.unread")).to_have_text("mesa-2")
    await expect(emma.locator(".message")).to_have_count(0)
    await emma.locator(".channel.unread").click()
    await expect(emma.locator(".message .markup")).to_have_text("hello")
    await expect(emma.locator(".channel.unread")).to_have_count(0)


@pytest.mark.thorough
async def test_the_menu_of_a_person_has_the_commands_for_people(sample: Demo, open_as: Open) -> None:
    ana = await open_as(sample, "ana")
    await ana.locator(".member", has_text="Emma").click()
    await ana.locator(".menu-item", has_text="Saludar").click()
    await expect(ana.locator(".message .markup")).to_have_text("Ana greets Emma")
    await ana.locator(".member", has_text="Ana").click()
    await expect(ana.locator(".menu-item", has_text="Saludar")).to_have_count(0)


@pytest.mark.thorough
async def test_a_person_with_a_window_is_online(sample: Demo, open_as: Open) -> None:
    ana = await open_as(sample, "ana")
    await expect(ana.locator(".member.away")).to_have_count(7)
    await open_as(sample, "luis")
    await expect(ana.locator(".member.away")).to_have_count(6)


@pytest.mark.thorough
async def test_a_lost_connection_is_shown_and_restored(settings: Settings, open_as: Open, tmp_path: Path) -> None:
    with listen(0) as free:
        port = free.getsockname()[1]
    settings = settings.model_copy(update={"demo_port": port})
    async with running(settings, create_sample) as demo:
        page = await open_as(demo, "emma")
        bar = page.locator("#connection")
        await expect(bar).to_be_hidden()
    await expect(bar).to_contain_text("Reconnecting")
    await page.screenshot(path=tmp_path / "reconnecting.png")
    await page.locator("#composer textarea").fill("hello?")
    await page.keyboard.press("Enter")
    await expect(page.locator(".toast")).to_contain_text("can't be reached")
    await expect(page.locator("#composer textarea")).to_have_value("hello?")
    async with running(settings, create_sample):
        await expect(bar).to_be_hidden()
        await page.keyboard.press("Enter")
        await expect(page.locator(".message .markup")).to_have_text("hello?")


@pytest.mark.thorough
async def test_reading_old_messages_isnt_disturbed_by_new_ones(sample: Demo, open_as: Open) -> None:
    ana, emma = await open_as(sample, "ana"), await open_as(sample, "emma")
    await show_board(ana)
    await emma.mouse.move(600, 400)
    await emma.mouse.wheel(0, -2000)
    await expect(emma.locator("#jump")).to_have_text("Jump to present")
    before = await emma.locator("#scroller").evaluate("each => each.scrollTop")
    await ana.locator("#composer textarea").fill("hello")
    await ana.keyboard.press("Enter")
    await expect(emma.locator("#jump")).to_contain_text("1 new")
    assert await emma.locator("#scroller").evaluate("each => each.scrollTop") == before
    await emma.locator("#jump").click()
    await expect(emma.locator("#jump")).to_be_hidden()
    await expect(emma.locator(".message").last).to_be_in_viewport(ratio=1)
    await ana.locator("#composer textarea").fill("again")
    await ana.keyboard.press("Enter")
    await expect(emma.locator(".message").last).to_contain_text("again")
    await expect(emma.locator(".message").last).to_be_in_viewport(ratio=1)


GROW = """() => {
  document.getElementById("jump").click();
  document.getElementById("messages").lastElementChild.style.height = "2000px";
}"""
"""Going to the newest message, whose picture arrives before the page has told that it scrolled."""


async def test_the_newest_message_stays_in_view_when_its_picture_arrives(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "emma")
    await show_board(page)
    await page.mouse.move(600, 400)
    await page.mouse.wheel(0, -2000)
    await expect(page.locator("#jump")).to_be_visible()
    await page.evaluate(GROW)
    await page.wait_for_function("scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 60")
    await expect(page.locator("#jump")).to_be_hidden()


@pytest.mark.thorough
async def test_the_hint_stays_dismissed_and_can_be_opened_again(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "emma")
    await page.locator(".hint .button").click()
    await page.reload()
    await page.locator("#welcome h2").wait_for()
    await expect(page.locator(".hint")).to_have_count(0)
    await page.get_by_role("button", name="Help").click()
    await expect(page.locator(".hint")).to_be_visible()


@pytest.mark.thorough
async def test_everything_can_be_reached_by_keyboard_and_has_a_name(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "ana")
    await show_board(page)
    await page.keyboard.press("Tab")
    nameless = """() => [...document.querySelectorAll("button, a, input, textarea, select, [tabindex]")]
        .filter((each) => each.checkVisibility() && !each.closest("pre") && each.id !== "scroller")
        .filter((each) => !each.textContent.trim() && !each.ariaLabel && !each.labels?.length)
        .filter((each) => !each.querySelector("img[alt]"))
        .map((each) => each.outerHTML)"""
    assert await page.evaluate(nameless) == []
    await page.keyboard.press("Escape")
    await page.locator("body").press("/")
    await expect(page.locator("#composer textarea")).to_be_focused()
    await page.keyboard.press("Escape")
    await button(page, "count").focus()
    for number in (1, 2):
        await page.keyboard.press("Enter")
        await expect(page.locator(".container h2")).to_have_text(f"Count {number}")
        await expect(button(page, "count")).to_be_focused()


@pytest.mark.thorough
async def test_a_link_to_a_message_opens_it_inside_the_page(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "emma")
    await show_board(page)
    world = sample.world
    channel = world.channels["mesa-1"]
    url = f"https://discord.com/channels/{world.guild.id}/{channel.id}/{channel.history()[0].id}"
    await page.goto(page.url + "#mesa-2")
    await page.locator("#composer textarea").fill(f"[the board]({url})")
    await page.keyboard.press("Enter")
    await page.locator(".goto", has_text="the board").click()
    await expect(page.locator("#header h1")).to_have_text("mesa-1")
    await expect(page.locator(".message.flash")).to_have_count(1)
