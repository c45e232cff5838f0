"""What a bot reveals: requests with their readers, log records and metrics; and where two bots differ in it."""

from __future__ import annotations

import hashlib
import logging
import re
import traceback
import zlib
from collections.abc import Collection, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from prometheus_client import CollectorRegistry

from bot.platform.operating.logs import set_up_logging

TIMINGS = re.compile(r"escoba_\w+_seconds(_bucket|_sum)?")
"""How long something took. It differs in each run and reveals no card. The counts are compared."""
SHARED = re.compile(r"process_\w+|escoba_disk_\w+")
"""Memory and processor time of the whole process, and the disk: both bots share them with others."""
_CHANNEL = re.compile(r"/channels/\d+")
_PLACE_IN_MEMORY = re.compile(r"(?<= at )0x[0-9a-f]+(?=>)")
_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_AROUND = 60
_PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Sent:
    """A request with its files. `reader`: who reads it, None for everybody in the channel."""

    reader: int | None
    method: str
    path: str
    body: str
    files: tuple[tuple[str, bytes], ...] = ()

    def __str__(self) -> str:
        files = "".join(f"\n{name}: {content!r}" for name, content in self.files)
        return f"{self.method} {self.path} {self.body}{files}"

    def with_pixels(self) -> Sent:
        """The same with the pixels of pictures instead of their compressed form."""
        return replace(self, files=tuple((name, _pixels(content)) for name, content in self.files))


@dataclass(slots=True)
class Revealed:
    """What a bot revealed in one step. `metrics`: their values at the end of the step."""

    sent: list[Sent] = field(default_factory=list)
    logged: list[str] = field(default_factory=list)
    metrics: dict[str, float | str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.sent or self.logged)


def difference(one: Revealed, other: Revealed, *, blind_to: Collection[int] = ()) -> str | None:
    """The first difference in what two bots revealed; None if there is none.

    `blind_to`: readers whose private messages are ignored.
    """
    readers = {sent.reader for revealed in (one, other) for sent in revealed.sent}
    for reader in sorted(readers - set(blind_to), key=str):
        # Each reader must get the same messages in the same order, and so must each channel; how those of several
        # readers or channels interleave is chance.
        pair = [sorted((sent for sent in each.sent if sent.reader == reader), key=_channel) for each in (one, other)]
        if pair[0] == pair[1]:
            continue
        if found := _first(*([str(sent.with_pixels()) for sent in each] for each in pair)):
            return f"{'everybody' if reader is None else f'person {reader}'} is sent: {found}"
    if found := _first(sorted(one.logged), sorted(other.logged)):
        return f"it is logged: {found}"
    named = [[f"{name} {value}" for name, value in sorted(revealed.metrics.items())] for revealed in (one, other)]
    if found := _first(*named):
        return f"it is measured: {found}"
    return None


def _channel(sent: Sent) -> str:
    """The channel that a request is for; empty for others."""
    found = _CHANNEL.search(sent.path)
    return "" if found is None else found[0]


def _pixels(content: bytes) -> bytes:
    """A PNG file with the pixels of its IDAT chunk in place of their compressed form; other files as they are.

    isal doesn't always compress the same rows to the same bytes: on a busy machine a picture is now and then a
    few bytes longer or shorter. That tells nobody anything. The checksum of the pixels, and everything else, stays.
    """
    head, found, rest = content.partition(b"IDAT")
    if not (found and head.startswith(_PNG)):
        return content
    end = int.from_bytes(head[-4:])
    pixels = zlib.decompressobj(-zlib.MAX_WBITS).decompress(rest[2:end])
    return head[:-4] + hashlib.sha256(pixels).digest() + rest[end - 4 : end] + rest[end + 4 :]


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
    """Collects in `into` every record that reaches the log."""

    def __init__(self) -> None:
        super().__init__(logging.NOTSET)
        self.into: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep everything in a record except its time."""
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
    """Collect the log of a bot at the most verbose level an operator can set."""
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
    """Every value with its labels, without timings. NaN is given as text, so that it equals itself."""
    return {
        f"{sample.name} {sorted(sample.labels.items())}": sample.value if sample.value == sample.value else "NaN"
        for metric in registry.collect()
        for sample in metric.samples
        if not (TIMINGS.fullmatch(sample.name) or SHARED.fullmatch(sample.name))
    }
