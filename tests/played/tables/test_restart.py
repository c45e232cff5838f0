"""The bot stops or is killed at any time, another one takes its place, and every game goes on."""

import sqlite3
from contextlib import closing

import pytest

from bot.club.store.standing import Leaderboard, Metric
from bot.platform.eventlog import LogEntry
from bot.platform.refusals import CommonRefusal
from bot.process.commands import COMMANDS_HASH
from bot.tables.live.manager import TableManager
from bot.tables.log.codec import encode
from bot.tables.log.events import Closed, Phase, Presence
from tests.played import brief
from tests.support.dose import thorough_but
from tests.support.escoba import Decks, RoomOf
from tests.support.people import forge, text_of
from tests.support.phrases import (
    BACK_SOON,
    EXPIRED,
    REMATCH,
    ROUND,
    SCORE_OF,
    YOUR_HAND,
    YOUR_TURN,
    event_lines,
    refusal_text,
)
from tests.support.truth import match_of, stock_of


@pytest.mark.parametrize("killed", thorough_but([False, True], True), ids=["stopped", "killed"])
async def test_a_match_goes_on_after_a_restart_with_its_old_buttons(room_of: RoomOf, killed: bool):
    async with room_of(3, chance=brief.THREE) as here:
        await here.begin(target=5)
        await here.play_out(until=lambda: here.clicks > 12)
        state, shown = match_of(here.table), here.shown.id
        assert state is not None
        panels = {person.id: here.panel(person).id for person in here.people}
        await here.restart(killed=killed)
        assert match_of(here.table) == state
        player = here.people[state.turn or 0]
        panel = here.panel(player)
        assert panel.id == panels[player.id]
        card = next(b for b in player.buttons(panel) if b.custom_id.startswith("e:card:") and "capture" not in b.label)
        await player.press(panel, custom_id=card.custom_id)  # an old button on an old panel
        assert match_of(here.table).version == state.version + 1  # type: ignore[union-attr]
        assert here.shown.id == shown
        for person in here.people:
            await here.press(person, here.panel(person), "panel")
        await here.finish()
        assert "🏆" in here.public_text
        page = await here.bot.parts.stores.leaderboards.page(
            here.world.guild.id, Leaderboard(Metric.WINS), limit=10, offset=0
        )
        assert [row.matches for row in page.rows] == [1, 1, 1]


async def test_after_a_restart_a_panel_is_updated_again_from_the_first_click_on_it(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        ana, bea = here.people
        await here.restart(killed=True)
        await here.press(ana, here.panel(ana), "panel")
        await here.press(bea, here.shown, "hand")
        version = here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > version)
        assert YOUR_TURN in text_of(here.panel(ana))


@pytest.mark.thorough
async def test_a_capture_can_still_be_chosen_after_a_restart(room_of: RoomOf):
    async with room_of(2, chance=Decks(rigged={1: "4b 5c 6c 5b 6b 7b 1o 3c 7c 12o"}, dealer=1)) as here:
        await here.begin()
        ana = here.people[0]
        await here.press(ana, here.panel(ana), "card", "4b")
        for _ in range(2):
            await here.restart(killed=True)
            assert here.laid_card() is not None
            assert event_lines(here.table.view())[0] in here.public_text
        await ana.press(here.shown, label="1🪙 \\+ 3🏆 \\+ 7🏆")
        assert str(here.table.view().match.table) == "12o"  # type: ignore[union-attr]


@pytest.fixture
def asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a restart tables stay asleep until somebody clicks, as if many others were brought back before them."""

    async def bring_back(self: TableManager) -> None:
        pass

    monkeypatch.setattr(TableManager, "bring_back", bring_back)


@pytest.mark.usefixtures("asleep")
@pytest.mark.parametrize("how", thorough_but(["button", "hint", "command"], "button"))
async def test_the_first_click_or_command_wakes_a_sleeping_table(room_of: RoomOf, how: str):
    async with room_of(1) as here:
        ana = await here.lobby()
        await here.press(ana, here.shown, "addc")
        await here.press(ana, here.shown, "start")
        await here.press(ana, here.shown, "hand")
        await here.restart(killed=True)
        assert here.bot.parts.manager.at(here.channel.id) is None
        if how == "command":
            await ana.slash(here.channel, "escoba hand")
        else:
            await here.press(ana, *((here.shown, "hand") if how == "button" else (here.panel(ana), "hint")))
        assert YOUR_HAND in here.private_text(ana)


@pytest.mark.usefixtures("asleep")
async def test_a_click_on_a_lobbys_old_message_wakes_the_table_in_its_thread(room_of: RoomOf):
    async with room_of(2) as here:
        ana = await here.lobby()
        lobby, bea = here.shown, here.people[1]
        join = next(b.custom_id for b in ana.buttons(lobby) if ":join:" in b.custom_id)
        await here.options(ana, "thread")
        [thread] = here.channel.threads
        await here.restart(killed=True)
        await forge(bea, lobby, join)  # as from a lobby that was never edited
        table = here.bot.parts.manager.at(thread.id)
        assert table is not None
        assert table.seat_of(bea.id) == 1


async def test_a_lobby_survives_a_restart(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(target=15)
        await here.press(ana, here.shown, "addc")
        await here.choose_option(ana, "comp", "easy", seat=1)
        computer = here.table.view().seats[1]
        await here.restart(killed=True)
        assert here.table.phase is Phase.LOBBY
        assert "to 15 points" in here.public_text
        await here.press(bea, here.shown, "join")
        await here.press(bea, here.shown, "start")
        assert ROUND.format(1) in here.public_text
        assert [seat.name for seat in here.table.view().seats] == ["Ana", computer.name, "Bea"]
        assert here.table.view().seats[1] == computer


async def test_a_restart_shortly_before_a_deadline_leaves_half_a_minute(room_of: RoomOf):
    async with room_of(2, turn_seconds=100) as here:
        await here.begin()
        await here.wait(90)
        await here.restart(killed=True)
        await here.wait(29)
        assert [seat.presence for seat in here.table.view().seats] == [Presence.HERE] * 2
        await here.wait(2)
        assert Presence.AWAY in [seat.presence for seat in here.table.view().seats]


@pytest.mark.thorough
async def test_the_pause_after_a_round_and_an_absence_survive_a_restart(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, round_seconds=45) as here:
        await here.begin()
        ana, bea = here.people
        await here.wait(101)  # Bea plays first and misses the deadline
        await here.restart(killed=True)
        assert here.table.view().seats[1].presence is Presence.AWAY
        here.people.remove(bea)
        await here.skip(lambda view: view.moves[0], until=lambda match: not stock_of(match))
        await here.press(ana, here.shown, "hand")
        await here.play_out(until=lambda: SCORE_OF.format(1) in here.public_text)
        await here.restart(killed=True)
        assert SCORE_OF.format(1) in here.public_text
        await here.wait(46)
        assert ROUND.format(2) in here.public_text
        here.people.append(bea)
        await here.press(bea, here.shown, "hand")
        assert here.table.view().seats[1].presence is Presence.HERE
        assert ana.sees(here.channel)


@pytest.mark.thorough
async def test_games_of_several_channels_all_survive_a_restart(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        channels = [here.channel, *(here.world.guild.create_text_channel(f"mesa{n}") for n in range(2))]
        for channel in channels:
            here.channel = channel
            await here.lobby(bea)
        await here.press(ana, here.shown, "start")
        here.tap.watchers.remove(here.watch)  # it knows only one channel
        await here.restart(killed=True)
        assert len(here.bot.parts.manager) == 3
        for channel in channels[:2]:
            here.channel = channel
            await here.press(ana, here.shown, "start")
        for channel in channels:
            here.channel = channel
            await here.press(bea, here.shown, "hand")
            assert YOUR_TURN in here.private_text(bea)


@pytest.mark.thorough
async def test_a_rematch_is_possible_after_a_restart(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        await here.begin(target=5)
        await here.finish()
        await here.restart()
        await here.press(here.people[1], here.shown, "rematch")
        assert REMATCH.format("Bea") in here.public_text


DAMAGE = {
    "an invalid event": "UPDATE events SET body = 'nonsense' WHERE game_id = ?",
    "an invalid text": "UPDATE events SET body = CAST(x'ff' AS TEXT) WHERE game_id = ?",
    "an entry's time": "UPDATE events SET at = 'yesterday' WHERE game_id = ?",
    "the game's time": "UPDATE games SET opened_at = 'yesterday' WHERE id = ?",
    "its message's time": "UPDATE games SET message_at = 'yesterday' WHERE id = ?",
    "a missing entry": "DELETE FROM events WHERE game_id = ?",
}


@pytest.mark.thorough
async def test_an_unreadable_game_frees_its_channel_and_the_others_go_on(
    room_of: RoomOf, expected_errors: list[tuple[str, str]]
):
    count = len(DAMAGE)
    expected_errors += [
        ("bot.tables.live.logbook", rf"Game {game} can't be replayed \(.*\) and is closed")
        for game in range(1, count + 1)
    ]
    async with room_of(2, lobbies_per_person=count) as here:
        ana, bea = here.people
        channels = {damage: here.world.guild.create_text_channel(f"mesa-{n}") for n, damage in enumerate(DAMAGE)}
        for channel in channels.values():
            await ana.slash(channel, "escoba play")
        await bea.slash(here.channel, "escoba play")
        await here.bot.close()
        with closing(sqlite3.connect(here.bot.parts.settings.database)) as connection, connection:
            for game, statement in enumerate(DAMAGE.values(), 1):
                connection.execute(statement, [game])
        await here.restart(killed=True)
        assert here.bot.parts.manager.at(here.channel.id) is not None
        for number, (damage, channel) in enumerate(channels.items()):
            assert here.bot.parts.manager.at(channel.id) is None, damage
            await ana.slash(channel, "escoba play")
            opened = here.bot.parts.manager.at(channel.id)
            assert opened is not None, damage
            assert opened.id == count + 2 + number, damage
        assert len(here.bot.parts.manager) == count + 1
        await here.restart()  # the closed games aren't read again
        assert len(here.bot.parts.manager) == count + 1


async def test_games_go_on_when_the_command_sync_fails(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        here.env.inject_error("PUT", "/applications/*/commands", status=400, times=None)
        await here.restart()
        for person in here.people:
            await here.press(person, here.shown, "hand")
        version = here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > version + 2)
        here.env.backend.faults.clear()
        syncs = len(here.tap.to("PUT", "/applications/*/commands"))
        await here.wait(600)
        assert len(here.tap.to("PUT", "/applications/*/commands")) == syncs + 1
        assert await here.bot.parts.stores.values.get(COMMANDS_HASH)


async def test_a_sync_that_a_stop_interrupts_warns_of_nothing(room_of: RoomOf, caplog: pytest.LogCaptureFixture):
    async with room_of(1) as here:
        await here.bot.parts.stores.database.close()
        await here.bot.command_sync.run()
        assert "sync the commands" not in caplog.text


async def test_a_game_that_its_log_says_is_over_frees_its_channel(
    room_of: RoomOf, expected_errors: list[tuple[str, str]]
):
    expected_errors.append(("bot.tables.live.manager", "Game 1 is over according to its log, and is closed"))
    async with room_of(1) as here:
        ana = await here.lobby()
        await here.bot.parts.stores.games.append(1, [LogEntry(2, *encode(Closed(Phase.EXPIRED)), here.env.now())])
        await here.restart(killed=True)
        await here.env.settle()
        assert EXPIRED in ana.sees(here.channel)[-1]
        await ana.slash(here.channel, "escoba play")
        assert here.table.id == 2


async def test_a_click_while_the_bot_is_stopping_says_that_the_game_will_go_on(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        here.bot.parts.manager.close()
        player = here.people[here.table.view().match.turn]  # type: ignore[union-attr,index]
        card = next(b for b in player.buttons(here.panel(player)) if b.custom_id.startswith("e:card:"))
        before = here.table.version
        await forge(player, here.panel(player), card.custom_id)
        assert refusal_text(CommonRefusal.CLOSING) in text_of(here.panel(player)) + here.private_text(player)
        assert here.table.version == before
        await here.restart()
        await player.press(here.panel(player), custom_id=card.custom_id)
        assert here.table.version == before + 1


async def test_panels_say_that_the_bot_will_be_back_and_their_buttons_bring_them_back(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        before = {person: text_of(here.panel(person)) for person in here.people}
        buttons = {person: person.buttons(here.panel(person)) for person in here.people}
        counted = len(here.tap.to("PATCH", "/channels/*"))
        await here.bot.close()
        for person in here.people:
            assert BACK_SOON not in before[person]
            assert BACK_SOON in text_of(here.panel(person))
            assert person.buttons(here.panel(person)) == buttons[person]
        assert len(here.tap.to("PATCH", "/channels/*")) == counted, "it takes nothing from the channel's budget"
        await here.restart()
        player = here.people[here.table.view().match.turn]  # type: ignore[union-attr,index]
        version = here.table.version
        await here.play_out(until=lambda: here.table.version > version)
        assert BACK_SOON not in text_of(here.panel(player))
