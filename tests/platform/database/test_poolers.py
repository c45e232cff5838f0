"""Through a pooler: a connection gets its settings after it is made and keeps them, or the database isn't used."""

from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from bench.postgres import Cluster
from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.database.locations import InvalidLocation, location_of, settings_in
from bot.platform.database.ownership import owner_of
from bot.platform.database.ownership.session import Session
from bot.platform.database.tools.transfer import transfer
from bot.process.stores import Stores
from bot.schema import SCHEMA
from tests.support.dose import thorough_but
from tests.support.pooler import Mode, Options, pooler
from tests.support.store import entries, new_game, read_connection, rows, write_transaction

_OWN_SCHEMA = "&options=-csearch_path%3Dclub"
_SETTINGS = ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout", "TimeZone", "search_path")


async def settings(store: Stores) -> list[list[str]]:
    """The settings of a connection for reading and of one for writing."""
    found: list[list[str]] = []
    for opening in (read_connection, write_transaction):
        async with opening(store) as connection:
            found.append([(await connection.exec_driver_sql(f"SHOW {name}")).scalar_one() for name in _SETTINGS])
            found[-1].append((await connection.exec_driver_sql("SHOW transaction_read_only")).scalar_one())
    return found


@pytest.mark.parametrize("options", thorough_but(Options, Options.REFUSED))
async def test_a_pooler_in_session_mode_makes_no_difference(
    postgres: Cluster, tmp_path: Path, path: Path, options: Options
) -> None:
    url = postgres.new("template1")
    async with pooler(tmp_path, url, Mode.SESSION, options) as through:
        store = await Stores.open(through + _OWN_SCHEMA)
        game = await new_game(store, log=entries(1, 3))
        assert len(await store.games.log(game.id)) == 3
        assert await settings(store) == [
            ["4s", "30s", "10s", "UTC", "club", "on"],
            ["4s", "30s", "10s", "UTC", "club", "off"],
        ]
        owner = owner_of(through + _OWN_SCHEMA, SCHEMA, None)
        assert await owner.take(lambda what, about: None)
        session: Session = owner._session  # type: ignore[attr-defined] - it is on a server
        for name, value in {"idle_session_timeout": "15s", "idle_in_transaction_session_timeout": "5s"}.items():
            assert await session._one(session._open, f"SHOW {name}", ()) == (value,)
        await owner.close()
        await store.database.close()
        assert await transfer(location_of(through + _OWN_SCHEMA), path, SCHEMA) == 5
    assert rows(url, "SELECT count(*) FROM club.events") == [(3,)]
    postgres.drop(url)


@pytest.mark.parametrize("mode", [Mode.LATEST, Mode.IN_TURN])
async def test_a_pooler_that_gives_each_transaction_another_connection_is_refused(
    postgres: Cluster, tmp_path: Path, mode: Mode
) -> None:
    url = postgres.new("template1")
    async with pooler(tmp_path, url, mode) as through:
        with pytest.raises(StoreUnavailable, match="pool_mode = session") as why:
            await Stores.open(through)
        assert why.value.fault is Fault.REFUSED
    assert rows(url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(0,)], "nothing was changed"
    postgres.drop(url)


async def test_a_session_whose_settings_do_not_stay_owns_nothing(postgres_url: str, tmp_path: Path) -> None:
    async with pooler(tmp_path, postgres_url, Mode.IN_TURN) as through:
        idle = await psycopg.AsyncConnection.connect(through.replace("+psycopg", ""))
        with pytest.raises(StoreUnavailable, match="pool_mode = session"):
            await use(through, "owner")
        await idle.close()


@pytest.mark.parametrize("of", ["store", "owner"])
async def test_a_server_that_is_too_old_is_refused_with_its_version(postgres_url: str, tmp_path: Path, of: str) -> None:
    async with pooler(tmp_path, postgres_url, Mode.SESSION, version="13.14") as through:
        with pytest.raises(StoreUnavailable, match="PostgreSQL is 13, and 14 or newer is needed") as why:
            await use(through, of)
        assert why.value.fault is Fault.REFUSED


@pytest.mark.parametrize("of", ["store", "owner"])
@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("-cno_such%3D1", 'unrecognized configuration parameter "no_such"'),
        ("-c%20statement_timeout%3Dsoon", 'invalid value for parameter "statement_timeout": "soon"'),
        ("--max-connections%3D5", 'parameter "max_connections" cannot be changed without restarting the server'),
    ],
)
async def test_a_refused_setting_is_reported_in_the_servers_words(
    postgres_url: str, of: str, asked: str, words: str
) -> None:
    with pytest.raises(StoreUnavailable, match=words) as why:
        await use(f"{postgres_url}&options={asked}", of)
    assert why.value.fault is Fault.REFUSED


async def test_an_unknown_parameter_is_reported_in_the_librarys_words(postgres_url: str) -> None:
    with pytest.raises(StoreUnavailable, match='invalid connection option "no_such"') as why:
        await Stores.open(f"{postgres_url}&no_such=1")
    assert why.value.fault is Fault.REFUSED


async def use(url: str, of: str) -> None:
    if of == "store":
        await Stores.open(url)
        return
    owner = owner_of(url, SCHEMA, None)
    try:
        await owner.take(lambda what, about: None)
    finally:
        await owner.close()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("-csearch_path=club", {"search_path": "club"}),
        ("-c search_path=club,public", {"search_path": "club,public"}),
        (r"-c search_path=a\ b --statement-timeout=5s", {"search_path": "a b", "statement_timeout": "5s"}),
        ("  -c  a.b=  -cc=d=e ", {"a.b": "", "c": "d=e"}),
        ("", {}),
    ],
)
def test_the_settings_in_an_address_are_read_as_the_server_reads_them(options: str, expected: dict[str, str]) -> None:
    assert settings_in(sa.make_url("postgresql+psycopg://host/games").set(query={"options": options})) == expected


@pytest.mark.parametrize("options", ["search_path=club", "-e", "-c", "-c search_path"])
def test_options_that_are_not_settings_are_refused_at_once(options: str) -> None:
    url = sa.make_url("postgresql+psycopg://host/games").set(query={"options": options})
    with pytest.raises(InvalidLocation, match="-c NAME=VALUE"):
        location_of(url.render_as_string(hide_password=False))
