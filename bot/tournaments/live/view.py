"""The public view of a tournament, and the places where it is shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from bot.platform.people import people_apart, renamed
from bot.tournaments.rules.tournament import Entry, Tournament


class NoThreadsReason(StrEnum):
    """The reason why a tournament's tables have no threads, and are played one after the other in its channel."""

    NO_PERMISSION = "no_permission"
    """The bot may not open threads there, or may not write in them."""
    TOO_MANY_THREADS = "too_many_threads"
    """The server has as many active threads as Discord allows."""
    NO_PLACE = "no_place"
    """The channel has no threads: it is one itself, or the chat of a voice channel."""


@dataclass(frozen=True, slots=True)
class TableLink:
    """The latest game of a pairing.

    Attributes:
        game_id: its number.
        channel_id: where it is, or was: its thread, or the tournament's channel.
        open: whether it is still being played.
        resultless: whether it has been looked up that it ended without a result.
    """

    game_id: int
    channel_id: int
    open: bool
    resultless: bool = False


@dataclass(frozen=True, slots=True)
class TournamentView:
    """A tournament as everybody sees it.

    Attributes:
        message_id: its public message; None if there is none.
        tables: by round and table, the games that count. A pairing that isn't here waits for its table. For one that
            is resultless the organiser gives a result, or has it played again.
        deadline: when check-in ends, or the next round begins by itself.
        no_threads_reason: why its tables are played in its own channel; None while they have threads.
        opened_at: when sign-up was opened.
    """

    id: int
    guild_id: int
    channel_id: int
    locale: str
    state: Tournament
    message_id: int | None = None
    tables: Mapping[tuple[int, int], TableLink] = field(default_factory=dict[tuple[int, int], TableLink])
    deadline: datetime | None = None
    no_threads_reason: NoThreadsReason | None = None
    opened_at: datetime | None = None

    def __post_init__(self) -> None:
        state = self.state
        entered = (person for entry in state.entries for person in entry.people)
        before = (person for winner in state.last for person in winner.people)
        if names := people_apart((*before, state.organiser, *state.asked, *entered)):
            others = {field.name: getattr(state, field.name) for field in fields(state) if field.name != "rounds"}
            changed = {name: renamed(value, names) for name, value in others.items()}
            object.__setattr__(self, "state", replace(state, **changed))

    def link(self, round: int, table: int) -> TableLink | None:
        """The game of a pairing; None while it waits for one."""
        return self.tables.get((round, table))


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
