"""People who have no seat are offered a way on: to watch, to hear of the next table, or to play in a thread."""

import discord
from simcord.backend.models import Overwrite
from simcord.enums import ChannelType, OverwriteType

from bot.platform.people import Person
from bot.tables.log.actions import ChooseGuests
from bot.tables.log.events import Guests, Phase
from bot.tables.refusals import TableRefusal
from tests.played import brief
from tests.played.tables.test_threads import forbid
from tests.support.escoba import RoomOf
from tests.support.people import text_of
from tests.support.phrases import refusal_text

NOT_SEATED = refusal_text(TableRefusal.NOT_SEATED)


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


async def test_where_there_is_a_table_those_with_free_seats_elsewhere_are_named(room_of: RoomOf):
    async with room_of(5) as here:
        _, bea, ciro, dora, elio = here.people
        await here.begin(2)
        plaza, cellar = (here.world.guild.create_text_channel(name) for name in ("plaza", "bodega"))
        deny = discord.PermissionOverwrite(view_channel=False).pair()[1]
        here.env.backend.set_overwrite(cellar.id, Overwrite(dora.id, OverwriteType.MEMBER, 0, deny.value))
        for person, channel in ((bea, plaza), (ciro, cellar)):
            await person.slash(channel, "escoba play")
        for person, seen in ((dora, [plaza]), (elio, [plaza, cellar])):
            await person.slash(here.channel, "escoba play")
            lines = here.private_text(person).partition("**Free seats elsewhere**\n")[2].splitlines()
            assert [line.partition("> ")[0] for line in lines] == [f"<#{each.id}" for each in seen]
            assert all("Escoba · 3 free seats · [Go to the table](" in line for line in lines)
        lobby = here.bot.parts.manager.at(plaza.id)
        assert lobby is not None
        await lobby.submit(ChooseGuests(Person(bea.id, "Bea"), Guests((Person(elio.id, "Elio"),))))
        await dora.slash(here.channel, "escoba play")
        assert "Free seats" not in here.private_text(dora)


async def test_a_table_in_a_thread_is_named_too_unless_the_thread_is_private(room_of: RoomOf):
    async with room_of(3) as here:
        ciro = here.people[2]
        await here.begin(2)
        await ciro.slash(here.channel, "escoba play")
        await here.press(ciro, here.private(ciro), "aside", "0", "0")
        [thread] = here.channel.threads
        ana = here.people[0]
        await ana.slash(here.channel, "escoba play")
        assert f"<#{thread.id}>" in here.private_text(ana)
        here.env.backend.channels[thread.id].type = ChannelType.PRIVATE_THREAD
        await ana.slash(here.channel, "escoba play")
        assert "Free seats" not in here.private_text(ana)


async def test_where_there_is_no_table_the_matches_that_one_may_watch_are_named(room_of: RoomOf):
    async with room_of(5, clicks_per_10_seconds=200) as here:
        ana, _, ciro, dora, elio = here.people
        plaza, cellar, yard = (here.world.guild.create_text_channel(name) for name in ("plaza", "bodega", "patio"))
        await ana.slash(plaza, "escoba table")
        alone = text_of(ana.panel(plaza))
        assert alone.startswith("There's no table in this channel.")
        await here.begin(2)
        deny = discord.PermissionOverwrite(view_channel=False).pair()[1]
        here.env.backend.set_overwrite(cellar.id, Overwrite(dora.id, OverwriteType.MEMBER, 0, deny.value))
        for person, channel in ((ciro, cellar), (dora, yard)):
            await person.slash(channel, "escoba play")
        here.channel, first = cellar, here.channel
        await here.press(ciro, here.shown, "addc")
        await here.press(ciro, here.shown, "start")
        for person, seen in ((elio, [cellar, first]), (dora, [first])):
            await person.slash(plaza, "escoba table")
            before, _, named = text_of(person.panel(plaza)).partition("\n\n**Matches elsewhere**\n")
            assert before == alone
            assert [line.partition("> ")[0] for line in named.splitlines()] == [f"<#{each.id}" for each in seen]
            assert "> **Ana** – **Bea** · [Go to the table](" in named.splitlines()[-1]


async def test_no_match_in_a_private_thread_is_named_to_be_watched(room_of: RoomOf):
    async with room_of(3) as here:
        ciro = here.people[2]
        await here.lobby(here.people[1])
        plaza = here.world.guild.create_text_channel("plaza")
        await here.options(here.people[0], "thread")
        [thread] = here.channel.threads
        here.channel = thread
        await here.press(here.people[0], here.shown, "start")
        await ciro.slash(plaza, "escoba table")
        assert f"<#{thread.id}> **Ana** – **Bea**" in text_of(ciro.panel(plaza))
        here.env.backend.channels[thread.id].type = ChannelType.PRIVATE_THREAD
        await ciro.slash(plaza, "escoba table")
        assert "Matches elsewhere" not in text_of(ciro.panel(plaza))


async def test_if_discord_does_not_say_what_one_sees_no_tables_are_named(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(2)
        await here.people[1].slash(here.world.guild.create_text_channel("plaza"), "escoba play")
        here.env.inject_error("GET", "/guilds/*/channels", status=403)
        ciro = here.people[2]
        await ciro.slash(here.channel, "escoba play")
        assert "There's already a table" in here.private_text(ciro)
        assert "Free seats" not in here.private_text(ciro)
