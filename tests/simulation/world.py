"""A simulated world: Discord with servers and people, a disk, and the bot's processes, all on one machine's time."""

from __future__ import annotations

import asyncio
import logging
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import SecretStr

from tests.simulation.disk import Disk
from tests.simulation.life import Life
from tests.simulation.machine import Machine
from tests.simulation.network import TOKEN, Discord, Request
from tests.simulation.plan import Plan
from tests.simulation.trace import Trace
from tests.support.fake_discord.realm import Realm, WallClock

HOUR: Final = 3_600.0
DAY: Final = 24 * HOUR
STEP_SECONDS: Final = 2e-6
"""How long a step of an event loop takes: time passes while the bot works, or a timer that is early by a rounding error
would be early for ever."""
BUSY_STEPS: Final = 200_000
"""So many steps in a row without a pause are an endless loop."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a judge objects to. `kind` says which promise is broken."""

    kind: str
    what: str
    at: float


class World:
    """Everything there is. Made after `replaced.replace`."""

    def __init__(self, plan: Plan, machine: Machine, folder: Path, *, aloud: Any = None) -> None:
        from bot.players import Level
        from bot.settings import Settings

        self.plan, self.machine, self.folder = plan, machine, folder
        self.trace = Trace(machine, aloud=aloud)
        self.findings: list[Finding] = []
        self.last_before_finding: list[str] = []
        self.counts: Counter[str] = Counter()
        chance = machine.chance("world")
        self.chance = chance
        self.shuffles = chance.choice((0.0, 0.0, 0.05, 0.2))
        self.cleverest = Level.NORMAL
        self.realm = Realm((), 1, clock=WallClock(machine.moment))
        self.discord = Discord(self.realm, machine)
        self.discord.heard = self._heard
        self.lives: list[Life] = []
        """The processes that run, the oldest first."""
        self.ended: Callable[[Life], None] = lambda life: None
        """Told when a process has ended."""
        self.expects: Callable[[str, str], bool] = lambda logger, text: False
        """Whether a logged error is what the operator should read at this moment."""
        self.told: list[Callable[[Request], None]] = []
        """Who else hears of each request once it is answered."""
        from_nowhere: Any = {"_env_file": None}
        self.settings = Settings(
            token=SecretStr(TOKEN),
            database=str(folder / "escoba.sqlite3"),
            pictures=False,
            thinkers=1,
            log_level="WARNING",
            **from_nowhere,
        )
        self.disk = Disk(folder / "escoba.sqlite3")
        self.on_step: Callable[[], None] | None = None
        self._of_loops: dict[asyncio.AbstractEventLoop, Life] = {}
        _hear_errors(self)

    # ------------------------------------------------------------------------------------------------- processes
    @property
    def life(self) -> Life | None:
        """The process that runs, the oldest of them if there are two."""
        return self.lives[0] if self.lives else None

    @property
    def bot(self) -> Any:
        """The bot of that process."""
        return None if self.life is None else self.life.bot

    def life_of(self, loop: asyncio.AbstractEventLoop) -> Life:
        """The process that a loop belongs to."""
        return self._of_loops[loop]

    def start(self) -> Life:
        """Start a process."""
        life = Life(self, self.counts["starts"])
        self.counts["starts"] += 1
        self.lives.append(life)
        self._of_loops[life.loop] = life
        self.trace.add(f"process {life.number} starts")
        return life

    def cut_connections(self, life: Life) -> None:
        """Forget the connections of a process that is dead."""
        self.discord.gateway.end_life(life)

    def life_ended(self, life: Life) -> None:
        """A process has ended."""
        self.lives.remove(life)
        self.trace.add(f"process {life.number} has ended with {life.code}")
        self.ended(life)

    def end_within(self, seconds: float, code: int, *, silent: bool = False) -> None:
        """End the process that calls this, unless it has ended by then."""
        life = self.life_of(asyncio.get_running_loop())

        def end() -> None:
            if life.alive:
                self.counts["ended by its timer"] += 1
                life.code = code
                life.kill()

        self.machine.after(seconds, end)

    def end_at_once(self, number: int) -> None:
        """End the process that calls this, which was told to stop a second time."""
        life = self.life_of(asyncio.get_running_loop())
        self.counts["told to stop twice"] += 1
        life.code = 128 + number
        self.machine.after(0.0, life.kill)

    # --------------------------------------------------------------------------------------------------- driving
    def run(self, until: float) -> None:
        """Let everything happen up to a time."""
        machine, steps = self.machine, 0
        while True:
            loop = next((life.loop for life in self.lives if life.loop.ready), None)
            if loop is not None:
                loop.step()
                machine.now += STEP_SECONDS
                if self.on_step is not None:
                    self.on_step()
                steps += 1
                if steps > BUSY_STEPS:
                    self.found("endless", "the bot goes on and on without a pause")
                    raise RuntimeError("endless loop")
                continue
            steps = 0
            timers = min([life.loop.next_at for life in self.lives], default=float("inf"))
            at = min(machine.next_at, timers)
            if at > until:
                machine.now = max(machine.now, until)
                return
            if machine.next_at <= timers:
                machine.begin_next()
            else:
                machine.now = max(machine.now, timers)

    def pause(self, seconds: float) -> None:
        """Let everything happen for a number of seconds."""
        self.run(self.machine.now + seconds)

    # --------------------------------------------------------------------------------------------------- findings
    def found(self, kind: str, what: str) -> None:
        """A judge objects to something."""
        self.findings.append(Finding(kind, what, self.machine.now))
        self.last_before_finding = self.last_before_finding or list(self.trace.last)
        self.trace.add(f"FOUND {kind}: {what}")

    def _heard(self, request: Request) -> None:
        self.counts["requests"] += 1
        how = f" ({request.fault})" if request.fault else ""
        self.trace.add(f"{request.method} {request.path} -> {request.status}{how}", request.body)
        for each in self.told:
            each(request)


OWN_ERRORS: Final = ("discord.ui", "discord.app_commands", "discord.client")
"""The loggers of discord.py that tell of exceptions in the bot's own code; the others tell of the network."""


class _Hearing(logging.Handler):
    """Hears what the bot logs as an error: somebody will have to read it."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.WARNING)
        self._world = world
        self._format = logging.Formatter()
        self._process = os.getpid()

    def emit(self, record: logging.LogRecord) -> None:
        world, text = self._world, record.getMessage().replace(str(self._world.folder), "…")
        text = text.replace(f"process {self._process}", "process …")
        own = not record.name.startswith("discord.") or record.name.startswith(OWN_ERRORS)
        if not own or world.expects(record.name, text):
            world.trace.add(f"logged by {record.name}: {text}")
        elif record.levelno >= logging.ERROR:
            if record.exc_info:
                text += "\n" + self._format.formatException(record.exc_info)
            world.found("error", f"{record.name}: {text}")
        else:
            world.trace.add(f"logged by {record.name}: {text}")


def _hear_errors(world: World) -> None:
    root = logging.getLogger()
    root.handlers[:] = [_Hearing(world)]
    root.setLevel(logging.WARNING)
