"""`/escoba solo`: somebody plays alone in private, from the command to the end of the match, wherever they are."""

from dataclasses import replace
from datetime import timedelta
from random import Random

import discord
import pytest
import sqlalchemy as sa
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine.moves import Play, Stage
from bot.platform.database.locations import location_of
from bot.platform.language.catalogues import words
from bot.platform.people import Person as PersonAt
from bot.platform.refusals import CommonRefusal
from bot.process.check import check
from bot.schema import SCHEMA
from bot.schema.tables import events, games, participants, result_players, results
from bot.tables.clicks.press import SCREEN
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.manager import REST_SECONDS
from bot.tables.live.table import Table
from bot.tables.log.actions import Configure
from bot.tables.log.events import Phase
from bot.tables.log.seats import Alone
from bot.tables.refusals import TableRefusal
from tests.support.dose import thorough_but
from tests.support.escoba import Room, RoomOf, own
from tests.support.fake_discord import worlds
from tests.support.people import Person, forge, forge_form, set_locale, text_of
from tests.support.phrases import refusal_text


def own_table(here: Room, person: Person) -> Table:
    """The table at which a person plays alone."""
    table = here.bot.parts.manager.at(Alone(person.id))
    assert table is not None
    return table


async def begin(here: Room, person: Person) -> Table:
    """Begin with two presses, the command and Start; the match is to five points."""
    await person.slash(here.channel, "escoba solo")
    table = own_table(here, person)
    config = table.view().config
    with worlds.as_bot(here.env):
        shorter = replace(config, rules=replace(config.rules, target=5))
        await table.submit(Configure(PersonAt(person.id, person.name), table.version, shorter))
    await person.slash(here.channel, "escoba solo")
    await here.press(person, here.private(person), "start")
    assert not person.selects(here.private(person)), "there is no clock that could be paused"
    return table


async def rows(here: Room) -> dict[str, int]:
    """Count the rows that the database has of each kind that a match leaves."""
    read = here.bot.parts.stores.database.read
    found: dict[str, int] = {}
    for table in (games, events, participants, results, result_players):
        found[table.name] = await read(lambda connection, each=table: count(connection, each))
    return found


async def count(connection: AsyncConnection, table: sa.Table) -> int:
    """Count the rows of a table."""
    return await connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0


async def play_out(here: Room, person: Person, *, moves: int = 400) -> None:
    """Play on the panel, until the match is over or so many moves and waits are done."""
    rng = Random(7)
    for _ in range(moves):
        table = here.bot.parts.manager.at(Alone(person.id))
        if table is None:
            return
        match = table.view().match
        assert match is not None
        if match.stage is Stage.TO_DEAL:
            await here.press(person, here.private(person), "next")
        elif match.turn != table.seat_of(person.id):
            await here.wait(0.1)
        else:
            assert match.turn is not None
            view = table.seat_view(match.turn)
            assert view is not None
            move = rng.choice(view.moves)
            assert isinstance(move, Play)
            panel = here.private(person)
            if match.laid is None:
                await here.press(person, panel, "card", str(move.card))
            else:
                take = next(each for each in person.buttons(panel) if each.custom_id.startswith("e:take:"))
                await person.press(panel, custom_id=take.custom_id)
    assert moves < 400, f"the match doesn't end: {text_of(here.private(person))}"


async def test_the_list_of_matches_opens_one_that_has_not_begun(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        await ana.slash(here.channel, "escoba solo")
        await ana.slash(here.channel, "escoba games")
        await ana.press(ana.panel(here.channel), label="Play")
        await here.press(ana, here.private(ana), "start")
        assert own_table(here, ana).phase is Phase.PLAYING


@pytest.mark.parametrize("locale", thorough_but(["en-US", "es-ES"], "es-ES"))
async def test_a_whole_match_is_played_alone_from_the_command_to_its_end(room_of: RoomOf, locale: str):
    async with room_of(2, pictures=True) as here:
        ana, bea = here.people
        set_locale(ana, locale)
        t = words(locale)
        table = await begin(here, ana)
        assert (table.guild_id, table.channel_id) == (None, None)
        panel = here.private(ana)
        await play_out(here, ana)
        assert here.private(ana).id == panel.id, "one message is the whole match"
        labels = [each.label for each in ana.buttons(here.private(ana))]
        assert labels == [t.context("button", "Again"), t.context("button", "Review"), t.context("button", "Replay")]
        assert t("Matches against robots only don't count for the leaderboard.") in text_of(here.private(ana))
        assert here.watch.seen > 20, "its requests were searched for the robot's cards"
        assert here.watch.cards > 20
        assert bea.messages(here.channel) == []
        assert here.public_texts() == []
        store = here.bot.parts.stores
        assert await store.standings.servers() == []
        assert [each.guild_id for _, each in (await store.personal_data.of(ana.id)).results] == [None]
        lines: list[str] = []
        assert await check(location_of(here.bot.parts.settings.database), lines.append), lines
        await here.press(ana, here.private(ana), "review")
        assert t("### 🔍 Your match, reviewed") in text_of(here.private(ana))
        await here.press(ana, ana.latest(here.channel, lambda each: "e:again" in str(each.components)), "again")
        again = own_table(here, ana)
        assert (again.phase, again.view().config.rules.target) == (Phase.PLAYING, 5)
        assert again.id != table.id
        assert any(each.custom_id.startswith(f"e:card:{again.id}:") for each in ana.buttons(panel)), (
            "on the same message"
        )


async def test_it_goes_on_with_its_old_buttons_after_the_bot_was_killed(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        table = await begin(here, ana)
        await play_out(here, ana, moves=6)
        match, panel = table.view().match, here.private(ana)
        await here.restart(killed=True)
        assert len(here.bot.parts.manager) == 0, "it sleeps until its person comes"
        await here.press(ana, panel, "hint")
        assert own_table(here, ana).view().match == match
        await play_out(here, ana)
        assert [each.label for each in ana.buttons(panel)] == ["Again", "Review", "Replay"]


async def test_a_person_has_one_and_the_command_resumes_it_from_anywhere(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        table = await begin(here, ana)
        await here.restart()
        here.channel = here.world.guild.create_text_channel("otra")
        await ana.slash(here.channel, "escoba solo")
        assert own_table(here, ana).id == table.id
        assert "**Your hand**" in here.private_text(ana) or "e:card:" in str(ana.buttons(here.private(ana)))


async def test_it_leaves_memory_when_nothing_can_show_it_any_more_and_comes_back_by_a_press(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        table = await begin(here, ana)
        await here.wait(1)
        match, panel = table.view().match, here.private(ana)
        await here.wait(REST_SECONDS + 1)
        assert len(here.bot.parts.manager) == 0
        await here.wait(5 * 24 * 60 * 60)
        await here.press(ana, panel, "panel")
        assert own_table(here, ana).view().match == match, "nothing has happened by itself"


async def test_nobody_else_can_press_its_buttons(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        table = await begin(here, ana)
        await here.wait(1)
        view = table.view()
        for asleep in (False, True):
            if asleep:
                await here.restart()
            for verb in (Verb.PANEL, Verb.HINT, Verb.START, Verb.CANCEL, Verb.CONFIRM_CANCEL, Verb.HAND, Verb.AGAIN):
                await forge(bea, here.private(ana), Ref(table.id, view.version).custom_id(verb))
                code = CommonRefusal.STALE if verb is Verb.AGAIN else TableRefusal.GAME_OVER
                assert here.private_text(bea) == refusal_text(code), verb
        assert here.bot.parts.manager.at(Alone(bea.id)) is None
        await here.press(ana, here.private(ana), "hint")
        assert own_table(here, ana).view().version == view.version


async def test_stale_and_forged_presses_change_nothing(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        table = await begin(here, ana)
        await here.wait(1)
        panel, version = here.private(ana), table.view().version
        card = next(each for each in ana.buttons(panel) if each.custom_id.startswith("e:card:"))
        for custom_id in (
            card.custom_id.replace(f":{Ref(table.id, version).custom_id(Verb.CARD).split(':')[3]}:", ":1:"),
            *(Ref(table.id, version).custom_id(verb) for verb in (Verb.SEEK, Verb.THREAD, Verb.AWAIT_NEXT, Verb.AGAIN)),
        ):
            await forge(ana, panel, custom_id)
            assert table.view().version == version, custom_id
        assert here.public_texts() == []


async def test_no_press_of_one_changes_or_tells_anything_of_the_server_where_it_is_made(room_of: RoomOf):
    typed = [{"type": 1, "components": [{"type": 4, "custom_id": "x", "value": "Peña"}]}]
    async with room_of(1) as here:
        [ana] = here.people
        own(here, ana)
        for verb in Verb:
            await ana.slash(here.channel, "escoba solo")
            table = own_table(here, ana)
            for args in ((), ("1",), ("0", "15")):
                custom_id = Ref(table.id, table.view().version, args).custom_id(verb)
                await forge(ana, here.private(ana), custom_id, ["1"])
                if verb in SCREEN.forms:
                    await forge_form(ana, here.private(ana), custom_id, typed)
        assert here.public_texts() == []
        assert await rows_of_servers(here) == {}


async def rows_of_servers(here: Room) -> dict[str, int]:
    """Count the rows that the database has about servers, by table; those without any are left out."""
    read, found = here.bot.parts.stores.database.read, dict[str, int]()
    for table in SCHEMA.metadata.sorted_tables:
        if "guild_id" in table.c:
            query = sa.select(sa.func.count()).where(table.c.guild_id.is_not(None))
            found[table.name] = await read(lambda connection, query=query: connection.scalar(query)) or 0
    return {name: number for name, number in found.items() if number}


async def test_nobody_is_chosen_as_a_guest_of_one_or_named_in_its_log(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await ana.slash(here.channel, "escoba solo")
        table = own_table(here, ana)
        await here.press(ana, here.private(ana), "options")
        assert not [each for each in ana.selects(here.private(ana)) if each.custom_id.startswith("e:guests:")]
        version = table.version
        await forge(ana, here.private(ana), Ref(table.id).custom_id(Verb.GUESTS), [str(bea.id)])
        assert (table.version, table.view().guests) == (version, None)


async def test_it_is_ended_after_a_question_and_counts_for_nobody(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        table = await begin(here, ana)
        panel = here.private(ana)
        await here.press(ana, panel, "cancel")
        assert "End this match? It won't count." in here.private_text(ana)
        await here.press(ana, here.private(ana), "cancelyes")
        assert table.phase is Phase.CANCELLED
        stored = ana.stored(panel)
        assert "You ended the match. It doesn't count." in str(stored.components)
        assert (await rows(here))["results"] == 0
        await here.press(ana, panel, "again")
        assert own_table(here, ana).phase is Phase.PLAYING


async def test_the_set_up_changes_robots_levels_and_rules_and_is_remembered(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await ana.slash(here.channel, "escoba solo")
        await here.press(ana, here.private(ana), "addc")
        await here.press(ana, here.private(ana), "options")
        await ana.choose(here.private(ana), ["hard"], custom_id="^e:comp:.*:1$")
        await ana.choose(here.private(ana), ["11"], custom_id="^e:target:")
        await here.press(ana, here.private(ana), "rules")
        await ana.choose(here.private(ana), ["preset"], custom_id="^e:rule:")
        await ana.choose(here.private(ana), ["clasica"], custom_id="^e:preset:")
        await here.press(ana, here.private(ana), "options")
        await here.press(ana, here.private(ana), "panel")
        await here.press(ana, here.private(ana), "start")
        first = own_table(here, ana).view()
        assert ([seat.level for seat in first.seats[1:]], first.config.preset) == (["hard", "normal"], "clasica")
        await here.press(ana, here.private(ana), "cancel")
        await here.press(ana, here.private(ana), "cancelyes")
        await ana.slash(here.channel, "escoba solo")
        second = own_table(here, ana).view()
        assert (second.phase, second.config) == (Phase.LOBBY, first.config)
        assert [seat.level for seat in second.seats[1:]] == ["hard", "normal"]


async def test_what_an_erased_person_has_played_alone_is_deleted(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await begin(here, ana)
        await play_out(here, ana)
        over = here.private(ana)
        await here.press(ana, over, "again")
        assert min((await rows(here)).values()) > 0
        await here.open_data(ana)
        await ana.press(here.channel, custom_id="^p:erase$")
        await ana.press(here.channel, custom_id="^p:eraseyes$")
        assert set((await rows(here)).values()) == {0}
        assert len(here.bot.parts.manager) == 0
        await here.press(ana, over, "hint")
        assert here.private_text(ana) == refusal_text(TableRefusal.GAME_OVER)


async def test_one_that_nobody_continues_is_closed_after_the_idle_days(room_of: RoomOf):
    async with room_of(1, idle_days=14) as here:
        [ana] = here.people
        await begin(here, ana)
        await here.wait(REST_SECONDS + 1)
        store = here.bot.parts.stores
        await here.wait(timedelta(days=12).total_seconds())
        assert await store.alone.open(ana.id, "MatchStarted") is not None
        await here.wait(timedelta(days=3).total_seconds())
        assert await store.alone.open(ana.id, "MatchStarted") is None


async def test_it_is_offered_while_a_lobby_waits(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await bea.slash(here.channel, "escoba play")
        await here.press(bea, here.shown, "options")
        await bea.press(here.channel, label="Solo match")
        await here.press(bea, here.private(bea), "start")
        await here.press(ana, here.shown, "join")
        assert own_table(here, bea).phase is Phase.PLAYING
        assert [seat.name for seat in here.table.view().seats] == ["Bea", "Ana"], "the lobby goes on waiting"
        assert len(here.public_texts()) == 1


async def test_it_is_not_offered_where_somebody_sits_with_others(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await bea.slash(here.channel, "escoba play")
        await here.press(ana, here.shown, "join")
        assert "Solo match" not in [each.label for each in bea.buttons(await here.options(bea))]


async def test_it_does_not_nag_beside_the_puzzle_of_the_day(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await begin(here, ana)
        await ana.slash(here.channel, "escoba today")
        assert "waiting for you" not in here.private_text(ana)


async def test_a_channel_where_the_bot_may_not_write_offers_it(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        deny = discord.Permissions(send_messages=True)
        bot_id = here.env.backend.bot_user.id
        here.env.backend.set_overwrite(here.channel.id, Overwrite(bot_id, OverwriteType.MEMBER, 0, deny.value))
        await ana.slash(here.channel, "escoba play")
        assert refusal_text(CommonRefusal.MUTED) in here.private_text(ana)
        await ana.press(here.channel, label="Solo match")
        await here.press(ana, here.private(ana), "start")
        await play_out(here, ana, moves=4)
        assert own_table(here, ana).phase is Phase.PLAYING
