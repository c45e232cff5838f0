"""A message ends up showing the newest state, whichever request overtakes which."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext
from random import Random

import pytest

from bot.platform.kit import surface as surface_module
from bot.platform.kit.surface import Surface
from tests.support.dose import thorough_but
from tests.support.patience import HANG_SECONDS


class Discord:
    """A message that writes reach in any order: each takes effect at some time between its request and the response."""

    def __init__(self, seed: object) -> None:
        self.rng = Random(str(seed))
        self.state = 0
        self.shows = 0
        self.writes = 0
        self.surface = Surface[None](nullcontext, self.push)

    async def pause(self) -> None:
        for _ in range(self.rng.randrange(6)):
            await asyncio.sleep(0)

    async def write(self) -> None:
        """Render the current state, send it, and wait for the response."""
        self.writes += 1
        rendered = self.state
        await self.pause()
        self.shows = rendered
        await self.pause()

    async def push(self, _: None) -> None:
        await self.write()

    def change(self) -> None:
        self.state += 1
        self.surface.invalidate()

    async def click(self, *, changes: bool) -> None:
        """Handle a click, which may change the state and is answered with the message."""
        with self.surface.held():
            await self.pause()
            if changes:
                self.change()
            with self.surface.held():
                mark = self.surface.mark()
                await self.write()
                self.surface.answer_shown(mark)


async def settled(discord: Discord) -> None:
    """Wait until everything that was started has finished."""
    for _ in range(200):
        await asyncio.sleep(0)
    await discord.surface.settle()


@pytest.mark.parametrize("block", thorough_but(range(4), 0))
async def test_in_the_end_the_newest_state_is_shown(block: int):
    for seed in range(block * 250, block * 250 + 250):
        discord = Discord(seed)
        tasks: list[asyncio.Task[None]] = []
        for _ in range(discord.rng.randrange(1, 8)):
            what = discord.rng.random()
            if what < 0.4:
                discord.change()
            else:
                tasks.append(asyncio.create_task(discord.click(changes=what < 0.8)))
            await discord.pause()
        await asyncio.gather(*tasks)
        await settled(discord)
        assert discord.shows == discord.state, f"seed {seed}"


async def test_an_edit_that_takes_effect_after_a_clicks_response_is_repeated():
    surface: Surface[None]
    shown, state = "", 1
    sent, applied = asyncio.Event(), asyncio.Event()

    async def push(_: None) -> None:
        nonlocal shown
        rendered = state
        sent.set()
        if rendered == 1:
            await applied.wait()
        shown = f"state {rendered}"

    surface = Surface(nullcontext, push)
    surface.invalidate()
    await sent.wait()
    with surface.held():
        state = 2
        surface.invalidate()
        mark = surface.mark()
        shown = "state 2"  # the response to the click has reached Discord
        applied.set()  # now the slow edit takes effect, too
        await asyncio.sleep(0.01)
        assert shown == "state 1"
        surface.answer_shown(mark)  # only now does the bot hear that the response arrived
    await asyncio.sleep(0.01)
    assert shown == "state 2"


async def test_waiting_edits_collapse_into_one():
    discord = Discord(1)
    for _ in range(50):
        discord.change()
    await settled(discord)
    assert (discord.shows, discord.writes) == (50, 1)


async def test_a_click_that_shows_the_newest_state_needs_no_edit():
    discord = Discord(2)
    await discord.click(changes=True)
    await settled(discord)
    assert (discord.shows, discord.writes) == (1, 1)


async def test_an_answer_that_comes_after_a_newer_edit_is_followed_by_another(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(surface_module, "HOLD_SECONDS", 0.001)
    discord = Discord(4)
    with discord.surface.held():
        discord.change()
        mark, rendered = discord.surface.mark(), discord.state
        await asyncio.sleep(0.01)  # the answer takes longer than edits are held back for it
        discord.change()
        await settled(discord)
        assert discord.shows == 2
        discord.shows = rendered  # only now does the answer take effect
        discord.surface.answer_shown(mark)
    await settled(discord)
    assert discord.shows == 2


async def test_no_edit_starts_while_a_click_is_answered_or_after_closing():
    discord = Discord(3)
    with discord.surface.held():
        discord.change()
        await settled(discord)
        assert discord.writes == 0
    await settled(discord)
    assert discord.writes == 1
    discord.surface.close()
    discord.change()
    await settled(discord)
    assert discord.writes == 1


class Queue:
    """A message whose edits wait for their tickets, which the test gives out."""

    def __init__(self) -> None:
        self.state = 0
        self.shows: list[int] = []
        self.given_back = 0
        self.asked = 0
        self.turn = asyncio.Event()
        self.surface = Surface(self.ticket, self.push)

    @asynccontextmanager
    async def ticket(self) -> AsyncGenerator[list[int]]:
        self.asked += 1
        await self.turn.wait()
        used: list[int] = []
        yield used
        self.given_back += not used

    async def push(self, ticket: list[int]) -> None:
        self.shows.append(self.state)
        ticket.append(self.state)

    async def change(self) -> None:
        self.state += 1
        self.surface.invalidate()
        await asyncio.sleep(0)

    async def give_ticket(self) -> None:
        self.turn.set()
        for _ in range(5):
            await asyncio.sleep(0)
        self.turn.clear()


async def test_an_edit_that_waited_for_its_ticket_shows_the_state_at_that_time():
    queue = Queue()
    for _ in range(7):
        await queue.change()
    await queue.give_ticket()
    assert (queue.shows, queue.asked, queue.given_back) == ([7], 1, 0)


async def test_a_click_doesnt_wait_for_a_ticket_and_gives_back_the_one_it_makes_unnecessary():
    queue = Queue()
    await queue.change()
    with queue.surface.held():
        queue.surface.answer_shown(queue.surface.mark())
    await queue.give_ticket()
    assert (queue.shows, queue.given_back) == ([], 1)


async def test_a_ticket_that_comes_while_a_click_is_answered_is_given_back_and_asked_for_again():
    queue = Queue()
    await queue.change()
    with queue.surface.held():
        await queue.give_ticket()
        assert (queue.shows, queue.given_back) == ([], 1)
    await asyncio.sleep(0)
    await queue.give_ticket()
    assert (queue.shows, queue.asked) == ([1], 2)


async def test_a_ticket_may_be_asked_for_again():
    queue = Queue()
    await queue.change()
    queue.surface.ask_again()
    await asyncio.sleep(0.01)
    assert queue.asked == 2
    await queue.give_ticket()
    assert queue.shows == [1]


async def test_after_closing_nobody_waits_for_a_ticket():
    queue = Queue()
    await queue.change()
    queue.surface.close()
    await asyncio.wait_for(queue.surface.settle(), HANG_SECONDS)
    queue.surface.reopen()
    await asyncio.sleep(0)
    await queue.give_ticket()
    assert queue.shows == [1]
