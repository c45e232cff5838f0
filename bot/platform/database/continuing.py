"""Continuing and reading logs, of tables and of tournaments: the failures as refusals, and long logs in a thread."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Final, TypeVar

from bot.platform.database.errors import StoreError, VersionConflict
from bot.platform.eventlog import LogEntry, WrittenByNewer
from bot.platform.refusals import CommonRefusal, Refusal

log = logging.getLogger(__name__)

T = TypeVar("T")
_LONG: Final = 100
"""Entries that take about ten milliseconds to read: those of a large tournament take longest."""


async def read_log(read: Callable[[Sequence[LogEntry]], T], entries: Sequence[LogEntry]) -> T:
    """Read a stored log: in a thread if it is long, so that it doesn't hold up everybody's clicks."""
    return await asyncio.to_thread(read, entries) if len(entries) > _LONG else read(entries)


@asynccontextmanager
async def continuing(whose: str, reload: Callable[[], Awaitable[None]]) -> AsyncGenerator[None]:
    """Context manager in which entries are appended to a log.

    The store may keep an entry although it has reported a failure: then its log is ahead, and `reload` catches up.

    Raises:
        Refusal: STALE if the log is ahead, UNAVAILABLE if the store can't write.
    """
    try:
        yield
    except VersionConflict as error:
        log.warning("%s: the stored log is ahead, and is read again", whose)
        await reload()
        raise Refusal(CommonRefusal.STALE) from error
    except StoreError as error:
        log.warning("%s: the store refused an entry: %s", whose, error)
        raise Refusal(CommonRefusal.UNAVAILABLE) from error


@contextmanager
def rereading(whose: str) -> Generator[None]:
    """Context manager in which a log is read again.

    Raises:
        Refusal: NEWER if a newer version has continued it, UNREADABLE if it can't be read otherwise.
    """
    try:
        yield
    except StoreError as error:
        log.warning("%s: its log can't be read: %s", whose, error)
        raise Refusal(CommonRefusal.UNREADABLE) from error
    except WrittenByNewer as error:
        log.warning("%s: a newer version has continued its log", whose)
        raise Refusal(CommonRefusal.NEWER) from error
    except Exception as error:  # a damaged entry may raise anything
        log.error("%s: its log is damaged (%s)", whose, type(error).__name__)
        raise Refusal(CommonRefusal.UNREADABLE) from error
