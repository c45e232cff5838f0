"""`/escoba table`: players and moderators can have the table posted again at intervals; others see a copy."""

import pytest

from bot.platform.people import Person as Player
from bot.platform.refusals import CommonRefusal
from bot.tables.boards.board import BETWEEN_REPOSTS
from bot.tables.log.events import Config
from tests.played.tables.test_leaving import moderator
from tests.played.test_trouble import hush
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, components_of, set_locale, text_of
from tests.support.phrases import FURTHER_DOWN, OPENS, refusal_text, turn_line

AGAIN = BETWEEN_REPOSTS.total_seconds()
ROW, BUTTON = 1, 2


async def ask(here: Room, person: Person) -> bool:
    """Send `/escoba table`. Returns whether a message was posted in the channel."""
    before = len(here.public_texts())
    await person.slash(here.channel, "escoba table")
    return len(here.public_texts()) > before


def is_copy(here: Room, person: Person) -> bool:
    """Whether their reply is a copy of the table without buttons and what they ask, with a link to its message."""
    message = person.panel(here.channel)
    kinds = {part["type"] for box in components_of(message) for part in box.get("components", ())}
    where = f"https://discord.com/channels/{here.world.guild.id}/{here.channel.id}/{here.shown.id}"
    lines = [line for line in here.public_text.splitlines() if "who wins this round?" not in line]
    reply = here.private_text(person).splitlines()
    assert reply[: len(lines)] == lines
    assert where in reply[-1]
    return not kinds & {ROW, BUTTON}


async def test_a_player_has_the_table_posted_again_without_notifying_anybody(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        old = here.shown.id
        assert await ask(here, here.people[0])
        assert here.shown.id > old
        assert FURTHER_DOWN in here.public_texts()[0]
        answer = next(request for request in here.tap.public() if request.message_id == here.shown.id)
        assert turn_line(here.table.view()) in text_of(here.shown)
        assert not answer.message["allowed_mentions"].get("users")


@pytest.mark.spanish
async def test_an_outsider_always_gets_a_private_copy(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(2)
        stranger = here.people[2]
        for _ in range(5):
            assert not await ask(here, stranger)
        assert is_copy(here, stranger)
        set_locale(stranger, "es-ES")
        await ask(here, stranger)
        assert "Te toca" not in here.private_text(stranger)
        assert "[Ir a la mesa]" in here.private_text(stranger)


async def test_the_table_is_posted_again_at_most_once_every_half_minute(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        ana, bea = here.people
        assert await ask(here, ana)
        for person in (ana, bea, ana):
            assert not await ask(here, person)
        assert is_copy(here, ana)
        await here.wait(AGAIN - 1)
        assert not await ask(here, bea)
        await here.wait(1)
        assert await ask(here, bea)
        assert not await ask(here, ana)


async def test_a_moderator_may_have_the_table_posted_again(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(2)
        mod = moderator(here)
        assert await ask(here, mod)
        assert not await ask(here, here.people[0])


async def test_a_lobby_can_be_posted_again(room_of: RoomOf):
    async with room_of(3) as here:
        await here.lobby(here.people[1])
        assert not await ask(here, here.people[2])
        assert OPENS.format("Ana") in here.private_text(here.people[2])
        assert is_copy(here, here.people[2])
        assert await ask(here, here.people[1])


async def test_a_rematch_posted_again_notifies_nobody_who_is_invited(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = [Player(person.id, person.name) for person in here.people]
        table = await here.bot.parts.manager.open(
            guild_id=here.world.guild.id,
            channel_id=here.channel.id,
            opener=ana,
            config=Config(),
            locale="en-US",
            invited=(ana, bea),
        )
        assert [person.id for person in table.view().missing] == [bea.id]
        assert await ask(here, here.people[0])
        assert here.people[1].mention in here.public_text
        [called] = [each for each in here.tap.public() if each.message_id == here.shown.id]
        assert not called.message["allowed_mentions"].get("users")


async def test_asking_brings_a_player_back_even_when_it_is_too_soon_to_post_again(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, computer_seconds=30, nudge_seconds=0) as here:
        await here.begin()
        await here.wait(99)
        ana, bea = here.people
        await ask(here, ana)
        await here.wait(2)
        assert "**Bea** 💤" in here.public_text
        assert not await ask(here, bea)
        assert "💤" not in here.public_text


async def test_a_table_that_could_not_be_posted_may_be_asked_for_again_at_once(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        ana = here.people[0]
        version = here.table.view().version
        hush(here)
        await here.play_out(until=lambda: here.table.view().version > version)
        assert not await ask(here, ana)
        assert here.private_text(ana) == refusal_text(CommonRefusal.MUTED)
        hush(here, silent=False)
        assert await ask(here, ana)
