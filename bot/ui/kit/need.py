"""The words in which it is decided what a live message needs next."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Final

from bot.ui.transport.turns import Priority

FRESH: Final = timedelta(minutes=50)
"""Discord throttles edits of messages over an hour old: an older one is replaced before that, or edited rarely."""


class MessageStep(Enum):
    """A step that is done to a message."""

    WAIT = auto()
    """Nothing yet."""
    NOTHING = auto()
    """Nothing: it shows the newest state, or nobody needs to see that."""
    EDIT = auto()
    """It is edited."""
    POST = auto()
    """A message is posted; an older one, if there is one, keeps what belongs on it."""
    REPLACE = auto()
    """A message is posted in place of an older one."""


@dataclass(frozen=True, slots=True)
class Need:
    """A message's need, and the priority of the request. `look_at`: until when it waits, if not for a change."""

    step: MessageStep
    priority: Priority = Priority.LIVE
    look_at: datetime | None = None


def is_old(posted_at: datetime, now: datetime) -> bool:
    """Whether Discord will soon throttle a message's edits."""
    return now - posted_at > FRESH
