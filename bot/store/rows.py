"""Rows that go into the database and come out of it: frozen values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final

from bot.club.achievements import Achievement
from bot.platform.people.person import NOBODY


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game of a channel; it is open while `closed_at` is None. The message is the game's public one.

    The game of somebody who plays alone in private has neither a server nor a channel.

    `commitment` is the commitment to the seed of its decks, if they are drawn with one; `posted` is how often the table
    was posted before the first deal.
    """

    id: int
    guild_id: int | None
    channel_id: int | None
    opener_id: int
    locale: str
    opened_at: datetime
    closed_at: datetime | None
    message_id: int | None
    message_at: datetime | None
    commitment: str | None = None
    posted: int = 0


@dataclass(frozen=True, slots=True)
class OpenGame:
    """The place of an open game, and whether its match has begun: all that is known without reading its log."""

    id: int
    guild_id: int | None
    channel_id: int | None
    opener_id: int
    playing: bool


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """One seat's result in a match. A user has one seat in it.

    `user_id` is None for a computer and for a user who was erased. A negative id stands for a user who was erased
    during the match; it is stored as None.

    `place` is 1 for those who won; equals share a place, and without places no ratings change. Somebody who left, who
    hasn't `stayed`, is last, and has no `sources`: JSON that says where the points of their side came from, by item.

    The store itself fills in the ratings: `mu` and `sigma` before the match, `new_mu` and `new_sigma` after it, and
    `weight`, the share of the change that was made. They are None if the match changed no ratings; the latter three
    also for a user who was erased. So is `known`: whether the user had met enough people to count as a person of their
    own.

    `deeds` are the achievements that the match by itself earns; they are stored as achievements, and not read back
    with the result.
    """

    seat: int
    side: int
    user_id: int | None
    name: str
    won: bool
    points: int
    escobas: int
    place: int | None = None
    sources: str | None = None
    stayed: bool = True
    mu: float | None = None
    sigma: float | None = None
    new_mu: float | None = None
    new_sigma: float | None = None
    weight: float | None = None
    known: bool = False
    deeds: frozenset[Achievement] = frozenset()


PLAYER_COLUMNS: Final = tuple(name for name in PlayerResult.__dataclass_fields__ if name != "deeds")
"""The columns that a seat's result is made of."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A finished match. Matches that aren't `ranked` count in no leaderboard: practice, or `friendly` ones.

    Without a server it is the match of somebody who played alone in private, and is counted nowhere.

    `rule_set` is the number of the server's own rules that it was played by; None if it was played by a preset, or if
    the rules were changed after a set was chosen.

    `luck` is stored later, if at all: see `MatchLuck`. The store itself fills in `nth`, the match's number among those
    of the same people on that UTC day, if it is ranked; and `weight`, how much that leaves of the rating changes, if it
    changed any ratings.
    """

    guild_id: int | None
    channel_id: int | None
    ended_at: datetime
    preset: str
    target: int
    seating: str
    rounds: int
    ranked: bool
    players: tuple[PlayerResult, ...]
    luck: str | None = None
    friendly: bool = False
    nth: int | None = None
    weight: float | None = None
    rule_set: int | None = None

    @property
    def server(self) -> int:
        """The server where it is counted; it must have one."""
        assert self.guild_id is not None, "it wasn't played in private"
        return self.guild_id


def without_stand_ins(result: MatchResult) -> MatchResult:
    """Replace the negative ids in a result before it is stored: they stand for people erased during the match."""
    if all(player.user_id is None or player.user_id >= 0 for player in result.players):
        return result
    players = (
        replace(player, user_id=None, name=NOBODY) if player.user_id is not None and player.user_id < 0 else player
        for player in result.players
    )
    return replace(result, players=tuple(players))


@dataclass(frozen=True, slots=True)
class Judgement:
    """The outcome of the review of a user's decisions in a match, and when it was made.

    `score` is in thousandths, `given_away` in thousandths of a point. `rounds` counts those with a decision.
    """

    score: int
    given_away: int
    rounds: int
    decisions: int
    at: datetime


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A game and the review of a user's decisions in it."""

    game_id: int
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class PracticeRow:
    """A position that a user practises. `source` says where it is from; a user has only one for each source.

    `step` is how often it has been solved since it was missed. `exercise` is empty once it needn't be asked again.
    """

    source: str
    exercise: str
    theme: str
    step: int
    due_at: datetime


@dataclass(frozen=True, slots=True)
class PracticeState:
    """A `PracticeRow` without the exercise, which is long."""

    source: str
    theme: str
    step: int
    due_at: datetime


@dataclass(frozen=True, slots=True)
class LessonRow:
    """A user's progress in a lesson: the number of steps they have done, and what the next step needs to continue.

    A lesson that was only offered is at step 0.
    """

    lesson: str
    step: int
    state: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class DayAnswer:
    """A user's one answer to the position of a UTC day.

    Attributes:
        guild_id: where it was given; None once that server's data is deleted.
        name: the user's name at that time.
        move: in the engine's notation.
        lost: in thousandths of a point; 0 if it was as good as the best move.
        counted: whether it was given on that day.
    """

    day: date
    user_id: int
    guild_id: int | None
    name: str
    move: str
    lost: int
    counted: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class RuleSetRow:
    """A server's own rule set. `config` is what a lobby begins with, written as in a game's log.

    `saved_by`: who saved the rules last; None once that user is erased.
    """

    id: int
    guild_id: int
    name: str
    config: str
    saved_by: int | None
    saved_at: datetime


@dataclass(frozen=True, slots=True)
class PersonalRows:
    """The stored data about one user: games that may name them, (game id, result) with only their own seat in it, their
    preferences if there are any, their reviews, (server, matches, wins, losses) against each other person, the
    positions that they practise, their progress in lessons, their answers to days' positions, (server, achievement,
    time) for their achievements, the rule sets that they have saved for servers, (server, day, thousandths of a point)
    for what their rating has gained from each other person, and what is noted about a private message that they are
    still to get."""

    games: tuple[GameRow, ...]
    results: tuple[tuple[int, MatchResult], ...]
    choices: str | None = None
    reviews: tuple[ReviewRow, ...] = ()
    rivals: tuple[tuple[int, int, int, int], ...] = ()
    practice: tuple[PracticeRow, ...] = ()
    lessons: tuple[LessonRow, ...] = ()
    answers: tuple[DayAnswer, ...] = ()
    achievements: tuple[tuple[int, str, datetime], ...] = ()
    rule_sets: tuple[RuleSetRow, ...] = ()
    gains: tuple[tuple[int, str, int], ...] = ()
    owed: str | None = None
