"""The rows that go into the store and come out of it: frozen values without behaviour of their own."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry of a game's log. `version` counts from 1 in each game; the store never looks into `body`."""

    version: int
    kind: str
    body: str
    at: datetime


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game of a channel; it is open while `closed_at` is None. The message is the game's public one."""

    id: int
    guild_id: int
    channel_id: int
    opener_id: int
    locale: str
    opened_at: datetime
    closed_at: datetime | None
    message_id: int | None
    message_at: datetime | None


@dataclass(frozen=True, slots=True)
class OpenGame:
    """Where an open game is, and whether its match has begun; its row may hold more that nobody can read."""

    id: int
    guild_id: int
    channel_id: int
    opener_id: int
    playing: bool


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """What one seat made of a match. A user has one seat in it.

    `user_id` is None for a computer, and for a user who was forgotten. A negative one stands for a user who was
    forgotten while the match went on; it is kept as None.
    """

    seat: int
    side: int
    user_id: int | None
    name: str
    won: bool
    points: int
    escobas: int


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A finished match. Matches that are not `ranked` are practice and count in no leaderboard."""

    guild_id: int
    channel_id: int
    ended_at: datetime
    preset: str
    target: int
    seating: str
    rounds: int
    ranked: bool
    players: tuple[PlayerResult, ...]


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """How right a user's decisions in a match were, in thousandths, how many they were, and when it was reviewed."""

    game_id: int
    accuracy: int
    decisions: int
    at: datetime


@dataclass(frozen=True, slots=True)
class PersonalRows:
    """What is kept about one user: games that may name them, (game id, result) with only their own seat in it, their
    choices, if they have made any, and the matches they have looked back at."""

    games: tuple[GameRow, ...]
    results: tuple[tuple[int, MatchResult], ...]
    choices: str | None = None
    reviews: tuple[ReviewRow, ...] = ()


class Metric(StrEnum):
    """What a leaderboard is ordered by."""

    WINS = "wins"
    RATE = "rate"
    POINTS = "points"
    ESCOBAS = "escobas"


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A player in a leaderboard. Equal ones share a `rank` (1, 2, 2, 4); `name` is the latest known one."""

    rank: int
    user_id: int
    name: str
    matches: int
    wins: int
    points: int
    escobas: int

    @property
    def rate(self) -> float:
        """Share of the matches that were won, 0 to 1."""
        return self.wins / self.matches if self.matches else 0.0


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a leaderboard; `total` counts the players of the whole list."""

    rows: tuple[RankedRow, ...]
    total: int


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """A user's ranked matches in a guild, and the practice beside them.

    `streak` is how many of the latest ranked matches were won in a row, and `best_streak` the longest such run;
    `last_played_at` looks at practice too; `rank_by_wins` is the place in the leaderboard of all time, None without a
    ranked match.
    """

    matches: int
    wins: int
    points: int
    escobas: int
    rounds: int
    streak: int
    best_streak: int
    practice_matches: int
    practice_wins: int
    last_played_at: datetime | None
    rank_by_wins: int | None

    @property
    def rate(self) -> float:
        """Share of the ranked matches that were won, 0 to 1."""
        return self.wins / self.matches if self.matches else 0.0
