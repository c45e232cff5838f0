"""The bot as a process: starts, kills and stops it, and reads its log."""

import asyncio
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.support.patience import HANG_SECONDS
from tests.wire.forking import Copy, own_environment, template

ROOT = Path(__file__).resolve().parents[2]
LAUNCHER = Path(__file__).with_name("launch.py")
TOKEN = "MTE.wire.token-of-nobody"
_POLL = 0.02
_BETWEEN_CHECKS = 0.25
"""Seconds between two checks of whether the bot is still running: each check asks another process."""
_ERROR = re.compile(r"^\S+(?: \S+)? (?:ERROR|CRITICAL) +.*|^Traceback .*|^Task exception was never.*", re.MULTILINE)


class BotProcess:
    """One bot after another on the same database, all with the same log file."""

    copied = True
    """Whether bots are copies of a process that has already imported them, instead of being started from scratch."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.log_path = folder / "bot.log"
        self.environment = environment
        self.starts = 0
        self.codes: list[int] = []
        self._process: subprocess.Popen[bytes] | Copy | None = None

    @property
    def pid(self) -> int:
        """The running process's id."""
        assert self._process is not None, "no bot is running"
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether a bot is running now."""
        return self._process is not None and self._process.poll() is None

    @property
    def busy(self) -> bool:
        """Whether a thread of the running bot, or of a process that it started, is computing or waiting for a core."""
        return self._process is not None and _busy(self._process.pid)

    def start(self) -> None:
        """Start the bot, without waiting for it to connect."""
        assert self._process is None, f"a bot is already running, or has ended by itself:\n{self.log[-3000:]}"
        environment = own_environment() | self.environment
        if self.copied:
            self._process = template(LAUNCHER).copy(self.folder, environment, self.log_path)
        else:
            with self.log_path.open("ab") as log:
                self._process = subprocess.Popen(
                    [sys.executable, str(LAUNCHER)],
                    cwd=self.folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )
        self.starts += 1

    def signal(self, number: int) -> None:
        """Send a signal to the running bot."""
        assert self._process is not None, "no bot is running"
        self._process.send_signal(number)

    async def ended(self, seconds: float = HANG_SECONDS, *, kill: bool = True) -> int | None:
        """Wait for the process to end; returns the exit code, or None after `seconds`, when it is killed if `kill`."""
        process = self._process
        assert process is not None, "no bot is running"
        began = time.monotonic()
        while process.poll() is None and time.monotonic() - began < seconds:  # noqa: ASYNC110 - another process ends
            await asyncio.sleep(_POLL)
        code = process.poll()
        if code is None and kill:
            process.kill()
            process.wait()
        elif code is not None:
            self.codes.append(code)
        self._process = None
        return code

    async def kill(self) -> None:
        """Kill the bot with SIGKILL, if it is running, and wait for its end."""
        if self._process is not None:
            self.signal(signal.SIGKILL)
            await self.ended()

    async def until(self, happened: Callable[[], bool], seconds: float = HANG_SECONDS) -> None:
        """Wait for something to happen while the bot is running.

        Raises:
            AssertionError: with the end of the log, if the bot ends or it doesn't happen in time.
        """
        began = checked = time.monotonic()
        while not happened():
            now = time.monotonic()
            if now - checked > _BETWEEN_CHECKS:
                checked = now
                if not self.running:
                    raise AssertionError(f"the bot has ended:\n{self.log[-3000:]}")
            if now - began > seconds:
                raise AssertionError(f"it hasn't happened within {seconds} s:\n{self.log[-3000:]}")
            await asyncio.sleep(_POLL)

    @property
    def log(self) -> str:
        """Everything that the bots have logged so far."""
        return self.log_path.read_text(errors="replace") if self.log_path.exists() else ""

    def errors(self, allowed: list[str]) -> list[str]:
        """The errors in the log, except lines that match a regular expression in `allowed`."""
        found = [match[0] for match in _ERROR.finditer(self.log)]
        return [line for line in found if not any(re.search(pattern, line) for pattern in allowed)]


def _busy(pid: int | str) -> bool:
    """Whether a process or one of its children has a thread that isn't asleep; always False where there is no /proc."""
    for task in Path(f"/proc/{pid}/task").glob("*"):
        with suppress(OSError):  # it may have just ended
            state = (task / "stat").read_text().rpartition(")")[2].split()[0]
            if state in "RD" or any(map(_busy, (task / "children").read_text().split())):
                return True
    return False
