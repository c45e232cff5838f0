"""What a bot lets anybody know: requests with their readers, log records, metrics; and where two bots differ in it."""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Collection, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import zip_longest

from prometheus_client import CollectorRegistry

from bot.operating.logs import set_up_logging

TIMINGS = re.compile(r"escoba_\w+_seconds(_bucket|_sum)?")
"""How long something took. No card is in it, and it is another time each time; how often it was is compared."""
PROCESS = re.compile(r"process_\w+")
"""Memory and processor time of the whole process, in which both bots are."""
_PLACE_IN_MEMORY = re.compile(r"(?<= at )0x[0-9a-f]+(?=>)")
_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_AROUND = 60


@dataclass(frozen=True, slots=True)
class Sent:
    """A request: who reads its body (None: everybody in the channel), and all of it, files with their names."""

    reader: int | None
    method: str
    path: str
    body: str
    files: tuple[tuple[str, bytes], ...] = ()

    def __str__(self) -> str:
        files = "".join(f"\n{name}: {content!r}" for name, content in self.files)
        return f"{self.method} {self.path} {self.body}{files}"


@dataclass(slots=True)
class Told:
    """What a bot let anybody know in one step. `metrics` are those at its end."""

    sent: list[Sent] = field(default_factory=list)
    logged: list[str] = field(default_factory=list)
    metrics: dict[str, float | str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.sent or self.logged)


def difference(one: Told, other: Told, *, blind_to: Collection[int] = ()) -> str | None:
    """Where two bots first differ in what they let know; None if nowhere.

    `blind_to`: readers whose own messages aren't looked at.
    """
    readers = {sent.reader for told in (one, other) for sent in told.sent}
    for reader in sorted(readers - set(blind_to), key=str):
        # Who reads what in which order is the same for one reader; how it is mixed with what others read, is chance.
        pair = [[str(sent) for sent in told.sent if sent.reader == reader] for told in (one, other)]
        if found := _first(*pair):
            return f"{'everybody' if reader is None else f'person {reader}'} is told: {found}"
    if found := _first(sorted(one.logged), sorted(other.logged)):
        return f"it is logged: {found}"
    named = [[f"{name} {value}" for name, value in sorted(told.metrics.items())] for told in (one, other)]
    if found := _first(*named):
        return f"it is measured: {found}"
    return None


def _first(one: list[str], other: list[str]) -> str | None:
    for left, right in zip_longest(one, other, fillvalue="nothing"):
        if left != right:
            at = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), -1)
            begin = max(0, (at if at >= 0 else min(len(left), len(right))) - _AROUND)
            return (
                f"{left[:_AROUND]!r}, from character {begin} on "
                f"{left[begin : begin + 2 * _AROUND]!r} or {right[begin : begin + 2 * _AROUND]!r}"
            )
    return None


# ------------------------------------------------------------------------------------------------ log records


class Ear(logging.Handler):
    """Hears every record that reaches the log. What it heard goes to `into`."""

    def __init__(self) -> None:
        super().__init__(logging.NOTSET)
        self.into: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep all that is in a record but its moment."""
        self.into.append(_PLACE_IN_MEMORY.sub("(somewhere)", "\n".join(_parts(record))))


def _parts(record: logging.LogRecord) -> Iterator[str]:
    yield f"{record.levelname} {record.name} {record.funcName}: {record.msg!r} % {record.args!r}"
    yield record.getMessage()
    yield from (f"{name}={value!r}" for name, value in sorted(vars(record).items()) if name not in _USUAL)
    if record.exc_info and record.exc_info[1] is not None:
        yield from traceback.format_exception(record.exc_info[1])
    yield record.stack_info or ""


@contextmanager
def listening() -> Generator[Ear]:
    """Hear a bot that logs as much as an operator can make it log."""
    root, ear = logging.getLogger(), Ear()
    handlers, level = root.handlers, root.level
    levels = {name: each.level for name, each in _loggers().items()}
    root.handlers = []
    try:
        set_up_logging("DEBUG")
        root.handlers = [ear]
        yield ear
    finally:
        root.handlers = handlers
        root.setLevel(level)
        for name, each in _loggers().items():
            each.setLevel(levels.get(name, logging.NOTSET))


def _loggers() -> dict[str, logging.Logger]:
    known = logging.getLogger().manager.loggerDict
    return {name: each for name, each in known.items() if isinstance(each, logging.Logger)}


# ------------------------------------------------------------------------------------------------ metrics


def metrics_of(registry: CollectorRegistry) -> dict[str, float | str]:
    """Every value with its labels, timings left out. What is no number is told as text, to be equal to itself."""
    return {
        f"{sample.name} {sorted(sample.labels.items())}": sample.value if sample.value == sample.value else "NaN"
        for metric in registry.collect()
        for sample in metric.samples
        if not (TIMINGS.fullmatch(sample.name) or PROCESS.fullmatch(sample.name))
    }
