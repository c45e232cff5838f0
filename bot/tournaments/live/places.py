"""The places of a tournament's tables: a port, as only the user interface knows Discord."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.tournaments.live.view import NoThreadsReason, TournamentView
from bot.tournaments.rules.tournament import Entry


class NoThreads(Exception):
    """A tournament's channel gets no threads, and asking again would change nothing for now."""

    def __init__(self, reason: NoThreadsReason) -> None:
        super().__init__(reason.value)
        self.reason = reason


class TryLater(Exception):
    """Discord doesn't answer, or has had too many requests; ask again after `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"not before {seconds} seconds")
        self.seconds = seconds


class Places(Protocol):
    """Gives tables their channels."""

    async def thread(self, view: TournamentView, round: int, table: int, entries: tuple[Entry, Entry]) -> int:
        """Open a thread for a table, or find the one that was opened for it before the bot stopped; returns its id.

        Raises NoThreads if its channel gets none, TryLater if that isn't known yet.
        """
        ...

    def archive_soon(self, guild_id: int, channel_id: int) -> None:
        """A table's game is over: have Discord archive its thread before long. Doesn't wait for that."""
        ...

    def call_to_check_in(self, view: TournamentView, people: Sequence[int]) -> None:
        """Check-in has begun at its time: mention these people. Doesn't wait for that."""
        ...

    def tell_no_threads(self, view: TournamentView, reason: NoThreadsReason) -> None:
        """Tell the organiser that tables are played one after the other in the channel, and why. Doesn't wait."""
        ...
