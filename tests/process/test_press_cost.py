"""What a press costs, as the number of calls of Python functions: the same on every machine, loaded or idle."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import pytest

from tests.played.club.test_ranking import NOON, played
from tests.support.calls import Calls
from tests.support.escoba import Room, room

Press = Callable[[], Awaitable[None]]
WITHIN: Final = 0.03
"""The share by which a figure may differ from the recorded one. After an intended change, record it again."""


async def a_move(here: Room) -> Press:
    """The fifth card of a match."""
    await here.begin()
    for _ in range(4):
        await here.step(here.table, lambda view: view.moves[0])
    return lambda: here.step(here.table, lambda view: view.moves[0])


async def a_panel_opened_again(here: Room) -> Press:
    """Somebody's hand, asked for once more in the middle of a match."""
    await a_move(here)
    return lambda: here.press(here.people[0], here.shown, "hand")


async def a_page(here: Room) -> Press:
    """The third of four pages of a leaderboard."""
    [ana, *_] = here.people
    for number in range(1, 31):
        await played(here, (number, f"P{number}"), (number + 50, f"P{number + 50}"), at=NOON)
    await ana.slash(here.channel, "escoba leaderboard")

    async def turn_page() -> None:
        await ana.press(ana.panel(here.channel), custom_id="^r:next:")

    await turn_page()
    return turn_page


@pytest.mark.parametrize(
    ("press", "pictures", "recorded"),
    [(a_move, False, 1947), (a_move, True, 2615), (a_panel_opened_again, False, 521), (a_page, False, 1108)],
    ids=["a move in words", "a move with pictures", "a panel opened again", "a page of a leaderboard"],
)
async def test_a_press_calls_as_many_functions_as_are_recorded(
    tmp_path: Path, press: Callable[[Room], Awaitable[Press]], pictures: bool, recorded: int
):
    async with room(tmp_path, 2, pictures=pictures) as here:
        here.seeded = []  # type: ignore[attr-defined]
        act = await press(here)
        await here.env.settle()
        with Calls() as calls:
            await act()
            await here.env.settle()
        most = "\n".join(f"{n:5} {name}" for name, n in calls.of.most_common(25))
        assert recorded * (1 - WITHIN) < calls.of.total() < recorded * (1 + WITHIN), f"{calls.of.total()}\n{most}"
