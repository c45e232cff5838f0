"""The database's rows of what people have learnt."""

from dataclasses import dataclass
from datetime import date, datetime


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
