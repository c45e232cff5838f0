"""A machine whose clock jumps, that is suspended, or that stops the process: deadlines go by Discord's time, and nobody
loses a turn that they couldn't play."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.platform.operating import true_time
from bot.tables.live.table import Table
from bot.tables.live.timing import computers_pause
from bot.tables.live.waiting import LEAST_OF_DAYS, LEAST_SECONDS
from bot.tables.log.actions import Ask
from bot.tables.log.events import Phase, Presence
from bot.tables.log.pace import DAY, Pace, Tempo
from tests.support.tables.hall import PACE, Build, Hall, move_by, state_of, turn_of
from tests.support.tables.kit import ANA, BEA, CHANNEL, FRIENDLY, config_of

HOUR = 3600.0
CLOSE = 1.1
"""Discord tells whole seconds; the bot needn't know the time better than that."""
SLOW = replace(config_of(), tempo=Tempo.DAY)
JUMPS = [HOUR, -HOUR, 2 * DAY, -2 * DAY]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord is asked again without a pause."""
    monkeypatch.setattr(true_time, "FIRST_PAUSE", 0.0)
    monkeypatch.setattr(true_time, "LONGEST_PAUSE", 0.0)


@pytest.fixture
async def hall(build: Build) -> Hall:
    return await build(watched=True)


def left(hall: Hall, table: Table) -> float:
    """Seconds until a deadline, on the bot's clock."""
    deadline = table.view().deadline
    assert deadline is not None
    return (deadline - hall.clock.now()).total_seconds()


def off(hall: Hall) -> float:
    """By how many seconds the bot's time is wrong."""
    return (hall.clock.now() - hall.time.now()).total_seconds()


def change(hall: Hall, statement: str, *values: str) -> None:
    """Change the file as another version of the bot might have left it."""
    with closing(sqlite3.connect(hall.path)) as connection:
        connection.execute(statement, values)
        connection.commit()


async def two_tables(hall: Hall) -> tuple[Table, Table]:
    """A live match and one of a day a turn, ten seconds into their first turns."""
    live = await hall.match(ANA, BEA)
    slow = await hall.match(ANA, BEA, config=SLOW, channel=CHANNEL + 1)
    await hall.clock.advance(10)
    return live, slow


@pytest.mark.parametrize("jump", JUMPS)
async def test_when_the_machines_clock_is_set_everything_goes_on(hall: Hall, jump: float):
    live, slow = await two_tables(hall)
    robot = await hall.match(ANA, computers=1, channel=CHANNEL + 2)
    before = slow.version
    await hall.set_machine(jump)
    assert (hall.true.sure, hall.asked) == (True, 4), "two answers at login, two in doubt"
    assert abs(off(hall)) < CLOSE
    assert abs(left(hall, live) - 110) < CLOSE
    assert abs(left(hall, slow) - (DAY - 10)) < CLOSE
    assert hall.clock.outages.times == ()
    version = robot.version
    await hall.clock.advance(PACE.computer)
    assert robot.version == version + 1
    await hall.clock.advance(100)
    assert (live.view().seats[turn_of(live)].presence, slow.version) == (Presence.HERE, before)
    await hall.clock.advance(10)
    assert Presence.AWAY in [seat.presence for seat in live.view().seats]
    assert abs(hall.true.offset - jump) < CLOSE


@pytest.mark.parametrize("jump", JUMPS)
async def test_a_clock_that_is_set_and_set_back_costs_nobody_a_move(hall: Hall, jump: float):
    live, slow = await two_tables(hall)
    versions = live.version, slow.version
    await hall.set_machine(jump)
    await hall.clock.advance(90)
    await hall.set_machine(-jump)
    assert (live.version, slow.version) == versions
    assert abs(left(hall, slow) - (DAY - 100)) < CLOSE
    await slow.submit(move_by(slow))
    assert abs(left(hall, slow) - DAY) < CLOSE


@pytest.mark.parametrize("asleep", [60, 3 * HOUR, 3 * DAY])
async def test_what_passed_while_the_machine_was_suspended_is_forgiven(hall: Hall, asleep: float):
    live, slow = await two_tables(hall)
    versions = live.version, slow.version
    shown = [each.view().deadline for each in (live, slow)]
    await hall.suspend(asleep)
    assert hall.true.sure
    assert abs(off(hall)) < CLOSE
    assert (live.version, slow.version) == versions
    for table, before in zip((live, slow), shown, strict=True):
        deadline = table.view().deadline
        assert deadline is not None
        assert before is not None
        assert abs((deadline - before).total_seconds() - asleep) < CLOSE
    await hall.clock.advance(109)
    assert live.version == versions[0]
    await hall.clock.advance(1 + CLOSE)
    assert live.version > versions[0]


@pytest.mark.parametrize("seconds", [10, 60, 3 * HOUR])
async def test_what_passed_while_the_process_was_stopped_is_forgiven(hall: Hall, seconds: float):
    live, slow = await two_tables(hall)
    versions = live.version, slow.version
    await hall.stop(seconds)
    assert abs(off(hall)) < CLOSE
    assert (live.version, slow.version) == versions
    assert abs(left(hall, live) - 110) < CLOSE
    assert abs(left(hall, slow) - (DAY - 10)) < CLOSE


async def test_a_robots_pause_goes_on_over_a_suspension(hall: Hall):
    table = await hall.match(ANA, computers=1)
    version = table.version
    await hall.suspend(3 * HOUR)
    await hall.clock.advance(computers_pause(state_of(table), PACE))
    assert table.version == version + 1


@pytest.mark.parametrize(("tempo", "turn"), [(Tempo.DAY, DAY), (Tempo.WEEK, 7 * DAY)])
@pytest.mark.parametrize("before", [30, HOUR, 3 * HOUR])
async def test_a_minutes_outage_around_a_deadline_leaves_two_hours_and_no_more(
    hall: Hall, tempo: Tempo, turn: float, before: float
):
    table = await hall.match(ANA, BEA, config=replace(SLOW, tempo=tempo))
    await hall.clock.advance(turn - before)
    hall = await hall.restarted(away=60)
    restored = hall.manager.get(table.id)
    assert restored is not None
    assert abs(left(hall, restored) - max(before, LEAST_OF_DAYS)) < CLOSE


async def test_ten_restarts_in_a_row_prolong_a_deadline_by_what_they_took(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    found: Table | None = table
    for number in range(10):
        await hall.clock.advance(100)
        hall.time.off += (-1) ** number * 5000.0  # and the machine's clock is another one each time
        hall = await hall.restarted(away=50, killed=number % 2 == 1)
        found = hall.manager.get(table.id)
    assert found is not None
    played = 10 * 100
    killed = 5 * 100  # what passed since the last note is taken for an outage
    assert DAY - played - 10 * CLOSE < left(hall, found) < DAY - played + killed + 10 * CLOSE
    deadline = found.view().deadline
    hall = await hall.restarted()
    again = hall.manager.get(table.id)
    assert again is not None
    assert deadline is not None
    assert abs(left(hall, again) - (deadline - hall.clock.now()).total_seconds()) < 0.1


@pytest.mark.parametrize("wrong", [120.0, -120.0, 3 * DAY])
async def test_a_machine_whose_clock_is_wrong_from_the_start_plays_on_rightly(build: Build, wrong: float):
    hall = await build(watched=True, off=wrong)
    live, slow = await two_tables(hall)
    assert abs(off(hall)) < CLOSE
    assert abs(hall.true.offset - wrong) < CLOSE
    assert abs(left(hall, live) - 110) < CLOSE
    assert hall.clock.outages.times == ()
    began = max(entry.at for entry in await hall.store.games.log(slow.id))
    assert abs((began - hall.time.now()).total_seconds() + 10) < CLOSE


async def test_while_discord_is_unreachable_in_doubt_nobody_loses_anything(hall: Hall):
    live, slow = await two_tables(hall)
    robot = await hall.match(ANA, computers=1, channel=CHANNEL + 2)
    versions = live.version, slow.version, robot.version
    hall.reachable = False
    await hall.set_machine(2 * DAY)
    assert not hall.true.sure
    await hall.clock.advance(HOUR)
    assert (live.version, slow.version) == versions[:2]
    assert robot.version > versions[2], "pauses go on"
    hall.reachable = True
    await hall.tick()
    assert abs(left(hall, live) - 110) < CLOSE + 5
    assert abs(left(hall, slow) - (DAY - 10)) < CLOSE + 5


async def test_what_passes_while_the_bot_is_cut_off_from_discord_is_forgiven(hall: Hall):
    live, slow = await two_tables(hall)
    versions = live.version, slow.version
    hall.reachable = False
    for _ in range(100):
        await hall.stop(4)
    assert (live.version, slow.version) == versions
    hall.reachable = True
    await hall.tick()
    assert abs(left(hall, live) - 110) < 5
    assert abs(left(hall, slow) - (DAY - 10)) < 5


@pytest.mark.parametrize("lies", [[HOUR], [0.0, HOUR], [HOUR, 0.0, -HOUR], [None], [None, HOUR, None]])
async def test_one_wrong_answer_among_good_ones_changes_nothing(hall: Hall, lies: list[float | None]):
    live, _ = await two_tables(hall)
    for way in (hall.set_machine(2 * DAY), hall.tick()):
        hall.lies = list(lies)
        await way
        await hall.ask()
        await hall.tick()
        assert (hall.true.sure, abs(off(hall)) < CLOSE) == (True, True)
    assert abs(left(hall, live) - 110) < CLOSE


async def test_behind_a_proxy_that_drops_the_time_the_bot_goes_by_its_own(hall: Hall):
    live, _ = await two_tables(hall)
    hall.lies = [None] * 1000
    await hall.set_machine(2 * DAY)
    assert hall.true.sure
    assert abs(off(hall)) < CLOSE
    assert abs(left(hall, live) - 110) < CLOSE


async def test_a_machine_brought_back_from_a_snapshot_learns_the_time_from_discord(hall: Hall):
    """Neither of its clocks shows that two days have passed."""
    live, slow = await two_tables(hall)
    versions = live.version, slow.version
    hall.time.slept += 2 * DAY
    hall.time.off -= 2 * DAY
    hall.time.instant += timedelta(days=2)
    await hall.ask()
    await hall.tick()
    assert abs(off(hall)) < CLOSE
    assert (live.version, slow.version) == versions
    assert abs(left(hall, live) - 110) < CLOSE
    assert abs(left(hall, slow) - (DAY - 10)) < CLOSE


async def test_a_lobby_a_question_and_an_empty_match_stand_still_too(build: Build):
    hall = await build(replace(PACE, turn=DAY), watched=True)
    lobby = await hall.lobby(ANA)
    asked = await hall.match(ANA, BEA, config=replace(SLOW), channel=CHANNEL + 1)
    await asked.submit(Ask(ANA))
    empty = await hall.match(ANA, BEA, config=FRIENDLY, channel=CHANNEL + 2)
    await hall.suspend(3 * DAY)
    question = asked.view().question
    assert question is not None
    assert abs(question.until - hall.clock.now().timestamp() - DAY) < CLOSE
    assert [each.phase for each in (lobby, asked, empty)] == [Phase.LOBBY, Phase.PLAYING, Phase.PLAYING]
    await hall.clock.advance(PACE.lobby - 5)
    assert lobby.phase is Phase.LOBBY
    assert asked.view().question is not None
    await hall.clock.advance(DAY)
    assert asked.view().question is None
    assert lobby.phase is Phase.EXPIRED


async def test_a_database_of_an_older_version_has_no_note_and_nobody_loses_a_turn(hall: Hall):
    table = await hall.match(ANA, BEA, config=SLOW)
    await hall.clock.advance(23 * HOUR)
    other = await hall.match(ANA, BEA, channel=CHANNEL + 1)
    hall = await hall.restarted(away=5 * HOUR, killed=True)
    change(hall, "delete from key_values where key = 'alive:'")
    hall = await hall.restarted(killed=True)
    restored = hall.manager.get(table.id)
    assert restored is not None
    assert other.id != restored.id
    assert abs(left(hall, restored) - LEAST_OF_DAYS) < CLOSE


async def test_a_turn_dated_in_the_future_by_an_older_version_isnt_longer_than_a_turn(build: Build):
    hall = await build(watched=True)
    table = await hall.match(ANA, BEA, config=SLOW)
    later = (hall.time.now() + timedelta(days=2)).replace(tzinfo=None)
    change(hall, "update events set at = ?", str(later))
    hall = await hall.restarted(away=60)
    restored = hall.manager.get(table.id)
    assert restored is not None
    assert abs(left(hall, restored) - DAY) < CLOSE


def test_what_is_left_after_an_outage_is_at_least_what_people_need() -> None:
    assert (LEAST_OF_DAYS, LEAST_SECONDS) == (2 * HOUR, 30)
    assert Pace().at(Tempo.QUICK).turn > LEAST_SECONDS
