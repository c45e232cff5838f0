"""What a click costs with few, many and very many live tables in one process, and what it costs to bring them back.

Each crowd of tables has a process of its own (`bench.hall`); a few clicks are made in one, then as many in the next, so
that whatever else the machine does meanwhile falls on all of them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any, Final

from bench.match import ROOT

FEW: Final = 20
FEWEST: Final = 100
"""The fewest "very many": what the process takes for itself would hide what fewer take."""
_BLOCKS: Final = 16
_CLICKS: Final = 40
"""How many clicks are made in one process before it is the next one's turn."""
_WARM_UP: Final = 2
"""Blocks that aren't counted."""
_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
"""Where a file needs no disk: only processor time is measured, and a slow disk would take many minutes."""


NewDatabase = Callable[[], AbstractContextManager[str]]
"""Makes a database that nobody else uses, and takes it away at the end."""


@dataclass(frozen=True, slots=True)
class Many:
    """CPU milliseconds a click by the number of live tables, all garbage collections included.

    `ratio`: of a click at the most tables to one at the fewest, the median of the blocks. `restore_ms`: CPU of a
    table, at the most tables, until it is back and shown; `click_ms`: how long a click took meanwhile, the table's
    own coming back included. `resident`: bytes of the process a table, between the fewest and the most.
    """

    clicks: dict[int, float]
    ratio: float
    restore_ms: float
    click_ms: float
    resident: float


class _Process:
    """One of the processes."""

    def __init__(self, process: subprocess.Popen[str], tables: int) -> None:
        self._process = process
        self.tables = tables
        self.blocks: list[list[float]] = []

    def hear(self) -> Any:
        """What it says next."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process of {self.tables} tables ended")
        return json.loads(line)

    def click(self, clicks: int) -> None:
        """Make some clicks."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{clicks}\n")
        self._process.stdin.flush()
        self.blocks.append(self.hear())

    @property
    def counted(self) -> list[list[float]]:
        """The costs of its clicks, block by block, without the first ones."""
        return self.blocks[_WARM_UP:]

    @property
    def resident(self) -> int:
        """The bytes of memory that it holds."""
        pages = Path(f"/proc/{self._process.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def in_memory() -> Iterator[str]:
    """A new SQLite database, in memory where the machine has a folder for that."""
    with tempfile.TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as folder:
        yield str(Path(folder) / "escoba.sqlite3")


def measure(tables: int, blocks: int = _BLOCKS, database: NewDatabase = in_memory) -> Many:
    """Compare a click at a few tables with one at so many, and at a fifth of them; each has a new database."""
    with ExitStack() as stack:
        crowds: list[_Process] = []
        restored: dict[str, float] = {}
        for size in sorted({FEW, tables // 5, tables}):
            crowd = stack.enter_context(_crowd(size, stack.enter_context(database())))
            restored = crowd.hear()
            assert crowd.hear() == "ready"
            crowds.append(crowd)
        for _ in range(_WARM_UP + blocks):
            for crowd in crowds:
                crowd.click(_CLICKS)
        few, most = crowds[0], crowds[-1]
        resident = (most.resident - few.resident) / (most.tables - few.tables)
    ratios = [mean(theirs) / mean(ours) for ours, theirs in zip(few.counted, most.counted, strict=True)]
    clicks = {crowd.tables: mean(cost for block in crowd.counted for cost in block) for crowd in crowds}
    return Many(clicks, median(ratios), restored["cpu_ms"], restored["click_ms"], resident)


@contextmanager
def _crowd(tables: int, database: str) -> Iterator[_Process]:
    """A process with so many tables."""
    command = [sys.executable, "-m", "bench.hall", database, str(tables)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield _Process(process, tables)
        finally:
            assert process.stdin is not None
            process.stdin.close()
