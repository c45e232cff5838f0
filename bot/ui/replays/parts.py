"""The parts that the handlers of the replays use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.tables.log.events import Fixture
from bot.training.review import Review


@dataclass(frozen=True, slots=True)
class ReplayParts:
    """The questions of replays to the other subjects.

    Attributes:
        advises: whether matches can be reviewed.
        review_of: the kept review of a game that a person made; None if there is none.
        is_open: whether everybody may see what was played at a tournament's table.
    """

    advises: bool
    review_of: Callable[[int, int], Review | None]
    is_open: Callable[[Fixture], Awaitable[bool]]
