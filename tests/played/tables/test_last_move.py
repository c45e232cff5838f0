"""The table shows the last few moves and highlights the latest."""

from tests.support.escoba import RoomOf
from tests.support.phrases import event_lines


async def test_the_latest_move_is_highlighted_even_after_a_new_deal(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(2)
        for _ in range(5):
            await here.step(here.table, lambda view: view.moves[0])
            (move,) = event_lines(here.table.view())
            assert f"\n{move}\n" in here.public_text
        await here.step(here.table, lambda view: view.moves[0])
        move, dealt = event_lines(here.table.view())
        assert f"\n{move}\n-# {dealt}\n" in here.public_text
