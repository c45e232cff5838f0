"""Pictures of whole matches in Chromium, on a wide screen and on a phone, with both decks: `make screenshots`.

On one machine they are identical each time: decks, dealers and choices are seeded, and the time is simulated.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from playwright.async_api import Browser, Page, async_playwright

from bot.demo import running
from bot.demo.bot import create_demo_bot
from bot.demo.people import tags_of
from bot.engine.rules import PRESETS
from bot.platform.language.catalogues import language_of, languages
from bot.platform.language.faces import Deck
from bot.process.app import EscobaBot
from bot.settings import Settings
from bot.tables.settings import TableSettings
from tests.demo.animation import save
from tests.demo.conftest import CHROMIUM, FLAGS
from tests.demo.shoot import SEED, Shoot, StepClock
from tests.wire.launch import Seeded

WIDE, PHONE, SMALL = (1080, 860), (390, 780), (720, 800)
PEOPLE = {"en": ("emma", "noah")}
"""The people photographed for a language; `SPANISH` for the others, which they learn."""
SPANISH = ("ana", "luis")
README = (
    "escoba-spanish-table-wide",
    "escoba-spanish-escoba-wide",
    "escoba-spanish-round-wide",
    "escoba-spanish-turn-phone",
)
"""The pictures used in the documentation."""
ROUND = "round"
"""The name of the animation used there."""
SHORT = "271"
"""The seed of its round: Emma begins, one of her cards has two captures, and her next one sweeps the table."""
SEEN = "localStorage.setItem('escoba-demo-hint-seen', 'yes')"
HIDE = "(ids) => ids.forEach((id) => (document.getElementById(id).hidden = true))"


@asynccontextmanager
async def camera() -> AsyncGenerator[Browser]:
    """A browser without font hinting, with which a line may come out half a pixel higher the second time."""
    async with async_playwright() as playwright:
        flags = [*FLAGS.split(), "--font-render-hinting=none"]
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield browser
        await browser.close()


@asynccontextmanager
async def stage(
    browser: Browser,
    folder: Path,
    deck: str,
    preset: str,
    language: str,
    wanted: Sequence[str],
    *,
    wide: tuple[int, int] = WIDE,
    seed: str = SEED,
) -> AsyncGenerator[Shoot]:
    """A separate demo with a wide window and a phone's, without what shows that it is one."""
    clock, people = StepClock(), PEOPLE.get(language, SPANISH)
    async with AsyncExitStack() as stack:
        database = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "demo.sqlite3"
        settings = Settings(demo_port=0, demo_database=str(database), clicks_per_10_seconds=0, log_level="ERROR")
        create = partial(create_demo_bot, chance=Seeded(seed))
        demo = await stack.enter_async_context(running(settings, create, clock=clock))
        bot, guild = demo.world.bot, demo.world.guild.id
        assert isinstance(bot, EscobaBot)
        await bot.parts.guild_settings.change(guild, TableSettings, deck=deck)
        for each in (demo.world.residents[slug] for slug in people):
            if language_of(each.locale) != language:
                await demo.world.languages.choose(each, tags_of(language)[0])
        pages: list[Page] = []
        for slug, size in zip(people, (wide, PHONE), strict=True):
            phone = size is PHONE
            context = await browser.new_context(
                viewport={"width": size[0], "height": size[1]},
                device_scale_factor=2,
                has_touch=phone,
                is_mobile=phone,
                timezone_id="Europe/Madrid",
                reduced_motion="reduce",
                color_scheme="dark",
            )
            stack.push_async_callback(context.close)
            await context.add_init_script(SEEN)
            page = await context.new_page()
            await page.clock.set_fixed_time(clock.now)
            await page.goto(demo.address() + f"as/{slug}")
            await page.locator("#welcome h2").wait_for()
            await page.evaluate(HIDE, ["strip"] if size in (WIDE, PHONE) else ["strip", "drawer", "welcome"])
            pages.append(page)
        yield Shoot(demo, wanted, clock, pages[0], pages[1], people, folder, f"{preset}-{deck}")


async def shoot(folder: Path, presets: Sequence[str], language: str, target: int, wanted: Sequence[str]) -> None:
    """Take all pictures, or the `wanted` ones."""
    folder.mkdir(parents=True, exist_ok=True)
    async with camera() as browser:
        for preset in presets:
            for deck in Deck:
                if wanted and not any(name.startswith(f"{preset}-{deck}-") for name in wanted):
                    continue
                async with stage(browser, folder, deck, preset, language, wanted) as made:
                    await made.play(preset, target)
                print(f"{preset}, {deck}: {', '.join(made.taken)}", flush=True)


async def animate(folder: Path) -> None:
    """Make the animation of a round."""
    async with (
        camera() as browser,
        stage(browser, folder, Deck.SPANISH, "escoba", "en", (), wide=SMALL, seed=SHORT) as made,
    ):
        await made.film()
    save(made.frames, folder / f"{ROUND}.gif")


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="make screenshots", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("data/screenshots"), help="where to put them")
    parser.add_argument("--readme", action="store_true", help="only those that the README shows")
    parser.add_argument("--presets", nargs="+", choices=list(PRESETS), default=["escoba", "quince"])
    parser.add_argument("--language", choices=languages(), default="en")
    parser.add_argument("--target", type=int, default=11)
    options = parser.parse_args()
    if CHROMIUM is None:
        print("Chromium isn't installed.", file=sys.stderr)
        return 2
    wanted = README if options.readme else ()
    asyncio.run(shoot(options.folder, options.presets, options.language, options.target, wanted))
    if options.readme:
        asyncio.run(animate(options.folder))
    print(f"In {options.folder}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
