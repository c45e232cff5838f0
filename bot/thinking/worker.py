"""The process that thinks. Positions come in by its pipe, numbers of moves go out.

It reads nothing else, logs nothing, and ends when the pipe does, so that it never outlives the bot, however that ended.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import BinaryIO, Final

from bot.engine.views import SeatView
from bot.players import Character, Level, choose

SIZE: Final = struct.Struct("!I")
"""How long a question is, before it."""
ANSWER: Final = struct.Struct("!i")
"""The number of a move in the view's `moves`; `FAILED` when none was found."""
FAILED: Final = -1
ENOUGH_SECONDS: Final = 1.0
"""A search that has taken so long makes do with what it has; only a very slow machine gets there."""
_POLITE: Final = 5


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be thought about, and how much of the usual work may go into it."""

    view: SeatView
    level: Level
    seed: str
    effort: float
    character: Character | None = None


def answered(question: Question) -> int:
    """The number of the move found."""
    until = time.monotonic() + ENOUGH_SECONDS
    move = choose(
        question.view,
        question.level,
        Random(question.seed),  # noqa: S311 - a move in a game, no secret
        character=question.character,
        effort=question.effort,
        stop=lambda: time.monotonic() > until,
    )
    return question.view.moves.index(move)


def serve(source: BinaryIO, target: BinaryIO) -> None:
    """Answer questions until there are no more."""
    while len(head := source.read(SIZE.size)) == SIZE.size:
        try:
            body = source.read(SIZE.unpack(head)[0])
            number = answered(pickle.loads(body))  # noqa: S301 - from the process that started this one
        except Exception:  # whatever it is, the next question may go well
            number = FAILED
        target.write(ANSWER.pack(number))
        target.flush()


def main() -> None:
    """Serve the process that started this one."""
    # Ctrl-C and a service's stop go to all processes at once; this one ends when the bot closes the pipe.
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    with suppress(AttributeError, OSError):
        os.nice(_POLITE)  # clicks come first
    with suppress(BrokenPipeError):
        serve(sys.stdin.buffer, sys.stdout.buffer)
