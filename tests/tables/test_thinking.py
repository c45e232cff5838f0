"""A computer's move is computed outside the table's lock, and dropped if the match has gone on meanwhile."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.engine.moves import Move
from bot.engine.views import SeatView
from bot.players import Character, Level
from bot.tables.live.table import Table
from bot.tables.live.waiting import RETRY_SECONDS
from bot.tables.log.actions import AddComputer, ChangeComputer, Leave, Start, Touch
from bot.tables.log.events import Presence
from tests.support.patience import HANG_SECONDS
from tests.support.tables.hall import Hall, move_by, state_of, turn_of
from tests.support.tables.kit import ANA, BEA
from tests.support.tables.timing import spin


class Slow:
    """A thinker that waits at a gate, and then plays the first legal move."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.asked: list[tuple[SeatView, Level, str]] = []
        self.people: list[int | None] = []
        self.broken = False

    async def move(
        self, view: SeatView, level: Level, seed: str, character: Character | None = None, *, person: int | None = None
    ) -> Move:
        self.asked.append((view, level, seed))
        self.people.append(person)
        await self.gate.wait()
        if self.broken:
            raise ZeroDivisionError("on purpose")
        return view.moves[0]

    async def close(self) -> None:
        self.gate.set()


@pytest.fixture
def slow(hall: Hall) -> Iterator[Slow]:
    thinker = Slow()
    hall.manager._logbook._services = replace(hall.manager._logbook._services, thinker=thinker)
    yield thinker
    thinker.gate.set()  # so that a failed test can end


async def computers_turn(hall: Hall, level: Level = Level.HARD) -> Table:
    """A match of a person and a computer that is thinking about its move."""
    table = await hall.lobby(ANA)
    await table.submit(AddComputer(ANA, table.version))
    await table.submit(ChangeComputer(ANA, table.version, 1, level))
    await table.submit(Start(ANA, table.version))
    if turn_of(table) == 0:
        await table.submit(move_by(table))
    await hall.clock.strike(hall.clock.now() + hall_pace(hall))
    await spin()
    return table


def hall_pace(hall: Hall) -> timedelta:
    """How long a computer waits before it begins to think."""
    return timedelta(seconds=hall.pace.computer)


async def test_the_thinker_gets_the_seats_view_its_level_and_a_seed_that_survives_restarts(hall: Hall, slow: Slow):
    table = await computers_turn(hall)
    [(view, level, seed)] = slow.asked
    assert view is table.seat_view(1)
    assert level is Level.HARD
    assert slow.people == [ANA.id], "her tables take turns with those of others"
    match = state_of(table).match
    assert match is not None
    assert seed == f"{table.id}/{match.version}/1"
    slow.gate.set()
    await hall.clock.settle()
    assert state_of(table).match == match.apply(match.event_of(view.moves[0]))


async def test_while_a_computer_thinks_people_may_click(hall: Hall, slow: Slow):
    table = await computers_turn(hall)
    version = table.version
    async with asyncio.timeout(HANG_SECONDS):
        await table.submit(Touch(ANA))
        await table.submit(Leave(ANA))
    assert table.version > version
    slow.gate.set()
    await hall.clock.settle()


async def test_a_person_who_comes_back_while_a_computer_thinks_for_them_plays_themselves(hall: Hall, slow: Slow):
    table = await hall.match(ANA, BEA)
    seat = turn_of(table)
    await hall.clock.advance(hall.pace.turn)
    assert state_of(table).seats[seat].presence is Presence.AWAY
    await hall.clock.strike(hall.clock.now() + hall_pace(hall))
    await spin()
    [(_, level, _)] = slow.asked
    assert level is Level.NORMAL, "a person's stand-in doesn't play better than this"
    await table.submit(Touch((ANA, BEA)[seat]))
    before = state_of(table).match
    slow.gate.set()
    await hall.clock.settle()
    assert state_of(table).match is before
    await table.submit(move_by(table))


async def begin_to_think(hall: Hall, table: Table, slow: Slow, gate: asyncio.Event) -> None:
    """The current player's deadline passes, and a computer thinks for them until the gate opens."""
    seat, asked, slow.gate = turn_of(table), len(slow.asked), gate
    async with asyncio.timeout(HANG_SECONDS):
        await hall.clock.strike(hall.clock.now() + timedelta(seconds=hall.pace.turn))
        while state_of(table).seats[seat].presence is not Presence.AWAY:  # noqa: ASYNC110 - nothing signals it
            await asyncio.sleep(0.001)
        await hall.clock.strike(hall.clock.now() + hall_pace(hall))
        while len(slow.asked) == asked:  # noqa: ASYNC110 - nothing signals it
            await asyncio.sleep(0.001)


async def test_a_move_that_was_thought_about_an_earlier_state_is_not_made(hall: Hall, slow: Slow):
    table = await hall.match(ANA, BEA)
    seat = turn_of(table)
    first, second = asyncio.Event(), asyncio.Event()
    await begin_to_think(hall, table, slow, first)
    await table.submit(Touch((ANA, BEA)[seat]))
    await table.submit(move_by(table))
    await table.submit(move_by(table))
    await begin_to_think(hall, table, slow, second)
    before = state_of(table).match
    async with table._lock:  # as if a click were being stored
        for gate in (second, first):
            gate.set()
            await spin()
    await hall.clock.settle()
    assert state_of(table).match is before
    await hall.clock.advance(RETRY_SECONDS + hall.pace.computer)
    assert state_of(table).match is not before


async def test_a_table_closed_while_a_computer_thinks_takes_no_move(hall: Hall, slow: Slow):
    table = await computers_turn(hall)
    version = table.version
    hall.manager.close()
    slow.gate.set()
    await hall.clock.settle()
    assert table.version == version


async def test_after_a_thinker_failed_it_is_asked_again(hall: Hall, slow: Slow, expected_errors: list[tuple[str, str]]):
    expected_errors.append(("bot.tables.live.waiting", "a scheduled action failed"))
    table = await computers_turn(hall)
    version = table.version
    slow.broken = True
    slow.gate.set()
    await hall.clock.settle()
    assert table.version == version
    slow.broken = False
    await hall.clock.advance(20)
    assert table.version > version
