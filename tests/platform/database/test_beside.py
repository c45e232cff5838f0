"""A new version beside the one before: the older bot goes on writing, or the newer one leaves its database alone."""

import asyncio
import re
from contextlib import suppress
from pathlib import Path

import pytest
import sqlalchemy as sa

from bench.postgres import Cluster
from bot import __version__
from bot.platform.database.errors import CannotCopy, Fault, StoreUnavailable
from bot.platform.database.locations import location_of, without_password
from bot.platform.database.ownership import owner_of
from bot.platform.database.ownership.port import Held, Owner
from bot.platform.database.tools.transfer import transfer
from bot.platform.database.upgrade import newest, oldest_beside
from bot.platform.shards import Shards
from bot.process.stores import Stores
from bot.schema import SCHEMA
from tests.platform.database import released_steps
from tests.support.databases import with_tables
from tests.support.patience import HANG_SECONDS
from tests.support.steps import BREAKS, EXPANDS, newer_version
from tests.support.store import PROJECT, entries, entry, match_result, new_game, player_result, rows

_VERSION = "SELECT version_num FROM escoba_version"
_SESSIONS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"


@pytest.fixture
def old(database: str | Path) -> str | Path:
    """A database that this version has made."""
    return with_tables(database) if isinstance(database, Path) else database


async def owner(database: str | Path, shards: str = "") -> Owner:
    """A process that has taken ownership of a database, or of some shards in it."""
    made = owner_of(str(database), SCHEMA, Shards.parse(shards) if shards else None)
    assert await made.take(lambda what, about: None)
    return made


async def closed(serving: Owner, url: str) -> None:
    """Close a process's session, and wait until the server has noticed."""
    before = rows(url, _SESSIONS)[0][0]
    await serving.close()
    async with asyncio.timeout(HANG_SECONDS):
        while rows(url, _SESSIONS)[0][0] >= before:  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.02)


async def write(store: Stores) -> int:
    """Play a match to its end; returns the game's id."""
    game = await new_game(store, log=entries(1, 2), joined=[5])
    await store.games.append(game.id, [entry(3)])
    await store.games.append(
        game.id, [entry(4)], result=match_result([player_result(0, 1), player_result(1, 2)]), close=True
    )
    return game.id


async def test_the_version_before_goes_on_beside_one_that_only_adds_to_the_tables(
    old: str | Path, tmp_path: Path
) -> None:
    serving = await owner(old)
    before = await Stores.open(old)
    await write(before)
    with newer_version(tmp_path, EXPANDS, works_for=newest(SCHEMA)) as version:
        after = await Stores.open(old)
        assert rows(old, _VERSION) == [(version,)]
        games = [await write(store) for store in (before, after, before)]
        for store in (before, after):
            assert [len(await store.games.log(game)) for game in games] == [4, 4, 4]
        await serving.confirm()
        await after.database.close()
    await before.database.check_version()
    await before.database.close()
    await serving.close()


async def test_nothing_is_changed_under_a_running_bot_that_could_not_go_on(old: str | Path, tmp_path: Path) -> None:
    serving = await owner(old)
    before = await Stores.open(old)
    at = newest(SCHEMA)
    with newer_version(tmp_path, EXPANDS, BREAKS) as version:
        for _ in range(2):
            with pytest.raises(
                StoreUnavailable, match=r"is using it, and couldn't go on .* stop that one first"
            ) as why:
                await Stores.open(old)
            assert without_password(old) in str(why.value)
        assert rows(old, _VERSION) == [(at,)]
        await write(before)
        await before.database.close()
        await (closed(serving, old) if isinstance(old, str) else serving.close())
        await (await Stores.open(old)).database.close()
        assert rows(old, _VERSION) == [(version,)]


async def test_a_bot_that_only_waits_for_its_shards_is_not_shut_out_either(postgres_url: str, tmp_path: Path) -> None:
    serving, waiting = await owner(postgres_url), owner_of(postgres_url, SCHEMA, None)
    for _ in range(2):  # each attempt leaves the same mark as the one before
        assert not await waiting.take(lambda what, about: None)
    await serving.close()
    words = rf"older version of the bot \(schema {newest(SCHEMA)}\) is using it"
    with newer_version(tmp_path, BREAKS), pytest.raises(StoreUnavailable, match=words):
        await Stores.open(postgres_url)
    await waiting.close()


async def test_only_bots_that_are_too_old_have_to_be_stopped(postgres_url: str, tmp_path: Path) -> None:
    too_old = await owner(postgres_url, "0/2")
    with newer_version(tmp_path / "a", EXPANDS, works_for=newest(SCHEMA)) as between:
        await (await Stores.open(postgres_url)).database.close()
        serving = await owner(postgres_url, "1/2")
        with newer_version(tmp_path / "b", BREAKS, works_for=between) as version:
            with pytest.raises(StoreUnavailable, match="stop that one first"):
                await Stores.open(postgres_url)
            await closed(too_old, postgres_url)
            await (await Stores.open(postgres_url)).database.close()
            assert rows(postgres_url, _VERSION) == [(version,)]
        await serving.close()


async def test_a_file_can_be_updated_twice_while_the_bot_goes_on(path: Path, tmp_path: Path) -> None:
    with newer_version(tmp_path / "a", EXPANDS, works_for=newest(SCHEMA)) as between:
        await (await Stores.open(path)).database.close()
        serving = await owner(path)
        with newer_version(tmp_path / "b", BREAKS, works_for=between) as version:
            await (await Stores.open(path)).database.close()
            assert rows(path, _VERSION) == [(version,)]
        await serving.close()


@pytest.mark.parametrize("contracts", [False, True])
async def test_an_older_version_starts_on_a_newer_schema_only_if_it_can_work_with_it(
    old: str | Path, tmp_path: Path, contracts: bool
) -> None:
    at = newest(SCHEMA)
    with newer_version(tmp_path, EXPANDS, *([BREAKS] if contracts else []), works_for=None if contracts else at) as new:
        await (await Stores.open(old)).database.close()
    if contracts:
        with pytest.raises(StoreUnavailable, match=f"newer version .* {new}.* can't work with that") as why:
            await Stores.open(old)
        assert why.value.fault is Fault.NEWER
    else:
        for _ in range(2):
            store = await Stores.open(old)
            await write_to_another_channel(store)
            await store.database.close()
    assert rows(old, _VERSION) == [(new,)]


async def write_to_another_channel(store: Stores) -> None:
    game = await new_game(store, 7)
    await store.games.append(game.id, [], close=True)


_WITH_DEFAULT = """
    op.add_column("games", sa.Column("mood_{number}", sa.Text(), nullable=False, server_default="calm"))
"""


async def test_after_going_back_from_a_version_that_only_adds_a_database_can_be_copied(
    old: str | Path, tmp_path: Path
) -> None:
    with newer_version(tmp_path, EXPANDS + _WITH_DEFAULT, works_for=newest(SCHEMA)):
        await (await Stores.open(old)).database.close()
    store = await Stores.open(old)
    await write_to_another_channel(store)
    await store.database.close()
    target = tmp_path / "copy.sqlite3"
    assert await transfer(location_of(old), target, SCHEMA) > 0
    assert rows(target, _VERSION) == [(newest(SCHEMA),)]
    query = "SELECT id, guild_id, channel_id, opener_id, locale FROM games ORDER BY id"
    assert rows(target, query) == rows(old, query)


@pytest.mark.parametrize(
    "stored",
    ["INSERT INTO new_{0} (id) VALUES (7)", "UPDATE games SET new_{0} = 'x'", "UPDATE games SET mood_{0} = 'x'"],
)
async def test_what_only_a_newer_version_can_copy_is_not_left_out_in_silence(
    old: str | Path, tmp_path: Path, stored: str
) -> None:
    with newer_version(tmp_path, EXPANDS + _WITH_DEFAULT, works_for=newest(SCHEMA)) as version:
        store = await Stores.open(old)
        await write_to_another_channel(store)
        await store.database.close()
    engine = sa.create_engine(str(old) if not isinstance(old, Path) else f"sqlite:///{old}")
    with engine.begin() as connection:
        connection.exec_driver_sql(stored.format(version))
    engine.dispose()
    target = tmp_path / "copy.sqlite3"
    with pytest.raises(CannotCopy, match=r"a newer version .* has stored something in .* `copy` of that version"):
        await transfer(location_of(old), target, SCHEMA)


async def test_a_version_whose_tables_it_cannot_work_with_is_not_copied(old: str | Path, tmp_path: Path) -> None:
    with newer_version(tmp_path, BREAKS):
        await (await Stores.open(old)).database.close()
    with pytest.raises((CannotCopy, StoreUnavailable), match=r"newer version .* can't work with that"):
        await transfer(location_of(old), tmp_path / "copy.sqlite3", SCHEMA)


@pytest.mark.thorough
async def test_a_newer_version_copies_the_older_ones_and_says_who_can_use_the_copy(
    old: str | Path, tmp_path: Path
) -> None:
    store = await Stores.open(old)
    await store.values.set("a", "b")
    await store.database.close()
    at, target = newest(SCHEMA), tmp_path / "copy.sqlite3"
    with newer_version(tmp_path, EXPANDS, works_for=at) as version:
        await transfer(location_of(old), target, SCHEMA)
        assert rows(target, _VERSION) == [(version,)]
        again = tmp_path / "again.sqlite3"
        await (
            await Stores.open(again)
        ).database.close()  # that a target names the versions it works for doesn't matter
        await transfer(target, again, SCHEMA)
    for each in (target, again):
        store = await Stores.open(each)
        assert await store.values.get("a") == "b"
        await store.database.close()


async def test_a_bot_that_waited_while_the_schema_was_changed_serves_nobody(old: str | Path, tmp_path: Path) -> None:
    before = await Stores.open(old)
    with newer_version(tmp_path, BREAKS):
        await (await Stores.open(old)).database.close()
    with pytest.raises(StoreUnavailable, match="newer version") as why:
        await before.database.check_version()
    assert why.value.fault is Fault.NEWER
    if not isinstance(old, Path):
        late = owner_of(old, SCHEMA, None)
        with pytest.raises(StoreUnavailable, match="newer version"):
            await late.take(lambda what, about: None)
        await late.close()
    await before.database.close()


async def test_a_session_that_comes_back_after_the_schema_was_changed_has_lost_its_shards(
    postgres: Cluster, postgres_url: str, tmp_path: Path, expected_errors: list[tuple[str, str]]
) -> None:
    expected_errors.append(("bot.platform.database.ownership.postgres", "has lost all shards: a newer version"))
    serving = await owner(postgres_url)
    session = serving._session  # type: ignore[attr-defined] - it is on a server
    async with session._using:  # so that it notices nothing meanwhile
        await session.hang_up()
        with newer_version(tmp_path, BREAKS):
            while True:
                with suppress(StoreUnavailable):  # until the server has noticed the end of the session
                    await (await Stores.open(postgres_url)).database.close()
                    break
    await asyncio.wait_for(serving.lost(), 60)
    assert serving.held is Held.LOST
    await serving.close()


def test_a_step_works_for_no_older_bots_than_the_step_before(tmp_path: Path) -> None:
    versions = [f"{number:04}" for number in range(1, int(newest(SCHEMA)) + 1)]
    oldest = [oldest_beside(SCHEMA, version) for version in versions]
    assert oldest == sorted(oldest)
    assert all(one <= version for one, version in zip(oldest, versions, strict=True))


def test_the_documents_name_the_schema_of_this_version_and_the_oldest_it_works_for() -> None:
    papers = (PROJECT / "docs" / "RUNNING.md").read_text()
    version, schema, leaves = re.findall(r"^\| (\d+\.\d+) \| (\d{4}) \| (.+) \|$", papers, re.MULTILINE)[-1]
    major, minor, _ = __version__.split(".")
    unreleased = not any(step.startswith(newest(SCHEMA)) for step in released_steps.recorded())
    assert (version, schema) == (f"{major}.{int(minor) + unreleased}", newest(SCHEMA)), "steps are for minor versions"
    assert ("itself alone" in leaves) == (oldest_beside(SCHEMA, newest(SCHEMA)) == newest(SCHEMA))
