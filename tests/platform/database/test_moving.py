"""Copying between kinds of databases: all rows, the same values, ids that go on; also if interrupted and restarted."""

import asyncio
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
import sqlalchemy as sa
from filelock import Timeout

from bench.postgres import Cluster
from bot.club.store.standing import Metric
from bot.engine.cards import DECK
from bot.platform.database.base import UtcDateTime
from bot.platform.database.errors import CannotCopy, StoreUnavailable
from bot.platform.database.locations import location_of, without_password
from bot.platform.database.ownership.port import lock_of
from bot.platform.database.tools.backup_folder import copy_database
from bot.platform.database.tools.transfer import transfer
from bot.process.check import check
from bot.process.stores import Stores
from bot.schema import SCHEMA
from bot.tables.log.ahead import Ahead
from bot.tables.log.evenings import Part
from bot.tables.store.deals import Seal
from bot.training.store.rows import Judgement
from tests.support.databases import tables_looked_at_once, with_tables
from tests.support.dose import thorough_but
from tests.support.steps import EXPANDS, newer_version
from tests.support.store import (
    GUILD,
    NOON,
    add_finished_game,
    entries,
    entry,
    leaderboard_of,
    match_result,
    miss,
    new_game,
    open_game_ids,
    player_result,
    rows,
    write_transaction,
)

KINDS = thorough_but(["sqlite", "postgresql"], "sqlite")
TABLES = tuple(SCHEMA.metadata.tables)


@pytest.fixture(autouse=True, scope="module")
def _looking_once() -> Iterator[None]:
    with tables_looked_at_once():
        yield


@pytest.fixture(params=KINDS)
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str | Path]:
    """An empty database of either kind. It already has its tables, because making them takes longer than a copy."""
    if request.param == "sqlite":
        yield with_tables(tmp_path / "copy.sqlite3")
        return
    cluster: Cluster = request.getfixturevalue("postgres")
    url = cluster.new()
    yield url
    cluster.drop(url)


@pytest.fixture(params=KINDS)
def empty_place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str | Path]:
    """A place for a database of either kind, without tables, like most targets."""
    if request.param == "sqlite":
        yield tmp_path / "copy.sqlite3"
        return
    cluster: Cluster = request.getfixturevalue("postgres")
    url = cluster.new("template1")
    yield url
    cluster.drop(url)


LEARNED: Final = (
    "UPDATE results SET luck = '[21, -21]' WHERE id = 1",
    "INSERT INTO day_positions VALUES ('2026-03-14', '{}'), ('2026-03-15', '{}')",
    "INSERT INTO day_answers VALUES ('2026-03-14', 3, 11, 'Ñandú', '0 7o', 250, true, '2026-03-14 12:00:00.123456')",
    "INSERT INTO day_channels VALUES (11, 12, 18, 'es-ES', NULL, '2026-03-14', 1, NULL)",
    "INSERT INTO practice_positions VALUES (3, 'day/2026-03-14', '{}', 'sevens', 0, '2026-03-15 12:00:00.123456')",
    "INSERT INTO lessons VALUES (3, 'first', 2, NULL, '2026-03-14 12:00:00.123456')",
    "INSERT INTO marked_rivals VALUES (11, -5, -6, '2026-03-14', 1500)",
    "INSERT INTO marked_matches VALUES (11, -7, '2026-03-14', -5, 2)",
    "INSERT INTO marked_ratings VALUES (11, -5, 25.5, 4.0, '2026-03-14 12:00:00.123456')",
    "INSERT INTO achievements VALUES (11, 3, 'all_sevens', 1, '2026-03-14 12:00:00.123456')",
    "INSERT INTO tournaments (guild_id, channel_id, organiser_id, locale, opened_at)"
    " VALUES (11, 12, 3, 'es-ES', '2026-03-14 12:00:00.123456')",
    "INSERT INTO tournament_events VALUES (1, 1, 'announced', '{}', '2026-03-14 12:00:00.123456')",
    "INSERT INTO tournament_people VALUES (1, 3)",
    "INSERT INTO rule_sets (guild_id, name, config, saved_by, saved_at, removed)"
    " VALUES (11, 'La peña', '{}', 3, '2026-03-14 12:00:00.123456', true)",
    "INSERT INTO given_roles VALUES (11, 12, 3)",
)
"""Rows for the tables that only other packages fill."""


@pytest.fixture(scope="module")
def original_of(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], str | Path]:
    """A function that returns the filled database of a kind, and makes it when first called."""
    made: dict[str, str | Path] = {}

    def make(kind: str) -> str | Path:
        if kind == "sqlite":
            return with_tables(tmp_path_factory.mktemp("original") / "escoba.sqlite3")
        cluster: Cluster = request.getfixturevalue("postgres")
        url = cluster.new()
        request.addfinalizer(lambda: cluster.drop(url))
        return url

    def original(kind: str) -> str | Path:
        if kind not in made:
            made[kind] = make(kind)
            with ThreadPoolExecutor(1) as thread:
                thread.submit(asyncio.run, _fill(made[kind])).result()
        return made[kind]

    return original


@pytest.fixture(params=KINDS)
def original(request: pytest.FixtureRequest, original_of: Callable[[str], str | Path]) -> str | Path:
    """A closed database, only read, with some of everything; the newest game's row has been deleted."""
    return original_of(request.param)


@pytest.fixture(scope="module")
def read_before() -> dict[str | Path, list[object]]:
    """The contents of each original that have been read so far."""
    return {}


@pytest.fixture
async def expected(original: str | Path, read_before: dict[str | Path, list[object]]) -> list[object]:
    """The contents of the original, as a store reads them."""
    if original not in read_before:
        read_before[original] = await contents(original)
    return read_before[original]


@pytest.fixture
def filled_database(original: str | Path, path: Path, request: pytest.FixtureRequest) -> Iterator[str | Path]:
    """A copy of the original for a test that writes to it."""
    if isinstance(original, Path):
        path.parent.mkdir()
        shutil.copy(original, path)
        yield path
        return
    cluster: Cluster = request.getfixturevalue("postgres")
    url = cluster.new(sa.make_url(original).database or "")
    yield url
    cluster.drop(url)


async def _fill(database: str | Path) -> None:
    store = await Stores.open(database)
    await add_finished_game(
        store,
        [
            match_result([player_result(0, 1, won=True, points=21, name="Ñandú 🃏 'x'\\"), player_result(1, None)]),
            match_result([player_result(0, 1, won=True, points=15, escobas=2, place=1), player_result(1, 2, place=2)]),
        ],
    )
    assert await store.reviews.put(1, 1, Judgement(875, 1500, 3, decisions=16, at=NOON))
    await add_finished_game(
        store,
        [match_result([player_result(0, 1), player_result(1, 2)], ranked=False, ended_at=NOON + timedelta(hours=1))],
    )
    game = await new_game(store, 7, log=entries(1, 30), joined=[5, 6], seal=Seal("seed", "commitment"))
    await store.games.append(game.id, [entry(31, "")], joined=[8])
    await store.games.name_ahead(game.id, 8, Ahead("1.1.3", DECK[0], untaken=True))
    await store.games.press_face(game.id, 9, "1.1", "clap")
    await store.games.vote(game.id, 1, 9, 1)
    tonight, won = await new_game(store, 8, log=[entry(1)]), match_result([player_result(0, 1), player_result(1, 2)])
    await store.games.append(tonight.id, [entry(2)], result=won, close=True, part=Part(best_of_three=True))
    await store.games.set_message(game.id, 9_007_199_254_740_993, datetime(2026, 3, 29, 1, 30, tzinfo=UTC))
    for key in ("b", "B", "ä", "a", "_"):
        await store.values.set(key, f"value of {key}")
    await store.preferences.put(3, "nudge=never")
    await store.kept.depart([11, 12], NOON)
    await miss(store, 13, NOON)
    gone = await new_game(store, 99)
    await store.games.append(gone.id, [], close=True)
    async with write_transaction(store) as connection:
        for row in LEARNED:
            await connection.exec_driver_sql(row)
        for table in ("participants", "games"):
            column = "id" if table == "games" else "game_id"
            await connection.exec_driver_sql(f"DELETE FROM {table} WHERE {column} = {gone.id}")  # noqa: S608
    await store.database.close()


async def copy_all(source: str | Path, target: str | Path) -> int:
    return await transfer(location_of(source), location_of(target), SCHEMA)


async def contents(database: str | Path) -> list[object]:
    """Everything in a store, as the store reads it."""
    store = await Stores.open(database)
    try:
        games = [await store.games.get(game_id) for game_id in range(1, 9)]
        return [
            games,
            [await store.games.log(game_id) for game_id in range(1, 9)],
            [await leaderboard_of(store, metric) for metric in Metric],
            [await store.leaderboards.stats(GUILD, user) for user in (1, 2)],
            [await store.personal_data.of(user) for user in (1, 2, 3, 5, 8)],
            await store.preferences.all(),
            await store.kept.departed(),
            [await store.values.get(key) for key in ("b", "B", "ä", "a", "_")],
        ]
    finally:
        await store.database.close()


@pytest.mark.parametrize(
    ("original", "empty_place"),
    [
        ("sqlite", "postgresql"),
        pytest.param("postgresql", "sqlite", marks=pytest.mark.thorough),
        *(pytest.param(kind, kind, marks=pytest.mark.thorough) for kind in ("sqlite", "postgresql")),
    ],
    indirect=True,
)
async def test_a_copy_has_every_row_and_ids_go_on(
    original: str | Path, empty_place: str | Path, expected: list[object]
) -> None:
    told_of: list[tuple[str, int, int]] = []
    count = await transfer(location_of(original), location_of(empty_place), SCHEMA, lambda *said: told_of.append(said))
    assert count == sum(rows(empty_place, f"SELECT count(*) FROM {table}")[0][0] for table in TABLES)  # noqa: S608
    assert told_of[-1][1:] == (count, count)
    assert await contents(empty_place) == expected
    store = await Stores.open(empty_place)
    assert (await new_game(store, 50)).id == 6, "the fifth id was given to a game that is gone"
    await add_finished_game(store, [match_result([player_result(0, 1)])], 51)
    assert rows(empty_place, "SELECT max(id) FROM results") == [(5,)]
    await store.database.close()


def table_rows(database: str | Path, table: str) -> list[tuple[object, ...]]:
    """A table's rows as another program reads them, with the same values for either kind of database."""
    columns = SCHEMA.metadata.tables[table].columns
    query = f"SELECT {', '.join(column.name for column in columns)} FROM {table}"  # noqa: S608 - a table of ours
    return sorted((tuple(map(_plain, columns, row)) for row in rows(database, query)), key=repr)


def _plain(column: sa.Column[object], value: object) -> object:
    if isinstance(value, str) and isinstance(column.type, UtcDateTime):
        value = datetime.fromisoformat(value).replace(tzinfo=UTC)
    return int(value) if isinstance(value, bool) else value.astimezone(UTC) if isinstance(value, datetime) else value


async def test_every_table_is_copied_and_none_is_empty_in_this_test(original: str | Path, target: str | Path) -> None:
    await copy_all(original, target)
    for table in TABLES:
        copied = table_rows(target, table)
        assert copied, table
        assert copied == table_rows(original, table), table


DAMAGES = (
    "UPDATE events SET body = body || '.' WHERE game_id = 3 AND version = 17",
    "UPDATE people SET choices = ''",
    "UPDATE standings SET wins = wins + 1 WHERE user_id = 1",
    "DELETE FROM reviews",
    "INSERT INTO departures SELECT 14, left_at FROM departures WHERE guild_id = 11",
)


@pytest.mark.parametrize(
    ("original", "target"),
    [("sqlite",) * 2, pytest.param("postgresql", "postgresql", marks=pytest.mark.thorough)],
    indirect=True,
)
@pytest.mark.parametrize("damage", thorough_but(DAMAGES, *DAMAGES[-2:]))
async def test_a_copy_that_differs_in_one_row_is_noticed(original: str | Path, target: str | Path, damage: str) -> None:
    await copy_spoilt(original, target, damage)


@pytest.mark.thorough
async def test_a_copy_that_differs_is_not_finished_but_restarted(
    original: str | Path, target: str | Path, expected: list[object]
) -> None:
    await copy_spoilt(original, target, DAMAGES[0])
    with pytest.raises(StoreUnavailable, match="not finished"):
        await Stores.open(target)
    await copy_all(original, target)  # this finds the difference as well, and copies again
    assert await contents(target) == expected


async def copy_spoilt(source: str | Path, target: str | Path, damage: str) -> None:
    """Copy a database while another program changes the copy; checks that the difference is noticed."""

    def spoil(table: str, done: int, total: int) -> None:
        if done == total:
            change(target, damage)

    with pytest.raises(CannotCopy, match=f"rows of the table {damage.split()[2 - damage.startswith('UPDATE')]} differ"):
        await transfer(location_of(source), location_of(target), SCHEMA, spoil)


def change(database: str | Path, statement: str) -> None:
    """Change rows as a program other than the bot would."""
    if isinstance(database, Path):
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.execute(statement)
        return
    engine = sa.create_engine(database)
    with engine.begin() as server:
        server.exec_driver_sql(statement)
    engine.dispose()


@pytest.mark.thorough
async def test_an_empty_database_is_copied_too(database: str | Path, empty_place: str | Path) -> None:
    await (await Stores.open(database)).database.close()
    assert await copy_all(database, empty_place) == 0
    store = await Stores.open(empty_place)
    assert (await new_game(store)).id == 1
    await store.database.close()


class Interrupted(Exception):
    """Stands for the end of the copying process."""


@pytest.mark.parametrize("after", thorough_but([1, 9], 9))
async def test_an_interrupted_copy_is_restarted(
    original: str | Path, empty_place: str | Path, after: int, expected: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.platform.database.tools.transfer._BATCH", 7)
    steps = 0

    def cut(table: str, done: int, total: int) -> None:
        nonlocal steps
        steps += 1
        if steps > after:
            raise Interrupted

    with pytest.raises(Interrupted):
        await transfer(location_of(original), location_of(empty_place), SCHEMA, cut)
    with pytest.raises(StoreUnavailable, match="not finished"):
        await Stores.open(empty_place)
    first: list[int] = []
    await transfer(location_of(original), location_of(empty_place), SCHEMA, lambda _, done, __: first.append(done))
    assert max(first) == sum(rows(empty_place, f"SELECT count(*) FROM {table}")[0][0] for table in TABLES)  # noqa: S608
    assert await contents(empty_place) == expected


@pytest.fixture
async def half_copy(original: str | Path, target: str | Path) -> str | Path:
    """A database into which a copy was begun and not finished."""

    def cut(table: str, done: int, total: int) -> None:
        if table == "results":
            raise Interrupted

    with pytest.raises(Interrupted):
        await transfer(location_of(original), location_of(target), SCHEMA, cut)
    return target


@pytest.mark.thorough
async def test_half_a_copy_is_neither_copied_nor_checked_as_if_it_were_whole(
    original: str | Path, half_copy: str | Path, tmp_path: Path
) -> None:
    words = f"{without_password(half_copy)} isn't complete: a copy of {without_password(original)} into it"
    again = tmp_path / "again.sqlite3"
    with pytest.raises(CannotCopy, match=re.escape(words)):
        await copy_all(half_copy, again)
    assert not again.exists()
    said: list[str] = []
    with pytest.raises(CannotCopy, match=re.escape(words)):
        await check(location_of(half_copy), said.append)
    assert said == []
    if isinstance(half_copy, Path):  # a backup of it is half a copy, too
        await asyncio.to_thread(copy_database, half_copy, again)
        with pytest.raises(StoreUnavailable, match="not finished"):
            await Stores.open(again)
    await copy_all(original, half_copy)
    await copy_all(half_copy, tmp_path / "last.sqlite3")


@pytest.mark.thorough
async def test_a_schema_of_its_own_is_made_by_copying_too(path: Path, postgres: Cluster) -> None:
    store = await Stores.open(path)
    await store.values.set("a", "b")
    await store.database.close()
    url = postgres.new("template1")
    own = f"{url}&options=-csearch_path%3Dclub"
    assert await copy_all(path, own) == 1
    assert rows(url, "SELECT value FROM club.key_values") == [("b",)]
    assert rows(url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(0,)]
    assert await copy_all(own, path.with_name("back")) == 1
    postgres.drop(url)


@pytest.mark.thorough
async def test_changes_before_a_copy_is_restarted_are_copied(filled_database: str | Path, target: str | Path) -> None:
    def cut(table: str, done: int, total: int) -> None:
        if table == "results":
            raise Interrupted

    with pytest.raises(Interrupted):
        await transfer(location_of(filled_database), location_of(target), SCHEMA, cut)
    store = await Stores.open(filled_database)
    await store.games.append(3, [], close=True)
    await store.database.close()
    await copy_all(filled_database, target)
    assert await contents(target) == await contents(filled_database)


async def test_nothing_is_copied_over_what_is_there(original: str | Path, target: str | Path) -> None:
    store = await Stores.open(target)
    await store.values.set("mine", "precious")
    await store.database.close()
    with pytest.raises(CannotCopy, match="isn't empty"):
        await copy_all(original, target)
    store = await Stores.open(target)
    assert await store.values.get("mine") == "precious"
    assert await open_game_ids(store) == []
    await store.database.close()


async def test_an_interrupted_copy_of_another_database_isnt_continued(
    original: str | Path, target: str | Path, tmp_path: Path
) -> None:
    def cut(table: str, done: int, total: int) -> None:
        raise Interrupted

    with pytest.raises(Interrupted):
        await transfer(location_of(original), location_of(target), SCHEMA, cut)
    other = tmp_path / "other.sqlite3"
    await (await Stores.open(other)).database.close()
    with pytest.raises(CannotCopy, match="another copy"):
        await copy_all(other, target)


async def test_a_source_that_is_not_a_database_isnt_copied(
    empty_place: str | Path, tmp_path: Path, postgres: Cluster
) -> None:
    with pytest.raises(CannotCopy, match="no file"):
        await copy_all(tmp_path / "missing.sqlite3", empty_place)
    sqlite3.connect(tmp_path / "empty.sqlite3").close()
    with pytest.raises(CannotCopy, match="no database of this bot"):
        await copy_all(tmp_path / "empty.sqlite3", empty_place)
    if isinstance(empty_place, Path):
        assert not empty_place.exists()


async def test_a_row_that_the_target_cannot_hold_stops_the_copy(path: Path, postgres_url: str) -> None:
    store = await Stores.open(path)
    await store.values.set("a", "nothing\0nothing")
    await store.database.close()
    with pytest.raises(Exception, match="can't hold"):
        await copy_all(path, postgres_url)


@pytest.mark.thorough
async def test_a_database_isnt_copied_while_a_bot_is_connected(
    server_store: Stores, postgres_url: str, path: Path
) -> None:
    with pytest.raises(CannotCopy, match="a bot is connected"):
        await copy_all(postgres_url, path)
    assert not path.exists()
    await transfer(location_of(postgres_url), path, SCHEMA, beside_a_bot=True)
    await server_store.database.close()
    await copy_all(postgres_url, path.with_name("second"))


@pytest.mark.thorough
async def test_a_bot_that_is_just_closing_its_connections_is_waited_for(
    server_store: Stores, postgres_url: str, path: Path
) -> None:
    copying = asyncio.create_task(copy_all(postgres_url, path))
    await asyncio.sleep(0.1)
    await server_store.database.close()
    await copying


@pytest.mark.thorough
async def test_a_file_that_a_bot_uses_is_left_alone(database: str | Path, path: Path, tmp_path: Path) -> None:
    await (await Stores.open(database)).database.close()
    target = tmp_path / "copy.sqlite3"
    for used in (each for each in (database, target) if isinstance(each, Path)):
        with lock_of(used).acquire(blocking=False), pytest.raises(CannotCopy, match=f"connected to {used}; stop it"):
            await copy_all(database, target)
        assert not target.exists()
    if isinstance(database, Path):
        with lock_of(database).acquire(blocking=False):
            await transfer(database, target, SCHEMA, beside_a_bot=True)
    else:
        await copy_all(database, target)
    for free in (path, target):
        lock_of(free).acquire(blocking=False).lock.release()


@pytest.mark.thorough
async def test_no_bot_can_own_a_file_while_it_is_copied(database: str | Path, tmp_path: Path) -> None:
    store = await Stores.open(database)
    await store.values.set("a", "b")
    await store.database.close()
    target = tmp_path / "copy.sqlite3"
    held: list[Path] = []

    def look(table: str, done: int, total: int) -> None:
        for each in (database, target):
            if isinstance(each, Path):
                with pytest.raises(Timeout):
                    lock_of(each).acquire(blocking=False)
                held.append(each)

    await transfer(location_of(database), target, SCHEMA, look)
    assert target in held


async def test_what_processes_record_about_themselves_isnt_copied(database: str | Path, target: str | Path) -> None:
    kept = {"identify": "x", "owner_of_all": "y", "Owner:0/1": "z"}
    for each, values in (
        (database, kept | {"owner:0/4": "mark", "identify:1": "17.5"}),
        (target, {"owner:3/4": "old"}),
    ):
        store = await Stores.open(each)
        for key, value in values.items():
            await store.values.set(key, value)
        await store.database.close()
    assert await copy_all(database, target) == len(kept)
    store = await Stores.open(target)
    assert await store.values.of("") == kept | {"owner:3/4": "old"}
    await store.database.close()


async def test_a_database_is_not_copied_to_itself(database: str | Path) -> None:
    await (await Stores.open(database)).database.close()
    with pytest.raises(CannotCopy, match="the same place"):
        await copy_all(database, database)


async def test_an_older_versions_database_is_copied_without_touching_it(
    path: Path, tmp_path: Path, postgres: Cluster
) -> None:
    store = await Stores.open(path)
    game = await new_game(store)
    await store.database.close()
    queries = ["SELECT * FROM sqlite_master", "SELECT * FROM escoba_version", "SELECT * FROM games"]
    before = [rows(path, query) for query in queries]
    url = postgres.new("template1")
    with newer_version(tmp_path, EXPANDS) as version:
        await copy_all(path, url)
        assert rows(url, "SELECT * FROM escoba_version") == [(version, version)]
        assert [rows(path, query) for query in queries] == before
        store = await Stores.open(url)
        assert await store.games.get(game.id) == game
        await store.database.close()
    postgres.drop(url)


def test_no_error_shows_a_password() -> None:
    database = location_of("postgresql+psycopg://ana:s3cret@example.org/games?password=s3cret&sslmode=require")
    assert without_password(database) == "postgresql+psycopg://ana:***@example.org/games"
