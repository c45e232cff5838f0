"""The luck of a match is computed after all other work, stored with the match's result, and for its review."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.coach.luck import DealtRound, load_luck, luck_of
from bot.engine.events import MatchStarted, RoundDealt
from bot.platform.clock import Clock
from bot.platform.eventlog import CodecError, LogEntry
from bot.platform.observers import Observers
from bot.platform.people import Person
from bot.platform.settings.documents import PreferencesCache
from bot.process.stores import Stores
from bot.tables.live.logbook import Logbook
from bot.tables.live.services import Services
from bot.tables.live.table import Table
from bot.tables.log.codec import encode
from bot.tables.log.events import LogEvent
from bot.tables.options import TableOptions
from bot.tables.settings import turn_notice
from bot.thinking import InlineThinker, Urgency
from bot.thinking.port import Work
from bot.training.live.luck import LuckOfMatches, dealt_rounds
from tests.support.databases import with_tables
from tests.support.recorded import log_events, store_log

AT = datetime(2026, 8, 1, 12, tzinfo=UTC)
PEOPLE = [Person(11, "Ana"), Person(12, "Bea"), Person(13, "Clo"), Person(14, "Don")]


def entries(events: Sequence[LogEvent]) -> list[LogEntry]:
    return [LogEntry(version, *encode(event), AT) for version, event in enumerate(events, 1)]


@pytest.mark.parametrize("preset", ["escoba", "quince", "cientifica"])
def test_a_log_tells_how_each_round_began(preset: str) -> None:
    events = log_events(preset, PEOPLE if preset != "escoba" else PEOPLE[:2], target=21)
    [started] = [event for event in events if isinstance(event, MatchStarted)]
    decks = [event.deck for event in events if isinstance(event, RoundDealt)]
    assert len(decks) > 1
    assert dealt_rounds(entries(events)) == [
        DealtRound(started.rules, started.seating, number % started.seating.seats, deck)
        for number, deck in enumerate(decks)
    ]


def test_a_damaged_log_tells_nothing() -> None:
    events = [event for event in log_events("escoba", PEOPLE[:2]) if not isinstance(event, MatchStarted)]
    with pytest.raises(CodecError):
        dealt_rounds(entries(events))


class Solver(InlineThinker):
    """Answers a number of questions, each once `may` is set."""

    def __init__(self, answers: int = 100) -> None:
        super().__init__()
        self.answers = answers
        self.asked: list[Urgency] = []
        self.people: list[int | None] = []
        self.may = asyncio.Event()
        self.may.set()

    async def solve(self, work: Work[Any], urgency: Urgency, person: int | None = None) -> Any:
        """Answer as `InlineThinker` does; None once the number is used up."""
        self.asked.append(urgency)
        self.people.append(person)
        await self.may.wait()
        return await super().solve(work, urgency) if len(self.asked) <= self.answers else None


class Place:
    """A store with a finished match, and the luck of its matches."""

    def __init__(self, store: Stores, table: Table, solver: Solver, games: int = 3) -> None:
        self.store = store
        self.table = table
        self.solver = solver
        self.luck = LuckOfMatches(solver, store.games, store.luck, games)

    async def over(self) -> None:
        """Tell the luck that the match is over, and wait until it has finished with that."""
        self.luck.table_over(self.table)
        await asyncio.gather(*self.luck._tasks.values())

    async def stored(self) -> list[str | None]:
        return [result.luck for _, result in (await self.store.personal_data.of(PEOPLE[0].id)).results]


PlaceOf = Callable[..., Any]


@pytest.fixture
async def place(tmp_path: Path) -> Any:
    """A function that makes places, each with a finished match of Ana and Bea."""
    stores: list[Stores] = []

    async def make(solver: Solver | None = None, games: int = 3) -> Place:
        store = await Stores.open(with_tables(tmp_path / f"{len(stores)}.sqlite3"))
        stores.append(store)
        game_id = await store_log(store, 1, 500, log_events("escoba", PEOPLE[:2]), AT)
        services = Services(
            store.games,
            store.alone,
            store.deals,
            store.values,
            Clock(lambda: AT),
            partial(turn_notice, PreferencesCache(store.preferences)),
        )

        async def options(_: int | None) -> TableOptions:
            return TableOptions()

        restored = await Logbook(services, Observers(), options).restore(game_id)
        assert restored is not None
        return Place(store, restored.table, solver or Solver(), games)

    yield make
    for store in stores:
        await store.database.close()


async def test_it_is_stored_once_and_adds_up(place: PlaceOf) -> None:
    here = await place()
    await here.over()
    view = here.table.view()
    rounds = len(view.match.scores)
    assert here.solver.asked == [Urgency.LUCK] * rounds, "one piece of work a round"
    assert here.solver.people == [PEOPLE[0].id] * rounds
    ahead = view.match.totals[0] - view.match.totals[1]
    [stored] = await here.stored()
    assert [each.lead for each in load_luck(stored)] == [10 * ahead, -10 * ahead]


async def test_the_same_match_always_has_the_same_luck(place: PlaceOf) -> None:
    one, other = await place(), await place()
    await one.over()
    await other.over()
    [stored] = await one.stored()
    assert await other.stored() == [stored]
    assert load_luck(stored) != luck_of(one.table.view().match.totals, [])


async def test_rounds_are_asked_about_one_after_the_other_and_a_match_only_once(place: PlaceOf) -> None:
    here = await place()
    here.solver.may.clear()
    here.luck.table_over(here.table)
    here.luck.table_over(here.table)
    while not here.solver.asked:  # noqa: ASYNC110 - the store works in a thread
        await asyncio.sleep(0.001)
    assert len(here.solver.asked) == 1
    here.solver.may.set()
    await here.over()
    assert len(here.solver.asked) == len(here.table.view().match.scores)


async def test_without_an_answer_nothing_is_stored(place: PlaceOf) -> None:
    here = await place(Solver(answers=1))
    await here.over()
    assert await here.stored() == [None]


async def test_a_result_that_is_gone_meanwhile_costs_nothing(place: PlaceOf) -> None:
    here = await place()
    here.solver.may.clear()
    here.luck.table_over(here.table)
    while not here.solver.asked:  # noqa: ASYNC110 - the store works in a thread
        await asyncio.sleep(0.001)
    await here.store.kept.drop_games(1)
    here.solver.may.set()
    await here.over()
    assert await here.stored() == []


async def test_a_store_that_fails_costs_only_the_luck(place: PlaceOf, caplog: pytest.LogCaptureFixture) -> None:
    here = await place()
    await here.store.database.close()
    await here.over()
    assert "could not work out its luck (StoreUnavailable)" in caplog.text


async def test_a_bot_that_stops_does_not_wait_for_it(place: PlaceOf) -> None:
    here = await place()
    here.solver.may.clear()
    here.luck.table_over(here.table)
    await asyncio.sleep(0)
    await here.luck.close()
    assert here.luck._tasks == {}
    assert await here.stored() == [None]


async def test_nothing_is_asked_where_it_is_switched_off(place: PlaceOf) -> None:
    here = await place(games=0)
    await here.over()
    assert here.solver.asked == []
