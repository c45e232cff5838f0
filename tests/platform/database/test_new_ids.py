"""Ids that are given only once: a database restored from a backup goes on with others than were given since."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bench.postgres import Cluster
from bot.platform.database.locations import location_of
from bot.platform.database.tools.transfer import transfer
from bot.process.stores import Stores
from bot.schema import SCHEMA
from bot.schema.new_ids import number_from
from tests.support.databases import with_tables
from tests.support.store import CHANNEL, GUILD, NOON, OPENER, entry, new_game, on_both


@pytest.fixture
def backup(request: pytest.FixtureRequest, database: str | Path, tmp_path: Path) -> Iterator[str | Path]:
    """An empty database of the same kind, for a backup."""
    if isinstance(database, Path):
        yield with_tables(tmp_path / "backup.sqlite3")
        return
    cluster: Cluster = request.getfixturevalue("postgres")
    url = cluster.new()
    yield url
    cluster.drop(url)


async def given(database: str | Path, now: datetime, channel: int = CHANNEL) -> list[int]:
    """The ids of a new game, tournament and rule set, from a bot that starts at this time."""
    store = await Stores.open(database)
    await number_from(store.database, now)
    game = await new_game(store, channel)
    tournament = await store.tournaments.open(
        guild_id=GUILD, channel_id=channel, organiser_id=OPENER, locale="es-ES", at=now, entries=[entry(1)]
    )
    rules = await store.rule_sets.add(GUILD, f"Rules {channel}", "{}", OPENER, now)
    await store.database.close()
    return [game.id, tournament.id, int(rules)]


@on_both
async def test_a_restored_database_gives_no_number_that_was_given_since_its_backup(
    database: str | Path, backup: str | Path
) -> None:
    first = await given(database, NOON)
    await transfer(location_of(database), location_of(backup), SCHEMA)
    since = [await given(database, NOON + timedelta(minutes=place), CHANNEL + place) for place in (1, 2)]
    after = await given(backup, NOON + timedelta(minutes=3), CHANNEL + 1)
    for kind, ids in enumerate(zip(first, *since, after, strict=True)):
        assert list(ids) == sorted(set(ids)), kind


@on_both
async def test_a_copy_goes_on_after_the_only_row_of_a_table(database: str | Path, backup: str | Path) -> None:
    before = datetime.min.replace(tzinfo=NOON.tzinfo)
    first = await given(database, before)
    await transfer(location_of(database), location_of(backup), SCHEMA)
    assert [first, await given(backup, before, CHANNEL + 1)] == [[1, 1, 1], [2, 2, 2]]


@on_both
async def test_ids_are_never_set_back(database: str | Path) -> None:
    first = await given(database, NOON)
    for place, now in enumerate([NOON, NOON - timedelta(days=1), datetime.min.replace(tzinfo=NOON.tzinfo)], 1):
        assert await given(database, now, CHANNEL + place) == [each + place for each in first]
