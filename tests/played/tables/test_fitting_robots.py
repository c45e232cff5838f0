"""The robots that are added by default follow the level of the people: the easy one for those who have never won."""

import pytest

from bot.club.rules.rating import Rating
from bot.engine.rules import PRESETS
from bot.players import Level
from bot.tables.live.opponents import fitting_level
from bot.tables.live.table import Table
from bot.tables.log.seats import Alone
from tests.support.escoba import RoomOf
from tests.support.experience import played

pytestmark = pytest.mark.newcomers


def levels(table: Table) -> list[Level]:
    """The levels of the robots at a table."""
    return [seat.level for seat in table.view().seats if seat.is_computer]


@pytest.mark.parametrize(
    ("before", "level"), [(None, Level.EASY), (False, Level.EASY), (True, Level.NORMAL)], ids=["new", "lost", "won"]
)
async def test_the_robot_beside_somebody_who_has_never_won_is_the_easy_one(
    room_of: RoomOf, before: bool | None, level: Level
):
    async with room_of(2) as here:
        ana, bea = here.people
        await played(here, bea, won=True)
        if before is not None:
            await played(here, ana, won=before)
        await here.lobby(bea)
        await here.press(bea, here.shown, "addc")
        assert levels(here.table) == [level]
        await here.end(ana)
        await ana.slash(here.channel, "escoba solo")
        alone = here.bot.parts.manager.at(Alone(ana.id))
        assert alone is not None
        assert levels(alone) == [level]


@pytest.mark.parametrize(
    ("rating", "level"),
    [
        (Rating(), Level.NORMAL),
        (Rating(35), Level.NORMAL),
        (Rating(35, 2.5), Level.HARD),
        (Rating(26, 2.5), Level.NORMAL),
        (Rating(12, 4), Level.EASY),
    ],
    ids=["no match", "strong, perhaps", "strong", "average", "weak"],
)
def test_robots_follow_the_rating_and_the_hardest_come_once_it_is_settled(rating: Rating, level: Level):
    assert {fitting_level(preset, rating) for preset in PRESETS} >= {level}
    assert fitting_level("escoba", rating) is level
