"""Fails a test during which an error was logged, unless the test expects it.

Errors in callbacks of Discord's components and in tasks nobody awaits are only logged; without this trap a
test wouldn't notice them.
"""

import gc
import logging
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import pytest

Expected = list[tuple[str, str]]
"""Pairs of a logger's name and a regular expression that is found in what it logs."""

_EXPECTED = pytest.StashKey[Expected]()
_RECORDS = pytest.StashKey[list[logging.LogRecord]]()
_PASSES = pytest.StashKey[int]()
YOUNG = 50_000
"""How many objects may be allocated, less those that are freed, before the garbage collector examines the new ones."""


@contextmanager
def errors_trapped() -> Iterator[list[logging.LogRecord]]:
    """Collect every record of level ERROR or worse, from any logger, even one that doesn't propagate."""
    records: list[logging.LogRecord] = []
    deliver = logging.Logger.callHandlers

    def note_and_deliver(self: logging.Logger, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR:
            records.append(record)
        deliver(self, record)

    logging.Logger.callHandlers = note_and_deliver
    try:
        yield records
    finally:
        logging.Logger.callHandlers = deliver


def complaints(records: list[logging.LogRecord], expected: Expected) -> list[str]:
    """The complaints: errors that no pair expects, and pairs that match no error."""
    texts = [(record.name, _text(record)) for record in records]
    unexpected = [
        f"logged by {name}: {text}"
        for name, text in texts
        if not any(name == logger and re.search(pattern, text) for logger, pattern in expected)
    ]
    missed = [
        f"expected of {logger}, but not logged: {pattern}"
        for logger, pattern in expected
        if not any(name == logger and re.search(pattern, text) for name, text in texts)
    ]
    return unexpected + missed


@pytest.fixture
def expected_errors(request: pytest.FixtureRequest) -> Expected:
    """The errors that a test expects to be logged: append pairs of logger name and regular expression."""
    return request.node.stash.setdefault(_EXPECTED, [])


def pytest_configure() -> None:
    """Make passes of the garbage collector rare.

    What is imported stays, and what a test leaves behind is almost always still young when the test ends, so that a
    quick pass finds it.
    """
    gc.set_threshold(YOUNG, 20, 10)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Exempt everything that exists before the first test from garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Trap errors from before the first fixture is set up until after the last is torn down."""
    with errors_trapped() as records:
        item.stash[_RECORDS] = records
        item.stash[_PASSES] = _older_passes()
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """Check what was logged, including during the fixtures' tear-down."""
    result = yield
    if item.get_closest_marker("asyncio"):
        last = nextitem is None or nextitem.path != item.path
        _collect(everything=last or _older_passes() != item.stash[_PASSES])
        if last:
            gc.freeze()  # what has outlived its module's fixtures stays: imports and caches
    found = complaints(item.stash[_RECORDS], item.stash.get(_EXPECTED, []))
    if found:
        pytest.fail("\n".join(["Errors were logged:", *found]), pytrace=False)
    return result


def _older_passes() -> int:
    """How often surviving objects have become too old for a quick pass to find."""
    return sum(generation["collections"] for generation in gc.get_stats()[1:])


def _collect(*, everything: bool) -> None:
    """Collect garbage: a task whose exception nobody retrieved logs it when it is collected."""
    gc.collect(2 if everything else 1)


def _text(record: logging.LogRecord) -> str:
    text = record.getMessage()
    if record.exc_info:
        text += "\n" + logging.Formatter().formatException(record.exc_info)
    return text
