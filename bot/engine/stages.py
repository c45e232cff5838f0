"""The stages of a match."""

from __future__ import annotations

from enum import StrEnum


class Stage(StrEnum):
    """The next thing that a match waits for."""

    TO_DEAL = "to_deal"
    """The first round, or the next one, to be dealt; meanwhile players look at the latest score."""
    TO_PLAY = "to_play"
    """A move by the current player."""
    OVER = "over"
