"""Secrecy: a body may be a deck, so no log line or error contains one, whatever the store refuses."""

import logging
import sqlite3
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from bot.platform.database.errors import StoreError
from bot.platform.eventlog import LogEntry
from bot.process.stores import Stores
from tests.support.databases import with_tables
from tests.support.dose import thorough_but
from tests.support.store import NOON, entry, match_result, name_of, new_game, player_result, sqlite_of

SECRET = "7o-3c-5e-hidden"
_FILLED = SECRET * 5_000


async def _pragma(store: Stores, pragma: str) -> None:
    await sqlite_of(store)._pen.run(f"PRAGMA {pragma}")


@asynccontextmanager
async def _nothing(store: Stores) -> AsyncIterator[None]:
    yield


@asynccontextmanager
async def _read_only(store: Stores) -> AsyncIterator[None]:
    await _pragma(store, "query_only=ON")
    yield
    await _pragma(store, "query_only=OFF")


@asynccontextmanager
async def _full(store: Stores) -> AsyncIterator[None]:
    await _pragma(store, "max_page_count=1")
    yield
    await _pragma(store, f"max_page_count={2**30}")


@asynccontextmanager
async def _locked(store: Stores) -> AsyncIterator[None]:
    with closing(sqlite3.connect(name_of(store), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@asynccontextmanager
async def _without_its_table(store: Stores) -> AsyncIterator[None]:
    with closing(sqlite3.connect(name_of(store), isolation_level=None)) as other:
        other.execute("ALTER TABLE events RENAME TO elsewhere")
        yield
        other.execute("ALTER TABLE elsewhere RENAME TO events")


Append = Callable[[Stores, int, LogEntry], Awaitable[Any]]

_WAYS: dict[str, Append] = {
    "alone": lambda store, game, new: store.games.append(game, [new]),
    "with more": lambda store, game, new: store.games.append(game, [new, entry(new.version + 1, SECRET)]),
    "at an end": lambda store, game, new: store.games.append(
        game, [new], result=match_result([player_result(0, 1)]), close=True
    ),
    "at a beginning": lambda store, game, new: new_game(store, 5, [new]),
}

_no_kind: Any = None
_REFUSALS: dict[str, tuple[Callable[[Stores], Any], LogEntry]] = {
    "it doesn't follow": (_nothing, entry(7, SECRET)),
    "a text is none": (_nothing, entry(1, SECRET + "\ud83c")),
    "it has no kind": (_nothing, LogEntry(1, _no_kind, SECRET, NOON)),
    "the file is read-only": (_read_only, entry(1, SECRET)),
    "the disk is full": (_full, entry(1, _FILLED)),
    "the file is locked": (_locked, entry(1, SECRET)),
    "the table is missing": (_without_its_table, entry(1, SECRET)),
}


@pytest.fixture
async def verbose_store(path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Stores]:
    """A store opened while everything is logged."""
    caplog.set_level(logging.DEBUG)
    store = await Stores.open(with_tables(path), busy_seconds=0.1)
    yield store
    await store.database.close()


@pytest.mark.parametrize("way", thorough_but(_WAYS, "with more", "at a beginning"))
@pytest.mark.parametrize(
    "refusal",
    thorough_but(_REFUSALS, "it doesn't follow", "a text is none", "the file is locked", "the table is missing"),
)
async def test_nothing_refused_is_in_a_log_or_an_error(
    verbose_store: Stores, caplog: pytest.LogCaptureFixture, refusal: str, way: str
) -> None:
    game = await new_game(verbose_store)
    trouble, new = _REFUSALS[refusal]
    async with trouble(verbose_store):
        with pytest.raises(StoreError) as raised:
            await _WAYS[way](verbose_store, game.id, new)
    logging.getLogger("tests.platform.database").warning("The store refused an entry", exc_info=raised.value)
    assert SECRET not in f"{raised.value} {raised.value!r} {raised.value.args}"
    assert SECRET not in "".join(traceback.format_exception(raised.value))
    assert "The store refused an entry" in caplog.text
    assert SECRET not in caplog.text
    assert all(SECRET not in repr(record.args) for record in caplog.records)


async def test_nothing_written_or_read_is_logged(verbose_store: Stores, caplog: pytest.LogCaptureFixture) -> None:
    game = await new_game(verbose_store, log=[entry(1, SECRET)])
    await verbose_store.games.append(game.id, [entry(2, SECRET)])
    await verbose_store.games.append(
        game.id, [entry(3, SECRET)], result=match_result([player_result(0, 1)]), close=True
    )
    assert [each.body for each in await verbose_store.games.log(game.id)] == [SECRET] * 3
    assert SECRET not in caplog.text
    assert all(SECRET not in repr(record.args) for record in caplog.records)
