"""A server's decisions about its tables, and its limit on open lobbies."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from bot.tables.log.pace import Pace

FIXTURE_SECONDS: Final = 5 * 60
"""The deadline of a turn in a tournament, unless the server's is longer. A player who misses it loses the match."""
_FIXTURE_WARNING: Final = 60


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The way tables are run on a server.

    `pace` is how long things wait, `hints` whether the current player may ask for advice in an unranked match, `talk`
    whether computers chat now and then, `reactions` whether people may show faces.
    """

    pace: Pace = field(default_factory=Pace)
    hints: bool = True
    talk: bool = True
    reactions: bool = True

    def alone(self) -> TableOptions:
        """Run the match of somebody who plays alone without any deadline, whatever the bot's usual one is."""
        return replace(self, pace=self.pace.alone())

    def at_fixture(self) -> TableOptions:
        """Run a tournament's tables with a deadline and a warning, without hints, whatever servers choose."""
        pace = replace(self.pace, warning=self.pace.warning or _FIXTURE_WARNING)
        return replace(self, pace=pace.with_turn(max(FIXTURE_SECONDS, pace.turn)), hints=False)


@dataclass(frozen=True, slots=True)
class LobbyLimits:
    """The limits on open lobbies: on a server, and opened by the same person."""

    per_guild: int = 50
    per_person: int = 3
