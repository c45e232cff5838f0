"""The documented back-up command, run as a process of its own beside the bot, and the check of what it wrote."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from bot.process.check import check
from tests.wire.process import ROOT


class Backup:
    """A back-up of a database that is being made."""

    def __init__(self, target: Path, process: asyncio.subprocess.Process) -> None:
        self.target = target
        self._process = process

    @classmethod
    async def begin(cls, database: Path, target: Path) -> Backup:
        """Start `python -m bot backup`."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "backup", str(target)),
            cwd=ROOT,
            env={**os.environ, "ESCOBA_DATABASE": str(database)},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        return cls(target, process)

    async def findings(self) -> list[str]:
        """Wait for its end; what is wrong with it, or with the file that it wrote."""
        said, _ = await self._process.communicate()
        if self._process.returncode:
            return [f"the back-up ended with {self._process.returncode}: {said.decode(errors='replace')}"]
        return await wrong_with(self.target)


async def wrong_with(database: Path) -> list[str]:
    """What `python -m bot check` would say is wrong with a database."""
    said: list[str] = []
    return [] if await check(database, said.append) else [f"{database.name}: {line}" for line in said]
