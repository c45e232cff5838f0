"""What the leaderboard and stats queries cost on a server with few results and on one with millions."""

import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncConnection

from bench.crowd import FIRST_PERSON, GUILD, LATEST, SOURCES, THIS_MONTH, Crowd, fill
from bench.postgres import Cluster
from bot.club.rules.seasons import ALL_TIME, quarter_of
from bot.club.store.results import MatchResult, PlayerResult
from bot.club.store.standing import EVERY_PRESET, Leaderboard, Metric
from bot.platform.eventlog import LogEntry
from bot.process.stores import Stores

PAGE: Final = 10
MOST_PEOPLE: Final = 100_000
RATES_FROM: Final = 5
ROUNDS: Final = 40
"""How often each query is measured; the databases take turns, so that other load affects all of them alike."""

Query = Callable[[Stores, Crowd], Awaitable[object]]
Plan = list[str]


@dataclass(frozen=True, slots=True)
class QueryCost:
    """Medians in milliseconds of one kind of query, by number of results: elapsed, and CPU of this process."""

    elapsed: dict[int, float]
    cpu: dict[int, float]

    @property
    def ratio(self) -> float:
        """The largest database's time, as a multiple of the smallest's."""
        return self.elapsed[max(self.elapsed)] / self.elapsed[min(self.elapsed)]


@dataclass(frozen=True, slots=True)
class LeaderboardCosts:
    """What was measured.

    `leaderboard` is what `/escoba leaderboard` reads: a page and one's own place, averaged over all orders and periods,
    for somebody in the middle. `parts` are its parts and other queries. `plans` are the query plans on the database
    with the most people.
    """

    crowds: tuple[Crowd, ...]
    leaderboard: QueryCost
    stats: QueryCost
    parts: dict[str, QueryCost]
    plans: dict[str, Plan]


Crowded = list[tuple[Stores, Crowd]]


Sizes = tuple[tuple[int, int], ...]
"""Numbers of results and of people."""


def sizes_up_to(most: int) -> Sizes:
    """Few results, a tenth of `most` by very many people, and `most` by as few people as the first.

    Queries must not depend on the number of results: the first and the last are compared. Ranks and totals are counted
    through an index, linear in the number of people: the one in between shows what that costs.
    """
    least = min(1_000, most // 50)
    few, many = max(4, least // 5), max(4, min(MOST_PEOPLE, most // 10))
    return ((least, few), (most // 10, many), (most, few))


@asynccontextmanager
async def crowded_files(sizes: Sizes) -> AsyncGenerator[Crowded]:
    """A store of each size, in SQLite files."""
    with tempfile.TemporaryDirectory(prefix="escoba-bench-") as folder:
        async with AsyncExitStack() as stack:
            found: Crowded = []
            for size, people in sizes:
                path = Path(folder) / f"{size}.sqlite3"
                crowd = fill(sa.URL.create("sqlite", database=str(path)), size, people)
                found.append((await _opened(path, stack), crowd))
            yield found


@asynccontextmanager
async def crowded_server(cluster: Cluster, sizes: Sizes) -> AsyncGenerator[Crowded]:
    """A store of each size, in databases on a PostgreSQL server."""
    async with AsyncExitStack() as stack:
        found: Crowded = []
        for size, people in sizes:
            url = cluster.new("template1")
            stack.callback(cluster.drop, url)
            crowd = fill(sa.make_url(url), size, people)
            found.append((await _opened(url, stack), crowd))
        yield found


async def _opened(place: str | Path, stack: AsyncExitStack) -> Stores:
    store = await Stores.open(place)
    stack.push_async_callback(store.database.close)
    return store


async def measure(stores: Crowded, rounds: int = ROUNDS) -> LeaderboardCosts:
    """Measure every query on the stores in turn."""
    middle = {crowd.results: await _middle(store) for store, crowd in stores}

    def page(metric: Metric, period: str, preset: str, offset: float) -> Query:
        which = _which(metric, period, preset)
        return lambda store, crowd: store.leaderboards.page(GUILD, which, limit=PAGE, offset=int(offset * crowd.people))

    def own(metric: Metric, period: str, preset: str) -> Query:
        return lambda store, crowd: store.leaderboards.own_row(
            GUILD, middle[crowd.results], _which(metric, period, preset)
        )

    def both(metric: Metric, period: str, preset: str) -> Query:
        async def query(store: Stores, crowd: Crowd) -> None:
            await page(metric, period, preset, 0)(store, crowd)
            await own(metric, period, preset)(store, crowd)

        return query

    lists = list(product(Metric, (ALL_TIME, THIS_MONTH, quarter_of(LATEST)), (EVERY_PRESET, "escoba")))
    queries: dict[str, list[Query]] = {
        "leaderboard": [both(*each) for each in lists],
        "stats": [lambda store, crowd: store.careers.of(GUILD, middle[crowd.results])],
        "the first page": [page(*each, 0) for each in lists],
        "a page in the middle": [page(metric, ALL_TIME, EVERY_PRESET, 0.5) for metric in Metric],
        "the place of somebody in the middle": [own(*each) for each in lists],
        "the end of a match, with its result": [_end_of_match()],
        "what a match has brought two people": [
            lambda store, crowd: store.careers.aftermath(GUILD, 1, [middle[crowd.results], FIRST_PERSON])
        ],
        "what two people bring to a match": [
            lambda store, crowd: store.ratings.lineup(GUILD, [middle[crowd.results], FIRST_PERSON], LATEST)
        ],
        "somebody's ratings over time": [lambda store, crowd: store.ratings.history(GUILD, FIRST_PERSON)],
    }
    costs = {name: await _cost(each, stores, rounds) for name, each in queries.items()}
    store, crowd = max(stores, key=lambda each: each[1].people)
    plans = {
        "first page by wins": await _plan(store, page(Metric.WINS, ALL_TIME, EVERY_PRESET, 0)(store, crowd)),
        "first page by rating": await _plan(store, page(Metric.RATING, ALL_TIME, EVERY_PRESET, 0)(store, crowd)),
        "place by rate": await _plan(store, own(Metric.RATE, ALL_TIME, EVERY_PRESET)(store, crowd)),
        "stats": await _plan(store, store.careers.of(GUILD, middle[crowd.results])),
    }
    crowds = tuple(crowd for _, crowd in stores)
    parts = {name: cost for name, cost in costs.items() if name not in ("leaderboard", "stats")}
    return LeaderboardCosts(crowds, costs["leaderboard"], costs["stats"], parts, plans)


async def _middle(store: Stores) -> int:
    """A person in the middle of the list by rate who has also played this month."""
    by_rate = _which(Metric.RATE, ALL_TIME, EVERY_PRESET)
    total = (await store.leaderboards.page(GUILD, by_rate, limit=1, offset=0)).total
    offset = total // 2
    while True:
        rows = await store.leaderboards.page(GUILD, by_rate, limit=PAGE, offset=offset)
        for row in rows.rows:
            place = await store.leaderboards.own_row(GUILD, row.user_id, Leaderboard(Metric.WINS, THIS_MONTH))
            if place is not None or not offset:
                return row.user_id
        offset = max(0, offset - PAGE)


def _which(metric: Metric, period: str, preset: str) -> Leaderboard:
    return Leaderboard(metric, period, preset, RATES_FROM)


def _end_of_match() -> Query:
    numbers = iter(range(1, 1_000_000))

    async def end(store: Stores, crowd: Crowd) -> None:
        number = next(numbers)
        now = LATEST + timedelta(seconds=number)
        seats = [FIRST_PERSON + (number * 7919 + seat * 31) % crowd.people for seat in range(2)]
        game = await store.games.open(guild_id=GUILD, channel_id=2, opener_id=1, locale="es-ES", at=now, entries=[])
        players = tuple(
            PlayerResult(seat, seat, user, "Somebody", not seat, 21 - seat, 3, place=1 + seat, sources=SOURCES)
            for seat, user in enumerate(seats)
        )
        result = MatchResult(GUILD, 2, now, "escoba", 21, "2", 4, True, players)
        await store.games.append(game.id, [LogEntry(1, "match", "play 1 7o 3c 5e", now)], result=result, close=True)

    return end


async def _cost(queries: list[Query], stores: Crowded, rounds: int) -> QueryCost:
    """The mean of the queries' medians on each store."""
    spent: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
    for query in queries:
        costs: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
        for _ in range(rounds):
            for store, crowd in stores:
                began = time.perf_counter(), time.process_time()
                await query(store, crowd)
                costs[crowd.results].append((time.perf_counter() - began[0], time.process_time() - began[1]))
        for results, each in costs.items():
            elapsed, cpu = zip(*each[rounds // 10 :], strict=True)
            spent[results].append((1000 * median(elapsed), 1000 * median(cpu)))
    means = {
        results: [sum(column) / len(each) for column in zip(*each, strict=True)] for results, each in spent.items()
    }
    return QueryCost({results: mean[0] for results, mean in means.items()}, {r: mean[1] for r, mean in means.items()})


async def _plan(store: Stores, query: Awaitable[object]) -> Plan:
    """The database's query plan for a query, one line per step."""
    asked: list[tuple[str, Any]] = []

    def note(connection: object, cursor: object, statement: str, values: Any, *_: object) -> None:
        asked.append((statement, values))

    event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        await query
    finally:
        event.remove(sa.Engine, "before_cursor_execute", note)

    async def explain(connection: AsyncConnection) -> Plan:
        is_sqlite = connection.dialect.name == "sqlite"
        how = "EXPLAIN QUERY PLAN " if is_sqlite else "EXPLAIN (COSTS OFF) "
        return [
            str(row[-1])
            for statement, values in asked
            if "FROM" in statement
            for row in await connection.exec_driver_sql(how + statement, values)
        ]

    return await store.database.read(explain)
