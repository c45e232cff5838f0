"""A match photographed scene by scene, or filmed frame by frame, in a wide window and a phone's."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.async_api import Page

from bot.demo import Demo
from bot.demo.world import FIRST_CHANNEL
from bot.engine.cards import Card
from bot.engine.facts import CardPlayed
from bot.engine.moves import Play, Stage
from bot.engine.views import SeatView
from bot.platform.people import Person
from bot.players import Level, choose
from bot.process.app import EscobaBot
from bot.tables.live.table import Table
from bot.tables.log.actions import PlayMove
from bot.tables.log.events import Phase
from tests.demo.animation import Frame
from tests.support.tables.kit import next_round

SEED = "1"
BEGINNING = datetime(2026, 5, 8, 20, 30, tzinfo=UTC)
A_STEP = timedelta(seconds=2)
MANY_ON_THE_TABLE = 4
MOST_LOOKS = 20
MOST_STEPS = 600
QUALITY = 80
IN_PAIRS = ("clasica", "cientifica")
"""The presets shown with two pairs."""
CALM = """() => [...document.images].every((each) => each.complete) && !document.querySelector(".waiting, .thinking")"""


class StepClock:
    """A clock that only advances in steps."""

    def __init__(self) -> None:
        self.now = BEGINNING

    def __call__(self) -> datetime:
        """The time, which the test advances."""
        return self.now


@dataclass(slots=True)
class Shoot:
    """One match, photographed: one picture of each scene."""

    demo: Demo
    wanted: Sequence[str]
    clock: StepClock
    wide: Page
    phone: Page
    people: Sequence[str]
    folder: Path
    prefix: str
    taken: list[str] = field(default_factory=list[str])
    frames: list[Frame] = field(default_factory=list[Frame])
    random: random.Random = field(default_factory=lambda: random.Random(SEED))

    @property
    def table(self) -> Table:
        """The table in the channel."""
        bot = self.demo.world.bot
        assert isinstance(bot, EscobaBot)
        tables = bot.parts.manager.within()
        assert tables, "there is no table"
        return tables[0]

    async def play(self, preset: str, target: int) -> None:
        """Play a match from the lobby to the leaderboard."""
        await self.open(preset, target)
        await self.wide.locator("[data-id^='e:options:']").click()
        await self.wide.locator("[data-id^='e:rules:']").click()
        await self.wide.locator("[data-id^='e:rule:']").wait_for()
        await self.shot("rules", self.wide)
        await self.wide.locator(".dismiss").click()
        table = self.table
        await self.wide.locator("[data-id^='e:start:']:enabled").click()
        for page in (self.wide, self.phone):
            await page.locator("[data-id^='e:hand:']").click()
            await page.locator(".message.ephemeral").wait_for()
        await self._playing(table)
        await self.shot("end", public=True)
        await self._say("/escoba leaderboard")
        await self.wide.locator(".message").last.wait_for()
        await self.shot("leaderboard", self.wide)

    async def film(self) -> None:
        """Play one round, and keep what Emma sees of it as frames."""
        await self._talk("noah", "Anyone up for a quick round?")
        await self._talk("ana", "After dinner. Emma, you?")
        await self._say("/escoba play variant:escoba target:11")
        await self.phone.locator("[data-id^='e:join:']").wait_for()
        await self._frame(2.5)
        await self.phone.locator("[data-id^='e:join:']").click()
        await self._dismiss_offers()
        await self.wide.locator("[data-id^='e:start:']:enabled").wait_for()
        await self._talk("luis", "I'll watch this one 👀")
        await self._frame(2.5)
        table = self.table
        await self.wide.locator("[data-id^='e:start:']:enabled").click()
        await self._frame(2.5, public=True)
        await self._frame(4)
        await self._press("card", "7c")
        await self._frame(3.5)
        await self._press("take")
        await self._frame(3, public=True)
        await self._answer(table)
        await self._frame(3.5)
        await self._press("card", "11c")
        await self._frame(3.5, public=True)
        await self._talk("ana", "Swept already, Noah? 🧹")
        await self._talk("noah", "Early days")
        await self._frame(3)
        while await self._answer(table):
            pass
        await self._frame(5, public=True)

    async def _dismiss_offers(self) -> None:
        """Dismiss what newcomers are told in the lobby."""
        await self._calm()
        for page in (self.wide, self.phone):
            while await (offer := page.locator(".message.ephemeral:has([data-id^='e:learn:']) .dismiss")).count():
                await offer.first.click()
                await self._calm()

    async def _press(self, verb: str, card: str = "") -> None:
        """Press a button of Emma's panel: the last one that has this verb, and this card, if one is given."""
        found = self.wide.locator(f".ephemeral [data-id^='e:{verb}:'][data-id*=':{card}']:enabled")
        await found.last.click()

    async def _answer(self, table: Table) -> bool:
        """Make the next move of the round as a computer would, and say whether there was one."""
        match = table.view().match
        if match is None or match.turn is None:
            return False
        seen = table.seat_view(match.turn)
        assert seen is not None, "the match has begun"
        await self._do(table, match.turn, seen)
        return True

    async def _talk(self, slug: str, text: str) -> None:
        """Have somebody write in the channel."""
        world = self.demo.world
        actor = world.residents[slug].actor
        assert actor is not None, "they are on the server"
        async with world.operation():
            await actor.send(world.channels[FIRST_CHANNEL], text)
            world.touch()
        await self._pass()

    async def _frame(self, seconds: float, *, public: bool = False) -> None:
        """Keep what the wide window shows: its end, or with `public` the message that everybody sees."""
        await self._pass()
        await self._calm()
        if public:
            message = self.wide.locator(".message:not(.ephemeral):has(.layout)").last
            await message.evaluate("(each) => each.scrollIntoView({ block: 'start' })")
        await self.wide.evaluate("document.getElementById('jump').hidden = true")
        self.frames.append((Image.open(BytesIO(await _still(self.wide))), seconds))

    async def open(self, preset: str, target: int) -> None:
        """Open a table with both people seated, and computers in the other seats that the preset is shown with."""
        await self._say(f"/escoba play variant:{preset} target:{target}")
        await self.wide.locator("[data-id^='e:join:']").wait_for()
        await self.phone.locator("[data-id^='e:join:']").click()
        if preset in IN_PAIRS:
            await self._fill(4)
        await self._dismiss_offers()
        await self.wide.locator("[data-id^='e:start:']:enabled").wait_for()
        await self.shot("lobby", public=True)

    async def _fill(self, seats: int) -> None:
        """Fill the free seats with computers."""
        taken = len(self.people)
        while True:
            while len(self.table.view().seats) < taken:
                await self._calm()
            if taken >= seats:
                return
            await self._calm()
            await self.wide.locator("[data-id^='e:addc:']:enabled").click()
            taken += 1

    async def _playing(self, table: Table) -> None:
        for _ in range(MOST_STEPS):
            view = table.view()
            if view.phase is not Phase.PLAYING or view.match is None:
                return
            if any(isinstance(fact, CardPlayed) and fact.escoba for fact in view.match.recent):
                await self.shot("escoba", public=True)
            if view.match.stage is Stage.TO_DEAL:
                await self.shot("round", public=True)
                async with self.demo.world.operation():
                    await next_round(table)
                    await self.demo.world.env.settle()
                await self._pass()
                continue
            seat = view.match.turn
            assert seat is not None, "the match goes on"
            if view.seats[seat].is_computer:
                await self._pass()
                continue
            seen = table.seat_view(seat)
            assert seen is not None, "the match has begun"
            if len(view.match.table) >= MANY_ON_THE_TABLE and len(seen.hand) > 1:
                most = max(_captures(seen).values(), default=0)
                if seat == 0 and most == 2:  # with more, a button only says how many
                    await self.shot("table")
                if seat == 1 and any(view.match.pile_counts):
                    await self.shot("turn")
            if "choice" not in self.taken:
                await self._choose((self.wide, self.phone)[seat], seen)
                seen = table.seat_view(seat)
                assert seen is not None, "the match goes on"
            await self._do(table, seat, seen)
        raise AssertionError("the match doesn't end")

    async def _choose(self, page: Page, seen: SeatView) -> None:
        """Start choosing a capture, if the player has to put it together or there are several."""
        await self._calm()
        card = next((card.notation for card, count in _captures(seen).items() if count > 1), None)
        toggle = page.locator(".ephemeral [data-id^='e:choose:']:enabled").first
        if await toggle.count():
            await toggle.click()
        elif card is not None:
            await page.locator(f".ephemeral [data-id^='e:card:'][data-id$=':{card}']").first.click()
        else:
            return
        await self.shot("choice")

    async def _do(self, table: Table, seat: int, seen: SeatView) -> None:
        """Make the move that a computer would choose."""
        world = self.demo.world
        who = world.residents[self.people[seat]]
        person = Person(who.user.id, who.person.name)
        version = table.view().version
        action = PlayMove(person, version, choose(seen, Level.NORMAL, self.random))
        async with world.operation():
            await table.submit(action)
            await world.env.settle()
        await self._pass()

    async def _pass(self) -> None:
        """Let a little time pass, and run what is due."""
        self.clock.now += A_STEP
        await self.demo.world.catch_up()

    async def _say(self, line: str) -> None:
        await self.wide.locator("#composer textarea").fill(line)
        await self.wide.keyboard.press("Enter")
        await self.wide.keyboard.press("Enter")

    async def shot(self, scene: str, *pages: Page, public: bool = False) -> None:
        """Take the picture of a scene the first time it comes up; with `public`, of the message that everybody sees."""
        if scene in self.taken:
            return
        self.taken.append(scene)
        for _ in range(2):  # edits of the public message are spread over time
            await self._pass()
        await self._calm()
        for page in pages or (self.wide, self.phone):
            name = f"{self.prefix}-{scene}-{'phone' if page is self.phone else 'wide'}"
            if self.wanted and name not in self.wanted:
                continue
            message = page.locator(".message:not(.ephemeral)" if public else ".message.ephemeral").last
            await message.evaluate("(each, block) => each.scrollIntoView({ block })", "start" if public else "end")
            await page.wait_for_timeout(100)
            await page.evaluate("document.getElementById('jump').hidden = true")
            taken = Image.open(BytesIO(await _still(page)))
            taken.save(self.folder / f"{name}.webp", quality=QUALITY, method=6)

    async def _calm(self) -> None:
        """Wait until both windows show everything there is."""
        for page in (self.wide, self.phone):
            await page.clock.set_fixed_time(self.clock.now)
            await page.mouse.move(0, 0)  # over a picture it would show more
            await page.wait_for_timeout(250)  # the hub checks about every 30 ms
            await page.wait_for_function(CALM)
            await page.evaluate("import('/static/js/markdown.js').then(({ tick }) => tick())")
            await page.evaluate("document.getElementById('scroller').scrollTop = 1e6")
            await page.wait_for_timeout(150)


async def _still(page: Page) -> bytes:
    """The picture of a page once nothing moves; on a busy machine that takes a moment."""
    before = await page.screenshot()
    for _ in range(MOST_LOOKS):
        await page.wait_for_timeout(200)
        now = await page.screenshot()
        if now == before:
            return now
        before = now
    raise AssertionError("the page keeps changing")


def _captures(view: SeatView) -> Counter[Card]:
    """Count the captures that each card in hand allows; laying it down counts as one."""
    return Counter(move.card for move in view.moves if isinstance(move, Play))
