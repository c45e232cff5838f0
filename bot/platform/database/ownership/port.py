"""The right of a process to its shards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from bot.platform.database.news import News

NewsListener = Callable[[News, int], None]
"""A function called with what another process has changed, and the id it concerns."""

Ready = Callable[[], bool]
"""A function that tells whether a waiting process could serve the shards at once, being connected to Discord
already."""

OWNER_MARK: Final = "owner:"
"""Prefix of the keys that say which process had a shard last."""
TURN_MARK: Final = "identify:"
"""Prefix of the keys that say when the latest session of a bucket began."""


def never_ready() -> bool:
    return False


class Held(StrEnum):
    """Whether a process owns its shards."""

    NO = "not_asked_for"
    WAITING = "held_by_another_process"
    """Another process has at least one of the shards; nothing is written."""
    YES = "held"
    DOUBTFUL = "in_doubt"
    """The database doesn't answer: nothing is written while it is unknown whether the shards are still held."""
    LOST = "lost"
    """Another process has the shards, or may have: this one must exit, unless it finds that nobody else had them."""


class Owner:
    """A process's right to its shards. Call `take` or `acquire` first and `close` last.

    This one is for simulations, which have no second process: everything is owned.
    """

    held = Held.YES
    """Whether the shards are held now."""
    waits_for_turns = False
    """Whether `turn` coordinates several processes; if not, this is the only one."""
    mark: tuple[str, str] | None = None
    """A key and its value, which are stored from `take` on until another process has taken any of the shards; None
    if the shards can't be taken away."""

    async def take(self, heard: NewsListener) -> bool:
        """Take the shards if no other process has any of them; return whether they were taken.

        `heard` is called with news from then on.

        Raises:
            StoreError: if the database can't be used for this.
        """
        return True

    async def acquire(self, heard: NewsListener, *, ready: Ready = never_ready) -> None:
        """Wait until no other process has any of the shards, and take them, as `take` does.

        As soon as this process is `ready`, the process that has the shards can tell (`has_successor`). The owner of a
        file ends to make way for it (`asked_to_end`).
        """

    async def asked_to_end(self) -> None:
        """Return when this process should end, because another is ready to take its place; otherwise never."""
        await never()

    async def has_successor(self) -> bool:
        """Whether another process is ready to take the shards as soon as they are released. Takes a second at most."""
        return False

    async def confirm(self) -> None:
        """Return if the shards are certainly held; if that is in doubt, wait a little.

        Raises:
            StoreUnavailable: they aren't held, and nothing may be written.
        """

    async def lost(self) -> None:
        """Return when the shards are lost for good, otherwise never."""
        await never()

    async def turn(self, bucket: int, *, starts_now: bool = False) -> None:
        """Wait until a shard of one of Discord's buckets may begin a session, counting the sessions of all processes.

        `starts_now`: don't wait for the others; the time until the next session counts from now. A process that waits
        for its shards may call this, too, once `take` has returned.
        """

    async def take_place(self, person_id: int) -> bool:
        """Take the place of a person whom any process may serve, one at a time, unless this process has it. If another
        one has it, ask for it and wait a little.

        Returns whether this process has it now.

        Raises:
            StoreError: if the database can't be used for this.
        """
        return True

    def has_place(self, person_id: int) -> bool:
        """Whether this process has a person's place, as far as it knows: another one may just have been given it."""
        return True

    async def leave_place(self, person_id: int) -> None:
        """Let other processes have a person's place; this process may write nothing of theirs after that."""

    async def close(self) -> None:
        """Release the shards, after the last write. Safe to call twice, and without `acquire`."""


async def never() -> None:
    await asyncio.get_running_loop().create_future()
