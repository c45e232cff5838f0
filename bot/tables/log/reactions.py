"""Reactions: quiet signs that players give for the latest move of somebody else, at most one for each move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.engine.facts import CantosSung, CaptureClaimed, CardPlayed, Fact

TableMove = CardPlayed | CaptureClaimed | CantosSung


class Sign(StrEnum):
    """A sign that can be given without words. The value is stored."""

    CLAP = "clap"
    GASP = "gasp"
    HUFF = "huff"
    LUCK = "luck"
    BROOM = "broom"


@dataclass(frozen=True, slots=True)
class Reaction:
    """The sign that the player of `seat` gave for a move."""

    to: TableMove
    seat: int
    sign: Sign


def latest_move(recent: Sequence[Fact]) -> TableMove | None:
    return next((fact for fact in reversed(recent) if isinstance(fact, TableMove)), None)


def reactable(recent: Sequence[Fact], reactions: Sequence[Reaction], seat: int) -> TableMove | None:
    """The latest move, unless it is this seat's own or it has reacted to it; None if there is no such move."""
    latest = latest_move(recent)
    if latest is None or latest.seat == seat or any(each.to == latest and each.seat == seat for each in reactions):
        return None
    return latest
