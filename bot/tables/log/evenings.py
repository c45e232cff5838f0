"""Evenings: the live matches of a channel with little time between them, and the score in them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Self

from bot.engine.rules import Seating
from bot.tables.log.events import Phase
from bot.tables.log.seats import Seat
from bot.tables.log.state import TableState

QUIET: Final = timedelta(minutes=30)
"""The time between two matches from which on they belong to different evenings."""
_QUIET_IN_SERIES: Final = timedelta(hours=2)
"""The same after a match of a best of three that isn't over."""
MOST_MATCHES: Final = 25
"""The most matches of an evening: Discord's limit of options, as its card's menu leads to each."""
LONGEST: Final = timedelta(hours=8)
"""The time after its beginning from which on an evening gets no further match."""
BEST_OF: Final = 3
"""The most matches of a best of three; whoever has won more than half of them has won it."""

Side = frozenset[int]
"""The people of a side."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a match: who played it, by side (a side of robots has nobody), and which side has won, if any.

    `best_of_three`: whether it was one of a best of three.
    """

    sides: tuple[Side, ...]
    winner: int | None
    best_of_three: bool = False

    def is_between(self, sides: Sequence[Side]) -> bool:
        """Whether these people played it, on these sides, and nobody else; robots have no score."""
        return all(sides) and len(self.sides) == len(sides) and set(self.sides) == set(sides)


@dataclass(frozen=True, slots=True)
class PastMatch:
    """A live match of a channel that was played to its end, and whose evening may not be over.

    Attributes:
        game_id: its table.
        begun_at: when it began.
        ended_at: when it was over.
        outcome: who has won it.
        message_id: the message that shows its result; None if it isn't shown yet.
        card_id: the message with the card of its evening; None until that is posted, 0 while it is being posted.
    """

    game_id: int
    begun_at: datetime
    ended_at: datetime
    outcome: Outcome
    message_id: int | None = None
    card_id: int | None = None


def over_at(evening: Sequence[PastMatch]) -> datetime:
    """The moment at which an evening is over, unless another match begins before."""
    last = evening[-1].outcome
    score = Score.between(last.sides, [each.outcome for each in evening], series=True)
    undecided = last.best_of_three and score.matches > 0 and not score.decides
    return evening[-1].ended_at + (_QUIET_IN_SERIES if undecided else QUIET)


def goes_on(evening: Sequence[PastMatch], at: datetime) -> bool:
    """Whether a match that begins at a moment belongs to an evening whose latest match was over before."""
    return len(evening) < MOST_MATCHES and at < over_at(evening) and at - evening[0].begun_at <= LONGEST


def evenings_of(matches: Sequence[PastMatch]) -> list[tuple[PastMatch, ...]]:
    """Split a channel's matches, the earliest first, into evenings."""
    found: list[tuple[PastMatch, ...]] = []
    for match in matches:
        if found and goes_on(found[-1], match.begun_at):
            found[-1] = (*found[-1], match)
        else:
            found.append((match,))
    return found


@dataclass(frozen=True, slots=True)
class Score:
    """The score between the same people: how many matches each side has won, and how many were drawn."""

    wins: tuple[int, ...]
    drawn: int = 0

    @classmethod
    def between(cls, sides: Sequence[Side], outcomes: Iterable[Outcome], *, series: bool = False) -> Self:
        """Count the matches that these people have played, on these sides, the earliest first.

        `series`: only those of their latest best of three, over or not.
        """
        score = cls((0,) * len(sides))
        for outcome in outcomes:
            if outcome.is_between(sides) and (outcome.best_of_three or not series):
                score = (cls((0,) * len(sides)) if series and score.decides else score)._after(outcome, sides)
        return score

    def _after(self, outcome: Outcome, sides: Sequence[Side]) -> Self:
        if outcome.winner is None:
            return replace(self, drawn=self.drawn + 1)
        won = outcome.sides[outcome.winner]
        return replace(self, wins=tuple(n + (side == won) for n, side in zip(self.wins, sides, strict=True)))

    @property
    def matches(self) -> int:
        return sum(self.wins) + self.drawn

    @property
    def decides(self) -> bool:
        """Whether a best of three is over."""
        return max(self.wins) > BEST_OF // 2 or self.matches >= BEST_OF


def sides_of(seats: Sequence[Seat], seating: Seating) -> tuple[Side, ...]:
    """The people of each side."""
    seated = [[seats[seat].person_id for seat in seating.seats_of(side)] for side in range(seating.sides)]
    return tuple(frozenset(person_id for person_id in side if person_id is not None) for side in seated)


@dataclass(frozen=True, slots=True)
class Part:
    """A match's part in an evening, noted with its result. `best_of_three`: whether it is one of a best of three."""

    best_of_three: bool


def part_of(state: TableState, *, unhurried: bool) -> Part | None:
    """The part that a table's match has in an evening; None if it isn't over, wasn't played to its end, or is none that
    people sit through together in a channel: unhurried, or a tournament's."""
    if state.phase is not Phase.FINISHED or state.fixture is not None or state.taken_out or unhurried:
        return None
    return Part(state.config.best_of_three)
