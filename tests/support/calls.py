"""Counts the calls of Python functions that a press costs: of the bot's, and of those of the packages that it uses."""

import dis
import sys
from collections import Counter
from types import CodeType, FrameType, TracebackType
from typing import Any, Final, Self

import bot
import tests

_OURS: Final = tuple(f"{path.rpartition('/')[0]}/{name}/" for path in bot.__path__ for name in ("bot", "cogs"))
_PLAYS: Final = (*(f"{path}/" for path in tests.__path__), "/simcord/")
"""Code that plays Discord and the people on it."""
_LOOPS: Final = ("/asyncio/", "/aiohttp/", "/python3.")
"""Code that isn't counted: how often it is called depends on how tasks interleave, or on the version of Python."""
_INLINED: Final = ("<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>")
"""Functions in some versions of Python, and a part of the function around them in others."""
_RESUME: Final = dis.opmap["RESUME"]


class Calls:
    """A count of calls on this thread while it is entered, by function. One that waits and goes on counts once.

    Only what the bot calls counts, directly or through a package: not what Discord and the people do who are played.
    """

    def __init__(self) -> None:
        self.of: Counter[str] = Counter()
        self._begins: dict[tuple[CodeType, int], bool] = {}

    def __enter__(self) -> Self:
        sys.setprofile(self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, arg: Any) -> None:
        code = frame.f_code
        if event == "call" and self._counts(code, frame.f_lasti) and _is_the_bots(frame):
            self.of[f"{code.co_filename.rpartition('site-packages/')[2]}: {code.co_qualname}"] += 1

    def _counts(self, code: CodeType, at: int) -> bool:
        """Whether a frame that is at this place of its code begins a function that counts."""
        known = self._begins.get((code, at))
        if known is None:
            begins = code.co_code[at] == _RESUME and not code.co_code[at + 1] & 3  # else it goes on after a wait
            packaged = "site-packages/" in code.co_filename
            looped = any(part in code.co_filename for part in _LOOPS[: 2 if packaged else 3])
            known = begins and code.co_name not in _INLINED and not looped
            self._begins[code, at] = known
        return known


def _is_the_bots(frame: FrameType | None) -> bool:
    """Whether a call is made by the bot: somewhere around it there is its code, and no code that plays Discord."""
    ours = False
    while frame is not None:
        file = frame.f_code.co_filename
        if any(part in file for part in _PLAYS) and not file.endswith("/simcord/_runtime.py"):
            return False
        ours = ours or file.startswith(_OURS)
        frame = frame.f_back
    return ours
