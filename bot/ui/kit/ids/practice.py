"""What the buttons of practice carry in their custom_ids: a position by its source, which try it is, and a move."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

KIND: Final = "k"
"""Begins the custom_ids: `k:<verb>[:<source>:<try>:<move>]`. They refer to whoever clicks."""
AGAIN: Final = "again"
"""Begins the sources of decisions that are tried again right after a review: `again/<game>/<place>`, from 0."""
_SOURCE: Final = re.compile(r"[a-z]{1,10}(/[0-9a-z-]{1,20}){1,2}")
_NUMBER: Final = re.compile("[0-9]{1,3}")
SECOND: Final = 2
"""The number of the last try."""
_PARTS: Final = 3


class PracticeVerb(StrEnum):
    """What a button asks for."""

    HOME = "home"
    """How much there is to practise."""
    DUE = "due"
    """The next position that is due."""
    MORE = "more"
    """A position other than the missed ones, once none of those is due."""
    ASK = "ask"
    """The decision of a source."""
    ANSWER = "play"
    GIVE_UP = "tell"
    """What would have been best."""


@dataclass(frozen=True, slots=True)
class PracticeRef:
    """A move in a position to practise, which is named by its source, in the first or second try."""

    source: str
    attempt: int = 1
    number: int = 0

    def custom_id(self, verb: PracticeVerb) -> str:
        return f"{KIND}:{verb}:{self.source}:{self.attempt}:{self.number}"

    @classmethod
    def read(cls, parts: Sequence[str]) -> PracticeRef | None:
        """Read the parts of a custom_id that follow its verb; None if they are malformed."""
        if len(parts) != _PARTS or not _SOURCE.fullmatch(parts[0]) or not all(map(_NUMBER.fullmatch, parts[1:])):
            return None
        return cls(parts[0], int(parts[1]), int(parts[2]))


def again_source(game_id: int, place: int) -> str:
    return f"{AGAIN}/{game_id}/{place}"


def plain_id(verb: PracticeVerb) -> str:
    """The custom_id of a button that refers to no position."""
    return f"{KIND}:{verb}"
