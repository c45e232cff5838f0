"""Telling players that the bot is stopping never takes longer than allowed, however slow Discord is."""

import asyncio
from dataclasses import dataclass

from bot.tables.boards.handover import AT_ONCE, say_back_soon


@dataclass
class Panel:
    """A panel whose edits may hang."""

    hangs: bool = False
    told: bool = False

    async def say_back_soon(self) -> None:
        self.told = True
        await asyncio.sleep(3600 if self.hangs else 0)


async def test_every_panel_says_back_soon() -> None:
    panels = [Panel() for _ in range(3 * AT_ONCE)]
    await say_back_soon(panels)
    assert all(panel.told for panel in panels)


async def test_edits_that_hang_are_given_up() -> None:
    panels = [Panel(hangs=number % 2 == 0) for number in range(6 * AT_ONCE)]
    await say_back_soon(panels, 0.02)
    assert 0 < sum(panel.told for panel in panels) < len(panels)
