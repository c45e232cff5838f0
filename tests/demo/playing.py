"""A match for two in two windows of a demo, by mouse: `python -m tests.demo.playing ADDRESS PICTURE` of its end."""

import asyncio
import sys

from playwright.async_api import Page, TimeoutError, async_playwright, expect

from tests.demo.conftest import CHROMIUM, FLAGS, HANG_MS, WIDE

TARGET = 5
IDLE_MS = 20
GONE_MS = 5000
"""The longest time a press may take; after that the button is gone."""
MOVES = ".ephemeral [data-id^='e:take:']:enabled, .ephemeral [data-id^='e:card:']:enabled"
LIST = "[role=listbox]:visible"
ON = ".message [data-id^='e:next:']:enabled"
OVER = ".message [data-id^='e:rematch:']"
HAND = ".message.ephemeral:not(:has([data-id^='e:learn:']))"
"""A hand, and not the lesson that somebody new is offered when they sit down."""
IDS = """() => [...document.querySelectorAll("#messages [data-id^='e:']")].map((each) => each.dataset.id).join()"""
CHANGED = f"(before) => ({IDS})() !== before"


async def open_table(page: Page) -> None:
    """Type the command, choose it, and fill in a target."""
    await page.locator("#composer textarea").fill("/")
    await page.locator(".command").first.click()
    await page.locator(".add-option").last.click()  # the target, after the preset
    await page.locator(".pill input").fill(str(TARGET))
    await page.locator(".command-form .send").click()
    await page.locator("[data-id^='e:join:']").wait_for()


async def press(ana: Page, emma: Page, *, until: int) -> int:
    """Press whatever moves the match on, in either window, about `until` times or until its round is over.

    Returns the number of presses. Each must change both windows, unless the other's press or the clock came first.
    """
    presses = idle = 0
    while presses < until and not await ana.locator(OVER).count():
        idle += 1
        for page, other in ((ana, emma), (emma, ana)):
            for choice in (MOVES, ON):
                buttons = page.locator(choice)
                if await buttons.count():
                    # not before that: without the cards to play, a hand looks the same before and after its move
                    before, others = await page.evaluate(IDS), await other.evaluate(IDS)
                    try:
                        await buttons.first.click(timeout=GONE_MS)
                    except TimeoutError:
                        break  # the other's press has just taken it away
                    if await page.locator(LIST).count():  # the panel grew at that moment: a menu was under the mouse
                        await page.keyboard.press("Escape")
                        break
                    presses, idle = presses + 1, 0
                    try:
                        if choice == ON:  # the next round is dealt as soon as both have asked for it
                            await other.locator(choice).first.click(timeout=GONE_MS)
                            presses += 1
                        await other.wait_for_function(CHANGED, arg=others, timeout=GONE_MS)
                        await page.wait_for_function(CHANGED, arg=before, timeout=GONE_MS)
                    except TimeoutError:  # the round went on by its clock; if nothing moves any more, `idle` says so
                        break
                    if choice == ON:
                        return presses
                    break
        if idle:  # the table has been updated, but a hand hasn't yet
            assert idle * IDLE_MS < HANG_MS, "nobody can make a move"
            await ana.wait_for_timeout(IDLE_MS)
    return presses


async def sit_down(ana: Page, emma: Page) -> None:
    """Open a table, start a match for two on it, and open both hands."""
    await open_table(ana)
    await expect(emma.locator("[data-id^='e:join:']")).to_be_visible()
    await emma.locator("[data-id^='e:join:']").click()
    await expect(ana.locator(".container")).to_contain_text("Emma")
    await ana.locator("[data-id^='e:start:']").click()
    for page in (ana, emma):
        await page.locator("[data-id^='e:hand:']").click()
        await page.locator(HAND).wait_for()


async def play(ana: Page, emma: Page) -> int:
    """Play a whole match, and return the number of presses that it took."""
    await sit_down(ana, emma)
    presses = 0
    while not await ana.locator(OVER).count():
        presses += await press(ana, emma, until=sys.maxsize)
    return presses


async def _visit(address: str, picture: str) -> int:
    """Play a match on the demo at an address, and take a picture of its end."""
    async with (
        async_playwright() as playwright,
        await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split()) as browser,
    ):
        windows: list[Page] = []
        for slug in ("ana", "emma"):
            page = await browser.new_page(viewport={"width": WIDE[0], "height": WIDE[1]})
            await page.goto(f"{address}as/{slug}")
            windows.append(page)
        presses = await play(*windows)
        await windows[0].screenshot(path=picture)
    return presses


if __name__ == "__main__":
    asyncio.run(_visit(sys.argv[1], sys.argv[2]))
