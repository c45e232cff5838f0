"""A list of matches that went stale answers with what has become of the match, and with the list as it is now."""

from tests.played import brief
from tests.played.tables.test_alone import begin, play_out
from tests.support.escoba import RoomOf
from tests.support.people import text_of


async def test_play_on_a_match_that_has_ended_shows_its_end_and_the_list(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        ana = here.people[0]
        elsewhere = here.world.guild.create_text_channel("plaza")
        await here.begin(target=5)
        await ana.slash(elsewhere, "escoba games")
        stale = ana.panel(elsewhere)
        assert "your turn" in text_of(stale) or "'s turn" in text_of(stale)
        await here.finish()
        await here.press(ana, stale, "hand")
        by_id = {message.id: text_of(message) for message in ana.messages(elsewhere)}
        assert "Your matches" in by_id[stale.id]
        assert "against Bea" in by_id[stale.id], "it is among those that are over"
        [end] = [text for number, text in by_id.items() if number != stale.id]
        assert "Well played, Ana" in end


async def test_a_match_against_robots_that_is_over_is_listed_on_every_server(room_of: RoomOf):
    async with room_of(1, chance=brief.TWO) as here:
        [ana] = here.people
        await begin(here, ana)
        await play_out(here, ana)
        await ana.slash(here.channel, "escoba games")
        assert "Your matches" in here.private_text(ana)
        [menu] = [each for each in ana.selects(here.private(ana)) if each.custom_id.startswith("w:choose:")]
        await ana.choose(here.channel, [menu.values[0]], custom_id="^w:choose:")
        assert "Replay" in [each.label for each in ana.buttons(here.private(ana))]
