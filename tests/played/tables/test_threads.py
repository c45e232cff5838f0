"""Moving a lobby to a thread: who may do so, what comes along, and what becomes of the thread."""

import discord
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.platform.kit.codec import base36
from bot.tables.log.events import Phase
from bot.tables.refusals import TableRefusal
from tests.played import brief
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, forge, text_of
from tests.support.phrases import OPENS, REMATCH, refusal_text
from tests.support.truth import match_of
from tests.support.wiretap import Request

IN_ITS_THREAD = "🧵 This table is [in its thread](https://discord.com/channels/{}/{}) now."
CREATION = "/channels/*/messages/*/threads"


async def offers(here: Room) -> bool:
    """Whether the lobby's options offer a thread to its opener."""
    options = await here.options(here.people[0])
    return any(button.custom_id.startswith("e:thread:") for button in here.people[0].buttons(options))


async def move(here: Room, *others: Person, **options: int) -> None:
    """Open a lobby and move it to a thread, which is the room's channel from then on."""
    ana = await here.lobby(*others, **options)
    await here.options(ana, "thread")
    here.channel = here.channel.threads[-1]


async def begun_without_hurry(here: Room) -> None:
    """Begin a match without a time limit in a thread."""
    await move(here, *here.people[1:])
    await here.choose_option(here.people[0], "tempo", "open")
    await here.agree()
    await here.press(here.people[0], here.shown, "start")


async def move_elsewhere(here: Room) -> None:
    """Play a card from a place where that sends nothing to the thread."""
    table = here.table
    match = match_of(table)
    assert match is not None
    await here.skip_one(table, match, lambda view: view.moves[0])
    await here.env.settle()


def sent(here: Room, method: str, ending: str) -> list[Request]:
    """The bot's requests to paths with this ending."""
    return [each for each in here.tap.requests if each.method == method and each.path.endswith(ending)]


def rung(request: Request) -> list[int]:
    """Whom a message notifies."""
    return [int(person) for person in request.body["allowed_mentions"]["users"]]


def forbid(here: Room, permission: str) -> None:
    """Take a permission from the bot in the channel."""
    deny = discord.Permissions(**{permission: True}).value
    bot_id = here.env.backend.bot_user.id
    here.env.backend.set_overwrite(here.channel.id, Overwrite(bot_id, OverwriteType.MEMBER, 0, deny))


async def test_a_lobby_goes_on_in_a_thread_with_its_people_rules_and_computers(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        await here.lobby(bea, variant="quince", target=21)
        await here.press(bea, here.shown, "addc")
        await here.choose_option(bea, "comp", "hard", seat=2)
        channel, table, before = here.channel, here.table, here.table.view()
        await here.options(ana, "thread")
        [here.channel] = channel.threads
        assert here.table is table
        assert (table.view().seats, table.view().config) == (before.seats, before.config)
        computer = before.seats[2].name
        assert here.channel.name == f"🧹 Ana · Bea · {computer} · Escoba de quince"
        assert text_of(ana.messages(channel)[0]) == IN_ITS_THREAD.format(table.guild_id, here.channel.id)
        assert ana.buttons(ana.messages(channel)[0]) == []
        assert OPENS.format("Ana") in here.public_text
        assert not await offers(here)
        await here.press(ciro, here.shown, "join")
        assert [seat.name for seat in table.view().seats] == ["Ana", "Bea", computer, "Ciro"]
        await bea.slash(channel, "escoba play")
        assert here.bot.parts.manager.at(channel.id) not in (None, table)


async def test_seated_people_who_want_pings_are_notified_once_of_the_thread(room_of: RoomOf):
    async with room_of(4) as here:
        ana, bea, ciro, dora = here.people
        await here.never(ciro)
        await move(here, bea, ciro)
        [first] = sent(here, "POST", f"/channels/{here.channel.id}/messages")
        assert rung(first) == [ana.id, bea.id]
        assert f"{ana.mention} {bea.mention} {ciro.mention} The table is here now." in text_of(here.shown)
        await here.press(dora, here.shown, "join")
        assert "The table is here now." not in here.public_text


async def test_a_match_in_a_thread_is_played_to_its_end_and_then_discord_archives_the_thread(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        channel = here.channel
        await move(here, here.people[1], target=5)
        [opening] = sent(here, "POST", "/threads")
        assert (opening.body["name"], opening.body["auto_archive_duration"]) == ("🧹 Ana · Bea · Escoba", 1440)
        await here.press(here.people[0], here.shown, "start")
        for person in here.people:
            await here.press(person, here.shown, "hand")
        table = here.table
        await here.finish()
        assert table.phase is Phase.FINISHED
        assert "🏆" in here.public_text
        assert [each.body for each in sent(here, "PATCH", f"/channels/{here.channel.id}")] == [
            {"auto_archive_duration": 60}
        ]
        row = await here.bot.parts.stores.games.get(table.id)
        assert row is not None
        assert row.channel_id == here.channel.id
        await here.press(here.people[1], here.shown, "rematch")
        assert here.table is not table
        assert REMATCH.format("Bea") in here.public_text
        assert not await offers(here), "it is in its thread already"
        assert here.bot.parts.manager.at(channel.id) is None


async def test_a_panel_elsewhere_offers_no_rematch_of_a_match_in_a_thread_but_leads_there(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        (ana, bea), channel = here.people, here.channel
        await move(here, bea, target=5)
        await here.press(ana, here.shown, "start")
        table = here.table
        await ana.slash(channel, "escoba games")
        await ana.press(ana.panel(channel), custom_id=f"^e:hand:{base36(table.id)}")
        await bea.slash(here.channel, "escoba leave")
        await here.press(bea, bea.panel(here.channel), "leaveyes")
        await ana.press(ana.panel(channel), custom_id="^e:takewin:")
        await here.env.settle()
        assert table.phase is Phase.FORFEITED
        assert "[Go to the table]" in text_of(ana.panel(channel))
        assert ana.buttons(ana.panel(channel)) == []


async def test_a_cancelled_lobby_leaves_its_thread_to_be_archived_and_nothing_else(room_of: RoomOf):
    async with room_of(1) as here:
        ana = await here.lobby()
        await here.options(ana, "cancel")
        assert not sent(here, "PATCH", f"/channels/{here.channel.id}"), "it was never moved"
        await move(here)
        await here.options(ana, "cancel")
        assert len(sent(here, "PATCH", f"/channels/{here.channel.id}")) == 1


async def test_pressing_twice_opens_one_thread(room_of: RoomOf):
    async with room_of(1) as here:
        ana = await here.lobby()
        options = await here.options(ana)
        pressed = next(b.custom_id for b in ana.buttons(options) if ":thread:" in b.custom_id)
        await here.press(ana, options, "thread")
        await forge(ana, options, pressed)
        assert len(here.channel.threads) == 1
        assert len(sent(here, "POST", "/threads")) == 1
        [here.channel] = here.channel.threads
        assert here.table.seat_of(ana.id) == 0


async def test_a_thread_that_somebody_has_opened_on_the_lobbys_message_is_used(room_of: RoomOf):
    async with room_of(1) as here:
        ana = await here.lobby()
        lobby = here.shown.id
        here.env.backend.create_thread(here.channel.id, "charla", ana.id, message_id=lobby)
        here.env.inject_error("POST", CREATION, status=400, code=160004)
        await here.options(ana, "thread")
        [here.channel] = here.channel.threads
        assert (here.channel.id, here.channel.name) == (lobby, "charla")
        assert OPENS.format("Ana") in here.public_text


NO_THREAD = [
    (403, 50013, TableRefusal.NO_THREADS),
    (400, 160006, TableRefusal.TOO_MANY_THREADS),
    (500, 0, TableRefusal.NO_THREAD),
    (404, 10008, TableRefusal.NO_THREAD),
]
"""Discord's refusals to open a thread, and the reason that the person is given."""


async def test_where_discord_opens_no_thread_the_lobby_stays_and_its_person_is_told_why(room_of: RoomOf):
    async with room_of(2) as here:
        ana = await here.lobby()
        version = here.table.version
        for status, error, said in NO_THREAD:
            told = {message.id for message in ana.messages(here.channel)}
            here.env.inject_error("POST", CREATION, status=status, code=error)
            await here.options(ana, "thread")
            assert ana.panel(here.channel).id not in told, status
            assert here.private_text(ana) == refusal_text(said), status
            assert here.table.version == version, status
        await here.press(here.people[1], here.shown, "join")
        await here.options(ana, "thread")  # another attempt may succeed
        assert len(here.channel.threads) == 1


async def test_only_the_opener_and_moderators_move_a_lobby(room_of: RoomOf):
    async with room_of(3) as here:
        _, bea, ciro = here.people
        await here.lobby(bea)
        options = await here.options(bea)
        assert not any(":thread:" in each.custom_id for each in bea.buttons(options))
        await forge(bea, options, f"e:thread:{base36(here.table.id)}:0")
        assert bea.sees(here.channel)[-1] == refusal_text(TableRefusal.NOT_MOVER)
        assert not here.channel.threads
        role = here.world.guild.create_role("mods", permissions=discord.Permissions(manage_messages=True))
        here.env.backend.add_member_role(here.world.guild.id, ciro.id, role.id)
        await here.options(ciro, "thread")
        assert len(here.channel.threads) == 1


async def test_a_lobby_offers_no_thread_where_the_bot_may_not_open_one(room_of: RoomOf):
    async with room_of(1) as here:
        for missing in ("create_public_threads", "send_messages_in_threads", "read_message_history"):
            here.channel = here.world.guild.create_text_channel(missing)
            await here.lobby()
            ana = here.people[0]
            assert await offers(here), missing
            forbid(here, missing)
            await here.options(ana, "thread")
            assert refusal_text(TableRefusal.NO_THREADS) in ana.sees(here.channel)[-1], missing
            assert not sent(here, "POST", "/threads"), f"a request that Discord would refuse, without {missing}"
            await here.options(ana, "cancel")
            await here.lobby()
            assert not await offers(here), missing
            await here.options(ana, "cancel")


async def test_a_lobby_in_a_thread_or_a_voice_channel_offers_none(room_of: RoomOf):
    async with room_of(1) as here:
        text = here.channel
        here.env.backend.create_thread(text.id, "hilo", here.people[0].id)
        for place in (text.threads[-1], here.world.guild.create_voice_channel("voz")):
            here.channel = place
            await here.lobby()
            assert not await offers(here)


async def test_a_bot_killed_before_the_thread_has_its_message_posts_it_when_it_is_back(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        await here.lobby(bea)
        channel, lobby = here.channel, here.shown
        join = next(b.custom_id for b in ana.buttons(lobby) if ":join:" in b.custom_id)
        here.env.inject_error("POST", "/channels/*/messages", status=500, times=None)
        await here.options(ana, "thread")
        assert ana.messages(channel.threads[0]) == []
        here.env.backend.faults.clear()
        await here.restart(killed=True)
        [here.channel] = channel.threads
        assert OPENS.format("Ana") in here.public_text
        assert rung(sent(here, "POST", f"/channels/{here.channel.id}/messages")[-1]) == [ana.id, bea.id]
        await forge(ciro, lobby, join)  # as from a lobby that was never edited
        assert text_of(ana.messages(channel)[0]) == IN_ITS_THREAD.format(here.table.guild_id, here.channel.id)
        assert here.table.seat_of(ciro.id) == 2


async def test_a_quiet_thread_that_discord_has_archived_is_unarchived_for_the_next_edit(room_of: RoomOf):
    async with room_of(2) as here:
        for person in here.people:
            await here.never(person)
        await begun_without_hurry(here)
        thread, shown, before = here.channel.id, here.shown.id, here.public_text
        await here.wait(25 * 3600)
        await here.restart()  # so that the bot knows of no message below the table
        await move_elsewhere(here)
        assert [each.body for each in sent(here, "PATCH", f"/channels/{thread}")] == [{"archived": False}]
        assert here.shown.id == shown
        assert here.public_text != before
        assert len(sent(here, "POST", f"/channels/{thread}/messages")) == 1, "nothing new was posted"


async def test_a_match_in_a_thread_that_was_locked_goes_on_in_its_panels(room_of: RoomOf):
    async with room_of(2) as here:
        for person in here.people:
            await here.never(person)
        await begun_without_hurry(here)
        await here.wait(25 * 3600)
        here.env.inject_error("PATCH", f"/channels/{here.channel.id}", status=403, code=50013, times=None)
        await here.restart()
        table, version = here.table, here.table.version
        await move_elsewhere(here)
        assert table.version > version
        assert table.view().unseen
