"""Forgotten games: when anybody may end them, and that a game still being played is never taken away."""

import asyncio
from dataclasses import replace

import pytest

from bot.platform.eventlog import CodecError
from bot.platform.people import Person
from bot.tables.live.table import Table
from bot.tables.log.actions import Join, Leave, Touch
from bot.tables.log.codec import decode, encode
from bot.tables.log.events import Closed, Config, Phase, Presence
from bot.tables.log.history import read_history
from bot.tables.options import LobbyLimits
from bot.tables.refusals import TableRefusal
from tests.support.tables.hall import PACE, Build, Hall, move_by, person_at, play_round, turn_of
from tests.support.tables.kit import ANA, BEA, CHANNEL, CLO, FRIENDLY, GUILD, refused

ZOE = Person(99, "Zoe")


async def take_over(hall: Hall, table: Table | None, person: Person = ZOE) -> Table:
    """Open a table in place of a forgotten one, as somebody else."""
    return await hall.manager.open(
        guild_id=GUILD, channel_id=CHANNEL, opener=person, config=Config(), locale="es", instead_of=table
    )


async def test_anybody_may_end_a_lobby_that_hasnt_changed_for_ten_minutes(hall: Hall):
    table = await hall.lobby(ANA)
    await hall.clock.advance(PACE.forgotten - 1)
    await table.submit(Join(BEA))
    await hall.clock.advance(PACE.forgotten - 1)
    assert not table.forgotten
    await hall.clock.advance(1)
    assert table.forgotten
    fresh = await take_over(hall, table)
    assert (table.phase, table.view().ended_by) == (Phase.IDLE, "Zoe")
    assert hall.manager.at(CHANNEL) is fresh
    assert (await hall.log(table))[-1] == Closed(Phase.IDLE, ZOE)
    assert hall.rows("select count(*) from results") == [(0,)]


async def test_anybody_may_end_a_match_without_deadlines_that_is_forgotten(build: Build):
    hall = await build(replace(PACE, turn=0))
    table = await hall.match(ANA, BEA, config=FRIENDLY)
    await hall.clock.advance(PACE.forgotten)
    assert table.forgotten


@pytest.mark.parametrize("turn", [400, 80_000])
async def test_a_match_with_long_deadlines_is_forgotten_only_after_two_of_them(build: Build, turn: float):
    hall = await build(replace(PACE, turn=turn))
    table = await hall.match(ANA, BEA, CLO, config=FRIENDLY)
    await table.submit(move_by(table))
    await hall.clock.advance(2 * turn - 1)
    assert not table.forgotten
    with refused(TableRefusal.NOT_FORGOTTEN):
        await take_over(hall, table)
    assert Presence.AWAY in [seat.presence for seat in table.view().seats]
    await hall.clock.advance(1)
    assert table.forgotten, "the moves of computers don't count as signs of life"


async def test_coming_back_is_a_sign_of_life(hall: Hall):
    table = await hall.match(ANA, BEA, config=FRIENDLY)
    person = person_at(table, turn_of(table))
    await hall.clock.advance(2 * PACE.turn + 2 * PACE.computer)
    assert table.view().waiting
    await hall.clock.advance(PACE.forgotten)
    assert table.forgotten
    await table.submit(Touch(person))
    assert not table.forgotten


async def test_a_move_before_the_end_is_confirmed_keeps_the_game(build: Build):
    hall = await build(replace(PACE, turn=0))
    table = await hall.match(ANA, BEA, config=FRIENDLY)
    await hall.clock.advance(PACE.forgotten)
    assert table.forgotten  # the question is shown
    await table.submit(move_by(table))
    with refused(TableRefusal.NOT_FORGOTTEN):
        await take_over(hall, table)
    assert (table.phase, hall.manager.at(CHANNEL)) == (Phase.PLAYING, table)


async def test_of_a_move_and_an_end_at_the_same_time_only_one_happens(build: Build):
    hall = await build(replace(PACE, turn=0))
    table = await hall.match(ANA, BEA, config=FRIENDLY)
    await hall.clock.advance(PACE.forgotten)
    version = table.view().version
    moved, taken = await asyncio.gather(table.submit(move_by(table)), take_over(hall, table), return_exceptions=True)
    assert [moved is None, isinstance(taken, Table)].count(True) == 1
    assert (table.phase is Phase.PLAYING) == (table.view().version > version)


async def test_two_people_who_take_over_a_channel_at_once_open_one_table(build: Build):
    hall = await build(replace(PACE, turn=0))
    table = await hall.match(ANA, BEA, config=FRIENDLY)
    await hall.clock.advance(PACE.forgotten)
    came = await asyncio.gather(take_over(hall, table), take_over(hall, table, CLO), return_exceptions=True)
    tables = [each for each in came if isinstance(each, Table)]
    assert len(tables) == 1
    assert hall.manager.at(CHANNEL) is tables[0]


async def test_somebody_who_may_open_no_more_tables_cant_end_one_either(build: Build):
    hall = await build(replace(PACE, turn=0), limits=LobbyLimits(per_person=1))
    table = await hall.match(ANA, BEA, config=FRIENDLY)
    await hall.lobby(ZOE, channel=CHANNEL + 1)
    await hall.clock.advance(PACE.forgotten)
    with refused(TableRefusal.TOO_MANY_LOBBIES):
        await take_over(hall, table)
    assert table.phase is Phase.PLAYING


async def test_a_forgotten_lobby_doesnt_count_towards_its_openers_limit_when_they_replace_it(build: Build):
    hall = await build(limits=LobbyLimits(1, 1))
    table = await hall.lobby(ANA)
    await hall.clock.advance(PACE.forgotten)
    fresh = await take_over(hall, table, ANA)
    assert (hall.manager.at(CHANNEL), table.phase) == (fresh, Phase.IDLE)


async def test_the_time_of_the_last_action_survives_a_restart(hall: Hall):
    table = await hall.match(ANA, BEA, CLO)
    await hall.clock.advance(PACE.turn / 2)
    await table.submit(move_by(table))
    acted_at = table.acted_at
    assert acted_at == hall.time.now()
    for seconds in (PACE.turn, 2 * PACE.turn, PACE.turn):  # the people go away, and computers play on
        await hall.clock.advance(seconds)
        hall = await hall.restarted()
        restored = hall.manager.get(table.id)
        assert restored is not None
        assert restored.acted_at == acted_at
    person = person_at(restored, 0)
    await hall.clock.advance(5)
    await restored.submit(Touch(person))
    acted_at = restored.acted_at
    assert acted_at == hall.time.now()
    await hall.clock.advance(PACE.computer)
    hall = await hall.restarted()
    again = hall.manager.get(table.id)
    assert again is not None
    assert again.acted_at == acted_at
    await hall.close()


async def test_leaving_for_good_counts_as_an_action_and_an_automatic_deal_doesnt(build: Build):
    hall = await build(replace(PACE, turn=0, next_round=45))
    table = await hall.match(ANA, BEA, CLO)
    await play_round(table)
    ended = table.acted_at
    await hall.clock.advance(45)
    hall = await hall.restarted()
    restored = hall.manager.get(table.id)
    assert restored is not None
    assert restored.acted_at == ended < hall.time.now()
    await restored.submit(Leave(CLO))
    left = hall.time.now()
    await hall.clock.advance(PACE.computer)
    hall = await hall.restarted()
    assert hall.manager.get(table.id).acted_at == left  # type: ignore[union-attr]
    await hall.close()


async def test_a_damaged_log_has_no_history(hall: Hall):
    table = await hall.lobby(ANA)
    [*entries] = await hall.store.games.log(table.id)
    damaged = [replace(entry, body="{") for entry in entries]
    with pytest.raises(CodecError):
        read_history(damaged)


def test_the_log_names_who_ended_a_game_only_if_somebody_did():
    assert encode(Closed(Phase.CANCELLED)) == ("closed", '{"phase":"cancelled"}')
    for event in (Closed(Phase.IDLE), Closed(Phase.CANCELLED, ZOE)):
        assert decode(*encode(event)) == event
