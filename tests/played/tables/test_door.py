"""People who have no seat are offered a way on: to watch, to hear of the next table, or to play in a thread."""

from __future__ import annotations

from bot.tables.errors import RefusalCode
from bot.tables.log.events import Phase
from tests.played import brief
from tests.played.tables.test_threads import forbid
from tests.support.escoba import RoomOf
from tests.support.people import text_of
from tests.support.phrases import refusal_text

NOT_SEATED = refusal_text(RefusalCode.NOT_SEATED)


async def test_a_stranger_may_watch_and_is_told_of_the_next_table_once(room_of: RoomOf):
    async with room_of(4, chance=brief.TWO) as here:  # the fourth wants no notifications, and asks for none
        ana, bea, ciro, _ = here.people
        await here.begin(2, target=5)
        for ask in (here.press(ciro, here.shown, "hand"), ciro.slash(here.channel, "escoba hand")):
            await ask
            assert here.private_text(ciro).startswith(NOT_SEATED)
            assert "Join next" in [each.label for each in ciro.buttons(here.private(ciro))]
        await here.press(ciro, here.private(ciro), "awaitnext")
        assert here.private_text(ciro) == "I'll mention you here when the next table opens."
        await here.finish()
        await here.press(ana, here.shown, "rematch")
        call = f"👋 {ciro.mention} The next table is open."
        assert here.public_texts().count(call) == 1
        [called] = [each for each in here.tap.public() if call in str(each.body)]
        assert called.message["allowed_mentions"]["users"] == [ciro.id]
        await here.press(bea, here.shown, "join")
        await here.press(ciro, here.shown, "hand")
        assert here.private_text(ciro).startswith(NOT_SEATED)


async def test_a_rematch_that_begins_at_once_leaves_people_waiting(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(target=5)
        await here.press(ana, here.shown, "addc")
        await here.press(ana, here.shown, "start")
        await here.press(bea, here.shown, "hand")
        await here.press(bea, here.private(bea), "awaitnext")
        await here.finish()
        await here.press(ana, here.shown, "rematch")
        assert here.table.phase is Phase.PLAYING
        assert not any("The next table is open" in text for text in here.public_texts())
        await here.finish()
        await bea.slash(here.channel, "escoba play")
        assert not any("The next table is open" in text for text in here.public_texts()), "she has opened it"


async def test_where_there_is_a_table_another_may_be_opened_in_a_thread(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(2)
        ciro = here.people[2]
        await ciro.slash(here.channel, "escoba play", variant="quince", target=15)
        assert "There's already a table in this channel." in here.private_text(ciro)
        await here.press(ciro, here.private(ciro), "aside", "quince", "15")
        [thread] = here.channel.threads
        assert "in its thread" in here.private_text(ciro)
        here.channel = thread
        assert here.table.phase is Phase.LOBBY
        assert here.table.view().config.rules.target == 15
        assert "## 🧹 Escoba de quince" in text_of(here.shown)


async def test_where_the_bot_may_open_no_threads_the_way_to_the_table_is_shown(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(2)
        forbid(here, "create_public_threads")
        ciro = here.people[2]
        await ciro.slash(here.channel, "escoba play")
        assert "[Go to the table]" in here.private_text(ciro)
        assert ciro.buttons(here.private(ciro)) == []
