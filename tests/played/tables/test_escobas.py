"""An escoba is an event: it is held before a robot moves, and stays in sight until a person has moved."""

from bot.tables.live.timing import FEAT_SECONDS
from tests.support.escoba import Decks, Room, RoomOf
from tests.support.people import text_of

LARGE = "# 🧹 Escoba! Ana\n4🪵 + 6🪙 + 2🪙 + 2🏆 + 1🪙 = **15**\n"
LINE = "🧹 **Escoba!** Ana · 4🪵 + 6🪙 + 2🪙 + 2🏆 + 1🪙 = **15**\n"
SMALL = "-# **Ana** plays 4🪵 and takes 1🪙, 2🪙, 2🏆 and 6🪙. 🧹 **Escoba!**\n"


def screens(here: Room) -> tuple[str, str]:
    """The public table, and Ana's panel."""
    return here.public_text, text_of(here.panel(here.people[0]))


async def test_an_escoba_is_held_before_a_robot_moves_and_told_until_a_person_has(room_of: RoomOf):
    rigged = Decks(rigged={1: "4b 5c 6c 5b 6b 7b 1o 2o 2c 6o"}, dealer=1)
    async with room_of(1, chance=rigged, computer_seconds=1) as here:
        ana = here.people[0]
        await here.lobby()
        await here.press(ana, here.shown, "addc")
        await here.press(ana, here.shown, "start")
        await here.press(ana, here.shown, "hand")
        await here.press(ana, here.panel(ana), "card", "4b")
        version = here.table.view().version
        for _ in range(int(FEAT_SECONDS) - 1):
            assert all(LARGE in text for text in screens(here))
            await here.wait(1)
            assert here.table.view().version == version
        await here.wait(1.5)
        assert here.table.view().version == version + 1, "the robot has moved"
        for _ in range(30):
            assert all(LINE in text and LARGE not in text and SMALL not in text for text in screens(here))
            assert all("(+1 escoba)" in text for text in screens(here))
            await here.wait(1)
        await here.press(ana, here.panel(ana), "card", "5c")
        assert not any(LINE in text for text in screens(here))
        assert SMALL in here.public_text, "where it was before"
        assert all("(+1 escoba)" in text for text in screens(here)), "until the round is scored"
