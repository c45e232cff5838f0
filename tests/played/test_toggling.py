"""Two buttons that undo each other, pressed again and again by one person: few changes are kept, and all can leave."""

from bot.platform.kit.throttle import CHANGES
from bot.platform.refusals import CommonRefusal
from tests.played.tournaments.evening import Evening
from tests.support.escoba import RoomOf
from tests.support.phrases import refusal_text

OFTEN = 1_000
"""Presses in ten seconds that are allowed in these tests: more than there are."""


async def test_a_lobby_takes_so_many_changes_of_a_person_and_lets_them_leave(room_of: RoomOf) -> None:
    async with room_of(3, clicks_per_10_seconds=OFTEN) as here:
        ana, bea, ciro = here.people
        await here.lobby()
        for _ in range(CHANGES):
            await here.press(bea, here.shown, "join")
            await here.options(bea, "leave")
        version = here.table.version
        await here.press(bea, here.shown, "join")
        assert here.private_text(bea) == refusal_text(CommonRefusal.TOO_MANY_CHANGES)
        await here.press(ciro, here.shown, "join")
        assert here.table.version == version + 1 == 2 * CHANGES + 2
        await here.wait(601)
        await here.press(bea, here.shown, "join")
        assert {seat.person_id for seat in here.table.view().seats} == {ana.id, bea.id, ciro.id}


async def test_a_tournament_takes_so_many_changes_of_a_person_and_lets_them_leave(room_of: RoomOf) -> None:
    async with room_of(3, clicks_per_10_seconds=OFTEN) as here:
        _, bea, ciro = here.people
        evening = Evening(here)
        await evening.announce()
        for _ in range(CHANGES - 1):
            await evening.press(bea, "join")
            await evening.press(bea, "leave")
        await evening.press(bea, "join")
        await evening.press(bea, "leave")
        await evening.press(bea, "join")
        assert here.private_text(bea) == refusal_text(CommonRefusal.TOO_MANY_CHANGES)
        await evening.press(ciro, "join")
        assert [each.people[0].id for each in evening.state.entries] == [ciro.id]
        assert evening.state.version == 2 * CHANGES + 2
