"""What a panel says besides the cards: the deadline, the state of the match, and its result."""

import discord
import pytest

from bot.tables.log.events import Phase
from bot.tables.parts import TableParts
from tests.support.escoba import RoomOf
from tests.support.limits_components import ROW
from tests.support.people import components_of, text_of
from tests.support.phrases import PLAYED_FOR, YOUR_TURN

LOST = "counts as a loss"
GAME_ENDS = "the match ends and doesn't count"


async def test_the_current_player_sees_the_deadline_and_the_score(room_of: RoomOf):
    async with room_of(2, turn_seconds=100) as here:
        await here.begin()
        view = here.table.view()
        assert view.match is not None
        assert view.match.turn is not None
        assert view.deadline is not None
        player = here.people[view.match.turn]
        shown = text_of(here.panel(player))
        assert f"{YOUR_TURN} · ⏳ <t:{int(view.deadline.timestamp())}:R>" in shown
        assert "Ana **0** points 📥 0 captured · Bea **0** points 📥 0 captured\n-# **card + table = 15** · " in shown


async def test_a_short_hand_shares_its_row_with_the_other_buttons(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(2)
        view = here.table.view()
        assert view.match is not None
        assert view.match.turn is not None
        panel = here.panel(here.people[view.match.turn])
        [box] = components_of(panel)
        rows = [part["components"] for part in box["components"] if part["type"] == ROW]
        hand = next(row for row in rows if "card:" in row[0]["custom_id"])
        assert [each["emoji"]["name"] for each in hand[3:]] == ["🔄"]
        assert all("card:" in each["custom_id"] for each in hand[:3])


async def test_a_seat_played_by_a_computer_says_so_even_while_the_game_waits(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, abandon_minutes=20) as here:
        await here.begin(2)
        await here.wait(101)
        away = next(person for person in here.people if PLAYED_FOR in text_of(here.panel(person)))
        assert YOUR_TURN not in text_of(here.panel(away))
        await here.wait(101)
        view = here.table.view()
        assert view.waiting
        assert view.deadline is not None
        ends = f"The match ends <t:{int(view.deadline.timestamp())}:R> unless someone comes back."
        assert all(ends in text_of(here.panel(person)) for person in here.people)
        await here.press(away, here.panel(away), "panel", label="I'm back")
        assert PLAYED_FOR not in text_of(here.panel(away))


@pytest.mark.thorough
async def test_the_panel_shows_the_result_and_offers_a_rematch(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(target=5)
        await here.finish()
        ana, bea = here.people
        for person in here.people:
            said = text_of(person.panel(here.channel))
            assert "Ana **" in said
            assert "Bea **" in said
        await here.press(ana, ana.panel(here.channel), "rematch")
        assert here.table.phase is Phase.LOBBY
        assert bea.mention in here.public_text


async def test_anybody_may_read_the_rules_of_the_current_game(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(2, variant="quince")
        stranger = here.people[2]
        await here.press(stranger, here.shown, "guide")
        assert "## 📜 Escoba de quince" in here.private_text(stranger)
        assert "document" not in here.private_text(stranger)


async def test_the_question_before_leaving_states_the_consequences(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        ana, bea = here.people
        await ana.slash(here.channel, "escoba leave")
        assert here.private_text(ana).startswith("Leave? You lose this match at once, and it counts as a win for Bea.")
        await bea.slash(here.channel, "escoba leave")
        await here.press(bea, bea.panel(here.channel), "leaveyes")
        await ana.slash(here.channel, "escoba leave")
        assert "You already won this match" in here.private_text(ana)


async def test_the_question_before_leaving_a_match_of_three_says_that_a_computer_plays_on(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin()
        ana, *_ = here.people
        await ana.slash(here.channel, "escoba leave")
        assert LOST in here.private_text(ana)


async def test_the_question_before_leaving_a_friendly_match_says_when_it_ends(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(friendly=True)
        ana, bea = here.people
        await bea.slash(here.channel, "escoba leave")
        assert LOST not in here.private_text(bea)
        await here.press(bea, bea.panel(here.channel), "leaveyes")
        await ana.slash(here.channel, "escoba leave")
        assert GAME_ENDS in here.private_text(ana)


async def test_the_question_before_leaving_an_unranked_match_says_that_nothing_is_lost(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(bea, variant="escoba")
        for _ in range(2):
            await here.press(ana, here.shown, "addc")
        await here.options(ana, "teams")
        await here.choose_option(ana, "partner", "1")
        await here.press(ana, here.shown, "start")
        seating = here.table.view().config.seating(4)
        assert seating is not None
        sides = {seating.side_of(here.seat_of(person)) for person in here.people}
        assert len(sides) == 1
        await ana.slash(here.channel, "escoba leave")
        assert LOST not in here.private_text(ana)
        assert GAME_ENDS not in here.private_text(ana)


async def test_a_panel_keeps_only_the_token_of_its_click(room_of: RoomOf):
    async with room_of(1) as here:
        ana = await here.lobby()
        await here.press(ana, here.shown, "addc")
        await here.press(ana, here.shown, "start")
        await here.press(ana, here.shown, "hand")
        await here.press(ana, here.panel(ana), "hint")
        [panel] = here.bot.host.of(TableParts).presenter._boards[here.table.id].panels
        assert panel._sent is not None
        click = panel._sent._interaction
        assert click.token
        assert (click.message, click.data, click.extras) == (None, None, {})
        assert isinstance(click.channel, discord.PartialMessageable)
