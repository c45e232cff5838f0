"""The real bot in two browsers at once: a match by mouse, but the middle of each round is played faster."""

import asyncio
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import Page, expect

from bot.demo import Demo
from bot.platform.kit.codec import base36
from bot.platform.people import Person
from bot.players import Level, choose
from bot.process.app import EscobaBot
from bot.tables.log.actions import PlayMove
from tests.demo.conftest import PHONE, Open
from tests.demo.playing import CHANGED, IDLE_MS, IDS, MOVES, OVER, press, sit_down
from tests.support.patience import HANG_SECONDS

pytestmark = pytest.mark.asyncio(loop_scope="module")

FIRST = 6
"""How many presses the first deal takes."""
MOST = 20
"""The most presses at the end of a round."""
ASKED = ("fetch", "xhr")


async def hurry(demo: Demo, ana: Page, emma: Page) -> None:
    """Play on without the mouse until nobody has more than one card left in the round, and the next can be pressed."""
    world = demo.world
    bot = world.bot
    assert isinstance(bot, EscobaBot)
    (table,) = bot.parts.manager.within()
    people = [Person(world.residents[slug].user.id, slug.capitalize()) for slug in ("ana", "emma")]
    async with asyncio.timeout(HANG_SECONDS):
        # the windows may have changed for a reason other than the press that deals the round
        while (match := table.view().match) is not None and match.turn is None:  # noqa: ASYNC110 - nothing tells us
            await asyncio.sleep(IDLE_MS / 1000)
    while (match := table.view().match) is not None and (match.deal < match.deals or sum(match.hand_counts) > 2):
        assert match.turn is not None
        seen = table.seat_view(match.turn)
        assert seen is not None
        move = choose(seen, Level.NORMAL, Random(1))
        async with world.operation():
            await table.submit(PlayMove(people[match.turn], table.view().version, move))
            await world.env.settle()
    assert match is not None
    assert match.turn is not None
    mine = f".ephemeral [data-id*=':{base36(table.view().version)}:']:enabled"
    await (ana, emma)[match.turn].locator(mine).first.wait_for()


@pytest.mark.thorough
async def test_two_people_play_a_match_to_its_end(demo: Demo, open_as: Open, tmp_path: Path) -> None:
    ana, emma = await open_as(demo, "ana"), await open_as(demo, "emma")
    await sit_down(ana, emma)
    for page, name in ((ana, "ana"), (emma, "emma")):
        await page.screenshot(path=tmp_path / f"hand of {name}.png")

    asked: list[str] = []
    for page in (ana, emma):
        page.on("request", lambda request: asked.append(request.url) if request.resource_type in ASKED else None)
    presses = await press(ana, emma, until=FIRST)
    rounds = 0
    while not await ana.locator(OVER).count():
        rounds += 1
        await hurry(demo, ana, emma)
        presses += await press(ana, emma, until=MOST)
    assert presses >= FIRST + 2 * rounds, "a round's last moves and what comes after it"
    assert [url for url in asked if "/act/" not in url] == [], "windows are sent moves and never ask for them"
    await expect(emma.locator(OVER).first).to_be_visible()
    await ana.screenshot(path=tmp_path / "end.png")
    assert await ana.locator(".toast").count() == 0


@pytest.mark.thorough
async def test_a_game_in_a_thread_against_a_computer_on_a_phone(demo: Demo, open_as: Open, tmp_path: Path) -> None:
    page = await open_as(demo, "emma", PHONE, has_touch=True, is_mobile=True)
    await page.locator("#welcome .big").tap()
    await page.locator("[data-id^='e:options:']").tap()
    await page.locator("[data-id^='e:thread:']").tap()
    await page.locator(".thread-link").tap()
    await expect(page.locator("#header h1")).to_have_text("🧹 Emma · Escoba")
    await page.locator("[data-id^='e:addc:']").tap()
    await page.locator("[data-id^='e:start:']:enabled").tap()
    await page.locator("[data-id^='e:hand:']").tap()
    for _ in range(3):
        move = page.locator(MOVES).first
        await expect(move).to_be_visible()
        before = await page.evaluate(IDS)
        await move.tap()
        await page.wait_for_function(CHANGED, arg=before)
        await page.screenshot(path=tmp_path / "phone.png")
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
