"""The page on a phone: everything fits and can be reached and pressed with a thumb."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from bot.demo import Demo
from tests.demo.conftest import PHONE, PHONE_ON_ITS_SIDE, Open
from tests.support.dose import thorough_but

pytestmark = pytest.mark.asyncio(loop_scope="module")

THUMB = 44
FAULTS = """(thumb) => {
    const seen = (selector, except) => [...document.querySelectorAll(selector)]
        .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(except))
        .map((each) => [each.getBoundingClientRect(), each.outerHTML.slice(0, 120)]);
    const wide = seen("body *", ".faces, pre, svg, .sr")
        .filter(([at]) => at.width && (at.right > innerWidth + 1 || at.left < -1))
        .map(([, html]) => `doesn't fit: ${html}`);
    const small = seen("button, a, select, input, textarea", ".markup, .spine")
        .filter(([at]) => at.height < thumb || at.width < thumb)
        .map(([at, html]) => `${at.width} x ${at.height}: ${html}`);
    return [...wide, ...small];
}"""


async def check(page: Page, shot: Path) -> None:
    await page.screenshot(path=shot)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await page.evaluate(FAULTS, THUMB) == []


@pytest.mark.parametrize("size", thorough_but([PHONE, PHONE_ON_ITS_SIDE], PHONE))
async def test_everything_fits_and_can_be_pressed(
    sample: Demo, open_as: Open, tmp_path: Path, size: tuple[int, int]
) -> None:
    page = await open_as(sample, "emma", size, has_touch=True, is_mobile=True)
    await check(page, tmp_path / "welcome.png")
    await page.locator("#composer textarea").fill("/")
    await check(page, tmp_path / "commands.png")
    await page.locator(".command", has_text="echo").tap()
    await page.locator(".more-options").tap()
    await page.locator(".add-option", has_text="who").tap()
    await page.locator(".value", has_text="@Noah").tap()
    await check(page, tmp_path / "options.png")
    await page.keyboard.press("Escape")
    await page.locator("#composer textarea").fill("/board")
    await page.keyboard.press("Enter")
    await page.locator(".command-form .send").tap()
    await page.locator('[data-id="t:secret"]').tap()
    await expect(page.locator(".message.ephemeral")).to_be_in_viewport()
    await check(page, tmp_path / "board.png")
    await page.locator(".alt-badge").tap()
    await expect(page.locator(".alt-text")).to_be_in_viewport(ratio=1)
    await check(page, tmp_path / "alt.png")
    await page.locator(".shade").tap(position={"x": 5, "y": 5})
    await page.locator(".menu").tap()
    await expect(page.locator(".popover.sheet")).to_be_in_viewport(ratio=1)
    await check(page, tmp_path / "menu.png")


@pytest.mark.thorough
async def test_a_phone_on_its_side_leaves_the_game_two_thirds_of_its_height(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "emma", PHONE_ON_ITS_SIDE, has_touch=True, is_mobile=True)
    height = await page.locator("#scroller").evaluate("each => each.clientHeight")
    assert height > PHONE_ON_ITS_SIDE[1] * 2 / 3
    await expect(page.locator("#sidebar")).not_to_be_in_viewport()
    await page.locator("#header button").first.tap()
    await expect(page.locator("#sidebar")).to_be_in_viewport()


@pytest.mark.thorough
async def test_choosing_doesnt_open_the_keyboard(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "emma", PHONE, has_touch=True, is_mobile=True)
    typing = "document.activeElement.matches('input:not([inputmode=none]), textarea')"
    await page.locator("#composer .icon-button").first.tap()
    await page.locator(".command", has_text="board").tap()
    await page.locator(".command-form .send").tap()
    await page.locator(".menu").tap()
    assert not await page.evaluate(typing)
    await page.locator(".option").last.tap()
    await page.locator(".menu-foot button").tap()
    await expect(page.locator(".container")).to_contain_text("chosen ['oros', 'bastos']")
    assert not await page.evaluate(typing)
    await page.locator("#composer .icon-button").first.tap()
    await page.locator(".command", has_text="echo").tap()
    await page.locator(".pill input").fill("3")
    await page.locator(".more-options").tap()
    await page.locator(".add-option", has_text="who").tap()
    assert not await page.evaluate(typing)
    await page.locator(".value", has_text="@Noah").tap()
    assert not await page.evaluate(typing)


@pytest.mark.thorough
async def test_no_hover_colour_stays_after_a_tap(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "emma", PHONE, has_touch=True, is_mobile=True)
    await page.locator("#composer textarea").fill("/board")
    await page.keyboard.press("Enter")
    await page.locator(".command-form .send").tap()
    count = page.locator('[data-id="t:count"]')
    colour = "each => getComputedStyle(each).backgroundColor"
    before = await count.evaluate(colour)
    await count.tap()
    await expect(page.locator(".container h2")).to_have_text("Count 1")
    await page.wait_for_timeout(250)  # longer than a colour takes to change
    assert await count.evaluate(colour) == before
    clipped = "all => all.filter((each) => each.scrollHeight > each.clientHeight).length"
    assert await page.locator(".label").evaluate_all(clipped) == 0


@pytest.mark.thorough
async def test_channels_members_and_people_are_within_reach(sample: Demo, open_as: Open, tmp_path: Path) -> None:
    page = await open_as(sample, "emma", PHONE, has_touch=True, is_mobile=True)
    await expect(page.locator("#sidebar")).not_to_be_in_viewport()
    await page.locator("#header button").first.tap()
    await expect(page.locator("#sidebar")).to_be_in_viewport(ratio=1)
    await page.wait_for_timeout(300)  # until it has slid in
    await check(page, tmp_path / "channels.png")
    await page.locator(".channel", has_text="mesa-2").tap()
    await expect(page.locator("#header h1")).to_have_text("mesa-2")
    await expect(page.locator("#sidebar")).not_to_be_in_viewport()
    await page.locator("#header button").first.tap()
    await page.locator(".channel", has_text="mesa-2").tap()  # the channel that is open already
    await expect(page.locator("#sidebar")).not_to_be_in_viewport()
    await page.locator("#header button").last.tap()
    await expect(page.locator("#members")).to_be_in_viewport()
    await check(page, tmp_path / "members.png")
    await page.locator("#header button").last.tap()
    await page.locator(".face-button").first.tap()
    await expect(page).to_have_url(sample.address() + "as/ana#mesa-2")
