"""The bot's logs: text for people or JSON for programs, with the report number that users can quote.

Three things never reach a log: hidden cards, because nothing that holds them is logged (libraries' DEBUG records, which
hold message bodies and SQL statements, stay off), and secrets and the ids in addresses, which are removed from every
line as a last resort.
"""

import json
import logging
import re
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final, TextIO

from bot.platform.secrets import HIDDEN, hiding

_LIBRARIES: Final = ("discord", "simcord", "aiohttp", "aiosqlite", "sqlalchemy", "alembic", "asyncio", "PIL")
# The URLs of requests contain interaction tokens, which allow writing to the user's private messages.
_IN_ADDRESS: Final = re.compile(r"(/(?:webhooks|interactions)/\d+/)[^\s/?\"'\\]+")
# They also contain the ids of people, as in the library's own words about a limit. What remains is the route.
_ID_IN_ADDRESS: Final = re.compile(r"(?<=[/=])\d{15,20}\b")
_USUAL: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "report"}

_RECONNECTS: Final = ("discord.client", "discord.shard")

_report: ContextVar[str | None] = ContextVar("report", default=None)


@contextmanager
def reporting(number: int) -> Generator[None]:
    """Give this report number to everything logged in the block, or in tasks started in it.

    It is the interaction's id, which users see when something breaks: "report number ...".
    """
    token = _report.set(str(number))
    try:
        yield
    finally:
        _report.reset(token)


def set_up_logging(
    level: str, form: str = "text", *, secrets: Iterable[str] = (), stream: TextIO | None = None
) -> None:
    """Log records of `level` and above to standard error or `stream`, but from libraries only warnings and errors.

    The Discord and database libraries stay above DEBUG whatever `level` is: their DEBUG records hold message bodies,
    interaction tokens and SQL statements, and with them hidden hands.

    Args:
        level: the name of the lowest level that is logged.
        form: "text", or "json" for one JSON object per line.
        secrets: strings that are never written, even if a library logs them.
        stream: where to log; standard error by default.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter((JsonLines if form == "json" else TextLines)(secrets))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for library in _LIBRARIES:
        logging.getLogger(library).setLevel(max(logging.WARNING, logging.getLevelNamesMapping()[level]))
    if level == "DEBUG":
        logging.getLogger("discord").setLevel(logging.INFO)
    for name in _RECONNECTS:
        logging.getLogger(name).addFilter(_reconnecting)


def _reconnecting(record: logging.LogRecord) -> bool:
    """Turn discord.py's reports of a reconnect, errors with a traceback, into one line: reconnects are routine.

    Returns whether to log the record.
    """
    text = str(record.msg)
    if text.startswith("Attempting a reconnect"):
        level = logging.INFO
    elif text.startswith("Failed to connect for shard"):
        level = logging.WARNING
    else:
        return True
    error = record.exc_info[1] if record.exc_info else None
    record.levelno, record.levelname = level, logging.getLevelName(level)
    record.msg, record.args = f"{record.getMessage()} ({type(error).__name__}: {error})", ()
    record.exc_info = record.exc_text = None
    return logging.getLogger().isEnabledFor(level)


class _Lines(logging.Formatter):
    """Formats a record without its secrets. It never raises: logging would then print the raw record."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__()
        self._hide = hiding(secrets)

    def format(self, record: logging.LogRecord) -> str:
        try:
            line = self.line(record, record.getMessage())
        except Exception as error:
            line = self.line(_bare(record), f"a record could not be written: {type(error).__name__}")
        return _ID_IN_ADDRESS.sub("{id}", _IN_ADDRESS.sub(rf"\1{HIDDEN}", self._hide(line)))

    def line(self, record: logging.LogRecord, message: str) -> str:
        """The formatted record, secrets included."""
        raise NotImplementedError

    def exception(self, record: logging.LogRecord) -> str | None:
        return self.formatException(record.exc_info) if record.exc_info else record.exc_text


class TextLines(_Lines):
    """Lines for people: time in UTC, level, logger, report number if any, message; then a traceback if any."""

    def line(self, record: logging.LogRecord, message: str) -> str:
        number = _report.get()
        report = "" if number is None else f" (report {number})"
        parts = [f"{_time(record)} {record.levelname:<7} {record.name}{report}: {message}"]
        parts += [f"  {name}: {value}" for name, value in _further(record).items()]
        parts += [text for text in (self.exception(record), record.stack_info) if text]
        return "\n".join(parts)


class JsonLines(_Lines):
    """One JSON object per line: time (ISO 8601, UTC), level, logger, message; report, exception and more if present.

    Report numbers are strings, since some JSON readers would round such long numbers.
    """

    def line(self, record: logging.LogRecord, message: str) -> str:
        values: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname,
            "logger": record.name,
            "message": message,
            "report": _report.get(),
            "exception": self.exception(record),
            "stack": record.stack_info,
        }
        values = {name: value for name, value in values.items() if value is not None}
        further = {name: value for name, value in _further(record).items() if name not in values}
        return json.dumps(values | further, ensure_ascii=False, default=str, separators=(",", ":"))


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _further(record: logging.LogRecord) -> dict[str, Any]:
    """The values that the logging call passed as `extra`."""
    return {name: value for name, value in vars(record).items() if name not in _USUAL}


def _bare(record: logging.LogRecord) -> logging.LogRecord:
    """The record without anything that might not be writable."""
    kept = ("name", "levelname", "levelno", "created")
    return logging.makeLogRecord({name: getattr(record, name) for name in kept})
