"""A match's file dropped onto the page is shown step by step; any other file is refused with an explanation."""

import base64
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from bot.demo import Demo
from bot.engine.match_file import read
from tests.demo.conftest import PHONE, Open

pytestmark = pytest.mark.asyncio(loop_scope="module")

GAMES = Path(__file__).parents[1] / "engine" / "files" / "games"
DROP = """([name, content]) => {
    const bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], name));
    for (const kind of ["dragover", "drop"])
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
}"""


async def drop(page: Page, name: str, content: bytes) -> None:
    """Drop a file onto the page, as from a folder."""
    await page.evaluate(DROP, [name, base64.b64encode(content).decode()])


async def alts(page: Page, where: str) -> list[str]:
    """The names of the cards that lie somewhere, once their pictures are there."""
    cards = page.locator(f"{where} img")
    assert await cards.evaluate_all("all => Promise.all(all.map((each) => each.decode())).then(() => all.length)")
    return [await each.get_attribute("alt") or "" for each in await cards.all()]


@pytest.mark.thorough
async def test_a_dropped_match_is_shown_step_by_step(sample: Demo, open_as: Open) -> None:
    content = (GAMES / "escoba-chosen-in-the-open.escoba").read_bytes()
    steps = list(read(content).steps())
    page = await open_as(sample, "emma")
    await drop(page, "match.escoba", content)
    shown = page.get_by_role("dialog")
    await expect(shown.locator("h2")).to_have_text("🧹 Escoba · to 21 points")
    await expect(shown.locator(".told")).to_contain_text("Round 1:")
    await expect(shown.locator("output")).to_have_text(f"1 of {len(steps)}")
    assert len(await alts(page, ".hands")) == 9
    assert len(await alts(page, ".felt")) == 4

    laid = next(number for number, (_, match) in enumerate(steps) if match.round and match.round.laid)
    for _ in range(laid):
        await page.keyboard.press("ArrowRight")
    await expect(shown.locator("output")).to_have_text(f"{laid + 1} of {len(steps)}")
    await expect(shown.locator(".felt .laid")).to_have_count(1)
    await shown.get_by_role("button", name="On", exact=True).click()
    await expect(shown.locator(".told")).to_contain_text("and takes")
    captured = len(await alts(page, ".taken"))
    assert captured > 1
    await shown.get_by_role("button", name="To the end").click()
    await expect(shown.locator(".score")).to_contain_text("Total (to 21)")
    await expect(shown.get_by_role("button", name="On", exact=True)).to_be_disabled()
    await page.keyboard.press("Escape")
    await expect(shown).to_have_count(0)


async def test_a_match_can_be_chosen_on_a_phone_and_read_by_rounds(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "ana", PHONE)
    async with page.expect_file_chooser() as chooser:
        await page.get_by_role("button", name="Ver una partida guardada").click()
    await (await chooser.value).set_files(GAMES / "quince-3x2.escoba")
    shown = page.get_by_role("dialog")
    await shown.get_by_label("Mano", exact=True).select_option("Mano 2")
    await expect(shown.locator(".told")).to_contain_text("Mano 2: reparte")
    await expect(shown.locator(".hands li")).to_have_count(6)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = await shown.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE[0]
    assert box["height"] <= PHONE[1]
    await expect(shown.get_by_role("button", name="Adelante")).to_be_in_viewport(ratio=1)


NO_MATCHES = [
    (b"\x89PNG\r\n\x1a\n", "this isn't text in UTF-8"),
    (b"", "the match ends here"),
    (b"a" * 2_000_000, "at most 1,000,000 bytes"),
    (
        (GAMES / "escoba-2.escoba").read_bytes().replace(b"totals: ", b"totals: 9", 1),
        "by the moves, this is 'totals:",
    ),
]
"""A picture, nothing, too much, and a match that somebody has edited."""


@pytest.mark.thorough
async def test_a_file_that_is_not_a_match_is_refused_with_a_reason(sample: Demo, open_as: Open) -> None:
    page = await open_as(sample, "emma")
    for content, said in NO_MATCHES:
        await drop(page, "<b>file</b>", content)
        refusal = page.get_by_role("dialog")
        await expect(refusal.locator("h2")).to_have_text("This match can't be shown")
        await expect(refusal.get_by_role("alert")).to_contain_text(said)
        await expect(refusal.get_by_role("alert")).to_contain_text("of <b>file</b>:")
        await refusal.get_by_role("button", name="Close").click()
        await expect(refusal).to_have_count(0)
