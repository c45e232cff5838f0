"""A running demo, with the real bot or a sample one, and a browser."""

import shutil
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import (
    Browser,
    ConsoleMessage,
    Error,
    Page,
    ViewportSize,
    async_playwright,
    expect,
)

from bot.demo import Demo, running
from bot.process.app import create_bot
from bot.settings import Settings
from tests.demo.sample import create_sample
from tests.support.databases import with_tables
from tests.support.patience import HANG_SECONDS

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
WIDE, PHONE, PHONE_ON_ITS_SIDE = (1280, 800), (390, 844), (844, 390)
HANG_MS = HANG_SECONDS * 1000
expect.set_options(timeout=HANG_MS)

Open = Callable[..., Awaitable[Page]]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings of a demo on any free port, with its own file, and without deadlines or limits on clicks."""
    return Settings(
        demo_port=0,
        demo_database=str(with_tables(tmp_path / "demo.sqlite3")),
        turn_seconds=0,
        clicks_per_10_seconds=0,
        computer_seconds=0.3,
        round_seconds=600,
    )


@pytest_asyncio.fixture(loop_scope="module")
async def demo(settings: Settings) -> AsyncGenerator[Demo]:
    """The demo as people run it."""
    async with running(settings, create_bot) as demo:
        yield demo


@pytest_asyncio.fixture(loop_scope="module")
async def sample(settings: Settings) -> AsyncGenerator[Demo]:
    """The demo with a bot that shows every kind of component, and sometimes fails."""
    async with running(settings, create_sample) as demo:
        yield demo


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncGenerator[Browser]:
    """A browser shared by a module's tests."""
    if CHROMIUM is None:
        pytest.skip("chromium isn't installed")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        yield browser
        await browser.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def blank_pages(browser: Browser) -> dict[str, list[Page]]:
    "Windows that a test left blank for the next one, since opening one takes half a second of a core.\n\n    They"
    "are kept by the options with which they were opened.\n\n    They share no storage: each demo has a port of its "
    "own, and so an origin of its own.\n    "
    return defaultdict(list)


@pytest_asyncio.fixture(loop_scope="module")
async def open_as(browser: Browser, blank_pages: dict[str, list[Page]]) -> AsyncGenerator[Open]:
    """Opens a separate window for somebody, on a demo or at its address. Complaints in its console fail the test."""
    complaints: list[str] = []
    opened: list[tuple[str, Page, Callable[[Error], None], Callable[[ConsoleMessage], None]]] = []

    async def open_as(demo: Demo | str, slug: str, size: tuple[int, int] = WIDE, **options: Any) -> Page:
        viewport = ViewportSize(width=size[0], height=size[1])
        kind = repr(options)
        if blank_pages[kind]:
            page = blank_pages[kind].pop()
            await page.set_viewport_size(viewport)
        else:
            page = await (await browser.new_context(viewport=viewport, **options)).new_page()

        def failed(error: Error) -> None:
            complaints.append(f"{slug}: {error}")

        def said(line: ConsoleMessage) -> None:
            complaints.extend(_complaints(line))

        page.on("pageerror", failed)
        page.on("console", said)
        opened.append((kind, page, failed, said))
        page.set_default_timeout(HANG_MS)
        await page.goto(f"{demo if isinstance(demo, str) else demo.address()}as/{slug}")
        await page.locator("#welcome h2").wait_for()
        return page

    yield open_as
    for kind, page, failed, said in opened:
        await page.goto("about:blank")
        page.remove_listener("pageerror", failed)
        page.remove_listener("console", said)
        for other in page.context.pages:
            if other is not page:
                await other.close()
        blank_pages[kind].append(page)
    assert complaints == []


def _complaints(line: ConsoleMessage) -> list[str]:
    """The complaint in a line of the console. A server that is down isn't one, as the page copes with that."""
    return [line.text] if line.type == "error" and "ERR_CONNECTION_REFUSED" not in line.text else []
