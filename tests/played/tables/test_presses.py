"""How few presses it takes to see one's cards and to make a move."""

import pytest

from bot.engine.cards import EMPTY
from bot.engine.facts import CardPlayed
from bot.engine.moves import Play, Stage
from bot.tables.ids.game import pack
from bot.tables.screens.picking import ANY
from tests.support.dose import thorough_but
from tests.support.escoba import Decks, Room, RoomOf
from tests.support.people import text_of
from tests.support.phrases import YOUR_HAND, YOUR_TURN
from tests.support.truth import match_of, stock_of

SWEEP = Decks(rigged={1: "7o 4b 10e 2b 6b 12b 1o 6e 11o 12o"}, dealer=1)
"""Ana plays first and holds 7o 4b 10e. The table has 1o 6e 11o 12o: her 10e can capture only 1o 6e."""


BY_HAND = Decks(rigged={1: "7o 4b 10e 2b 6b 12b 7e 1o 12o 5c"}, dealer=1)
"""Ana plays first and holds 7o 4b 10e. The table has 7e 1o 12o 5c: her 10e takes 7e, her 4b takes 1o 12o."""


async def test_three_presses_start_a_match_against_a_computer_and_show_the_hand(room_of: RoomOf):
    async with room_of(1) as here:
        ana = await here.lobby()
        before = here.clicks
        await here.press(ana, here.shown, "addc")
        await here.press(ana, here.shown, "start")
        await here.press(ana, here.shown, "hand")
        assert YOUR_HAND in text_of(here.panel(ana))
        assert here.clicks - before == 3


def stage(here: Room) -> Stage:
    match = here.table.view().match
    assert match is not None
    return match.stage


async def test_the_next_rounds_hand_is_seen_and_played_without_another_press(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(target=51)
        await here.skip(lambda view: view.moves[0], until=lambda match: not stock_of(match))
        await here.play_out(until=lambda: stage(here) is Stage.TO_DEAL)
        before = here.clicks
        await here.wait(60)  # nobody presses "Next round" either
        assert stage(here) is Stage.TO_PLAY
        assert here.clicks == before
        for person in here.people:
            assert YOUR_HAND in text_of(here.panel(person))
            assert here.panel(person).id > here.shown.id, "it is where they look: below the new table"
        await here.step(here.table, lambda view: next(move for move in view.moves if not move.captured))
        assert here.clicks - before == 1


@pytest.mark.parametrize("cards", thorough_but([1, 2], 2))
async def test_capturing_by_hand_takes_a_press_for_each_card_and_one_for_the_card_that_takes_them(
    room_of: RoomOf, cards: int
):
    async with room_of(2, chance=BY_HAND) as here:
        await here.begin(variant="quince")
        ana, before = here.people[0], here.clicks
        view = here.table.seat_view(0)
        assert view is not None
        move = next(move for move in view.moves if isinstance(move, Play) and len(move.captured) == cards)
        chosen = EMPTY
        for card in move.captured:
            chosen = chosen.with_card(card)
            await here.press(ana, here.panel(ana), "choose", ANY, pack(chosen))
        await here.press(ana, here.panel(ana), "take", str(move.card), pack(move.captured))
        assert here.clicks - before == cards + 1
        match = match_of(here.table)
        assert match is not None
        assert any(isinstance(fact, CardPlayed) and fact.captured == move.captured for fact in match.facts)


async def test_a_card_is_played_by_one_press_whether_or_not_it_captures(room_of: RoomOf):
    async with room_of(2, chance=SWEEP) as here:
        await here.begin(variant="escoba")
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
