"""Reviews under way and recent ones: one at a time for each person, with their progress shown, and cancellable."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final

from cachetools import LRUCache

from bot.store import Judgement, Store, StoreError
from bot.tables.errors import Refusal, RefusalCode
from bot.thinking import Analyst
from bot.training.practice import missed_in
from bot.training.review import OwnMatch, Review, reviewed
from bot.ui.layout import Layout
from bot.ui.training.screens.review import broken_off_layout, progress_layout, summary_layout
from bot.ui.transport.ephemeral import EphemeralMessage
from bot.ui.transport.trouble import NETWORK
from bot.ui.words.refusals import refusal
from bot.ui.words.texts import Words

log = logging.getLogger(__name__)

KEPT: Final = 64
"""Reviews that are kept for stepping through; others are made again when somebody asks for them."""
BETWEEN: Final = timedelta(seconds=2)
"""Seconds between two updates of the progress."""


class Reviews:
    """Makes reviews in the background.

    Args:
        analyst: judges decisions.
        store: keeps the results of reviews.
        now: the present instant.
    """

    def __init__(self, analyst: Analyst, store: Store, now: Callable[[], datetime]) -> None:
        self._analyst = analyst
        self._store = store
        self._now = now
        self._made: LRUCache[tuple[int, int], Review] = LRUCache(KEPT)
        self._beginning: set[int] = set()
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def get(self, game_id: int, person_id: int) -> Review | None:
        """Somebody's review of a game, if it is still kept."""
        return self._made.get((game_id, person_id))

    @contextmanager
    def only_one(self, person_id: int) -> Generator[None]:
        """Context manager for beginning a person's review: nobody has two at a time, even by two quick clicks.

        Raises:
            Refusal: if one of this person's reviews is being made, or begun.
        """
        if person_id in self._tasks or person_id in self._beginning:
            raise Refusal(RefusalCode.REVIEWING)
        self._beginning.add(person_id)
        try:
            yield
        finally:
            self._beginning.discard(person_id)

    def begin(self, person_id: int, game_id: int, match: OwnMatch, sent: EphemeralMessage, t: Words) -> None:
        """Make a review, and show its progress and result in a private message.

        Raises:
            Refusal: if the person has been erased since it was begun: nothing of theirs is left to review.
        """
        if person_id not in self._beginning:
            raise Refusal(RefusalCode.NO_REVIEW)
        work = self._make(person_id, game_id, match, sent, t)
        task = self._tasks[person_id] = asyncio.create_task(work)
        task.add_done_callback(lambda _: self._over(person_id, task))

    def cancel(self, person_id: int) -> bool:
        """Stop a person's review; returns whether there was one."""
        task = self._tasks.pop(person_id, None)
        return task is not None and task.cancel()

    def forget(self, person_id: int) -> None:
        """Forget a person's reviews, including those under way and those just begun: their data is erased."""
        self._beginning.discard(person_id)
        self.cancel(person_id)
        for key in [key for key in self._made if key[1] == person_id]:
            del self._made[key]

    async def close(self) -> None:
        """Stop all of them."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _over(self, person_id: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(person_id) is task:
            del self._tasks[person_id]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("A review failed", exc_info=error)

    async def _make(self, person_id: int, game_id: int, match: OwnMatch, sent: EphemeralMessage, t: Words) -> None:
        shown_at, count = self._now(), len(match.decisions)

        async def show_progress(done: int) -> None:
            nonlocal shown_at
            if self._now() - shown_at >= BETWEEN and done < count:
                shown_at = self._now()
                await _show(sent, progress_layout(game_id, done, count, t))

        review = await reviewed(self._analyst, game_id, match, show_progress, person_id)
        if review is None:
            text = refusal(Refusal(RefusalCode.NO_ADVICE), t)
            await _show(sent, broken_off_layout(game_id, text, t))
            return
        self._made[game_id, person_id] = review
        await self._keep(person_id, review)
        await _show(sent, summary_layout(review, t))

    async def _keep(self, person_id: int, review: Review) -> None:
        """Keep a review's result, unless every move was the only legal one and there was nothing to decide.

        What was missed is kept for practice.
        """
        if not review.judged:
            return
        points, given_away = review.thousandths
        try:
            await self._store.keep_review(
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


async def _show(sent: EphemeralMessage, layout: Layout) -> None:
    try:
        await sent.edit(layout)
    except NETWORK as error:
        log.debug("Could not show a review (%s)", type(error).__name__)
