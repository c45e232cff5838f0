"""Somebody's first match: friendly with hints if they open the table, and said to be rated if they join one."""

import pytest

from tests.played import brief
from tests.played.tables.test_alone import begin, play_out
from tests.support.escoba import RoomOf
from tests.support.experience import played
from tests.support.people import text_of

pytestmark = pytest.mark.newcomers


async def test_the_table_of_a_newcomer_is_friendly_with_hints_before_anybody_else_sits(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        ana, bea = here.people
        await ana.slash(here.channel, "escoba play", target=5)
        assert "🤝 friendly" in here.public_text
        config = here.table.view().config
        assert (config.rated, config.hints, config.rules.target) == (False, True, 5)
        await here.press(bea, here.shown, "join")
        assert "Rated" not in here.private_text(bea)
        await here.press(ana, here.shown, "start")
        await here.press(ana, here.shown, "hand")
        await here.press(bea, here.shown, "hand")
        await here.finish()
        await ana.slash(here.channel, "escoba play")
        assert "🏅 rated" in here.public_text, "only the first one"


async def test_the_puzzle_is_offered_below_somebodys_first_result_and_never_again(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        ana, bea = here.people
        await played(here, bea, won=True)
        await here.begin(2, target=5)
        await here.finish()
        for person, offered in ((ana, True), (bea, False)):
            labels = [each.label for each in person.buttons(here.private(person))]
            assert ("Today's puzzle" in labels) is offered
            assert labels[0] == "Rematch"
        await ana.press(here.private(ana), label="Today's puzzle")
        await here.press(ana, here.shown, "rematch")
        await here.press(bea, here.shown, "join")
        for person in (ana, bea):
            await here.press(person, here.shown, "hand")
        await here.finish()
        assert "Today's puzzle" not in [each.label for each in ana.buttons(here.private(ana))]


async def test_a_solo_match_may_be_the_first_one_as_well(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await begin(here, ana)
        await play_out(here, ana)
        labels = [each.label for each in ana.buttons(here.private(ana))]
        assert labels == ["Again", "Review", "Replay", "Today's puzzle"]


async def test_a_newcomer_at_a_rated_table_is_told_once_and_asks_for_a_friendly_match_with_a_press(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        await played(here, ana, won=True)
        await played(here, ciro, won=False)
        await ana.slash(here.channel, "escoba play")
        assert not any(each.flags.ephemeral for each in ana.messages(here.channel)), "Ana has played before"
        await here.press(ciro, here.shown, "join")
        assert not any(each.flags.ephemeral for each in ciro.messages(here.channel))
        await here.press(bea, here.shown, "join")
        told = here.private(bea)
        assert "**Rated**: counts for the leaderboard and ratings" in text_of(told)
        await here.options(bea, "leave")
        await here.press(bea, here.shown, "join")
        assert here.private_text(bea) == "You left the table.", "nothing is said again"
        await here.press(bea, told, "rated", "f")
        assert "🤝 friendly" in here.public_text
        assert all(seat.agreed is None for seat in here.table.view().seats), "nobody has to agree to less"


async def test_in_the_lobby_how_to_play_explains_and_options_edit(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await ana.slash(here.channel, "escoba play")
        await here.press(bea, here.shown, "guide")
        title, aim, *_ = here.private_text(bea).splitlines()
        assert title.startswith("## 📜")
        assert aim == "**Take cards that make 15 with yours. Clear the table: escoba.**"
        await here.press(ana, here.shown, "options")
        labels = [each.label for each in ana.buttons(here.private(ana))]
        assert "Change the rules" in labels
        assert "Rules" not in labels
        await ana.slash(here.channel, "escoba rules", variant="clasica")
        assert "**Take a card equal to yours, or cards that add up to it." in here.private_text(ana).splitlines()[1]
