"""The topics of questions to those who play."""

from __future__ import annotations

from enum import StrEnum


class Topic(StrEnum):
    """The subject of a question to those who play."""

    END = "end"
    """Whether a rated match is to end without a result."""
    PAUSE = "pause"
    """Whether the clocks of a slow match are to stand still for some days."""
    SEAT = "seat"
    """Whether somebody may take the seat of a person who has left a friendly match."""
