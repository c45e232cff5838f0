"""A match whose channel takes no message goes on elsewhere: nobody loses by that, and nobody wins."""

import pytest

from bot.tables.live.waiting import LONGEST, UNSEEN_KEY, Unseen
from bot.tables.log.actions import Touch
from bot.tables.log.events import Config, Phase, Presence
from bot.tables.log.pace import DAY, Tempo
from tests.support.tables.hall import PACE, Hall, move_by, person_at, turn_of
from tests.support.tables.kit import ANA, BEA
from tests.tables.test_deadlines import deadline_in, presences

SLOW = Config(tempo=Tempo.DAY)
OPEN = Config(tempo=Tempo.OPEN)
HOUR = 3600.0


async def test_a_lobby_ends_with_its_channel_and_a_match_does_not(hall: Hall):
    lobby, match = await hall.lobby(ANA, channel=1), await hall.match(ANA, BEA, channel=2)
    await hall.manager.lose_channel(1)
    await hall.manager.lose_channel(2)
    assert (lobby.phase, match.phase) == (Phase.GONE, Phase.PLAYING)
    assert match.view().unseen


@pytest.mark.parametrize("config", [Config(), SLOW, OPEN], ids=["live", "a day", "no deadline"])
async def test_the_clock_waits_for_whoever_may_not_know_and_after_two_weeks_a_computer_plays_on(
    hall: Hall, config: Config
):
    table = await hall.match(ANA, BEA, config=config)
    turn, version = turn_of(table), table.version
    table.set_unseen(True)
    assert table.view().deadline is None
    await hall.clock.advance(LONGEST - 1)
    assert (table.version, presences(table)) == (version, [Presence.HERE] * 2)
    await hall.clock.advance(table.view().slow * DAY + PACE.turn + 1)
    assert presences(table)[turn] is Presence.AWAY
    assert table.view().missed == ()
    assert table.phase is Phase.PLAYING
    await table.submit(Touch(person_at(table, turn)))
    assert presences(table)[turn] is Presence.HERE


async def test_the_clock_runs_from_the_press_of_somebody_who_finds_the_match(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    await hall.clock.advance(4 * HOUR)
    table.set_unseen(True)
    await hall.clock.advance(30 * HOUR)
    table.note_heard(person_at(table, turn_of(table)).id)
    assert deadline_in(hall, table) == 20 * HOUR
    await hall.clock.advance(20 * HOUR)
    assert len(table.view().missed) == 1


async def test_a_press_of_the_other_player_does_not_start_the_clock(hall: Hall):
    table = await hall.match(ANA, BEA)
    table.set_unseen(True)
    await table.submit(Touch(person_at(table, 1 - turn_of(table))))
    await hall.clock.advance(10 * PACE.turn)
    assert presences(table) == [Presence.HERE] * 2


async def test_somebody_who_has_pressed_since_has_their_whole_time_in_later_turns(hall: Hall):
    table = await hall.match(ANA, BEA)
    table.set_unseen(True)
    for person in (ANA, BEA):
        table.note_heard(person.id)
    await table.submit(move_by(table))
    assert deadline_in(hall, table) == PACE.turn


async def test_when_the_channel_takes_messages_again_the_clock_goes_on_where_it_stood(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    await hall.clock.advance(4 * HOUR)
    table.set_unseen(True)
    await hall.clock.advance(3 * DAY)
    table.set_unseen(False)
    assert not table.view().unseen
    assert deadline_in(hall, table) == 20 * HOUR


async def test_a_restart_forgets_no_time_in_which_the_channel_took_no_message(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    await hall.clock.advance(4 * HOUR)
    table.set_unseen(True)
    await hall.clock.advance(3 * DAY)
    table.set_unseen(False)
    noted = table.unseen.noted()
    assert noted is not None
    await hall.store.values.set(f"{UNSEEN_KEY}{table.id}", noted)
    again = await hall.restarted()
    restored = again.manager.get(table.id)
    assert restored is not None
    assert deadline_in(again, restored) == 20 * HOUR
    await again.close()


async def test_nobody_may_claim_a_match_by_closing_its_channel(hall: Hall):
    table = await hall.match(ANA, BEA, config=OPEN)
    await hall.clock.advance(PACE.idle - 1)
    table.set_unseen(True)
    await hall.clock.advance(2 * HOUR)
    assert not table.view().claimable
    table.set_unseen(False)
    await hall.clock.advance(2 * HOUR)
    assert table.view().claimable
    table.set_unseen(True)
    assert not table.view().claimable


async def test_a_match_without_deadline_is_not_closed_as_idle_because_nobody_finds_it(hall: Hall):
    table = await hall.match(ANA, BEA, config=OPEN)
    table.set_unseen(True)
    await hall.clock.advance(LONGEST + 2 * PACE.idle)
    assert table.phase is not Phase.IDLE


async def test_nothing_is_noted_once_no_turn_is_left_of_such_a_time(hall: Hall):
    table = await hall.match(ANA, BEA)
    assert table.unseen.noted() is None
    for _ in range(2):
        table.set_unseen(True)
        await table.submit(move_by(table))
        await hall.clock.advance(1)
        table.set_unseen(False)
        await hall.clock.advance(1)
        await table.submit(move_by(table))
    table.set_unseen(True)
    table.set_unseen(False)
    assert table.unseen.noted() is None


@pytest.mark.parametrize("text", ["", "null", "[1]", "[[null, 2]]", '[["x", 2]]', "[[1, 2, 3]]", "{}"])
def test_a_damaged_note_says_nothing(text: str):
    unseen = Unseen()
    unseen.recall(text)
    assert unseen.since is None
