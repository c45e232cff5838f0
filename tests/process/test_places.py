"""Two processes on a PostgreSQL database: a person who plays alone goes on in whichever they reach."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any

import pytest

from bench.postgres import Cluster
from bot.engine.moves import Stage
from bot.platform.clock import Clock
from bot.platform.database.ownership import Held, Owner, owner_of
from bot.platform.database.ownership import postgres as sessions
from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal
from bot.platform.settings.documents import GuildSettingsCache, PreferencesCache
from bot.platform.shards import Shards
from bot.privacy.live.erasure import erase
from bot.process.service import NewsReader
from bot.process.stores import Stores
from bot.schema import SCHEMA
from bot.tables.live.chance import SystemChance, board_secret
from bot.tables.live.manager import TableManager
from bot.tables.live.services import Services
from bot.tables.live.table import Table
from bot.tables.log.actions import Join, PlayMove, Start
from bot.tables.log.events import Config
from bot.tables.log.pace import Pace
from bot.tables.log.seats import Alone, Seat
from bot.tables.options import TableOptions
from bot.tables.refusals import TableRefusal
from bot.tables.settings import ServerOptions, turn_notice
from tests.platform.database.test_ownership import end_sessions, wait_until
from tests.support.tables.kit import ANA, BEA, refused


@dataclass
class Process:
    """A process as far as it serves tables."""

    store: Stores
    owner: Owner
    clock: Clock
    preferences: PreferencesCache
    manager: TableManager

    async def begin(self, person: Person) -> Table:
        """Open a match that somebody plays alone, and wait until it is their turn."""
        assert await self.manager.alone(person.id) is None
        table = await self.manager.open(
            guild_id=None, channel_id=None, opener=person, config=Config(), locale="en", computers=[Seat("")]
        )
        await table.submit(Start(person, table.version))
        await turn_of(table, person)
        return table


async def turn_of(table: Table, person: Person) -> None:
    """Wait until it is somebody's turn."""
    await wait_until(lambda: table.view().match is not None and _turn(table) == table.seat_of(person.id))


def _turn(table: Table) -> int | None:
    match = table.view().match
    return None if match is None or match.stage is not Stage.TO_PLAY else match.turn


async def play(table: Table, person: Person) -> None:
    """Make a move, and wait for the robot's."""
    seat = table.seat_of(person.id)
    assert seat is not None
    view = table.seat_view(seat)
    assert view is not None
    await table.submit(PlayMove(person, view.public.version, view.moves[0]))
    await turn_of(table, person)


@asynccontextmanager
async def processes(url: str, *texts: str) -> AsyncIterator[list[Process]]:
    """A process for each text, with the shards that it names."""
    made: list[Process] = []
    async with AsyncExitStack() as stack:
        for text in texts:
            store, shards, clock = await Stores.open(url), Shards.parse(text), Clock()
            owner, preferences = owner_of(url, SCHEMA, shards), PreferencesCache(store.preferences)
            options = ServerOptions(GuildSettingsCache(store.values), TableOptions(Pace(computer=0))).of
            chance = SystemChance()
            chance.deal_boards_by(await board_secret(store.values))
            services = Services(
                store.games,
                store.alone,
                store.deals,
                store.values,
                clock,
                partial(turn_notice, preferences),
                chance,
                leases=owner,
            )
            manager = TableManager(services, options, shards=shards)
            assert await owner.take(NewsReader(store.personal_data, clock, manager, preferences).receive)
            clock.start()
            stack.push_async_callback(store.database.close)
            stack.push_async_callback(owner.close)
            stack.push_async_callback(clock.close)
            made.append(Process(store, owner, clock, preferences, manager))
        yield made


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "PING_SECONDS", 0.05)
    monkeypatch.setattr(sessions, "AGAIN_SECONDS", 0.05)


async def test_a_match_moves_to_the_process_that_its_person_reaches_and_back(postgres_url: str):
    async with processes(postgres_url, "0/2", "1/2") as (first, second):
        table = await first.begin(ANA)
        other = await first.begin(BEA)
        for here, there in ((second, first), (first, second)):
            await play(table, ANA)
            before = table
            await here.manager.wake(table.id, ANA.id)
            table = here.manager.at(Alone(ANA.id))
            assert table is not None
            assert table.view().match == before.view().match
            assert there.manager.at(Alone(ANA.id)) is None
            with refused(CommonRefusal.CLOSING):
                await before.submit(Join(ANA))
        assert first.manager.at(Alone(BEA.id)) is other, "it stays where it is"


async def test_a_process_that_does_not_let_go_keeps_the_match_and_the_other_says_so(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sessions, "PLACE_SECONDS", 0.3)
    async with processes(postgres_url, "0/2", "1/2") as (first, second):
        table = await first.begin(ANA)
        async with table.standing_still():  # something takes long there
            with refused(TableRefusal.ELSEWHERE):
                await second.manager.alone(ANA.id)
        await wait_until(lambda: first.manager.at(Alone(ANA.id)) is None)
        assert await second.manager.alone(ANA.id) is not None


async def test_two_presses_at_once_in_two_processes_wake_it_in_one(postgres_url: str):
    async with processes(postgres_url, "0/2", "1/2") as both:
        first, second = both
        table = await first.begin(ANA)
        await first.manager.rest(ANA.id)
        for _ in range(3):
            await asyncio.gather(*(each.manager.wake(table.id, ANA.id) for each in (*both, *both)))
            await wait_until(lambda: sum(each.manager.at(Alone(ANA.id)) is not None for each in both) < 2)
        await first.manager.wake(table.id, ANA.id)
        assert {each.manager.at(Alone(ANA.id)) is None for each in both} == {True, False}
        [holder] = [each for each in both if each.manager.at(Alone(ANA.id)) is not None]
        woken = holder.manager.at(Alone(ANA.id))
        assert woken is not None
        await play(woken, ANA)
        assert second.store is not first.store


async def test_a_place_given_away_while_its_match_is_being_read_is_asked_for_again(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
):
    async with processes(postgres_url, "0/2", "1/2") as (first, second):
        await first.begin(ANA)
        await first.manager.rest(ANA.id)
        read, times = first.store.alone.open, count()

        async def read_slowly(person_id: int, kind: str) -> Any:
            game = await read(person_id, kind)
            if next(times) == 0:
                assert await second.manager.alone(ANA.id) is not None
            return game

        monkeypatch.setattr(first.store.alone, "open", read_slowly)
        assert await first.manager.alone(ANA.id) is not None
        assert second.manager.at(Alone(ANA.id)) is None


async def test_a_process_whose_session_has_ended_lets_all_of_them_sleep(postgres: Cluster, postgres_url: str):
    async with processes(postgres_url, "0/2", "1/2") as (first, second):
        table = await first.begin(ANA)
        assert end_sessions(postgres, postgres_url, "0/2") == 1
        await wait_until(lambda: first.owner.held is Held.YES and first.manager.at(Alone(ANA.id)) is None)
        await second.manager.wake(table.id, ANA.id)
        woken = second.manager.at(Alone(ANA.id))
        assert woken is not None
        await play(woken, ANA)


async def test_somebody_is_erased_from_any_process(postgres_url: str):
    async with processes(postgres_url, "0/2", "1/2") as (first, second):
        table = await first.begin(ANA)
        await erase(second.store.personal_data, second.manager, second.preferences, ANA)
        assert first.manager.at(Alone(ANA.id)) is None
        assert await first.store.games.get(table.id) is None
        assert await first.manager.alone(ANA.id) is None
