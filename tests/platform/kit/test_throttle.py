"""Users who spam buttons are ignored for a while, whoever else clicks, and nobody is remembered for longer."""

from collections.abc import Iterable, Sized
from datetime import UTC, datetime, timedelta

import pytest

from bot.platform.kit.throttle import Throttle, Verdict
from tests.support.dose import thorough_but

SERVED, WARNED, IGNORED = Verdict.SERVED, Verdict.WARNED, Verdict.IGNORED
MOST = 3
CROWD = 10_000
"""Many people."""
SPAMMER, PATIENT, QUIET, STEADY = 1, 2, 3, 4
OTHERS = 1_000
"""The lowest id of the people who only make up the crowd."""


class FakeClock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self._now = datetime(2026, 3, 14, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        """The present."""
        return self._now

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self._now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> FakeClock:
    """A clock at noon."""
    return FakeClock()


@pytest.fixture
def throttle(clock: FakeClock) -> Throttle:
    """A throttle that allows three interactions in ten seconds."""
    return Throttle(clock, MOST)


def judged(throttle: Throttle, person: int, times: int) -> list[Verdict]:
    """The verdicts on this many interactions at one instant."""
    return [throttle.judge(person) for _ in range(times)]


def crowd(throttle: Throttle, people: Iterable[int]) -> set[Verdict]:
    """The verdicts on one interaction by each of these people."""
    return {throttle.judge(OTHERS + person) for person in people}


def remembered(throttle: Throttle) -> int:
    """How many entries the throttle holds in all its collections."""
    return sum(len(kept) for kept in vars(throttle).values() if isinstance(kept, Sized))


def test_beyond_the_limit_one_interaction_is_warned_and_the_rest_are_ignored(throttle: Throttle):
    assert judged(throttle, SPAMMER, 6) == [SERVED, SERVED, SERVED, WARNED, IGNORED, IGNORED]
    assert judged(throttle, PATIENT, 1) == [SERVED]


def test_ten_seconds_after_each_interaction_another_is_served(throttle: Throttle, clock: FakeClock):
    for _ in range(MOST):
        assert throttle.judge(SPAMMER) is SERVED
        clock.wait(3)
    assert throttle.judge(SPAMMER) is WARNED  # after nine seconds
    clock.wait(1.001)
    assert judged(throttle, SPAMMER, 2) == [SERVED, IGNORED]
    clock.wait(3)
    assert judged(throttle, SPAMMER, 2) == [SERVED, IGNORED]


def test_refused_interactions_dont_count(throttle: Throttle, clock: FakeClock):
    judged(throttle, SPAMMER, MOST)
    for _ in range(20):
        clock.wait(0.5)
        assert throttle.judge(SPAMMER) is not SERVED
    clock.wait(0.001)
    assert judged(throttle, SPAMMER, MOST) == [SERVED] * MOST


def test_a_user_who_goes_on_is_warned_again_after_ten_seconds(throttle: Throttle, clock: FakeClock):
    judged(throttle, SPAMMER, MOST)
    clock.wait(9)
    assert judged(throttle, SPAMMER, 2) == [WARNED, IGNORED]
    clock.wait(2)
    assert judged(throttle, SPAMMER, MOST) == [SERVED] * MOST
    assert throttle.judge(SPAMMER) is IGNORED
    clock.wait(8.001)
    assert judged(throttle, SPAMMER, 2) == [WARNED, IGNORED]


def test_a_limit_of_zero_allows_any_number_and_remembers_nobody(clock: FakeClock):
    throttle = Throttle(clock, 0)
    assert set(judged(throttle, SPAMMER, 1_000)) == {SERVED}
    assert crowd(throttle, range(100)) == {SERVED}
    assert remembered(throttle) == 0


def test_a_spammer_isnt_forgotten_because_many_others_click(throttle: Throttle, clock: FakeClock):
    judged(throttle, QUIET, 1)
    judged(throttle, STEADY, 1)
    clock.wait(5)
    judged(throttle, STEADY, 2)
    clock.wait(5)
    assert judged(throttle, SPAMMER, MOST + 2) == [SERVED, SERVED, SERVED, WARNED, IGNORED]
    judged(throttle, PATIENT, MOST - 1)
    clock.wait(0.001)  # now QUIET's click is too long ago
    assert crowd(throttle, range(CROWD + 100)) == {SERVED}
    assert judged(throttle, SPAMMER, 3) == [IGNORED] * 3
    assert judged(throttle, PATIENT, 3) == [SERVED, WARNED, IGNORED]
    assert judged(throttle, STEADY, 2) == [SERVED, WARNED]
    assert judged(throttle, QUIET, MOST) == [SERVED] * MOST


def test_a_warned_user_isnt_warned_again_because_many_others_click(throttle: Throttle, clock: FakeClock):
    judged(throttle, SPAMMER, MOST)
    assert throttle.judge(SPAMMER) is WARNED
    for second in range(9):
        crowd(throttle, range(second * 1_120, (second + 1) * 1_120))
        clock.wait(1)
        assert throttle.judge(SPAMMER) is IGNORED
    clock.wait(1.001)
    assert throttle.judge(SPAMMER) is SERVED


@pytest.mark.parametrize(
    "each", thorough_but([1, MOST, MOST + 2], MOST + 2), ids=["one click", "all they may", "warned and ignored"]
)
def test_people_who_have_gone_are_forgotten_however_many_there_are(throttle: Throttle, clock: FakeClock, each: int):
    largest = 0
    for wave in range(4):
        for person in range(wave * CROWD, (wave + 1) * CROWD):
            judged(throttle, OTHERS + person, each)
        largest = max(largest, remembered(throttle))
        clock.wait(10.001)
    judged(throttle, PATIENT, each)
    assert largest <= 2 * CROWD  # each person of a wave once, and once more if they were warned
    assert remembered(throttle) == 1 + (each > MOST)


def test_in_a_steady_stream_people_are_remembered_for_ten_seconds(throttle: Throttle, clock: FakeClock):
    for person in range(5 * CROWD):
        judged(throttle, OTHERS + person, MOST + 1 if person % 2 else 1)
        clock.wait(0.005)  # 2,000 people in ten seconds
    assert remembered(throttle) <= 3_001  # each once, and every second once more for the warning
    assert throttle.judge(OTHERS + 5 * CROWD - 1) is IGNORED  # the latest was warned, and is remembered
