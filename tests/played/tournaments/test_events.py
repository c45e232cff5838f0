"""A tournament among the server's events: made, changed and deleted with it, if both may make events."""

from datetime import timedelta
from typing import Any

import discord
import pytest

from bot.platform.transport.permissions import INVITED
from bot.tournaments.boards.places import EVENT_AGAIN_SECONDS
from bot.tournaments.rules.log import CancelTournament
from tests.played.tournaments.evening import Evening, eventually, let
from tests.played.tournaments.test_appointment import announce
from tests.support.escoba import Room, RoomOf
from tests.support.fake_discord.refused import Refused
from tests.support.fake_discord.scheduled_events import MOST, check


def events(here: Room) -> list[Any]:
    """The server's events."""
    return list(here.env.backend.get_guild(here.world.guild.id).scheduled_events.values())


def permit(here: Room, permissions: discord.Permissions) -> None:
    """Make the bot's own role allow these permissions and no others."""
    guild, bot = here.world.guild.id, here.env.backend.bot_user.id
    [role_id] = here.env.backend.get_member(guild, bot).role_ids
    here.env.backend.edit_role(guild, role_id, {"permissions": permissions.value})


async def made(evening: Evening) -> Any:
    """Announce a tournament for tomorrow, and wish for an event."""
    here, ana = evening.here, evening.organiser
    permit(here, INVITED | discord.Permissions(create_events=True))
    let(here, ana, create_events=True)
    await announce(evening, "Copa", "mañana 21:30")
    await evening.press(ana, "manage")
    await evening.choose(ana, "more", "event.1")
    await here.env.settle()
    [event] = events(here)
    return event


async def test_the_event_says_what_when_and_where_and_goes_with_the_tournament(room_of: RoomOf):
    async with room_of(4) as here:
        evening, ana = Evening(here), here.people[0]
        event = await made(evening)
        start = evening.state.setup.start
        assert start is not None
        assert (event.name, event.entity_type) == ("Copa", 3)
        assert event.entity_metadata == {
            "location": f"https://discord.com/channels/{here.world.guild.id}/{here.channel.id}"
        }
        assert event.scheduled_start_time == start.moment.isoformat()
        assert event.scheduled_end_time > event.scheduled_start_time
        assert evening.live.row.event_id == event.id

        form = await ana.choose(ana.panel(here.channel), ["when"], custom_id="^t:more:")
        await ana.submit(form, {"title": "Copa de otoño", "when": "mañana 22:00"})
        await here.env.settle()
        [same] = events(here)
        assert (same.id, same.name) == (event.id, "Copa de otoño")
        assert same.scheduled_start_time == (start.moment + timedelta(minutes=30)).isoformat()

        await evening.choose(ana, "more", "event.0")
        await here.env.settle()
        assert events(here) == []
        await evening.choose(ana, "more", "event.1")
        await here.env.settle()
        assert len(events(here)) == 1
        await evening.press(ana, "manage")
        await evening.on_own(ana, "cancel")
        await evening.on_own(ana, "cancelyes")
        await here.env.settle()
        assert events(here) == []


async def test_once_play_has_begun_the_event_is_left_to_its_end(room_of: RoomOf):
    async with room_of(4) as here:
        evening, ana = Evening(here), here.people[0]
        event = await made(evening)
        for person in here.people:
            await evening.press(person, "join")
        await evening.press(ana, "manage")
        await evening.on_own(ana, "begin")
        await evening.on_own(ana, "beginyes")
        await here.env.settle()
        assert evening.live.row.event_id is None
        await evening.live.submit(CancelTournament(evening.state.organiser))
        await here.env.settle()
        assert [each.id for each in events(here)] == [event.id]


async def test_both_need_the_permission_and_are_told_so(room_of: RoomOf):
    async with room_of(2) as here:
        evening, ana = Evening(here), here.people[0]
        permit(here, INVITED)
        await announce(evening, "", "mañana 21:30")
        await evening.press(ana, "manage")
        await evening.choose(ana, "more", "event.1")
        assert "you need the permission **Create Events**." in evening.own_text(ana)
        let(here, ana, create_events=True)
        await evening.choose(ana, "more", "event.1")
        assert "I need the permission **Create Events**" in evening.own_text(ana)
        start = evening.state.setup.start
        assert start is not None
        assert not start.event
        assert events(here) == []


async def test_a_restart_makes_no_second_event_even_if_its_id_was_lost(room_of: RoomOf):
    async with room_of(2) as here:
        evening = Evening(here)
        event = await made(evening)
        await evening.live.set_event(None)
        await here.restart(killed=True)
        await eventually(lambda: evening.live.row.event_id == event.id)
        assert len(events(here)) == 1


@pytest.mark.parametrize("how", ["deleted", "forbidden", "full"])
async def test_where_discord_has_no_event_for_it_the_menu_offers_one_again(room_of: RoomOf, how: str):
    async with room_of(2) as here:
        evening, ana = Evening(here), here.people[0]
        backend, guild = here.env.backend, here.world.guild.id
        if how == "full":
            for number in range(MOST):
                time = "2099-01-01T00:00:00+00:00"
                backend.create_scheduled_event(guild, name=str(number), entity_type=3, scheduled_start_time=time)
            with pytest.raises(ValueError, match="too many values"):
                await made(evening)
            assert len(events(here)) == MOST
        else:
            event = await made(evening)
            if how == "deleted":
                backend.delete_scheduled_event(guild, event.id)
            else:
                permit(here, INVITED)
            form = await ana.choose(ana.panel(here.channel), ["when"], custom_id="^t:more:")
            await ana.submit(form, {"title": "Otra", "when": "mañana 22:00"})
            await here.env.settle()
        start = evening.state.setup.start
        assert start is not None
        assert not start.event
        assert evening.live.row.event_id is None
        await evening.press(ana, "manage")
        assert "event.1" in ana.selects(ana.panel(here.channel))[0].values


async def test_a_server_error_is_tried_again(room_of: RoomOf):
    async with room_of(2) as here:
        evening, ana = Evening(here), here.people[0]
        permit(here, INVITED | discord.Permissions(create_events=True))
        let(here, ana, create_events=True)
        await announce(evening, "Copa", "mañana 21:30")
        here.env.inject_error("POST", f"/guilds/{here.world.guild.id}/scheduled-events", status=503)
        await evening.press(ana, "manage")
        await evening.choose(ana, "more", "event.1")
        await here.env.settle()
        assert events(here) == []
        await here.wait(EVENT_AGAIN_SECONDS + 1)
        await eventually(lambda: len(events(here)) == 1)


async def test_the_fake_refuses_times_as_discord_does_and_other_peoples_events(room_of: RoomOf):
    async with room_of(2) as here:
        backend, guild = here.env.backend, here.world.guild.id
        permit(here, INVITED | discord.Permissions(create_events=True))
        path, later = f"/guilds/{guild}/scheduled-events", "2099-01-01T20:00:00+00:00"
        for times, field in (
            ({"scheduled_start_time": "2020-01-01T20:00:00+00:00"}, "scheduled_start_time"),
            ({"scheduled_start_time": later, "scheduled_end_time": later}, "scheduled_end_time"),
        ):
            with pytest.raises(Refused) as refused:
                check(backend, "POST", path, times)
            assert (refused.value.code, [*(refused.value.errors or {})]) == (50035, [field])
        theirs = backend.create_scheduled_event(
            guild, name="Other", entity_type=3, scheduled_start_time=later, creator_id=here.people[0].id
        )
        with pytest.raises(Refused) as refused:
            check(backend, "DELETE", f"{path}/{theirs.id}", None)
        assert refused.value.code == 50013


@pytest.mark.parametrize("failure", [(404, 0), (403, 0), (429, 0), (404, 10004), (403, 20026)])
@pytest.mark.parametrize("exists", [False, True])
async def test_an_answer_that_says_nothing_certain_costs_a_tournament_no_event(
    room_of: RoomOf, failure: tuple[int, int], exists: bool
):
    async with room_of(2) as here:
        evening, ana = Evening(here), here.people[0]
        status, code = failure
        path = f"/guilds/{here.world.guild.id}/scheduled-events"
        if exists:
            event = await made(evening)
            here.env.inject_error("PATCH", f"{path}/*", status=status, code=code)
            form = await ana.choose(ana.panel(here.channel), ["when"], custom_id="^t:more:")
            await ana.submit(form, {"title": "Otra", "when": "mañana 22:00"})
            await here.env.settle()
            assert evening.live.row.event_id == event.id
        else:
            permit(here, INVITED | discord.Permissions(create_events=True))
            let(here, ana, create_events=True)
            await announce(evening, "Otra", "mañana 21:30")
            here.env.inject_error("POST", path, status=status, code=code)
            await evening.press(ana, "manage")
            await evening.choose(ana, "more", "event.1")
            await here.env.settle()
        start = evening.state.setup.start
        assert start is not None
        assert start.event
        await here.wait(EVENT_AGAIN_SECONDS + 1)
        await eventually(lambda: [each.name for each in events(here)] == ["Otra"])
