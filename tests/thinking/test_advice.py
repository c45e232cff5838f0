"""Hints and reviews share worker processes with computers' moves, which always go first; failures only cost advice."""

import asyncio
import gc
import json
import os
import pickle
import signal
from collections import Counter
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

from bot.coach.analysis import analyse
from bot.coach.finding import Wanted
from bot.coach.luck import DealtRound, compared, played_again
from bot.engine.cards import DECK
from bot.engine.events import Sang
from bot.engine.moves import Sing
from bot.engine.rules import PRESETS, Rules, Seating
from bot.platform.operating.meter import Thought
from bot.platform.people import Person
from bot.players import Level
from bot.players.lookahead import never
from bot.tables.log.codec import fold
from bot.thinking import InlineThinker, Urgency
from bot.thinking.port import Work, chosen_move
from bot.thinking.priority_pool import PriorityPool
from bot.thinking.processes import ProcessThinker
from bot.thinking.worker import (
    SIZE,
    LuckQuestion,
    MoveQuestion,
    TrialQuestion,
    analysis_in_steps,
    luck_in_steps,
    scouted_in_steps,
    serve,
)
from bot.training.live.review import DRAWS, decisions_of
from tests.support.patience import HANG_SECONDS
from tests.support.recorded import log_events
from tests.thinking.test_processes import (
    EARLY,
    Noted,
    a_preset_or_the_others,
    answered,
    gone,
    hard,
    normal,
    pid_of,
    processes,
    views,
)

T = TypeVar("T")


async def hint(thinker: ProcessThinker, draws: int = 20) -> object:
    return await answered(thinker.analysis(EARLY, "7/3", Urgency.HINT, draws=draws))


async def judged(thinker: ProcessThinker, draws: int = DRAWS) -> object:
    return await answered(thinker.analysis(EARLY, "7/3", Urgency.REVIEW, draws=draws))


# ------------------------------------------------------------------------------------------------ the pool


async def test_the_most_urgent_goes_next_and_equals_go_in_order_of_arrival() -> None:
    pool = PriorityPool(["it"])
    order: list[str] = []

    async def use(name: str, urgency: int) -> None:
        thing = await pool.acquire(urgency)
        order.append(name)
        await asyncio.sleep(0)
        pool.release(thing)

    first = await pool.acquire(2)
    waiting = [("review 1", 2), ("hint", 1), ("review 2", 2), ("move 1", 0), ("move 2", 0)]
    tasks = [asyncio.create_task(use(name, urgency)) for name, urgency in waiting]
    await asyncio.sleep(0)
    pool.release(first)
    await asyncio.gather(*tasks)
    assert order == ["move 1", "move 2", "hint", "review 1", "review 2"]


async def test_among_equals_people_take_turns_however_much_one_of_them_asks() -> None:
    pool = PriorityPool(["it"])
    order: list[str] = []

    async def use(name: str, urgency: int, person: int | None) -> None:
        thing = await pool.acquire(urgency, person)
        order.append(name)
        await asyncio.sleep(0)
        pool.release(thing)

    first = await pool.acquire(1, 1)
    greedy: list[tuple[str, int, int | None]] = [(f"Ana {number}", 1, 1) for number in range(4)]
    others: list[tuple[str, int, int | None]] = [
        ("Bea 0", 1, 2),
        ("Bea 1", 1, 2),
        ("nobody 0", 1, None),
        ("nobody 1", 1, None),
        ("a move of Ana", 0, 1),
    ]
    tasks = [asyncio.create_task(use(*each)) for each in (*greedy, *others)]
    await asyncio.sleep(0)
    pool.release(first)
    await asyncio.gather(*tasks)
    expected = ["a move of Ana", "Bea 0", "nobody 0", "Ana 0", "Bea 1", "nobody 1", "Ana 1", "Ana 2", "Ana 3"]
    assert order == expected


async def test_an_exchange_lets_the_more_urgent_go_first_and_nobody_else() -> None:
    pool = PriorityPool(["it"])
    order: list[str] = []

    async def use(name: str, urgency: int, times: int) -> None:
        thing = await pool.acquire(urgency)
        for _ in range(times):
            order.append(name)
            await asyncio.sleep(0)
            thing = await pool.exchange(thing, urgency)
        pool.release(thing)

    await asyncio.gather(use("hint", 1, 2), use("review", 2, 2), use("move", 0, 1))
    assert order == ["hint", "move", "hint", "review", "review"]


async def test_what_is_released_to_a_waiter_that_gave_up_goes_to_the_next() -> None:
    pool = PriorityPool(["it"])
    thing = await pool.acquire(0)
    quitter, other = asyncio.create_task(pool.acquire(0)), asyncio.create_task(pool.acquire(1))
    await asyncio.sleep(0)
    pool.release(thing)
    quitter.cancel()
    assert await asyncio.wait_for(other, HANG_SECONDS) == "it"
    late = asyncio.create_task(pool.acquire(0))
    await asyncio.sleep(0)
    late.cancel()
    await asyncio.gather(late, return_exceptions=True)
    pool.release("it")
    assert await asyncio.wait_for(pool.acquire(2), HANG_SECONDS) == "it"


# ------------------------------------------------------------------------------------------------ answers


@a_preset_or_the_others
async def test_the_process_finds_the_same_analysis_as_without_it(presets: Sequence[str]) -> None:
    async with processes() as (thinker, noted):
        for preset in map(PRESETS.__getitem__, presets):
            for view in views(preset.rules, preset.seatings[0])[::9]:
                played = view.moves[-1]
                found = await thinker.analysis(view, "7/3", Urgency.REVIEW, draws=20, played=played)
                assert found == analyse(view, Random("7/3"), draws=20, played=played, settle=True)
        assert {outcome for _, outcome in noted.advice} == {Thought.FULL}


@pytest.mark.thorough
@pytest.mark.parametrize("rules", [Rules(), PRESETS["quince"].rules], ids=["escoba", "quince"])
def test_an_analysis_is_the_same_wherever_it_is_cut_into_steps(rules: Rules) -> None:
    rng = Random("cuts")
    for view in views(rules, Seating.THREE)[::4]:
        played = view.moves[-1]
        found = cut_up(analysis_in_steps(view, "7/3", 1000, played), rng)
        assert found == analyse(view, Random("7/3"), draws=1000, played=played, settle=True)


@a_preset_or_the_others
async def test_luck_and_the_search_for_a_day_are_the_same_wherever_they_are_cut(presets: Sequence[str]) -> None:
    rng = Random("cuts")
    for preset in map(PRESETS.__getitem__, presets):
        dealt = DealtRound(preset.rules, preset.seatings[-1], 1, tuple(rng.sample(DECK, len(DECK))))
        wanted = Wanted(preset.rules, preset.seatings[-1], greedy=True, obvious=True)
        works: list[Callable[[], Work[object]]] = [
            lambda dealt=dealt: luck_in_steps(dealt, "luck/7/0", 200),
            lambda wanted=wanted: scouted_in_steps(wanted, "day/0"),
        ]
        for work in works:
            assert cut_up(work(), rng) == await InlineThinker().solve(work(), Urgency.LUCK)


def cut_up(work: Work[T], rng: Random) -> T:
    """Think about each question, stopping after any number of draws."""
    question = next(work)
    while True:
        answer = json.loads(json.dumps(question.think(lambda: rng.random() < 0.02)))
        try:
            question = work.send(question.parse(answer))
        except StopIteration as end:
            return end.value


STEP = TrialQuestion(EARLY, "7/3", EARLY.moves[:1], 2)


@pytest.mark.parametrize("path", [(), (0,), (1,), (0, 0), (0, 0, 0), (0, 0, 0, 0), (0, 0, 1), (1, 1), (1, 1, 0)])
@pytest.mark.parametrize("other", [None, [], "x", [0.5] * 3, float("nan")])
def test_an_invalid_answer_from_a_process_is_rejected(path: tuple[int, ...], other: Any) -> None:
    answer = json.loads(json.dumps(STEP.think(lambda: False)))
    STEP.parse(answer)
    if path == ():
        answer = other
    else:
        place = answer
        for index in path[:-1]:
            place = place[index]
        place[path[-1]] = other
    with pytest.raises((ValueError, TypeError, KeyError, IndexError, AttributeError)):
        STEP.parse(answer)


def test_a_worker_spares_its_tables_from_the_garbage_collector() -> None:
    body, target = pickle.dumps(STEP), BytesIO()
    try:
        serve(BytesIO(SIZE.pack(len(body)) + body), target)
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
    STEP.parse(json.loads(target.getvalue()[SIZE.size :]))


@pytest.mark.parametrize("answer", [-1, 99, "0", 1.0, None, True and [0]])
def test_a_move_that_the_view_does_not_have_is_rejected(answer: Any) -> None:
    with pytest.raises(ValueError, match="no such move"):
        MoveQuestion(EARLY, None, "", 1.0).parse(answer)  # type: ignore[arg-type]


async def test_without_processes_there_is_no_advice() -> None:
    async with processes(0) as (thinker, noted):
        assert await hint(thinker) is None
        assert noted.advice == []


# ------------------------------------------------------------------------------------------------ queue


async def test_the_most_urgent_is_thought_about_first() -> None:
    async with processes() as (thinker, _):
        await hard(thinker)
        os.kill(pid := pid_of(thinker), signal.SIGSTOP)  # so that all requests have to wait
        order: list[str] = []

        async def note(name: str, work: Any) -> None:
            assert await work is not None
            order.append(name)

        def asked(urgency: Urgency) -> Any:
            return answered(thinker.analysis(EARLY, "7/3", urgency, draws=20))

        first = asyncio.create_task(note("being thought about", hard(thinker)))
        await asyncio.sleep(0.05)
        works = [(kind.name, asked(kind)) for kind in reversed(Urgency) if kind is not Urgency.MOVE]
        tasks = [first, *(asyncio.create_task(note(*each)) for each in [*works, ("MOVE", hard(thinker))])]
        await asyncio.sleep(0.05)
        os.kill(pid, signal.SIGCONT)
        await asyncio.gather(*tasks)
        assert [name for name in order if name != "being thought about"] == ["MOVE", "HINT", "DAY", "REVIEW", "LUCK"]


async def test_a_live_move_does_not_wait_for_the_rest_of_an_analysis() -> None:
    async with processes() as (thinker, noted):
        await hard(thinker)
        endless = asyncio.create_task(thinker.analysis(EARLY, "7/3", Urgency.REVIEW, draws=10_000_000))
        for _ in range(3):
            assert await hard(thinker) == chosen_move(EARLY, Level.HARD, "7/3/1")
        assert not endless.done()
        endless.cancel()
        await asyncio.gather(endless, return_exceptions=True)
        assert await hard(thinker) in EARLY.moves, "a cancelled analysis leaves its process usable"
        assert set(noted.thoughts) == {Thought.FULL}


MOST = {Urgency.HINT: 8, Urgency.DAY: 2, Urgency.REVIEW: 16, Urgency.LUCK: 16}


async def test_too_many_of_a_kind_are_refused_at_once_but_moves_are_not() -> None:
    async with processes() as (thinker, noted):
        asked = {
            kind: [answered(thinker.analysis(EARLY, "7/3", kind, draws=2)) for _ in range(most + 2)]
            for kind, most in MOST.items()
        }
        tasks = {kind: [asyncio.create_task(each) for each in waiting] for kind, waiting in asked.items()}
        await asyncio.sleep(0)
        assert await hard(thinker) in EARLY.moves
        for kind, waiting in tasks.items():
            assert [found is None for found in await asyncio.gather(*waiting)].count(True) == 2
            assert noted.advice.count((kind.name.lower(), Thought.BUSY)) == 2
        assert noted.thoughts == [Thought.FULL]


async def test_nobody_takes_all_the_room_or_all_the_turns_of_a_kind() -> None:
    async with processes() as (thinker, noted):
        await hard(thinker)
        os.kill(pid := pid_of(thinker), signal.SIGSTOP)  # so that all requests have to wait
        order: list[str] = []

        async def ask(name: str, kind: Urgency, person: int) -> bool:
            found = await answered(thinker.analysis(EARLY, "7/3", kind, draws=2, person=person))
            order.append(name)
            return found is not None

        asked = [
            asyncio.create_task(ask(name, kind, person))
            for kind, most in MOST.items()
            for name, person in [*[(f"{kind.name} of Ana", 1)] * (most + 2), (f"{kind.name} of Bea", 2)]
        ]
        await asyncio.sleep(0.05)
        refused = len(order)
        os.kill(pid, signal.SIGCONT)
        found = await asyncio.gather(*asked)
        assert Counter(order[:refused]) == {"HINT of Ana": 8, "DAY of Ana": 3, "REVIEW of Ana": 14, "LUCK of Ana": 14}
        assert found.count(False) == refused
        for kind in MOST:
            served = [name for name in order[refused:] if name.startswith(kind.name)]
            assert served.index(f"{kind.name} of Bea") <= 1, "after the one that was thought about already"
        assert {outcome for _, outcome in noted.advice} == {Thought.FULL, Thought.BUSY}


async def test_a_process_killed_or_frozen_in_the_meantime_costs_only_the_advice(
    expected_log: Callable[[str], bool],
) -> None:
    async with processes() as (thinker, noted):
        await hard(thinker)
        os.kill(pid := pid_of(thinker), signal.SIGSTOP)
        asked = asyncio.create_task(hint(thinker))
        await asyncio.sleep(0.05)
        os.kill(pid, signal.SIGKILL)
        assert await asked is None
        assert await hard(thinker) == normal()
        thinker._processes[0]._down_until = 0.0
        assert await hint(thinker) is not None, "another process is started after a while"
        os.kill(pid := pid_of(thinker), signal.SIGSTOP)
        thinker._seconds = 0.3
        moves = asyncio.create_task(asyncio.wait_for(hard(thinker), HANG_SECONDS))
        found = await asyncio.gather(judged(thinker), hint(thinker), judged(thinker))
        assert found == [None, None, None]
        assert await moves == normal()
        await gone(pid)
        assert expected_log("Could not give advice")
        assert ("hint", Thought.FAILED) in noted.advice


async def test_nobody_is_left_waiting_on_closing() -> None:
    noted = Noted()
    thinker = ProcessThinker(1, noted)
    await hard(thinker)
    os.kill(pid := pid_of(thinker), signal.SIGSTOP)
    asked = [asyncio.create_task(hint(thinker)), asyncio.create_task(judged(thinker))]
    await asyncio.sleep(0.05)
    await thinker.close()
    assert await asyncio.gather(*asked) == [None, None]
    await gone(pid)
    assert not Path(f"/proc/{pid}/exe").exists()
    assert await hint(thinker) is None


# ------------------------------------------------------------------------------------------------ decisions


@pytest.mark.parametrize("preset", PRESETS)
def test_a_persons_decisions_are_their_moves_as_they_saw_the_table(preset: str) -> None:
    seats = PRESETS[preset].seatings[0].seats
    people = [Person(n + 1, f"P{n}") for n in range(seats)]
    events = log_events(preset, people)
    state = fold(events)
    assert state.match is not None
    for person in people:
        decisions = decisions_of(events, person.id)
        assert len(decisions) > 5
        for decision in decisions:
            view = decision.view
            assert view.has_turn
            assert view.seat == person.id - 1
            assert view.public.laid is None, "laying a card and choosing its capture are one decision"
            assert decision.move in view.moves
            assert len(view.moves) > 1
        sung = sum(isinstance(event, Sang) and event.seat == person.id - 1 for event in events)
        assert [decision.move for decision in decisions].count(Sing()) == sung
        assert (sung > 0) is PRESETS[preset].rules.cantos
    assert decisions_of(events, 99) == ()


async def test_the_luck_of_a_round_comes_from_a_process_as_it_would_from_here() -> None:
    deck = tuple(Random(1).sample(DECK, len(DECK)))
    for preset, seating in (("escoba", Seating.TWO), ("quince", Seating.TRIPLE_PAIRS)):
        dealt = DealtRound(PRESETS[preset].rules, seating, 1, deck)
        async with processes() as (thinker, noted):
            found = await answered(thinker.solve(luck_in_steps(dealt, "luck/7/0", 20), Urgency.LUCK))
            assert found == compared(played_again(dealt, Random("luck/7/0"), 20, never))
            assert noted.advice == [("luck", Thought.FULL)]


STATE = Random(1).getstate()


@pytest.mark.parametrize(
    ("games", "state"),
    [
        *((games, STATE) for games in ([], [[1, 2]] * 3, [[1, 2], [1]], [[1, 2, 3]], [[1, "nan"]], [1, 2], 3, None)),
        *(([[1, 2]], state) for state in (None, [], 3, [3, [1], None], [3, [-1] * 625, None])),
    ],
)
def test_an_answer_without_each_sides_points_is_rejected(games: Any, state: Any) -> None:
    question = LuckQuestion(DealtRound(PRESETS["escoba"].rules, Seating.TWO, 0, tuple(DECK)), "a", 2)
    assert question.parse([[[1, 2]], STATE]) == ([[1, 2]], STATE)
    with pytest.raises((ValueError, TypeError)):
        question.parse([games, state])
