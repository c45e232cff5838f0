"""The custom_ids of the buttons about days' positions: the day, and a move, for whoever clicks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated, ClassVar

from bot.platform.kit.codec import PUBLIC, Day, Number, Reference, Verbs


class DayVerb(Verbs):
    """An action of the buttons and menus about days' positions."""

    OPEN = "open", PUBLIC
    """Shows a day's question, or the verdict to somebody who has answered it."""
    MOVE = "move"
    """Answers with the move that has this number."""
    MORE = "more"
    """Shows all about the person's answer."""
    WEEK = "week"
    """Lists the days that can still be solved."""
    CHOOSE = "choose"
    """Opens the day chosen in the menu."""
    MONTH = "month", PUBLIC
    """Shows the server's leaderboard for the month of a day."""
    SHARE = "share"
    """Shows everybody in the channel how well the person did."""


class DaySetting(StrEnum):
    """A button or menu of the page about the day's position in a server's settings."""

    CHANNEL = "dayin"
    HOUR = "dayat"
    NOW = "daynow"
    """Posts the day's message at once."""
    OFF = "dayoff"


@dataclass(frozen=True, slots=True)
class DayRef(Reference[DayVerb]):
    """A day, and the number of a move in its position."""

    kind: ClassVar = "d"
    verbs: ClassVar = DayVerb

    day: date
    number: Annotated[int, Number(999)] = 0


def day_value(day: date) -> str:
    """The day as the value of a menu's option."""
    return Day().write(day)


def day_of(value: str) -> date | None:
    """The day of a menu's option; None if it isn't a valid one."""
    try:
        return Day().read(value)
    except ValueError:
        return None
