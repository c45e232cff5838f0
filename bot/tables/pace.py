"""How long things wait at a table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things wait, in seconds, and how many lobbies may be open at once.

    `turn` 0: no deadline; `warning`, before the deadline, 0: none; `paused`: while nobody can see the table; `idle`:
    for a move where there is no deadline, 0: for ever; `forgotten`: for a move before anybody may close the table.
    """

    turn: float = 120
    warning: float = 30
    computer: float = 1.5
    next_round: float = 45
    abandon: float = 30 * 60
    paused: float = 24 * 60 * 60
    lobby: float = 60 * 60
    idle: float = 14 * 24 * 60 * 60
    forgotten: float = 10 * 60
    lobbies_per_guild: int = 20
    lobbies_per_person: int = 3
