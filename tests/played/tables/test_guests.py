"""Who may sit down at a table: the people and roles that its host has chosen, and nobody who was taken off twice."""

from bot.tables.log.events import Phase
from bot.tables.refusals import TableRefusal
from tests.support.escoba import RoomOf
from tests.support.people import text_of
from tests.support.phrases import refusal_text


async def test_a_table_for_some_people_only_says_so_and_turns_others_away(room_of: RoomOf):
    async with room_of(4) as here:
        ana, bea, ciro, dora = here.people
        await here.lobby()
        role = here.world.guild.create_role("peña")
        here.env.backend.add_member_role(here.world.guild.id, ciro.id, role.id)
        await ana.choose(await here.options(ana), [bea.actor, role], custom_id="^e:guests:")
        assert f"🔒 Only for <@{bea.id}>, <@&{role.id}>" in text_of(here.shown)
        mentions = here.tap.public()[-1].message["allowed_mentions"]
        assert not any(mentions.values()), "nobody is pinged"
        await here.press(dora, here.shown, "join")
        assert here.private_text(dora) == refusal_text(TableRefusal.NOT_A_GUEST)
        for guest in (bea, ciro):
            await here.press(guest, here.shown, "join")
        assert [seat.name for seat in here.table.view().seats] == ["Ana", "Bea", "Ciro"]
        await here.restart()
        await here.press(dora, here.shown, "join")
        assert here.private_text(dora) == refusal_text(TableRefusal.NOT_A_GUEST)
        await ana.choose(await here.options(ana), [], custom_id="^e:guests:")
        assert "🔒" not in text_of(here.shown)
        await here.press(dora, here.shown, "join")
        assert here.table.seat_of(dora.id) is not None


async def test_a_host_takes_somebody_off_and_after_the_second_time_they_stay_off(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby()
        for _ in range(2):
            await here.press(bea, here.shown, "join")
            await here.choose_option(ana, "takeoff", "1")
            assert here.table.seat_of(bea.id) is None
        await here.press(bea, here.shown, "join")
        assert here.private_text(bea) == refusal_text(TableRefusal.TAKEN_OFF)
        assert here.table.phase is Phase.LOBBY


async def test_only_the_host_sees_the_menus_of_guests(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        await here.lobby(bea)
        for person, sees in ((ana, True), (bea, False), (ciro, False)):
            menus = [each.custom_id for each in person.selects(await here.options(person))]
            assert any(each.startswith("e:guests:") for each in menus) is sees
            assert any(each.startswith("e:takeoff:") for each in menus) is sees


async def test_bots_are_no_guests(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await here.lobby()
        robot = here.world.guild.add_member(here.env.create_user("Robot", bot=True))
        await ana.choose(await here.options(ana), [robot], custom_id="^e:guests:")
        assert here.table.view().guests is None
