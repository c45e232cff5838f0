"""How few presses it takes to see one's cards and to make a move."""

from __future__ import annotations

from bot.engine.facts import CardPlayed
from tests.played.conftest import RoomOf
from tests.support.escoba import Decks
from tests.support.people import text_of
from tests.support.phrases import YOUR_HAND, YOUR_TURN
from tests.support.truth import match_of

SWEEP = Decks(rigged={1: "7o 4b 10e 2b 6b 12b 1o 6e 11o 12o"}, dealer=1)
"""Ana plays first and holds 7o 4b 10e. The table has 1o 6e 11o 12o: her 10e can capture only 1o 6e."""


async def test_three_presses_start_a_match_against_a_computer_and_show_the_hand(room_of: RoomOf):
    async with room_of(1) as here:
        ana = await here.lobby()
        before = here.clicks
        await here.press(ana, here.shown, "addc")
        await here.press(ana, here.shown, "start")
        await here.press(ana, here.shown, "hand")
        assert YOUR_HAND in text_of(here.panel(ana))
        assert here.clicks - before == 3


async def test_a_card_is_played_by_one_press_whether_or_not_it_captures(room_of: RoomOf):
    async with room_of(2, chance=SWEEP) as here:
        await here.begin(preset="escoba")
        ana, bea = here.people
        before = here.clicks
        await here.press(ana, here.panel(ana), "card", "10e")
        match = match_of(here.table)
        assert match is not None
        (played,) = match.facts
        assert isinstance(played, CardPlayed)
        assert len(played.captured) == 2
        await here.press(bea, here.panel(bea), "card", "12b")
        assert here.clicks - before == 2
        assert YOUR_TURN in text_of(here.panel(ana))
