"""The ways out of a rated match that is being lost, by click: each leads to the loss, or to everybody's agreement."""

from datetime import timedelta

import discord
import pytest
from simcord.builders import ChannelHandle

from bot.club.rules.rating import Rating
from bot.club.store.standing import Leaderboard, Metric, Standing
from bot.engine.match import Match
from bot.tables.live.table import Table
from bot.tables.log.events import Phase, Presence
from bot.tables.log.pace import Tempo
from bot.tables.refusals import TableRefusal
from tests.support.escoba import Room, RoomOf, own
from tests.support.people import Person, forge, set_locale, text_of
from tests.support.phrases import EN, NEEDS_EVERYBODY, NO_SEAT, refusal_text
from tests.support.truth import match_of

DAY = 24 * 3600
AGREED = EN("🤝 Everyone agreed to end this match. It doesn't count.")
PROPOSED = "🏳️ **Ana** proposes to end the match without a result."


def moderator(here: Room, *, plays: bool = False) -> Person:
    """Somebody who may manage messages; if they play, it is the second person."""
    role = here.world.guild.create_role("mods", permissions=discord.Permissions(manage_messages=True))
    if plays:
        here.env.backend.add_member_role(here.world.guild.id, here.people[1].id, role.id)
        return here.people[1]
    return Person(here.world.guild.add_member(here.env.create_user("Mod"), roles=[role]))


async def scored(here: Room, players: int | None = None) -> Table:
    """Begin a rated match, and play until its first round is scored and the next is dealt."""
    await here.begin(players, target=31)
    table = here.table

    def has_score(match: Match) -> bool:
        return bool(match.scores) and match.turn is not None

    await here.skip(lambda view: view.moves[0], until=has_score)
    return table


async def ask(here: Room, person: Person) -> None:
    """Propose to end the match, in answer to what leaving means."""
    await person.slash(here.channel, "escoba leave")
    await here.press(person, person.panel(here.channel), "endask")


async def leave(here: Room, person: Person) -> None:
    await person.slash(here.channel, "escoba leave")
    await here.press(person, person.panel(here.channel), "leaveyes")


async def standings(here: Room) -> dict[int, Standing]:
    page = await here.bot.parts.stores.leaderboards.page(
        here.world.guild.id, Leaderboard(Metric.WINS), limit=10, offset=0
    )
    return {row.user_id: row for row in page.rows}


def mu_of(row: Standing) -> float:
    assert row.mu is not None, "the match was rated"
    return row.mu


async def records(here: Room) -> dict[str, tuple[int, int]]:
    """Matches and wins on the server's leaderboard, by name."""
    return {row.name: (row.matches, row.wins) for row in (await standings(here)).values()}


async def listed(here: Room) -> str:
    """What people who may manage the server read about matches that ended early."""
    boss = Person(here.world.guild.add_member(here.env.create_user("Boss")))
    role = here.world.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    here.env.backend.add_member_role(here.world.guild.id, boss.id, role.id)
    office = here.world.guild.create_text_channel("office")
    await boss.slash(office, "escoba settings")
    await boss.choose(office, ["results"], custom_id="^s:change$")
    return text_of(boss.panel(office))


# ------------------------------------------------------------------ ending it alone


async def test_the_opener_who_is_behind_cannot_cancel_a_rated_match(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        table = await scored(here)
        await ana.slash(here.channel, "escoba leave")
        question = ana.panel(here.channel)
        assert not any(":cancel" in button.custom_id for button in ana.buttons(question))
        await forge(ana, question, f"e:cancelyes:{table.id}:0")
        assert table.phase is Phase.PLAYING
        await here.press(ana, question, "endask")
        assert PROPOSED in here.public_text
        await here.press(bea, here.shown, "disagree")
        assert PROPOSED not in here.public_text
        assert table.phase is Phase.PLAYING
        await here.play_out(until=lambda: table.view().version > 70)


async def test_a_question_from_the_lobby_ends_no_match_that_has_begun_since(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(bea)
        await here.options(ana, "cancel")
        question = ana.panel(here.channel)
        await here.press(bea, here.shown, "start")
        await here.press(ana, question, "cancelyes")
        assert NEEDS_EVERYBODY in ana.sees(here.channel)[-1]
        assert here.table.phase is Phase.PLAYING


async def test_a_manager_who_plays_has_no_more_right_than_others(room_of: RoomOf):
    async with room_of(2) as here:
        bea = moderator(here, plays=True)
        table = await scored(here)
        await bea.slash(here.channel, "escoba leave")
        question = bea.panel(here.channel)
        assert not any(":cancel" in button.custom_id for button in bea.buttons(question))
        await forge(bea, question, f"e:cancelyes:{table.id}:0")
        assert table.phase is Phase.PLAYING
        await leave(here, bea)
        await bea.slash(here.channel, "escoba table")
        below = [button.custom_id for button in bea.buttons(bea.panel(here.channel))]
        assert not any(":cancel" in custom_id for custom_id in below), "nor once they have left"
        await forge(bea, question, f"e:cancelyes:{table.id}:0")
        assert here.private_text(bea) == NEEDS_EVERYBODY
        assert table.phase is Phase.PLAYING


async def forgotten(here: Room) -> Table:
    """Begin a rated match without a time limit, of which nobody has touched a card for two weeks."""
    ana, bea = here.people[:2]
    await here.lobby()
    await here.choose_option(ana, "tempo", Tempo.OPEN)
    await here.press(bea, here.shown, "join")
    await here.press(ana, here.shown, "start")
    table = here.table
    await here.wait(14 * DAY)
    return table


async def test_a_manager_who_does_not_play_ends_what_is_forgotten_and_others_can_read_that(room_of: RoomOf):
    async with room_of(2) as here:
        mod = moderator(here)
        table = await forgotten(here)
        match = match_of(table)
        assert match is not None
        await here.ask_to_end(mod)
        assert "People with the Manage Server permission can see" in here.private_text(mod)
        await here.press(mod, mod.panel(here.channel), "cancelyes")
        assert table.phase is Phase.CANCELLED
        assert await records(here) == {}
        at = int(here.env.now().timestamp())
        await here.restart()
        await here.wait(3 * DAY)
        said = await listed(here)
        assert f"<t:{at}:f>, <#{here.channel.id}>: Ana **{match.totals[0]}** – Bea **{match.totals[1]}**" in said
        assert "Ended by **Mod**" in said


async def test_friendly_matches_and_those_played_to_the_end_are_not_listed(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(friendly=True)
        ana = here.people[0]
        await here.end(ana)
        await here.begin(target=5)
        await here.finish()
        assert EN("There are none.") in await listed(here)


async def test_a_match_is_not_made_friendly_once_it_has_begun(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(bea)
        options = await here.options(ana)
        await here.press(bea, here.shown, "start")
        await here.press(ana, options, "rated", "f")
        assert here.table.view().config.rated


# ------------------------------------------------------------------ asking the others


async def test_a_match_ends_once_everybody_agrees_on_the_table_or_on_a_panel(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        table = await scored(here)
        await ask(here, ana)
        for person in (bea, ciro):
            assert PROPOSED in text_of(here.panel(person)), "it is asked on each panel, too"
        assert [each.label for each in ana.buttons(here.panel(ana)) if "agree" in each.custom_id] == ["Play on"]
        await here.press(bea, here.panel(bea), "agree")
        assert "Agreed: Bea" in here.public_text
        assert table.phase is Phase.PLAYING
        await here.press(ciro, here.shown, "agree")
        assert table.phase is Phase.AGREED
        assert AGREED in here.public_texts()[-1]
        assert await records(here) == {}
        assert "Everyone agreed" in await listed(here)


async def test_passers_by_have_no_say(room_of: RoomOf):
    async with room_of(3) as here:
        ana, _, ciro = here.people
        await here.begin(2)
        await ask(here, ana)
        await here.press(ciro, here.shown, "agree")
        assert here.private_text(ciro) == NO_SEAT
        assert PROPOSED in here.public_text


async def test_play_goes_on_while_the_question_is_open_and_it_is_asked_once_a_round(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        ana, bea = here.people
        table = await scored(here)
        await ask(here, ana)
        version = table.view().version
        await here.play_out(until=lambda: table.view().version > version + 1)
        assert PROPOSED in here.public_text
        await here.press(bea, here.panel(bea), "disagree")
        await ana.slash(here.channel, "escoba leave")
        question = ana.panel(here.channel)
        assert not any(":endask:" in button.custom_id for button in ana.buttons(question))
        await forge(ana, question, f"e:endask:{table.id}:0")
        assert here.private_text(ana) == refusal_text(TableRefusal.ASKED_BEFORE)


@pytest.mark.parametrize(("turn", "open_for"), [(600, 600), (0, DAY)])
async def test_an_unanswered_question_closes_after_a_turns_time_or_a_day(room_of: RoomOf, turn: int, open_for: int):
    async with room_of(2, turn_seconds=turn, nudge_seconds=0) as here:
        ana = here.people[0]
        table = await scored(here)
        await ask(here, ana)
        until = here.env.now() + timedelta(seconds=open_for)
        assert f"the question closes <t:{int(until.timestamp())}:R>" in here.public_text
        await here.wait(open_for - 60)
        await here.restart(killed=True)
        assert PROPOSED in here.public_text
        await here.wait(61)
        assert here.table.view().question is None
        assert here.table.phase is Phase.PLAYING
        assert PROPOSED not in here.public_text
        assert here.table.id == table.id


async def test_leaving_offers_to_ask_the_others_first(room_of: RoomOf):
    async with room_of(2) as here:
        _, bea = here.people
        await here.begin()
        await bea.slash(here.channel, "escoba leave")
        await here.press(bea, bea.panel(here.channel), "endask")
        assert "**Bea** proposes to end the match" in here.public_text


@pytest.mark.spanish
async def test_in_spanish_the_question_reads_as_people_say_it(room_of: RoomOf):
    async with room_of(2) as here:
        for person in here.people:
            set_locale(person, "es-ES")
        ana, bea = here.people
        await here.begin()
        await ask(here, ana)
        assert "🏳️ **Ana** propone terminar la partida sin resultado." in here.public_text
        assert [each.label for each in bea.buttons(here.shown) if "agree" in each.custom_id] == ["De acuerdo", "Seguir"]


# ------------------------------------------------------------------ leaving it


async def test_when_one_of_two_leaves_the_other_takes_the_win(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        table = await scored(here)
        await leave(here, ana)
        assert "🚪 **Ana** left, so Bea wins." in here.public_text
        await here.press(bea, here.panel(bea), "takewin")
        assert table.phase is Phase.FORFEITED
        assert await records(here) == {"Ana": (1, 0), "Bea": (1, 1)}
        rows = await standings(here)
        assert mu_of(rows[bea.id]) > mu_of(rows[ana.id])
        assert "🚪 **Ana** left, so Bea wins." in here.public_texts()[-1]
        assert "🥇 Bea" in here.public_texts()[-1]


async def test_the_win_can_be_taken_on_the_table_too_but_not_by_whoever_left(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        table = await scored(here)
        await leave(here, ana)
        await here.press(ana, here.shown, "takewin")
        assert here.private_text(ana) == NO_SEAT
        await here.press(bea, here.shown, "takewin")
        assert table.phase is Phase.FORFEITED


async def test_whoever_plays_on_against_the_computer_keeps_the_win_whatever_the_score(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await scored(here)
        await leave(here, ana)
        here.people = [bea]
        await here.finish(lambda view: view.moves[-1])
        assert await records(here) == {"Ana": (1, 0), "Bea": (1, 1)}
        assert "## 🏆 Bea wins!" in here.public_text
        assert "🚪 **Ana** left, so Bea wins." in here.public_text


@pytest.mark.parametrize("how", ["leave", "abandoned", "restart"])
async def test_the_loss_of_whoever_left_stands_however_the_match_ends(room_of: RoomOf, how: str):
    async with room_of(2) as here:
        ana, bea = here.people
        table = await scored(here)
        await leave(here, ana)
        if how == "leave":
            await bea.slash(here.channel, "escoba leave")
            assert "You already won this match" in here.private_text(bea)
            await here.press(bea, bea.panel(here.channel), "leaveyes")
        else:
            if how == "restart":
                await here.restart(killed=True)
                assert "🚪 **Ana** left, so Bea wins." in here.public_text
            await here.wait(3 * 3600)
        assert here.bot.parts.manager.get(table.id) is None
        assert await records(here) == {"Ana": (1, 0), "Bea": (1, 1)}


async def test_the_opener_cannot_wipe_out_the_loss_of_somebody_who_left_before(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        table = await scored(here)
        await leave(here, ciro)
        await ask(here, ana)
        await here.press(bea, here.shown, "agree")
        assert table.phase is Phase.FORFEITED
        assert await records(here) == {"Ana": (1, 0), "Bea": (1, 0), "Ciro": (1, 0)}
        rows = await standings(here)
        assert mu_of(rows[ciro.id]) < min(mu_of(rows[ana.id]), mu_of(rows[bea.id]))
        assert "nobody won it. Lost by leaving: **Ciro**." in here.public_texts()[-1]
        assert "lost by leaving: Ciro" in await listed(here)


async def test_erasing_ones_data_in_a_match_loses_it_and_the_other_is_rated(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        table = await scored(here)
        await here.open_data(ana)
        await ana.press(here.channel, custom_id="^p:erase$")
        assert "a rated match is lost" in here.private_text(ana)
        await ana.press(here.channel, custom_id="^p:eraseyes$")
        assert here.bot.parts.manager.get(table.id) is None
        row = (await standings(here))[bea.id]
        assert (row.matches, row.wins) == (1, 1)
        assert mu_of(row) > Rating().mu


# ------------------------------------------------------------------ not moving


async def test_a_match_without_deadlines_is_not_ended_by_those_who_are_waited_for_nor_by_passers_by(room_of: RoomOf):
    async with room_of(3, turn_seconds=0, nudge_seconds=0) as here:
        ana, bea, ciro = here.people
        table = await scored(here, 2)
        for minutes in (10, 24 * 60):
            await here.wait(minutes * 60)
            for person in (ana, bea, ciro):
                await person.slash(here.channel, "escoba play")
                assert "It's a rated match, which only those who play it can end." in here.private_text(person)
                assert "e:clearyes" not in str(person.buttons(person.panel(here.channel)))
                await forge(person, here.shown, f"e:clearyes:{table.id}:0:0:0")
        assert here.table is table
        assert table.phase is Phase.PLAYING
        here.env.backend.create_thread(here.channel.id, "hilo", ciro.id)
        thread: ChannelHandle = here.channel.threads[-1]
        await ciro.slash(thread, "escoba play")
        assert here.bot.parts.manager.at(thread.id) is not None, "passers-by play in a thread"


async def test_the_others_claim_it_after_the_time_that_the_lobby_has_announced(room_of: RoomOf):
    async with room_of(2, turn_seconds=0, nudge_seconds=0, idle_days=3) as here:
        ana, bea = here.people
        await here.lobby(bea)
        assert "No time limit: whoever doesn't move for 3 days can lose by time." in here.public_text
        await here.press(ana, here.shown, "start")
        table = here.table
        match = match_of(table)
        assert match is not None
        late = here.people[match.turn or 0]
        [other] = [person for person in here.people if person is not late]
        await here.wait(2 * DAY)
        await here.press(late, here.shown, "hand")  # a click is no move
        await here.restart()
        await here.wait(DAY - 60)
        assert "claimall" not in str([each.custom_id for each in ana.buttons(here.shown)])
        await here.wait(60)
        assert f"{late.name} hasn't moved for 3 days" in here.public_text.replace("**", "")
        await here.press(late, here.shown, "claimall")
        assert here.table.phase is Phase.PLAYING, "nobody claims from themselves"
        await here.press(other, here.shown, "claimall")
        assert f"⏳ **{late.name}** ran out of time, so {other.name} wins." in here.public_texts()[-1]
        assert await records(here) == {late.name: (1, 0)}, "nobody has played, so it is lost, and not won"
        assert table.id is not None


async def test_a_move_begins_the_time_again_and_an_unclaimed_match_ends_after_twice_that(room_of: RoomOf):
    async with room_of(2, turn_seconds=0, nudge_seconds=0, idle_days=1) as here:
        await here.begin()
        table, version = here.table, here.table.view().version
        await here.wait(DAY)
        assert table.view().claimable
        for person in here.people:
            await here.press(person, here.shown, "hand")
        await here.play_out(until=lambda: table.view().version > version)
        assert not table.view().claimable
        await here.wait(2 * DAY - 60)
        assert table.phase is Phase.PLAYING
        await here.wait(60)
        assert table.phase is Phase.IDLE
        assert "Nobody was moving" in await listed(here)


async def test_with_a_deadline_a_passer_by_does_not_end_a_rated_match_either(room_of: RoomOf):
    async with room_of(3, turn_seconds=60) as here:
        ciro = here.people[2]
        table = await scored(here, 2)
        await here.wait(11 * 60)
        assert [seat.presence for seat in table.view().seats] == [Presence.AWAY, Presence.AWAY]
        await ciro.slash(here.channel, "escoba play")
        assert [each.label for each in ciro.buttons(ciro.panel(here.channel))] == ["Play in a thread"]
        assert table.phase is Phase.PLAYING


# ------------------------------------------------------------------ making it disappear


async def test_a_deleted_table_is_posted_again_and_its_match_goes_on(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        table = await scored(here)
        here.env.backend.delete_message(here.channel.id, here.shown.id)
        version = table.view().version
        person = here.people[(match_of(table) or pytest.fail("no match")).turn or 0]
        await person.slash(here.channel, "escoba hand")
        await here.play_out(until=lambda: table.view().version > version)
        assert table.phase is Phase.PLAYING
        assert f"e:hand:{table.id}" in str([each.custom_id for each in person.buttons(here.shown)])


async def test_whoever_erases_their_data_leaves_the_list_without_a_name(room_of: RoomOf):
    async with room_of(2) as here:
        mod = moderator(here)
        await forgotten(here)
        await here.end(mod)
        for person in (mod, here.people[0]):
            await here.open_data(person)
            await person.press(here.channel, custom_id="^p:erase$")
            await person.press(here.channel, custom_id="^p:eraseyes$")
        said = await listed(here)
        assert "Bea **" in said
        assert not {"Ana", "Mod"} & set(said.replace("*", " ").split())


async def test_a_player_who_owns_the_bot_has_no_other_way(room_of: RoomOf):
    async with room_of(2) as here:
        own(here, here.people[0])
        table = await scored(here)
        await here.people[0].slash(here.channel, "escoba leave")
        await forge(here.people[0], here.people[0].panel(here.channel), f"e:cancelyes:{table.id}:0")
        assert table.phase is Phase.PLAYING
