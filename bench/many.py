"""What a click costs with few, many and very many live tables in one process, and what it costs to restore them.

Each number of tables has a process of its own (`bench.hall`). The processes take turns, a few clicks each, so that
whatever else the machine is doing affects all of them alike.
"""

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
"""The least number that counts as very many: with fewer, the process's own memory would hide that of the tables."""
_BLOCKS: Final = 16
_CLICKS: Final = 40
"""The number of clicks in one process before the next one has its turn."""
_WARM_UP: Final = 2
"""The number of blocks that aren't counted."""
_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
"""A folder in memory: only processor time is measured, and on a slow disk it would take many minutes."""


NewDatabase = Callable[[], AbstractContextManager[str]]
"""Creates a new database and deletes it at the end."""


@dataclass(frozen=True, slots=True)
class Many:
    """CPU milliseconds per click by number of live tables, all garbage collections included.

    `ratio` compares a click with the most tables to one with the fewest (median over the blocks). With the most tables,
    `restore_ms` is the CPU time per table until it is restored and shown, and `click_ms` how long a click took in the
    meantime, including the restore of its table. `resident` is the additional memory per table, in bytes.
    """

    clicks: dict[int, float]
    ratio: float
    restore_ms: float
    click_ms: float
    resident: float


class _Process:
    """A `bench.hall` process."""

    def __init__(self, process: subprocess.Popen[str], tables: int) -> None:
        self._process = process
        self.tables = tables
        self.blocks: list[list[float]] = []

    def hear(self) -> Any:
        """The next message from the process."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process with {self.tables} tables has ended")
        return json.loads(line)

    def click(self, clicks: int) -> None:
        """Have the process make some clicks, and note what they cost."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{clicks}\n")
        self._process.stdin.flush()
        self.blocks.append(self.hear())

    @property
    def counted(self) -> list[list[float]]:
        """The costs of the clicks by block, without the warm-up."""
        return self.blocks[_WARM_UP:]

    @property
    def resident(self) -> int:
        """The process's resident memory, in bytes."""
        pages = Path(f"/proc/{self._process.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def in_memory() -> Iterator[str]:
    """A new SQLite database, in memory if the machine has a folder for that."""
    with tempfile.TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as folder:
        yield str(Path(folder) / "escoba.sqlite3")


def measure(tables: int, blocks: int = _BLOCKS, database: NewDatabase = in_memory) -> Many:
    """Compare clicks with a few tables, with `tables` and with a fifth of these; each process has a new database."""
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
    """A process with that many tables."""
    command = [sys.executable, "-m", "bench.hall", database, str(tables)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield _Process(process, tables)
        finally:
            assert process.stdin is not None
            process.stdin.close()
