"""A turn of a person: when they are told of it, warned, and out of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, StrEnum, auto
from typing import Final

from bot.engine.events import Claimed, Laid
from bot.store import LogEntry
from bot.tables.log.codec import MATCH, decode
from bot.tables.pace import Pace

AT_ONCE_SECONDS: Final = 3.0
"""Who wants to be told at once is told after so long: who plays fast has clicked by then."""
PRESENT_SECONDS: Final = 15.0
"""Who has clicked so shortly before their turn sees it begin: at once is no sooner for them than for others."""
_SHOWN_SECONDS: Final = 2.0
"""A message posted so long after a turn began was hardly posted because of the move before it."""


class TurnNotice(StrEnum):
    """When somebody wants to be notified that it's their turn."""

    AT_ONCE = "at_once"
    LATER = "later"
    """Once they haven't clicked for a while."""
    NEVER = "never"


class Step(Enum):
    """What time brings in a turn, if nobody plays."""

    NUDGE = auto()
    WARNING = auto()
    DEADLINE = auto()


@dataclass(frozen=True, slots=True)
class Due:
    """A step and its instant."""

    at: datetime
    step: Step


class Turn:
    """What is known of the present turn's player: whether they have clicked, and have been told.

    `quiet`: they are not to be told, because they have clicked in this turn or have been told before.
    """

    __slots__ = ("_began", "_clicks", "quiet")

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self._clicks: dict[int, datetime] = {}
        self._began: datetime | None = None

    def clicked(self, person_id: int, at_turn: int | None, now: datetime) -> None:
        """Somebody who sits there has clicked, while it was this person's turn."""
        self._clicks[person_id] = now
        if person_id == at_turn:
            self.quiet = True

    def begin(self, now: datetime) -> None:
        """Another turn begins."""
        self.quiet = False
        self._began = now

    def steps(self, pace: Pace, left: float, person_id: int | None, told: TurnNotice, now: datetime) -> list[Due]:
        """What comes next in a turn of this person that has so many seconds left, in order."""
        dues: list[Due] = []
        if pace.turn:
            dues.append(Due(now + timedelta(seconds=left), Step.DEADLINE))
            if 0 < pace.warning < pace.turn:
                dues.insert(0, Due(now + timedelta(seconds=max(0, left - pace.warning)), Step.WARNING))
        if pace.nudge and not self.quiet and told is not TurnNotice.NEVER:
            at_once = told is TurnNotice.AT_ONCE and not self._present(person_id)
            seconds = min(AT_ONCE_SECONDS, pace.nudge) if at_once else pace.nudge
            nudge = Due(now + timedelta(seconds=seconds), Step.NUDGE)
            if not dues or nudge.at < dues[0].at:  # a warning tells them too, and so does the deadline
                dues.insert(0, nudge)
        return dues

    def _present(self, person_id: int | None) -> bool:
        """Whether they clicked shortly before it was their turn."""
        clicked = None if person_id is None else self._clicks.get(person_id)
        if clicked is None or self._began is None:
            return False
        return self._began - clicked < timedelta(seconds=PRESENT_SECONDS)


def told_before(entries: Sequence[LogEntry], message_at: datetime | None) -> bool:
    """Whether the player at turn has clicked in that turn already, or was told of it, as far as is stored.

    Who has laid a card has clicked. A message that was posted well after the turn began was posted to tell them, or
    because somebody wanted to see the table there.

    Raises:
        CodecError: if the match's last row can't be read.
    """
    last = next((entry for entry in reversed(entries) if entry.kind == MATCH), None)
    if last is None:
        return False
    if isinstance(decode(MATCH, last.body), Laid | Claimed):
        return True
    return message_at is not None and message_at - last.at > timedelta(seconds=_SHOWN_SECONDS)
