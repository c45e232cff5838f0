"""Practice: positions that somebody missed come back, after longer and longer waits, until they have learned them."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.coach.grading import Grade
from bot.engine.moves import Move
from bot.engine.notation import Position
from bot.platform.database.errors import StoreError
from bot.platform.refusals import CommonRefusal, Refusal
from bot.training.live.days import Library
from bot.training.live.finding import Exercise, ExerciseError, NewerExercise
from bot.training.live.review import Review
from bot.training.rules.themes import Theme, theme_of
from bot.training.store.practice import PracticePositions
from bot.training.store.rows import PracticeRow, PracticeState

log = logging.getLogger(__name__)

WAITS: Final = (timedelta(days=1), timedelta(days=3), timedelta(days=10))
"""The waits of a position after it was missed, after it was then solved once, and after it was solved twice."""
EARLY: Final = timedelta(hours=6)
"""Positions are due this much earlier: whoever practises at about the same time each day needn't wait a day more."""
LEARNED: Final = len(WAITS)
"""The step of a position that has been solved after each of these waits: it isn't asked again."""
KNOWN: Final = LEARNED + 1
"""The step of a position that was solved at first sight: it isn't asked again either."""
MOST_OF_A_REVIEW: Final = 10
"""The most positions that a review leaves to practise, the costliest."""
_MISSED: Final = (Grade.MISTAKE, Grade.BLUNDER)


def rescheduled(step: int, now: datetime, *, solved: bool) -> tuple[int, datetime]:
    """Work out a position's step after an answer, and the time when it is due again, or `now` if it isn't.

    Missed positions begin from the first step again.
    """
    step = step + 1 if solved else 0
    return step, now + WAITS[step] - EARLY if step < LEARNED else now


@dataclass(frozen=True, slots=True)
class Queue:
    """A person's practice: the positions that are `due`, and those that will be `later`, earliest first."""

    due: tuple[PracticeState, ...]
    later: tuple[PracticeState, ...]
    learned: int
    seen: frozenset[str]
    """The sources of all positions that they have, or have had."""

    @classmethod
    def of(cls, states: Iterable[PracticeState], now: datetime) -> Queue:
        """Make the queue as it is `now`."""
        everything = sorted(states, key=lambda state: (state.due_at, state.source))
        open_ones = [state for state in everything if state.step < LEARNED]
        return cls(
            tuple(state for state in open_ones if state.due_at <= now),
            tuple(state for state in open_ones if state.due_at > now),
            sum(state.step == LEARNED for state in everything),
            frozenset(state.source for state in everything),
        )

    @property
    def next_at(self) -> datetime | None:
        """The time when the next position will be due."""
        return self.later[0].due_at if self.later else None

    @property
    def weak(self) -> list[tuple[Theme, int]]:
        """The themes of the positions that aren't learned yet, with the number of positions of each, most first."""
        counted = Counter(state.theme for state in (*self.due, *self.later))
        return [(Theme(theme), count) for theme, count in counted.most_common() if theme in list(Theme)]


def exercise_of(review: Review, number: int) -> Exercise:
    """Make an exercise of a decision in a reviewed match, to ask its player about again."""
    judged = review.judged[number]
    return Exercise(Position(review.events[: judged.decision.version]), judged.analysis)


async def missed_in(review: Review, now: datetime) -> list[PracticeRow]:
    """Collect the costliest mistakes and blunders of a review, for the store."""
    numbers = [number for number in review.costliest if review.judged[number].grade in _MISSED][:MOST_OF_A_REVIEW]

    def rows() -> list[PracticeRow]:
        found: list[PracticeRow] = []
        for number in numbers:
            source = f"review/{review.game_id}/{review.judged[number].decision.version}"
            found.append(missed(source, exercise_of(review, number), review.judged[number].decision.move, now))
        return found

    # Each one replays the match up to its decision, which would keep everybody else waiting.
    return await asyncio.to_thread(rows) if numbers else []


def missed(source: str, exercise: Exercise, played: Move, now: datetime) -> PracticeRow:
    """Prepare a position that somebody has just missed with a move, for the store."""
    step, due_at = rescheduled(0, now, solved=False)
    return PracticeRow(source, exercise.dump(), theme_missed(exercise, played), step, due_at)


def theme_missed(exercise: Exercise, played: Move) -> Theme:
    """Find the theme that somebody overlooked in making this move."""
    judged = exercise.judged(played)
    return theme_of(exercise.view, judged.analysis, played if judged.lost else None)


class Practice:
    """Everybody's positions to practise.

    Args:
        store: keeps it.
        library: has positions for those who have nothing to practise.
        now: the present instant.
    """

    def __init__(self, store: PracticePositions, library: Library, now: Callable[[], datetime]) -> None:
        self._store = store
        self._library = library
        self._now = now

    async def queue(self, person_id: int) -> Queue:
        """Read what somebody has to practise now and later."""
        return Queue.of(await self._store.of(person_id), self._now())

    async def due(self, person_id: int) -> tuple[str, Exercise] | None:
        """Find the position that somebody should practise next, with its source; None if none is due."""
        for state in (await self.queue(person_id)).due:
            try:
                exercise = await self._kept(person_id, state.source)
            except NewerExercise:
                continue
            if exercise is not None:
                return state.source, exercise
            await self._put_aside(person_id, state)
        return None

    async def another(self, person_id: int) -> tuple[str, Exercise] | None:
        """Find a position that somebody hasn't seen, about what they miss most; None if there is none left."""
        queue = await self.queue(person_id)
        return await self._library.pick(person_id, [theme for theme, _ in queue.weak], queue.seen)

    async def exercise(self, person_id: int, source: str) -> Exercise | None:
        """The position of a source, if somebody practises it or might; None if it isn't kept any more.

        Raises Refusal if a newer version has stored it.
        """
        try:
            return await self._kept(person_id, source) or await self._library.get(source)
        except NewerExercise as error:
            raise Refusal(CommonRefusal.FROM_NEWER) from error

    async def answered(self, person_id: int, source: str, exercise: Exercise, move: Move) -> PracticeState | None:
        """Note somebody's first answer to a position; return the position's new state.

        None if the answer changes nothing, because the position isn't due: it has just been answered.
        """
        now, solved = self._now(), exercise.judged(move).grade is Grade.GOOD
        row = await self._store.get(person_id, source)
        if row is None:
            theme = theme_missed(exercise, move)
            new = PracticeRow(source, "", theme, KNOWN, now) if solved else missed(source, exercise, move, now)
            await self._store.add(person_id, [new])
            return _state(new)
        if row.step >= LEARNED or row.due_at > now:
            return None
        step, due_at = rescheduled(row.step, now, solved=solved)
        after = replace(row, step=step, due_at=due_at, exercise=row.exercise if step < LEARNED else "")
        return _state(after) if await self._store.move(person_id, _state(row), after) else None

    async def missed(self, person_id: int, source: str, exercise: Exercise, move: Move) -> None:
        """Keep a position that somebody has missed elsewhere, unless that cost little."""
        if exercise.judged(move).grade not in _MISSED:
            return
        try:
            await self._store.add(person_id, [missed(source, exercise, move, self._now())])
        except StoreError as error:  # the answer itself is stored
            log.warning("Could not keep a missed position for practice: %s", error)

    async def _kept(self, person_id: int, source: str) -> Exercise | None:
        row = await self._store.get(person_id, source)
        if row is None or not row.exercise:
            return None
        try:
            return await asyncio.to_thread(Exercise.load, row.exercise)  # it replays a match
        except NewerExercise:
            raise
        except ExerciseError as error:
            log.warning("Can't read a position to practise: %s", error)
            return None

    async def _put_aside(self, person_id: int, state: PracticeState) -> None:
        """Stop asking a position that can't be read."""
        row = PracticeRow(state.source, "", state.theme, KNOWN, self._now())
        await self._store.move(person_id, state, row)


def _state(row: PracticeRow) -> PracticeState:
    return PracticeState(row.source, row.theme, row.step, row.due_at)
