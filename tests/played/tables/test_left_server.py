"""Whoever has left the server of a slow match is told nothing more of it, and a robot takes their seat in the end."""

import pytest

from bot.tables.log.pace import DAY, SLOW_MISSES
from bot.tables.settings import SlowNotice
from tests.played.tables.test_nudges import NUDGE
from tests.played.tables.test_slow_notices import slow_turn, told_in_private
from tests.support.escoba import RoomOf

LONGEST = 6 * SLOW_MISSES
"""Days in which three people have missed their turns, those that a day of their holidays took the place of included."""

pytestmark = pytest.mark.usefixtures("never_quiet")


@pytest.mark.parametrize("notice", [SlowNotice.PRIVATE, SlowNotice.DAILY])
async def test_who_has_left_is_told_nothing_and_misses_their_turns_as_anybody(room_of: RoomOf, notice: SlowNotice):
    async with room_of(3, turn_seconds=DAY) as here:
        player = await slow_turn(here, notice, hour=12)
        table, seat = here.table, here.seat_of(player)
        here.env.backend.remove_member(here.world.guild.id, player.id)
        await here.wait(NUDGE)
        for _ in range(LONGEST):
            if not table.view().seats[seat].human_here:
                break
            await here.wait(DAY)
        assert told_in_private(player) == []
        assert not table.view().seats[seat].human_here
        assert not here.bot.parts.manager.awaiting(player.id)
