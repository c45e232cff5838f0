"""The next need of a table's pings: pure decisions, which `pings` carries out.

A ping is a short message with plain text, since that is all a notification shows. It isn't deleted before its person
has clicked: its badge would lead nowhere, and bots that watch for ghost pings would report it. A ping whose turn passes
without a click says so from then on, and stays until its person is back. There is one exception: a warning that comes
long after the nudge of the same turn is posted below it and takes its place, so that the badge leads there. In a match
without hurry a turn notifies its person twice at most, when it comes and when its deadline is near: pings that were
clicked away are remembered there, and so are private messages, which take their place.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import Enum, auto
from itertools import takewhile
from typing import Final

from bot.engine.facts import CantosSung, CaptureClaimed, CardLaid
from bot.platform.outside import read_json
from bot.tables.live.view import TableView
from bot.tables.log.events import Presence

PING_AGAIN: Final = timedelta(minutes=10)
"""A player is pinged a second time in a turn only if the first ping is this old; otherwise the first one is edited to
say how much time is left."""
NEARBY: Final = timedelta(minutes=5)
"""A player for whom only computers are waiting isn't pinged for this long after a click: they are about to look."""
_PARTS: Final = (CaptureClaimed, CantosSung, CardLaid)
"""The facts of a turn after which it goes on."""
_SAME_SECONDS: Final = 1.0
"""Two deadlines no further apart than this are the same: after a restart they are computed from what was stored."""


@dataclass(frozen=True, slots=True)
class Due:
    """A ping that is due to a player in a turn, which began in a `version` of the match.

    `warns`: it is due because their deadline is near; `pressed`: because somebody nudges them.
    """

    version: int
    person_id: int | None
    warns: bool = False
    pressed: bool = False

    @classmethod
    def at(cls, view: TableView, *, warns: bool = False, pressed: bool = False) -> Due:
        """The ping due to the player whose turn it is now."""
        return cls(_begun_in(view), view.person_at_turn, warns, pressed)

    def holds(self, view: TableView) -> bool:
        """Whether the turn is still that player's."""
        if view.over or self.person_id is None or (self.warns and view.deadline is None):
            return False
        return self == Due.at(view, warns=self.warns, pressed=self.pressed)


@dataclass(frozen=True, slots=True)
class Ping:
    """A message that pings the player of a seat.

    Attributes:
        message_id: the message.
        seat: the seat whose turn it is about.
        version: the match's version in which that turn began.
        sent_at: when it was sent.
        rings: whether it has notified its person, or was sent for the others only.
        warns_of: the deadline that it should tell of, if any.
        tells: the deadline that its text tells of now, if any.
        past: whether it says that the turn has passed.
        done: whether its person has clicked, or a newer ping has taken its place.
        deleted: whether it is remembered only because its turn has notified its person already, here or in private.
    """

    message_id: int
    seat: int
    version: int
    sent_at: datetime
    rings: bool = True
    warns_of: datetime | None = None
    tells: datetime | None = None
    past: bool = False
    done: bool = False
    deleted: bool = False

    def is_of_turn(self, view: TableView) -> bool:
        """Whether the turn that it is about is still that seat's."""
        person_id = view.person_at_turn
        return person_id is not None and Due.at(view) == Due(self.version, view.seats[self.seat].person_id)


class DueStep(Enum):
    """The fate of a ping that is due."""

    DROP = auto()
    """Nothing: the turn is over, or its player has been pinged."""
    WARN = auto()
    """The ping that they already have tells of the deadline from now on."""
    POST = auto()
    """It is posted."""


class PingStep(Enum):
    """The next thing to do with a ping that is there."""

    KEEP = auto()
    """Nothing for now."""
    EDIT = auto()
    """It is edited to what `updated_ping` returns."""
    DELETE = auto()
    """It is deleted: its person has seen it, or it notified nobody."""
    FORGET = auto()
    """It stays as it is, and nothing more happens to it."""


def _begun_in(view: TableView) -> int:
    """The version of the match in which the present turn began: its player may have claimed, sung and laid since."""
    match = view.match
    recent = () if match is None else reversed(match.recent)
    own = takewhile(lambda fact: isinstance(fact, _PARTS) and match is not None and fact.seat == match.turn, recent)
    return view.version - len(list(own))


def ping_of_turn(view: TableView, pings: Iterable[Ping]) -> Ping | None:
    """The ping of the current turn that hasn't been clicked away, if there is one."""
    return next((ping for ping in pings if not ping.done and ping.is_of_turn(view)), None)


def due_step(
    view: TableView, due: Due, pings: Sequence[Ping], now: datetime, clicked_at: datetime | None = None
) -> DueStep:
    """Decide what is done about a ping that is due, given the pings that the table already has.

    `clicked_at`: when its person last clicked, if known.
    """
    nearby = clicked_at is not None and now - clicked_at < NEARBY
    if not due.holds(view) or (nearby and _plays_alone(view)):
        return DueStep.DROP
    if due.pressed:
        return DueStep.POST  # once in a turn, whatever has been said before
    if view.unhurried and (told := [ping for ping in pings if ping.is_of_turn(view) and not ping.past]):
        warned = next((ping for ping in told if ping.warns_of is not None), None)
        if not due.warns or (warned is not None and warned.done):
            return DueStep.DROP
        if warned is not None:
            return DueStep.WARN
    earlier = ping_of_turn(view, pings)
    if earlier is None or earlier.past:  # the past ping of somebody who is back is about to be deleted
        return DueStep.POST
    if not due.warns or _same(earlier.warns_of, view.deadline):
        return DueStep.DROP
    return DueStep.POST if now - earlier.sent_at >= PING_AGAIN else DueStep.WARN


def _plays_alone(view: TableView) -> bool:
    """Whether there is one person at the table, with computers."""
    return sum(seat.may_return for seat in view.seats) == 1


def next_ping_step(view: TableView, ping: Ping) -> PingStep:
    """Decide what a ping needs."""
    seat = view.seats[ping.seat]
    if ping.deleted:
        return PingStep.FORGET if view.over else PingStep.KEEP
    if ping.done or seat.person_id is None or seat.presence is Presence.LEFT:
        return PingStep.DELETE
    theirs = ping.is_of_turn(view)
    if theirs and not view.over:
        if ping.past:
            return PingStep.DELETE  # they were away, and have come back with a click
        return PingStep.KEEP if _same(ping.tells, _deadline_to_tell(view, ping)) else PingStep.EDIT
    if not ping.rings or (seat.human_here and not theirs):
        return PingStep.DELETE  # it notified nobody; or they have moved or come back, with a click
    if not ping.past:
        return PingStep.EDIT
    return PingStep.FORGET if view.over else PingStep.KEEP


def told_in_private(view: TableView, due: Due, now: datetime) -> Ping:
    """The ping that is remembered where the player is told in private instead."""
    assert view.match is not None, "somebody's turn has come"
    assert view.match.turn is not None, "likewise"
    warns_of = view.deadline if due.warns else None
    return Ping(0, view.match.turn, due.version, now, warns_of=warns_of, done=True, deleted=True)


def updated_ping(view: TableView, ping: Ping) -> Ping:
    """A ping as it is after an edit."""
    past = view.over or not ping.is_of_turn(view)
    return replace(ping, past=past, tells=None if past else _deadline_to_tell(view, ping))


def _deadline_to_tell(view: TableView, ping: Ping) -> datetime | None:
    """The deadline, if it is the one that the ping warns of: one that has started over isn't near any more."""
    return view.deadline if _same(ping.warns_of, view.deadline) else None


def _same(one: datetime | None, other: datetime | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs((one - other).total_seconds()) <= _SAME_SECONDS


def noted(pings: Sequence[Ping]) -> str | None:
    """Pings as a text for the store. It names no people: a seat is enough to find them."""
    rows = [
        {
            "message": ping.message_id,
            "seat": ping.seat,
            "version": ping.version,
            "sent": ping.sent_at.timestamp(),
            "rings": ping.rings,
            "warns": _seconds(ping.warns_of),
            "tells": _seconds(ping.tells),
            "past": ping.past,
            "done": ping.done,
            "deleted": ping.deleted,
        }
        for ping in pings
    ]
    return json.dumps(rows) if rows else None


def read_noted(text: str) -> list[Ping]:
    """The pings of a text in the store; none if it is damaged."""
    try:
        return [
            Ping(
                int(row["message"]),
                int(row["seat"]),
                int(row["version"]),
                datetime.fromtimestamp(row["sent"], UTC),
                bool(row["rings"]),
                _time(row["warns"]),
                _time(row["tells"]),
                bool(row["past"]),
                bool(row["done"]),
                bool(row["deleted"]),
            )
            for row in read_json(text)
        ]
    except (ValueError, TypeError, KeyError, OverflowError, OSError):
        return []


def _seconds(time: datetime | None) -> float | None:
    return None if time is None else time.timestamp()


def _time(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
