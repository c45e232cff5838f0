"""Express: a lobby for a single round with a press, which its opener's next lobbies on the server remember."""

from bot.tables.log.events import Phase
from bot.tables.refusals import TableRefusal
from bot.tables.settings import MOST_EXPRESS, TablePreferences, with_express
from tests.played import brief
from tests.support.escoba import RoomOf
from tests.support.phrases import refusal_text


async def test_express_plays_one_friendly_round_and_is_remembered_until_it_is_pressed_again(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        ana, bea = here.people
        await ana.slash(here.channel, "escoba play")
        await here.press(ana, here.shown, "express")
        assert "One round · 🤝 friendly" in here.public_text
        await here.press(bea, here.shown, "join")
        await here.press(ana, here.shown, "start")
        for each in here.people:
            await here.press(each, here.shown, "hand")
        await here.finish()
        await here.restart()
        await ana.slash(here.channel, "escoba play")
        assert "One round" in here.public_text
        await here.press(ana, here.shown, "express", label="To 21 points")
        assert "to 21 points · 🏅 rated" in here.public_text
        await here.end(ana)
        await ana.slash(here.channel, "escoba play")
        assert "to 21 points · 🏅 rated" in here.public_text


async def test_points_that_a_command_names_come_before_what_is_remembered(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await ana.slash(here.channel, "escoba play")
        await here.press(ana, here.shown, "express")
        await here.end(ana)
        await ana.slash(here.channel, "escoba play", target=11)
        assert "to 11 points" in here.public_text


async def test_others_who_sit_there_are_asked_and_only_the_opener_chooses(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(bea)
        await here.press(bea, here.shown, "express")
        assert here.private_text(bea) == refusal_text(TableRefusal.NOT_CHOOSER)
        await here.press(ana, here.shown, "express")
        assert "⏳ New: One round" in here.public_text
        await here.press(ana, here.shown, "start")
        assert here.table.phase is Phase.LOBBY, "Bea has not agreed"
        await here.agree()
        await here.press(ana, here.shown, "start")
        assert here.table.phase is Phase.PLAYING


async def test_a_match_that_was_express_with_others_stays_friendly(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(bea)
        await here.press(ana, here.shown, "express")
        await here.press(ana, here.shown, "express")
        assert "to 21 points · 🤝 friendly" in here.public_text, "nobody is drawn into a rated match"


async def test_alone_a_single_round_is_a_press_away(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await ana.slash(here.channel, "escoba solo")
        await here.press(ana, here.private(ana), "express")
        assert "One round" in here.private_text(ana)
        assert here.bot.parts.preferences.cached(ana.id, TablePreferences).express_on == ()


def test_the_latest_servers_are_remembered_once_each():
    chosen = TablePreferences(express_on=tuple(str(number) for number in range(MOST_EXPRESS)))
    assert with_express(chosen, 0, express=True)[-1] == "0"
    assert len(with_express(chosen, 999, express=True)) == MOST_EXPRESS
    assert "0" not in with_express(chosen, 0, express=False)
