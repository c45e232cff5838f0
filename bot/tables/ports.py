"""What tables need from outside: where they are stored, what time it is, whom to tell, and how long things wait."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from bot.operating.meter import Meter
from bot.store import Store
from bot.tables.chance import Chance
from bot.tables.clock import Clock
from bot.tables.pace import Pace
from bot.tables.preferences import PreferencesCache
from bot.thinking import InlineThinker, Thinker

# The table is a parameter because `Table` is made of these: an import of it would close a circle.
T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)


class Observer(Protocol[T_contra]):
    """Who tells people what happened. Called after the store holds it; must not block and must not raise."""

    def changed(self, table: T_contra) -> None:
        """The table's state changed."""
        ...

    def warned(self, table: T_contra) -> None:
        """The player at turn has little time left."""
        ...

    def nudged(self, table: T_contra) -> None:
        """The player at turn is to be told that it's their turn."""
        ...

    def lost(self, table: T_contra) -> None:
        """The table's channel is gone: there is nobody to be told what happens there from now on."""
        ...


@dataclass(frozen=True, slots=True)
class Ports(Generic[T]):
    """What a table needs from outside.

    `store` holds every event before anybody sees it, `clock` schedules all deadlines, `observer` tells people what
    happened, decks come from `chance`, `meter` is told what is stored, `pace` says how long things wait: it is the
    server's own. `people` knows what each has chosen; `thinker` finds the computers' moves; `hints` says whether who is
    at turn may ask for advice in a match that doesn't count; `talk`: computers say a word now and then.
    """

    store: Store
    clock: Clock
    observer: Observer[T]
    chance: Chance
    meter: Meter
    pace: Pace
    preferences: PreferencesCache
    thinker: Thinker = field(default_factory=InlineThinker)
    hints: bool = False
    talk: bool = True
