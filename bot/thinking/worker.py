"""The worker process: questions come in through its pipe, answers go out.

It reads nothing else, logs nothing, and ends when the pipe is closed, so it never outlives the bot, however the bot
ended.
"""

from __future__ import annotations

import gc
import json
import os
import pickle
import signal
import struct
import sys
import time
from contextlib import suppress
from typing import BinaryIO, Final

from bot.thinking.questions import MoveQuestion

SIZE: Final = struct.Struct("!I")
"""The length prefix of a question or an answer."""
NONE: Final = b"null"
"""The answer when none was found."""
ENOUGH_SECONDS: Final = 1.0
"""After this long the search for a move settles for what it has found; only very slow machines need that long."""
STEP_SECONDS: Final = 0.04
"""After this long a step of an analysis ends, and a live move may come next; the result doesn't depend on it."""
_POLITE: Final = 5


def answer_to(body: bytes) -> bytes:
    """The answer to a question, or `NONE`."""
    began = time.monotonic()
    try:
        question = pickle.loads(body)  # noqa: S301 - from the process that started this one
        until = began + (ENOUGH_SECONDS if isinstance(question, MoveQuestion) else STEP_SECONDS)
        return json.dumps(question.think(lambda: time.monotonic() > until)).encode()
    except Exception:  # the next question may succeed
        return NONE


def serve(source: BinaryIO, target: BinaryIO) -> None:
    """Answer questions until the source ends."""
    while len(head := source.read(SIZE.size)) == SIZE.size:
        answer = answer_to(source.read(SIZE.unpack(head)[0]))
        target.write(SIZE.pack(len(answer)) + answer)
        target.flush()
        set_aside()


def set_aside() -> None:
    """Keep the garbage collector away from what is there now, above all the tables of roll-outs: going through it all
    takes twice as long as a step."""
    gc.collect()
    gc.freeze()


def main() -> None:
    """Answer the process that started this one."""
    # Ctrl-C and a service manager's stop signal reach all processes; this one ends when the bot closes the pipe.
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    with suppress(AttributeError, OSError):
        os.nice(_POLITE)  # clicks come first
    with suppress(BrokenPipeError):
        serve(sys.stdin.buffer, sys.stdout.buffer)
