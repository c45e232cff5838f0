"""Calls SQLite on the event loop's own thread, outside the tests of the store.

aiosqlite has a thread for each connection, and SQLAlchemy makes four calls to it for each statement. Handing these over
and back took two fifths of the time to start a room. As with a thread, a call takes effect in a later turn of the loop,
even if the task that waits for it is cancelled; those that only fetch what has been read are made at once.
Bots on the wire keep the threads, and so do the tests of the store.
"""

import asyncio
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import Any

import pytest
from aiosqlite import core

Call = tuple[asyncio.Future[Any] | None, Callable[[], Any]]
AT_ONCE = {"Connection.cursor", "Cursor.fetchall", "Cursor.close"}
"""The calls that neither read nor change the database."""


class Calls:
    """Stands in for the queue of calls to a connection's thread, and makes the calls itself."""

    def put_nowait(self, call: Call) -> None:
        future, function = call
        if future is None or not future.get_loop().is_running():
            function()
        elif getattr(getattr(function, "func", None), "__qualname__", None) in AT_ONCE:
            _make(future, function)
        else:
            future.get_loop().call_soon(_make, future, function)


def _make(future: asyncio.Future[Any], function: Callable[[], Any]) -> None:
    try:
        result = function()
    except BaseException as error:  # as aiosqlite's thread does
        core.set_exception(future, error)
    else:
        core.set_result(future, result)


class NoThread:
    """Stands in for a connection's thread, and does nothing."""

    daemon = True

    def __init__(self, **started_with: object) -> None:
        pass

    def start(self) -> None:
        pass


def pytest_configure() -> None:
    """Make connections do without a thread."""
    setattr(core, "SimpleQueue", Calls)  # noqa: B010
    setattr(core, "Thread", NoThread)  # noqa: B010


@pytest.fixture(scope="module")
def sqlite_threads() -> Iterator[None]:
    """Give the connections that a module's tests open their threads, as in the bot."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "SimpleQueue", SimpleQueue)
        patch.setattr(core, "Thread", Thread)
        yield
