"""Faults of a server: errors say why it can't be used, but no password; no move is lost while it is down."""

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from bench.postgres import GUARDED, PASSWORD, Cluster
from bot.platform.database import database
from bot.platform.database.errors import Fault, StoreUnavailable, VersionConflict, unavailable
from bot.platform.database.locations import InvalidLocation, location_of
from bot.platform.database.opening import database_at
from bot.platform.database.postgres import PostgresDatabase
from bot.platform.database.postgres_server import TIMEOUTS, lift_timeouts
from bot.platform.eventlog import LogEntry
from bot.privacy.live.erasure import Disguise
from bot.process.stores import Stores
from bot.schema import SCHEMA
from bot.tables.store.logs import GAMES
from tests.platform.database.processes import FORKING
from tests.support.dose import thorough_but
from tests.support.patience import HANG_SECONDS
from tests.support.postgres import temporary_cluster
from tests.support.store import (
    CHANNEL,
    NOON,
    add_finished_game,
    database_of,
    end_loop_during_appends,
    entries,
    entry,
    match_result,
    new_game,
    open_game_ids,
    player_result,
    postgres_of,
    read_connection,
    rows,
    write_transaction,
)

_NOTHING = sa.text("UPDATE standings SET wins = wins")


@pytest.fixture(scope="module")
def own_cluster() -> Iterator[Cluster]:
    """A server for this module alone, so that it can be stopped at any time."""
    with temporary_cluster() as cluster:
        yield cluster


@pytest.fixture
def own_database(own_cluster: Cluster) -> str:
    """A database on that server."""
    return own_cluster.new()


async def fault_at_opening(url: str, **options: Any) -> tuple[Fault, str]:
    """Why a database can't be opened, and the words of the error."""
    with pytest.raises(StoreUnavailable) as raised:
        await Stores.open(url, **options)
    return raised.value.fault, str(raised.value)


# ---------------------------------------------------------------------- at opening


@pytest.mark.parametrize(
    "text",
    [
        "postgres://ana:s3cret@host/games",
        "postgresql://ana:s3cret@host/games",
        "mysql://ana:s3cret@host/games",
        "postgresql+psycopg://ana:s3cret@host",
        "postgresql+psycopg://ana:s3cret@host/",
        "postgresql+psycopg://ana:s3@cret@host/games",
        "postgresql+psycopg://ana:s3@x/cret@host/games",
        "postgresql+psycopg://ana:s3cret@host:port/games",
    ],
)
async def test_an_invalid_address_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(InvalidLocation) as raised:
        await Stores.open(text)
    assert "cret" not in str(raised.value)


async def test_a_missing_server_is_reported(tmp_path: Any) -> None:
    url = f"postgresql+psycopg://ana:{PASSWORD}@/games?host={tmp_path}"
    fault, words = await fault_at_opening(url, busy_seconds=0.1)
    assert fault is Fault.UNAVAILABLE
    assert PASSWORD not in words
    assert "Is the server running" in words


@pytest.mark.parametrize("password", [None, "wrong-w0rd"])
async def test_a_wrong_or_missing_password_is_reported(
    postgres: Cluster, postgres_url: str, password: str | None
) -> None:
    url = sa.make_url(postgres_url).set(username=GUARDED, password=password)
    fault, words = await fault_at_opening(url.render_as_string(hide_password=False), busy_seconds=30)  # not used up
    assert fault is Fault.REFUSED
    assert "password" in words
    assert "wrong-w0rd" not in words


async def test_a_missing_database_is_reported(postgres: Cluster) -> None:
    fault, words = await fault_at_opening(postgres.url("nowhere"), busy_seconds=30)
    assert fault is Fault.REFUSED
    assert '"nowhere" does not exist' in words


@pytest.mark.parametrize(
    ("words", "transient"),
    [
        ("connection refused", True),
        ("failed to resolve host 'db': Name or service not known", True),
        ("FATAL:  the database system is starting up", True),
        ("FATAL:  sorry, too many clients already", True),
        ('FATAL:  password authentication failed for user "ana"', False),
        ('FATAL:  role "ana" does not exist', False),
        ("server does not support SSL, but SSL was required", False),
    ],
)
def test_another_try_may_help_unless_the_server_refuses_for_good(words: str, transient: bool) -> None:
    error = unavailable(OperationalError("", {}, psycopg.OperationalError(f"connection failed: {words}")), "it")
    assert (error.fault, error.transient) == (Fault.UNAVAILABLE if transient else Fault.REFUSED, transient)


async def test_a_user_who_may_not_create_tables_is_reported(postgres: Cluster) -> None:
    url = postgres.new("template1")
    guarded = sa.make_url(url).set(username=GUARDED, password=PASSWORD).render_as_string(hide_password=False)
    fault, words = await fault_at_opening(guarded)
    assert fault is Fault.READ_ONLY
    assert "permission denied" in words
    postgres.drop(url)


async def test_a_schema_of_its_own_is_made(postgres: Cluster) -> None:
    url = postgres.new("template1")
    own = f"{url}&options=-csearch_path%3Dclub"
    for _ in range(2):
        store = await Stores.open(own)
        await store.values.set("a", "b")
        await store.database.close()
    assert rows(url, "SELECT value FROM club.key_values") == [("b",)]
    assert rows(url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(0,)]
    postgres.drop(url)


async def test_every_connection_is_set_by_what_it_is_for(server_store: Stores) -> None:
    names = ("transaction_isolation", "transaction_read_only", "lock_timeout", "statement_timeout", "TimeZone")
    found = []
    for opening in (read_connection, write_transaction):
        async with opening(server_store) as connection:
            found.append([(await connection.exec_driver_sql(f"SHOW {name}")).scalar_one() for name in names])
    assert found == [["repeatable read", "on", "4s", "30s", "UTC"], ["read committed", "off", "4s", "30s", "UTC"]]


@pytest.mark.thorough
async def test_a_query_over_all_of_a_large_server_may_take_long(postgres_url: str) -> None:
    async def unhurried(connection: AsyncConnection) -> None:
        await lift_timeouts(connection, locks=True)
        await connection.execute(_NOTHING)

    hurried = await Stores.open(f"{postgres_url}&options=-cstatement_timeout%3D2s")
    try:
        await add_finished_game(hurried, [match_result([player_result(0, 1, won=True), player_result(1, 2)])])
        with psycopg.connect(postgres_url.replace("+psycopg", "")) as server:
            server.execute(
                "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS"
                " $$ BEGIN PERFORM pg_sleep(2.5); RETURN NULL; END $$;"
                "CREATE TRIGGER slow AFTER UPDATE ON standings EXECUTE FUNCTION slow()"
            )
        with pytest.raises(StoreUnavailable, match="statement timeout"):
            await database_of(hurried).write(lambda connection: connection.execute(_NOTHING))
        await database_of(hurried).write(unhurried)
    finally:
        await hurried.database.close()


async def test_a_process_that_is_stopped_holds_no_lock_while_more_is_to_be_sent(
    server_store: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Uses no pipeline: the server ends an idle transaction, but would wait forever for the end of a pipeline."""

    def begin(pipeline: psycopg.AsyncPipeline) -> None:
        raise AssertionError("a pipeline")

    monkeypatch.setattr(psycopg.AsyncPipeline, "__aenter__", begin)
    for guild in (1, 2):
        seats = [player_result(seat, user, won=not seat, points=21 - seat) for seat, user in enumerate((7, 8, 9))]
        await add_finished_game(server_store, [match_result(seats, guild_id=guild)] * 2)
    await server_store.personal_data.forget(8, Disguise(8).rewriter, NOON)
    assert [await server_store.standings.differences(guild) for guild in (1, 2)] == [[], []]


async def test_many_open_a_new_database_at_once(postgres: Cluster) -> None:
    url = postgres.new("template1")
    stores = await asyncio.gather(*(Stores.open(url) for _ in range(4)))
    for store in stores:
        assert await open_game_ids(store) == []
        await store.database.close()
    postgres.drop(url)


# ---------------------------------------------------------------------- later


async def test_a_lock_held_for_too_long_is_reported(postgres_url: str) -> None:
    store = await Stores.open(postgres_url, busy_seconds=0.1)
    game = await new_game(store)
    async with write_transaction(store) as connection:
        await connection.execute(sa.text("LOCK TABLE events, games IN ACCESS EXCLUSIVE MODE"))
        for work in (
            lambda: store.games.append(game.id, [entry(1)]),
            lambda: store.games.append(game.id, [entry(1)], close=True),
        ):
            with pytest.raises(StoreUnavailable) as raised:
                await work()
            assert raised.value.fault is Fault.LOCKED
    await store.games.append(game.id, [entry(1)])
    assert await store.games.log(game.id) == [entry(1)]
    await store.database.close()


async def test_a_database_that_became_read_only_is_reported(postgres: Cluster, postgres_url: str) -> None:
    store = await Stores.open(postgres_url)
    game = await new_game(store)
    name = sa.make_url(postgres_url).database
    postgres.run(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    await store.database.close()
    with pytest.raises(StoreUnavailable) as raised:
        await Stores.open(postgres_url)
    assert raised.value.fault is Fault.READ_ONLY
    assert raised.value.transient, "as a standby does until it takes writes"
    postgres.run(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    store = await Stores.open(postgres_url)
    assert await open_game_ids(store) == [game.id]
    await store.database.close()


async def test_a_servers_full_disk_is_known_until_it_takes_a_write(server_store: Stores, postgres_url: str) -> None:
    game = await new_game(server_store, log=[entry(1)])
    with psycopg.connect(postgres_url.replace("+psycopg", "")) as server:
        server.execute(
            "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$;"
            "CREATE TRIGGER no_room BEFORE INSERT ON events EXECUTE FUNCTION no_room();"
            "CREATE TRIGGER no_room BEFORE INSERT ON key_values EXECUTE FUNCTION no_room()"
        )
    assert await server_store.database.obstacle() is None, "nothing is written just to find out"
    with pytest.raises(StoreUnavailable):
        await server_store.games.append(game.id, [entry(2)])
    assert await server_store.database.obstacle() is Fault.DISK_FULL
    with psycopg.connect(postgres_url.replace("+psycopg", "")) as server:
        server.execute("DROP FUNCTION no_room CASCADE")
    assert await server_store.database.obstacle() is None
    assert await server_store.values.of("") == {}
    assert server_store.database.disk_space() is None


async def test_a_servers_error_about_a_row_reveals_nothing_of_it(server_store: Stores) -> None:
    secret = "7o-3c-5e-hidden"
    no_kind: Any = None
    game = await new_game(server_store)
    for new in (LogEntry(1, no_kind, secret, NOON), entry(1, f"{secret}\0")):
        for close in (False, True):
            with pytest.raises(Exception, match=r"kind|can't hold") as raised:
                await server_store.games.append(game.id, [new], close=close)
            logging.getLogger("tests").info("refused", exc_info=raised.value)
            error: BaseException | None = raised.value
            assert secret not in f"{error} {error!r}"
            assert error.__cause__ is None
            assert error.__suppress_context__


async def test_clashing_writes_all_succeed(server_store: Stores) -> None:
    async def add(n: int) -> None:
        await server_store.preferences.put(3, f"choice {n}")
        await server_store.kept.depart([7], NOON)

    await asyncio.gather(*(add(n) for n in range(20)))
    assert len(await server_store.preferences.all()) == 1
    assert await server_store.kept.departed() == {7: NOON}


async def test_a_write_that_deadlocks_is_retried(server_store: Stores) -> None:
    one, other = await new_game(server_store, 1), await new_game(server_store, 2)
    met = asyncio.Barrier(2)
    runs = 0

    def crossing(first: int, second: int) -> Callable[[AsyncConnection], Any]:
        met_already = False

        async def work(connection: AsyncConnection) -> None:
            nonlocal met_already, runs
            runs += 1
            await GAMES.hold(connection, first)
            if not met_already:
                met_already = True
                await met.wait()
            await GAMES.hold(connection, second)

        return work

    await asyncio.gather(
        database_of(server_store).write(crossing(one.id, other.id)),
        database_of(server_store).write(crossing(other.id, one.id)),
    )
    assert runs >= 3, "the server makes one of the two begin again, or both if both notice at the same time"


# ---------------------------------------------------------------------- connections that end


def terminate_others(url: str) -> None:
    rows(url, "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'escoba'")


async def test_connections_that_the_server_ended_are_reopened(server_store: Stores, postgres_url: str) -> None:
    game = await new_game(server_store)
    for version in range(1, 4):
        terminate_others(postgres_url)
        await server_store.games.append(game.id, [entry(version)])
        terminate_others(postgres_url)
        assert await server_store.games.log(game.id) == entries(1, version)
    terminate_others(postgres_url)
    await server_store.games.append(game.id, [entry(4)], result=match_result([player_result(0, 1)]), close=True)
    assert await open_game_ids(server_store) == []


class _ConnectionCutter:
    """Cuts a connection once, right after a statement with a certain text and before its outcome is known."""

    def __init__(self, store: Stores, url: str, text: str) -> None:
        self.url, self.text, self.cut = url, text, 0
        event.listen(postgres_of(store)._writer.sync_engine, "after_cursor_execute", self._after)
        event.listen(postgres_of(store)._writer.sync_engine, "commit", self._at_commit)
        self.at_commit = False

    def _after(self, connection: sa.Connection, cursor: Any, statement: str, *rest: object) -> None:
        if self.text in statement and not self.cut and not self.at_commit:
            self.cut += 1
            raise OperationalError(statement, {}, psycopg.OperationalError("server closed the connection"))

    def _at_commit(self, connection: sa.Connection) -> None:
        if self.at_commit and not self.cut:
            self.cut += 1
            connection.connection.commit()  # written, although the caller gets an error
            raise OperationalError("COMMIT", {}, psycopg.OperationalError("server closed the connection"))


async def test_an_append_whose_outcome_is_unknown_is_looked_up(server_store: Stores, postgres_url: str) -> None:
    game = await new_game(server_store, log=[entry(1)])
    cutting = _ConnectionCutter(server_store, postgres_url, "INSERT INTO events")
    await server_store.games.append(game.id, entries(2, 4))
    assert cutting.cut == 1
    assert await server_store.games.log(game.id) == entries(1, 4)
    with pytest.raises(VersionConflict):
        await server_store.games.append(game.id, entries(2, 4))


@pytest.mark.parametrize("written", [True, False])
async def test_appends_whose_outcomes_are_unknown_are_looked_up(
    server_store: Stores, written: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many appends at once; all connections end before or after the server has written them. One is a conflict."""
    games = [await new_game(server_store, channel, log=[entry(1)]) for channel in range(5)]
    late = games[3]
    await server_store.games.append(late.id, [entry(2, "another's")])
    execute, cut = psycopg.AsyncCursor.execute, 0

    async def cutting(self: psycopg.AsyncCursor[Any], query: Any, *values: Any, **how: Any) -> Any:
        nonlocal cut
        if "INSERT INTO events" not in str(query) or cut >= len(games):
            return await execute(self, query, *values, **how)
        cut += 1
        if written:
            await execute(self, query, *values, **how)
        await self.connection.close()
        raise psycopg.OperationalError("server closed the connection")

    monkeypatch.setattr(psycopg.AsyncCursor, "execute", cutting)
    told = await asyncio.gather(
        *(server_store.games.append(game.id, entries(2, 4)) for game in games), return_exceptions=True
    )
    assert cut == len(games)
    assert [type(each) for each in told] == [type(None)] * 3 + [VersionConflict, type(None)]
    for game in games:
        assert await server_store.games.log(game.id) == (
            [entry(1), entry(2, "another's")] if game is late else entries(1, 4)
        )
    await server_store.games.append(games[0].id, [entry(5)])
    with pytest.raises(VersionConflict):
        await server_store.games.append(games[0].id, [entry(5)])


async def test_a_game_that_somebody_is_changing_keeps_no_other_waiting(server_store: Stores, postgres_url: str) -> None:
    games = [await new_game(server_store, channel, log=[entry(1)]) for channel in range(4)]
    with psycopg.connect(postgres_url.replace("+psycopg", "")) as other:
        other.execute("SELECT id FROM games WHERE id = %s FOR UPDATE", (games[0].id,))
        held = [asyncio.ensure_future(server_store.games.append(games[0].id, [entry(n)])) for n in (2, 3)]
        await asyncio.gather(*(server_store.games.append(game.id, [entry(2)]) for game in games[1:]))
        assert not any(each.done() for each in held)
        other.rollback()
    await asyncio.gather(*held)
    assert await server_store.games.log(games[0].id) == entries(1, 3)


@pytest.mark.parametrize("pause", thorough_but([0, 1, 3, 20, 100], 1, 20))
def test_an_ending_event_loop_isnt_held_up(postgres_url: str, pause: int) -> None:
    # In a process of its own: SQLAlchemy logs an error if its pool never gets a connection back, because the task that
    # was to return it was cancelled before it began. As the process ends, that loses nothing.
    child = FORKING.Process(target=end_loop_during_appends, args=(postgres_url, pause))
    child.start()
    child.join(HANG_SECONDS)
    assert child.exitcode == 0
    assert rows(postgres_url, "SELECT DISTINCT version FROM events WHERE version > 1") in ([], [(2,)])


@pytest.mark.parametrize("what", ["a result", "a game"])
async def test_a_commit_whose_outcome_is_unknown_is_looked_up(
    server_store: Stores, postgres_url: str, what: str
) -> None:
    cutting = _ConnectionCutter(server_store, postgres_url, "")
    cutting.at_commit = True
    game = await new_game(server_store, log=[entry(1)])
    if what == "a result":
        cutting.cut = 0
        await server_store.games.append(game.id, [entry(2)], result=match_result([player_result(0, 1)]), close=True)
    assert cutting.cut == 1
    assert rows(postgres_url, "SELECT count(*) FROM games") == [(1,)]
    assert rows(postgres_url, "SELECT count(*) FROM results") == [(int(what == "a result"),)]


async def test_the_bot_doesnt_wait_forever_for_a_server_that_stays_down(
    own_cluster: Cluster, own_database: str
) -> None:
    store = await Stores.open(own_database, busy_seconds=0.3)
    game = await new_game(store)
    own_cluster.stop()
    for work in (store.games.append(game.id, [entry(1)]), store.values.set("a", "b"), open_game_ids(store)):
        with pytest.raises(StoreUnavailable) as raised:
            await work
        assert raised.value.fault is Fault.UNAVAILABLE
    assert await store.database.size() is None
    own_cluster.start()
    await store.games.append(game.id, [entry(1)])
    assert await store.games.log(game.id) == [entry(1)]
    await store.database.close()


@pytest.mark.parametrize("how", thorough_but([signal.SIGINT, signal.SIGQUIT, "a backend"], signal.SIGQUIT))
async def test_moves_go_on_through_a_restart_and_none_is_lost(
    own_cluster: Cluster, own_database: str, how: signal.Signals | str
) -> None:
    """Tables play while the server stops or crashes and comes back; each move is written once."""
    store = await Stores.open(own_database, busy_seconds=30)
    games = [await new_game(store, channel) for channel in range(6)]
    written = dict.fromkeys((game.id for game in games), 0)
    done = asyncio.Event()

    async def all_have_moved() -> None:
        before = dict(written)
        while any(written[game] <= before[game] for game in written):  # noqa: ASYNC110 - nobody knows which is last
            await asyncio.sleep(0.01)

    async def play(game_id: int) -> None:
        while not done.is_set():
            version = written[game_id] + 1
            new: Sequence[LogEntry] = entries(version, version + 1)
            # Half of the games write like the end of a match: in a transaction of several statements.
            await store.games.append(game_id, new, joined=[version] if game_id % 2 else [])
            written[game_id] = version + 1

    playing = [asyncio.create_task(play(game.id)) for game in games]
    for _ in range(2):
        await all_have_moved()
        if isinstance(how, str):
            [(pid,)] = rows(own_database, "SELECT min(pid) FROM pg_stat_activity WHERE application_name = 'escoba'")
            os.kill(pid, signal.SIGKILL)  # the server takes that for a crash and restarts by itself
        else:
            await asyncio.to_thread(own_cluster.stop, how)
            own_cluster.begin()
            await asyncio.to_thread(own_cluster.wait)
    await all_have_moved()
    done.set()
    await asyncio.gather(*playing)
    for game_id, last in written.items():
        assert await store.games.log(game_id) == entries(1, last)
    await store.database.close()


async def test_a_database_whose_copy_was_cut_off_is_not_played_on(postgres_url: str) -> None:
    place = location_of(postgres_url)
    assert isinstance(place, sa.URL)
    with psycopg.connect(place.set(drivername="postgresql").render_as_string(hide_password=False)) as connection:
        connection.execute("CREATE TABLE copy_under_way (source text, version text)")
        connection.execute("INSERT INTO copy_under_way VALUES ('x.sqlite3', '0004')")
    fault, words = await fault_at_opening(postgres_url)
    assert fault is Fault.REFUSED
    assert "x.sqlite3" in words


def test_the_kits_channel_id_is_too_large_to_survive_rounding() -> None:
    assert CHANNEL > 2**53, "or ids that a database rounds would go unnoticed"


# ------------------------------------------------------------------------------------------ changing the schema
async def test_waiting_for_another_process_that_changes_the_tables_has_a_limit(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "MIGRATIONS_SECONDS", 0.0)
    other = PostgresDatabase(sa.make_url(postgres_url), SCHEMA, 1.0)
    async with other._writer.begin() as connection:
        await other._lock_schema(connection)
        with pytest.raises(StoreUnavailable, match="is changing its tables") as caught:
            await Stores.open(postgres_url)
        assert caught.value.transient, "the process may be started again"
    await other._dispose()


async def test_a_process_that_is_stopped_while_it_changes_the_tables_keeps_others_out_no_longer_than_any_other(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TIMEOUTS, "idle_in_transaction_session_timeout", 1)
    stopped = PostgresDatabase(sa.make_url(postgres_url), SCHEMA, 1.0)
    connection = await stopped._writer.connect()
    await connection.begin()
    await stopped._lock_schema(connection)  # and is stopped here
    async with asyncio.timeout(HANG_SECONDS):
        await (await Stores.open(postgres_url)).database.close()
    with contextlib.suppress(DBAPIError):
        await connection.close()
    await stopped._dispose()


async def test_a_store_that_is_not_open_yet_says_so(postgres_url: str) -> None:
    store = Stores(await database_at(postgres_url, SCHEMA))
    with pytest.raises(StoreUnavailable, match="is not open yet") as caught:
        await store.values.get("a")
    assert caught.value.fault is Fault.OPENING
    await store.database.open()
    assert await store.values.get("a") is None
    await store.database.close()
