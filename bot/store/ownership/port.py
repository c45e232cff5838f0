"""What the bot asks of the ownership of its shards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import StrEnum
from typing import Final, Protocol

from bot.store.news import News

Heard = Callable[[News, int], None]
"""Is told what another process has changed, and about whom."""


OWNER_MARK: Final = "owner:"
"""What the keys of small values begin with that say who had which shards last."""
TURN_MARK: Final = "identify:"
"""What those begin with that say when a session of a bucket was begun last."""


class Held(StrEnum):
    """How it stands with a process's shards."""

    NO = "not_asked_for"
    WAITING = "held_by_another_process"
    """Another process has one of them at least."""
    YES = "held"
    DOUBTFUL = "in_doubt"
    """The database doesn't answer: nothing is written until it is known whether they are still held."""
    LOST = "lost"
    """Another process has them now, or may have: this one is to end."""


class Owner(Protocol):
    """A process's right to its shards. The order is `acquire`, anything else, `close`."""

    @property
    def held(self) -> Held:
        """How it stands now."""
        ...

    @property
    def waits_for_turns(self) -> bool:
        """Whether `turn` keeps processes apart; if not, there is this one only."""
        ...

    async def acquire(self, heard: Heard) -> None:
        """Wait until no other process has any of the shards, and have them.

        `heard` is told of news from then on.

        Raises:
            StoreError: if the database can't be used for this.
        """
        ...

    async def confirm(self) -> None:
        """Return if the shards are held for certain; waits a little while that is in doubt.

        Raises:
            StoreUnavailable: if they aren't: nothing may be written.
        """
        ...

    async def lost(self) -> None:
        """Return when the shards are lost for good; else never."""
        ...

    async def turn(self, bucket: int, *, come: bool = False) -> None:
        """Wait until a shard of one of Discord's buckets may begin a session, whatever processes began others.

        `come`: it may, and the time until the next one counts from now.
        """
        ...

    async def close(self) -> None:
        """Give the shards back, after the last write. Safe to call twice, and without `acquire`."""
        ...


class Unowned:
    """Everybody's: for simulations, which have no second process."""

    held = Held.YES
    waits_for_turns = False

    async def acquire(self, heard: Heard) -> None:
        """Nothing is to be waited for."""

    async def confirm(self) -> None:
        """Always."""

    async def lost(self) -> None:
        """Never."""
        await never()

    async def turn(self, bucket: int, *, come: bool = False) -> None:
        """Discord's library waits by itself."""

    async def close(self) -> None:
        """There is nothing to be given back."""


async def never() -> None:
    """Wait for what doesn't come."""
    await asyncio.get_running_loop().create_future()
