"""Leaving a match and ending a game: after a confirmation, and only by those allowed to."""

from random import Random

import discord
import pytest

from bot.club.store.standing import Leaderboard, Metric
from bot.platform.kit.codec import base36
from bot.tables.log.events import Phase, Presence
from bot.tables.refusals import TableRefusal
from tests.played import brief
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, forge, text_of
from tests.support.phrases import ABANDONED, CANCELLED, NO_SEAT, OVER, refusal_text
from tests.support.truth import match_of

NO_TABLE = "There's no table in this channel."
OUT = "A moderator took this table out of the channel. The match goes on:"


def moderator(here: Room) -> Person:
    """Another member, who may manage messages."""
    role = here.world.guild.create_role("mods", permissions=discord.Permissions(manage_messages=True))
    person = Person(here.world.guild.add_member(here.env.create_user("Mod"), roles=[role]))
    here.people.append(person)
    return person


def verbs(here: Room, person: Person) -> list[str]:
    """The verbs of the buttons on the newest private message."""
    return [button.custom_id.split(":")[1] for button in person.buttons(person.panel(here.channel))]


async def test_the_host_may_end_a_friendly_match_after_confirming(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(friendly=True)
        ana, bea = here.people
        await here.ask_to_end(ana)
        await here.press(ana, ana.panel(here.channel), "keep")
        assert ana.buttons(ana.panel(here.channel)) == []
        assert here.table.phase is Phase.PLAYING
        await here.end(ana)
        assert ana.buttons(ana.panel(here.channel)) == []
        assert here.public_texts()[-1].startswith(CANCELLED.format("Ana"))
        assert here.bot.parts.manager.at(here.channel.id) is None
        assert OVER in here.private_text(bea)
        assert (await leaders(here)).total == 0


async def test_a_moderator_may_end_a_game_but_a_player_may_not(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(2, friendly=True)
        bea, ciro, mod = here.people[1], here.people[2], moderator(here)
        await bea.slash(here.channel, "escoba leave")
        assert verbs(here, bea) == ["leaveyes", "keep"]
        await ciro.slash(here.channel, "escoba play")
        assert verbs(here, ciro) == ["aside"]
        await mod.slash(here.channel, "escoba play")
        assert verbs(here, mod) == ["cancel", "aside"], "where the channel is taken, too"
        await here.ask_to_end(mod)
        question = mod.panel(here.channel)
        button = next(b for b in mod.buttons(question) if ":cancelyes:" in b.custom_id)
        await forge(bea, question, button.custom_id)  # not even with the moderator's own button
        assert here.table.phase is Phase.PLAYING
        await here.press(mod, question, "cancelyes")
        assert here.public_texts()[-1].startswith(CANCELLED.format(mod.name))


async def test_below_the_table_a_moderator_alone_finds_the_way_to_end_it(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(2, friendly=True)
        ciro, mod = here.people[2], moderator(here)
        await ciro.slash(here.channel, "escoba table")
        assert verbs(here, ciro) == []
        await mod.slash(here.channel, "escoba table")
        assert "further down" in here.public_texts()[0]
        assert verbs(here, mod) == ["cancel"]
        await mod.slash(here.channel, "escoba table")
        assert "Go to the table" in mod.sees(here.channel)[-2], "it was posted only just now"
        assert verbs(here, mod) == ["cancel"]


async def test_a_moderator_may_take_a_rated_match_out_of_the_channel_but_not_end_it(room_of: RoomOf):
    async with room_of(3, chance=brief.TWO) as here:
        await here.begin(2, target=5)
        table, (ana, bea, ciro) = here.table, here.people
        mod = moderator(here)
        await mod.slash(here.channel, "escoba table")
        assert verbs(here, mod) == ["takeout"]
        button = next(b for b in mod.buttons(mod.panel(here.channel)) if ":takeout:" in b.custom_id)
        await forge(ciro, mod.panel(here.channel), button.custom_id)
        assert not table.taken_out
        await here.press(mod, mod.panel(here.channel), "takeout")
        assert OUT in here.public_texts()[-1]
        assert f"⚠️ {OUT}" in text_of(here.panel(ana))
        assert here.bot.parts.manager.at(here.channel.id) is None, "the channel is free"
        before = len(here.tap.requests)
        await here.restart(killed=True)
        found = here.bot.parts.manager.get(table.id)
        assert found is not None
        await here.wait(3600)
        view = found.view()
        assert (view.phase, view.unseen, view.deadline) == (Phase.PLAYING, True, None), "no turn passes unknown"
        asked = [str(each) for each in here.tap.requests[before:]]
        assert not [each for each in asked if f"/channels/-{table.id}" in each], "nothing is tried there"
        for person in (ana, bea):
            await person.slash(here.channel, "escoba games")
            await person.press(person.panel(here.channel), custom_id=f"^e:hand:{base36(table.id)}")
        rng = Random(7)
        while (match := match_of(found)) is not None and found.phase is Phase.PLAYING:
            await here.skip_one(found, match, lambda view: rng.choice(view.moves))
        await here.env.settle()
        assert found.phase is Phase.FINISHED
        assert (await leaders(here)).total == 2
        await ana.slash(here.channel, "escoba leave")
        assert NO_TABLE in here.private_text(ana), "it is over"
        await here.lobby()
        assert here.table.phase is Phase.LOBBY


@pytest.mark.parametrize("asleep", [False, True])
async def test_whoever_plays_a_match_without_a_channel_leaves_it_from_any(room_of: RoomOf, asleep: bool):
    async with room_of(3, chance=brief.TWO) as here:
        await here.begin(2, target=5)
        number, (ana, bea, ciro) = here.table.id, here.people
        mod = moderator(here)
        await mod.slash(here.channel, "escoba table")
        await here.press(mod, mod.panel(here.channel), "takeout")
        if asleep:
            await here.restart(killed=True)
        await ciro.slash(here.channel, "escoba leave")
        assert NO_TABLE in here.private_text(ciro), "he doesn't play it"
        await ana.slash(here.channel, "escoba leave")
        await here.press(ana, ana.panel(here.channel), "endask")
        table = await here.bot.parts.manager.find(number)
        assert table is not None
        await bea.slash(here.channel, "escoba leave")
        await here.press(bea, bea.panel(here.channel), "leaveyes")
        await here.env.settle()
        [ana_there, bea_there] = [seat.presence is Presence.HERE for seat in table.view().seats]
        assert (ana_there, bea_there) == (True, False)


async def test_the_host_of_a_lobby_is_asked_what_leaving_means(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(bea)
        await bea.slash(here.channel, "escoba leave")
        assert [seat.name for seat in here.table.view().seats] == ["Ana"], "a guest just leaves"
        await here.press(bea, here.shown, "join")
        for _ in range(2):
            await ana.slash(here.channel, "escoba leave")
            assert verbs(here, ana) == ["leaveyes", "cancelyes", "keep"]
            await here.press(ana, ana.panel(here.channel), "keep")
            assert here.private_text(ana) == "Nothing changed."
        await ana.slash(here.channel, "escoba leave")
        await here.press(ana, ana.panel(here.channel), "leaveyes")
        assert [seat.name for seat in here.table.view().seats] == ["Bea"]
        await here.press(ana, here.shown, "join")
        await bea.slash(here.channel, "escoba leave")
        await here.press(bea, bea.panel(here.channel), "cancelyes")
        assert here.private_text(bea) == "The table was closed."
        assert here.bot.parts.manager.at(here.channel.id) is None
        await here.lobby()
        await ana.slash(here.channel, "escoba leave")
        assert here.bot.parts.manager.at(here.channel.id) is None, "nobody else is there to ask about"


async def test_leaving_a_lobby_leaves_no_match_that_has_begun_since(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(bea)
        await ana.slash(here.channel, "escoba leave")
        question = ana.panel(here.channel)
        await here.press(bea, here.shown, "start")
        await here.press(ana, question, "leaveyes")
        assert here.private_text(ana) == refusal_text(TableRefusal.LOBBY_OVER)
        assert here.table.view().seats[0].presence is Presence.HERE


async def test_a_late_confirmation_is_answered_by_saying_that_the_game_is_over(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(friendly=True)
        ana = here.people[0]
        for _ in range(2):
            await here.ask_to_end(ana)
        first, second = ana.messages(here.channel)[-2:]
        await here.press(ana, second, "cancelyes")
        await here.press(ana, first, "cancelyes")
        assert OVER in ana.sees(here.channel)[-1]


async def test_a_computer_plays_on_for_a_leaver_who_has_lost(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(target=5)
        ana, bea, ciro = here.people
        await bea.slash(here.channel, "escoba leave")
        assert "counts as a loss" in here.private_text(bea)
        await here.press(bea, bea.panel(here.channel), "keep")
        assert here.table.view().seats[1].presence is Presence.HERE
        await bea.slash(here.channel, "escoba leave")
        await here.press(bea, bea.panel(here.channel), "leaveyes")
        assert here.public_text.count("**Bea** 🚪 left") == 1
        await bea.slash(here.channel, "escoba hand")
        assert here.private_text(bea) == NO_SEAT
        here.people = [ana, ciro]
        await here.finish()
        rows = {row.user_id: row for row in (await leaders(here)).rows}
        assert {row.matches for row in rows.values()} == {1}
        assert len(rows) == 3
        assert (rows[bea.id].wins, rows[bea.id].points, rows[bea.id].escobas) == (0, 0, 0)
        assert rows[ana.id].points + rows[ciro.id].points > 0
        assert rows[ana.id].wins + rows[ciro.id].wins == 1, "whatever the computer has scored"
        assert "🏆 Bea " not in here.public_text


async def test_a_leaver_may_open_and_play_another_game_elsewhere(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        bea = here.people[1]
        await bea.slash(here.channel, "escoba leave")
        await here.press(bea, bea.panel(here.channel), "leaveyes")
        other = here.world.guild.create_text_channel("otra")
        await bea.slash(other, "escoba play")
        table = here.bot.parts.manager.at(other.id)
        assert table is not None
        assert table.seat_of(bea.id) == 0


async def test_when_the_last_person_leaves_a_friendly_match_it_is_abandoned(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(friendly=True)
        for person in here.people:
            await person.slash(here.channel, "escoba leave")
            await here.press(person, person.panel(here.channel), "leaveyes")
        assert here.bot.parts.manager.at(here.channel.id) is None
        assert ABANDONED in here.public_texts()[-1]
        assert (await leaders(here)).total == 0


async def test_a_stranger_cannot_leave_a_game(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(2)
        stranger = here.people[2]
        await stranger.slash(here.channel, "escoba leave")
        assert here.private_text(stranger) == NO_SEAT


async def leaders(here: Room):
    """The server's leaderboard."""
    return await here.bot.parts.stores.leaderboards.page(
        here.world.guild.id, Leaderboard(Metric.WINS), limit=10, offset=0
    )
