"""Reviews under way and recent ones: one at a time for each person, with their progress shown, and cancellable.

A few are made at once. The others wait in line and see their place, so that a review that has begun is finished.
"""

import asyncio
import logging
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from cachetools import LRUCache

from bot.platform.database.errors import StoreError
from bot.platform.kit.host import Background
from bot.platform.language.texts import Words
from bot.platform.layout import Layout
from bot.platform.refusals import Refusal
from bot.platform.transport.channels import EphemeralMessage
from bot.platform.transport.trouble import NETWORK
from bot.thinking import Analyst
from bot.training.live.practice import missed_in
from bot.training.live.review import OwnMatch, Review, reviewed
from bot.training.refusals import TrainingRefusal
from bot.training.screens.review import broken_off_layout, progress_layout, summary_layout
from bot.training.store.practice import ReviewRows
from bot.training.store.rows import Judgement

log = logging.getLogger(__name__)

KEPT: Final = 64
"""Reviews that are kept for stepping through; others are made again when somebody asks for them."""
BETWEEN: Final = timedelta(seconds=2)
"""Seconds between two updates of the progress."""
AT_ONCE: Final = 4
"""Reviews that are made at once, each with one decision at a time: a single process has room for more."""
AGAIN_SECONDS: Final = 6.0
"""The wait before a decision without an analysis is asked about again; a process that died is back by then."""


@dataclass(slots=True)
class _Asked:
    """A review that somebody has asked for; `shown` is the place in line that they have been shown, 0 for none."""

    game_id: int
    match: OwnMatch
    sent: EphemeralMessage
    t: Words
    shown: int


class Reviews:
    """Makes reviews in the background.

    Args:
        analyst: judges decisions.
        store: keeps the results of reviews.
        now: the present instant.
        broken_off: called with the person whose review has broken off through no fault of theirs.
    """

    def __init__(
        self, analyst: Analyst, store: ReviewRows, now: Callable[[], datetime], broken_off: Callable[[int], None]
    ) -> None:
        self._analyst = analyst
        self._store = store
        self._now = now
        self._broken_off = broken_off
        self._line: dict[int, _Asked] = {}
        """The reviews that wait for their turn, by person, in the order in which they came."""
        self._made: LRUCache[tuple[int, int], Review] = LRUCache(KEPT)
        self._background = Background()
        self._beginning: set[int] = set()
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def get(self, game_id: int, person_id: int) -> Review | None:
        """Somebody's review of a game, if it is still kept."""
        return self._made.get((game_id, person_id))

    @contextmanager
    def only_one(self, person_id: int) -> Generator[None]:
        """Context manager for beginning a person's review: nobody has two at a time, even by two quick clicks.

        Raises Refusal if one of this person's reviews is being made, or begun.
        """
        if person_id in self._tasks or person_id in self._line or person_id in self._beginning:
            raise Refusal(TrainingRefusal.REVIEWING)
        self._beginning.add(person_id)
        try:
            yield
        finally:
            self._beginning.discard(person_id)

    @property
    def before(self) -> int:
        """The number of reviews that come before one that is begun now."""
        return 0 if len(self._tasks) < AT_ONCE else len(self._line) + 1

    def begin(self, person_id: int, game_id: int, match: OwnMatch, sent: EphemeralMessage, t: Words) -> None:
        """Make a review when its turn comes, and show its progress and result in a private message.

        Raises Refusal if the person has been erased since it was begun: nothing of theirs is left to review.
        """
        if person_id not in self._beginning:
            raise Refusal(TrainingRefusal.NO_REVIEW)
        self._line[person_id] = _Asked(game_id, match, sent, t, self.before)
        self._go_on()

    def cancel(self, person_id: int) -> bool:
        """Stop a person's review; returns whether there was one."""
        waited = self._line.pop(person_id, None) is not None
        task = self._tasks.pop(person_id, None)
        stopped = task is not None and task.cancel()
        if waited or stopped:
            self._go_on()
        return waited or stopped

    def _go_on(self) -> None:
        """Begin the reviews whose turn has come, and show the others their places."""
        while self._line and len(self._tasks) < AT_ONCE:
            person_id, asked = next(iter(self._line.items()))
            del self._line[person_id]
            task = self._tasks[person_id] = asyncio.create_task(self._make(person_id, asked))
            task.add_done_callback(partial(self._over, person_id))
        for before, asked in enumerate(self._line.values(), 1):
            if before < asked.shown:
                asked.shown = before
                count = len(asked.match.decisions)
                self._background.spawn(
                    _show_review(asked.sent, progress_layout(asked.game_id, 0, count, asked.t, before=before))
                )

    def forget(self, person_id: int) -> None:
        """Forget a person's reviews, or everybody's for 0, also those under way or just begun: data is erased."""
        for each in [person_id] if person_id else [*self._beginning, *self._line, *self._tasks]:
            self._beginning.discard(each)
            self.cancel(each)
        for key in [key for key in self._made if person_id in (0, key[1])]:
            del self._made[key]

    async def close(self) -> None:
        """Cancel all reviews, those that wait for their turn as well."""
        self._line.clear()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _over(self, person_id: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(person_id) is task:
            del self._tasks[person_id]
            self._go_on()
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("A review failed", exc_info=error)

    async def _make(self, person_id: int, asked: _Asked) -> None:
        game_id, match, sent, t = asked.game_id, asked.match, asked.sent, asked.t
        shown_at, count = self._now(), len(match.decisions)

        async def show_progress(done: int) -> None:
            nonlocal shown_at
            if self._now() - shown_at >= BETWEEN and done < count:
                shown_at = self._now()
                await _show_review(sent, progress_layout(game_id, done, count, t))

        review = await reviewed(
            self._analyst, game_id, match, show_progress, person_id, lambda: asyncio.sleep(AGAIN_SECONDS)
        )
        if review is None:
            self._broken_off(person_id)
            text = TrainingRefusal.NO_ADVICE.reason(t)
            await _show_review(sent, broken_off_layout(game_id, text, t))
            return
        self._made[game_id, person_id] = review
        await self._keep(person_id, review)
        await _show_review(sent, summary_layout(review, t))

    async def _keep(self, person_id: int, review: Review) -> None:
        """Keep a review's result, unless every move was the only legal one and there was nothing to decide.

        What was missed is kept for practice.
        """
        if not review.judged:
            return
        points, given_away = review.thousandths
        try:
            await self._store.put(
                review.game_id,
                person_id,
                Judgement(
                    score=points,
                    given_away=given_away,
                    rounds=review.rounds,
                    decisions=len(review.judged),
                    at=self._now(),
                ),
                await missed_in(review, self._now()),
            )
        except StoreError as error:
            log.warning("Could not store a review's result: %s", error)


async def _show_review(sent: EphemeralMessage, layout: Layout) -> None:
    try:
        await sent.edit(layout)
    except NETWORK as error:
        log.debug("Could not show a review (%s)", type(error).__name__)
