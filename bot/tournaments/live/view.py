"""The visible part of a tournament."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from enum import StrEnum

from bot.platform.people.namesakes import people_apart, renamed
from bot.tournaments.rules.tournament import Tournament


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
