"""Hints: the same question is thought about once, other questions are questions of their own, and a review agrees."""

import asyncio
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from bot.coach.analysis import Analysis, analyse
from bot.coach.grading import Grade
from bot.engine.rules import Seating
from bot.engine.views import SeatView
from bot.thinking import InlineThinker, Urgency
from bot.thinking.port import seeded
from bot.training.live.review import KEPT, Decision, Hints, OwnMatch, reviewed
from tests.players.positions import SCOPONE
from tests.thinking.test_processes import EARLY, VIEWS, views


class Counting(InlineThinker):
    """An analyst that counts what it thinks about, and has no answers while it is `busy`."""

    def __init__(self) -> None:
        super().__init__(most_draws=2)
        self.work: Counter[tuple[str, Urgency, int | None]] = Counter()
        self.busy = False

    async def analysis(self, view: SeatView, seed: str, urgency: Urgency, **how: Any) -> Analysis | None:
        self.work[seed, urgency, how["person"]] += 1
        found = await super().analysis(view, seed, urgency, **how)
        return None if self.busy else found


async def test_however_often_a_hint_is_asked_it_is_thought_about_once() -> None:
    analyst = Counting()
    hints = Hints(analyst)
    first, *others = await asyncio.gather(*(hints.of(EARLY, 7, 1) for _ in range(40)))
    later = [await hints.of(EARLY, 7, 1) for _ in range(40)]
    assert first is not None
    assert all(each is first for each in (*others, *later))
    assert analyst.work == {(f"advice/7/{EARLY.public.version}/{EARLY.seat}", Urgency.HINT, 1): 1}


async def test_each_table_and_each_position_is_a_question_of_its_own() -> None:
    analyst = Counting()
    hints = Hints(analyst)
    for table_id in (7, 8):
        for view in VIEWS[:3]:
            await hints.of(view, table_id, 1)
    assert len(analyst.work) == analyst.work.total() == 6


async def test_an_analyst_without_an_answer_is_asked_again() -> None:
    analyst = Counting()
    hints = Hints(analyst)
    analyst.busy = True
    assert await hints.of(EARLY, 7, 1) is None
    analyst.busy = False
    assert await hints.of(EARLY, 7, 1) is not None
    assert analyst.work.total() == 2


async def test_somebody_who_gives_up_waiting_takes_the_hint_from_nobody() -> None:
    hints = Hints(Counting())
    quitter, other = (asyncio.create_task(hints.of(EARLY, 7, 1)) for _ in range(2))
    await asyncio.sleep(0)
    quitter.cancel()
    assert await other is not None


async def test_only_so_many_hints_are_kept() -> None:
    hints = Hints(Counting())
    for version in range(KEPT + 5):
        await hints.of(replace(EARLY, public=replace(EARLY.public, version=version)), 7, 1)
    assert len(hints._asked) == KEPT


class Stepping(InlineThinker):
    """An analyst that ends early as the worker processes do, with fewer draws."""

    async def analysis(self, view: SeatView, seed: str, urgency: Urgency, **how: Any) -> Analysis | None:
        return analyse(view, seeded(seed), draws=how["draws"] // 8, played=how.get("played"), settle=True)


async def nothing(*_: object) -> None:
    """Do nothing."""


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("seating", [Seating.TWO, Seating.PAIRS], ids=lambda seating: seating.value)
async def test_a_review_finds_the_hinted_move_of_ten_card_scopone_the_best(number: int, seating: Seating) -> None:
    seen = views(SCOPONE, seating, number)
    view = seen[len(seen) * (number + 2) // 6]
    hinted = await Hints(Stepping()).of(view, 7, 1)
    assert hinted is not None
    decision = Decision(view.public.version, view, hinted.best.move)
    review = await reviewed(Stepping(), 7, OwnMatch((), (decision,)), nothing, 1, nothing)
    assert review is not None
    [judged] = review.judged
    assert judged.analysis.best == hinted.best
    assert (judged.grade, judged.lost) == (Grade.GOOD, 0)
