"""Starts bots as copies of a process that has imported everything, because importing takes longer than most tests.

A copy is a process like any other: it has its own memory, files and signals, and can be killed. Only what happens
before `main` is shared. Tests that are about starting or stopping a process use one that was started from scratch.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[2]


class Copy:
    """A bot's process, with those methods of `subprocess.Popen` that the tests use."""

    def __init__(self, template: Template, pid: int) -> None:
        self.pid = pid
        self._template = template
        self._code: int | None = None

    def poll(self) -> int | None:
        """The exit code, negative if a signal ended the process; None while it is running."""
        if self._code is None:
            self._code = self._template.ask({"ended": self.pid})
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end, which must be certain to come; returns the exit code. `timeout` is ignored."""
        if self._code is None:
            self._code = self._template.ask({"end": self.pid})
        assert self._code is not None
        return self._code

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the process with SIGKILL."""
        self.send_signal(signal.SIGKILL)


class Template:
    """The process that bots are copied from. When its parent ends, it kills the bots that still run and ends too."""

    def __init__(self, launcher: Path, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen[bytes](
            [sys.executable, str(launcher), "template"],
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        atexit.register(self._end)

    def copy(self, folder: Path, environment: Mapping[str, str], log: Path) -> Copy:
        """Start a bot in a folder with an environment; its output is appended to the log."""
        pid = self.ask({"folder": str(folder), "environment": dict(environment), "log": str(log)})
        assert pid is not None
        return Copy(self, pid)

    def ask(self, request: Mapping[str, Any]) -> int | None:
        """Send a request to the process, and wait for its answer, which only takes long for `end`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the process that bots are copied from has ended"
        return json.loads(answer)

    def _end(self) -> None:
        self._process.communicate()


@cache
def template(launcher: Path) -> Template:
    """The template of this test process, started when it is first needed."""
    return Template(launcher, own_environment())


def own_environment() -> dict[str, str]:
    """The environment of a process that can import the bot and has none of the developer's settings."""
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("ESCOBA_")}
    return kept | {"PYTHONPATH": str(_ROOT), "PYTHONUNBUFFERED": "1"}


# ------------------------------------------------------------------------------------- inside the template
def serve_copies(main: Callable[[], int]) -> int:
    """Serve requests until the parent ends. In a copy: run `main`, and return its exit code."""
    gc.collect()
    gc.freeze()  # so that the copies share these pages
    running: set[int] = set()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if "folder" in request:
            if not (pid := os.fork()):
                _become(request)
                return main()
            running.add(pid)
            answer: int | None = pid
        else:
            pid, flags = (request["end"], 0) if "end" in request else (request["ended"], os.WNOHANG)
            ended, status = os.waitpid(pid, flags)
            running.discard(ended)
            answer = os.waitstatus_to_exitcode(status) if ended else None
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()
    for pid in running:
        os.kill(pid, signal.SIGKILL)
    return 0


def _become(request: Mapping[str, Any]) -> None:
    """Switch to the folder, environment and files of the bot in the request."""
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    log = os.open(request["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for new, old in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(new, old)
    os.close(nothing)
    os.close(log)
