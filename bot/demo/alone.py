"""One demo at a time has a database: a second one would forget, or take over, the games of the first."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TextIO


class RunningError(Exception):
    """A demo has this database already. `address`: where its page is, if it has said so."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


class Claim:
    """The right to a database, until the process ends, however it ends, or `release`.

    Raises:
        RunningError: if another process has it.
        OSError: if the folder can't be written.
    """

    def __init__(self, database: str) -> None:
        path = Path(f"{database}.lock")
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+", encoding="utf-8")
        if not _locked(self._file):
            self._file.seek(0)
            address = self._file.read().strip()
            self._file.close()
            raise RunningError(address)
        self.say("")

    def say(self, address: str) -> None:
        """Note where the page is, for whoever comes second."""
        self._file.seek(0)
        self._file.truncate()
        self._file.write(address)
        self._file.flush()

    def release(self) -> None:
        """Let others have it. The file stays: to remove it would let two have it at once."""
        self._file.close()


if sys.platform == "win32":
    import msvcrt

    _BEYOND = 1 << 30
    """A byte that is never written: Windows lets nobody read what is locked."""

    def _locked(file: TextIO) -> bool:
        file.seek(_BEYOND)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _locked(file: TextIO) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
