"""The parts that the handlers of the replays use."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bot.platform.language.texts import Words
from bot.platform.layout import Component
from bot.tables.log.events import Fixture


@dataclass(frozen=True, slots=True)
class ReplayParts:
    """The questions of replays to the other subjects.

    Attributes:
        review_button: the button with which a person reviews a game; None if they can't.
        verdict_on: the coach's verdict, in lines, on a person's decision in a game at a version; none without a review.
        is_open: whether everybody may see what was played at a tournament's table.
    """

    review_button: Callable[[int, int, Words], Component | None]
    verdict_on: Callable[[int, int, int, Words], Sequence[str]]
    is_open: Callable[[Fixture], Awaitable[bool]]
