"""What Discord's answers say about the time."""

import asyncio
from email.utils import formatdate

import pytest

from bot.platform.operating.true_time import SLACK_SECONDS, SLOW_SECONDS, TrueTime

NOON = 1_800_000_000.0


class Machine:
    """A machine and Discord, whose clocks the test sets; a request takes `way` seconds, and as many to come back."""

    def __init__(self, *, wrong: float = 0.0) -> None:
        self.true = NOON
        self.wrong = wrong
        self.monotonic = 1000.0
        self.time = TrueTime(lambda: self.true + self.wrong, lambda: self.monotonic)

    def pass_by(self, seconds: float) -> None:
        """Let time pass."""
        self.true += seconds
        self.monotonic += seconds

    def answer(self, *, way: float = 0.05, lie: float = 0.0, date: str | None = "") -> None:
        """Have Discord answer a request."""
        self.pass_by(way)
        told = formatdate(self.true + lie, usegmt=True) if date == "" else date
        self.pass_by(way)
        self.time.heard(told, asyncio.get_running_loop().time() - 2 * way)

    @property
    def error(self) -> float:
        """By how much the bot's time is wrong."""
        return self.time.now().timestamp() - self.true


@pytest.mark.parametrize("wrong", [0.0, 0.9, -0.9, 120.0, -120.0, 1e6])
async def test_the_time_is_sure_once_two_answers_agree(wrong: float) -> None:
    machine = Machine(wrong=wrong)
    machine.answer()
    assert not machine.time.sure
    machine.answer()
    assert machine.time.sure
    assert abs(machine.error) <= SLACK_SECONDS
    assert abs(machine.time.offset - wrong) <= SLACK_SECONDS


@pytest.mark.parametrize("part", [0.0, 0.3, 0.7, 0.999])
async def test_a_clock_that_is_right_is_left_alone_at_whatever_part_of_a_second(part: float) -> None:
    machine = Machine()
    machine.pass_by(part)
    for number in range(50):
        machine.answer(way=0.01 * number)
        machine.pass_by(7.31)
    assert machine.time.sure
    assert abs(machine.error) < 0.001


async def test_a_slow_drift_is_corrected_once_it_is_more_than_a_second() -> None:
    machine, worst = Machine(), 0.0
    machine.answer()
    for _ in range(2000):
        machine.pass_by(10)
        machine.monotonic -= 0.002
        machine.answer()
        worst = max(worst, abs(machine.error))
    assert 1 < worst < 2.5


@pytest.mark.parametrize("date", [None, "yesterday", "Sat, 99 Nov 2026 25:00:00 GMT"])
async def test_an_answer_without_a_time_says_nothing(date: str | None) -> None:
    machine = Machine(wrong=50)
    for _ in range(5):
        machine.answer(date=date)
    assert not machine.time.sure
    machine.answer()
    machine.answer(date=date)
    machine.answer()
    assert machine.time.sure
    assert abs(machine.error) < SLACK_SECONDS


async def test_an_answer_that_took_long_says_nothing() -> None:
    machine = Machine(wrong=50)
    for _ in range(5):
        machine.answer(way=SLOW_SECONDS)
    assert not machine.time.sure


async def test_an_answer_to_a_request_from_before_the_doubt_says_nothing() -> None:
    """Two that were under way when the machine was suspended would agree about the time before that."""
    machine = Machine()
    machine.answer()
    machine.answer()
    machine.time.look()
    date, sent = formatdate(machine.true, usegmt=True), asyncio.get_running_loop().time() - 0.1
    machine.true += 3600
    machine.time.look()
    assert not machine.time.sure
    for _ in range(3):
        machine.time.heard(date, sent)
    assert not machine.time.sure
    machine.pass_by(0.2)
    machine.answer()
    machine.answer()
    assert machine.time.sure
    assert abs(machine.error) <= SLACK_SECONDS


async def test_wrong_answers_one_at_a_time_never_move_the_time() -> None:
    machine = Machine()
    for number in range(30):
        machine.answer(lie=(number % 3 == 1) * 3600.0 * (1 + number))
        machine.pass_by(1)
        assert abs(machine.error) <= SLACK_SECONDS
