"""The documented backup command, run as a separate process beside the bot, and a check of the file it writes."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from bot.process.check import check
from tests.wire.process import ROOT


class Backup:
    """A backup in progress."""

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
        """Wait until the command ends; returns what is wrong with it or with the file it wrote."""
        output, _ = await self._process.communicate()
        if self._process.returncode:
            return [f"the backup ended with exit code {self._process.returncode}: {output.decode(errors='replace')}"]
        return await wrong_with(self.target)


async def wrong_with(database: Path) -> list[str]:
    """What is wrong with a database according to `python -m bot check`."""
    output: list[str] = []
    return [] if await check(database, output.append) else [f"{database.name}: {line}" for line in output]
