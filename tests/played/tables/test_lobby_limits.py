"""Limits on the number of open lobbies per server and per person."""

import pytest

from bot.tables.refusals import TableRefusal
from tests.support.escoba import RoomOf
from tests.support.phrases import refusal_text


@pytest.mark.thorough
async def test_one_person_may_open_only_as_many_lobbies_as_configured(room_of: RoomOf) -> None:
    async with room_of(2, lobbies_per_person=2) as here:
        ana, bea = here.people
        channels = [here.channel, *(here.world.guild.create_text_channel(f"mesa-{number}") for number in (2, 3))]
        for channel in channels:
            await ana.slash(channel, "escoba play")
        assert [here.bot.parts.manager.at(channel.id) is not None for channel in channels] == [True, True, False]
        assert refusal_text(TableRefusal.TOO_MANY_LOBBIES) in ana.sees(channels[2])[-1]
        await bea.slash(channels[2], "escoba play")
        assert here.bot.parts.manager.at(channels[2].id) is not None, "others may open one"


async def test_a_server_may_have_only_as_many_lobbies_as_configured_not_counting_matches(room_of: RoomOf) -> None:
    async with room_of(3, lobbies_per_guild=1) as here:
        *_, ciro = here.people
        other = here.world.guild.create_text_channel("mesa-2")
        await here.lobby(here.people[1])
        await ciro.slash(other, "escoba play")
        assert here.bot.parts.manager.at(other.id) is None
        assert refusal_text(TableRefusal.TOO_MANY_LOBBIES) in ciro.sees(other)[-1]
        await here.press(here.people[0], here.shown, "start")
        await ciro.slash(other, "escoba play")
        assert here.bot.parts.manager.at(other.id) is not None
