"""What every judge is told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from tests.simulation.network import Request
    from tests.simulation.shots import Shot
    from tests.simulation.town import Town


class Judge:
    """Somebody who watches a town. `kind` names the promise that is broken if it objects."""

    kind: ClassVar[str]

    def __init__(self, town: Town) -> None:
        self.town = town

    @property
    def now(self) -> float:
        """The seconds since the beginning."""
        return self.town.world.machine.now

    @property
    def begin(self) -> float:
        """The time at which that was, in seconds since 1970."""
        return self.town.world.machine.begin

    def object_to(self, what: str) -> None:
        """Say that the promise is broken. What is said often is said three times."""
        counts = self.town.world.counts
        counts[f"found {self.kind}"] += 1
        if counts[f"found {self.kind}"] <= 3:
            self.town.world.found(self.kind, what)

    def pressed(self, shot: Shot) -> None:
        """Somebody has just pressed something, sent a command or a form."""

    def arrived(self, request: Request) -> None:
        """A request has reached Discord, and takes effect after this, or fails."""

    def heard(self, request: Request) -> None:
        """A request has been carried out, or has failed."""

    def put_off(self, shot: Shot) -> None:
        """A press was answered in time, but only with the promise that something will come."""

    def over(self, shot: Shot) -> None:
        """The time in which a press could be answered is over."""

    def died(self) -> None:
        """A process has been killed, and its disk may have lost what wasn't synced."""

    def at_rest(self) -> None:
        """No fault is under way any more, and for a while nobody has pressed anything."""

    def at_the_end(self, database: Path) -> None:
        """The bot has been stopped. `database`: a copy of what it has stored, for this judge and its neighbours."""
