"""What a server decides about its tables, and how many lobbies may be open."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.tables.pace import Pace


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How tables are run on a server.

    `pace` is how long things wait, `hints` whether the current player may ask for advice in an unranked match, `talk`
    whether computers chat now and then, `reactions` whether players may react to moves.
    """

    pace: Pace = field(default_factory=Pace)
    hints: bool = True
    talk: bool = True
    reactions: bool = True


@dataclass(frozen=True, slots=True)
class LobbyLimits:
    """How many lobbies may be open at once on a server, and how many that the same person opened."""

    per_guild: int = 20
    per_person: int = 3
