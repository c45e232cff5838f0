"""What people have done, what goes wrong, and who watches."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from tests.simulation.network import Request
    from tests.simulation.people import Somebody


ANSWER_SECONDS: Final = 3.0
"""For how long Discord waits for the first answer to an interaction."""


@dataclass(slots=True)
class Shot:
    """Something that somebody did, and the bot's answer to it."""

    who: Somebody
    what: str
    channel_id: int
    at: float
    reached: bool
    """Whether a process was connected that could hear of it."""
    record: Any
    payload: dict[str, Any]
    answered: float | None = None
    kind: int = 0
    doubled: bool = False
    excuse: str = ""
    """Why the bot can't be blamed if there is no answer."""

    @property
    def erases(self) -> bool:
        """Whether somebody has all that is kept about them erased."""
        return self.what.startswith("p:eraseyes")


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that goes wrong for a while. `silent`: people may have to do without an answer."""

    name: str
    begin: float
    end: float
    silent: bool


class Watching(Protocol):
    """Somebody who watches a town: see `judges.judge.Judge`."""

    def pressed(self, shot: Shot) -> None: ...

    def arrived(self, request: Request) -> None: ...

    def heard(self, request: Request) -> None: ...

    def put_off(self, shot: Shot) -> None: ...

    def over(self, shot: Shot) -> None: ...

    def died(self) -> None: ...

    def at_rest(self) -> None: ...

    def at_the_end(self, database: Path) -> None: ...
