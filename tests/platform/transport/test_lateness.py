"""How late an interaction comes, by two clocks that may differ."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.platform.transport.trouble import Lateness

START = datetime(2026, 11, 22, 20, 0, tzinfo=UTC)


class Clocks:
    """Discord's clock, and this machine's, which is `ahead` of it by some seconds."""

    def __init__(self, ahead: float) -> None:
        self.discord = START
        self.ahead = ahead
        self.lateness = Lateness(lambda: self.discord + timedelta(seconds=self.ahead))

    def late(self, seconds: float) -> float:
        """How late an interaction that comes this many seconds after its creation is said to be, in seconds."""
        created_at = self.discord
        self.discord += timedelta(seconds=seconds)
        return round(self.lateness.of(created_at), 3)


@pytest.mark.parametrize("ahead", [0.0, 0.4, -0.4, 3600.0, -3600.0])
def test_only_an_interaction_slower_than_others_is_late_however_clocks_differ(ahead: float):
    clocks = Clocks(ahead)
    assert [clocks.late(seconds) for seconds in (0.1, 0.1, 1.6, 0.1, 2.1)] == [0, 0, 1.5, 0, 2]


def test_the_first_counts_as_punctual_and_the_least_late_is_the_measure():
    clocks = Clocks(0.0)
    assert [clocks.late(seconds) for seconds in (1.1, 1.1, 0.1, 1.1)] == [0, 0, 0, 1]


@pytest.mark.parametrize("step", [5.0, -5.0, 3600.0])
def test_a_clock_that_was_set_makes_nobody_late(step: float):
    clocks = Clocks(0.0)
    clocks.late(0.1)
    clocks.ahead += step
    assert [clocks.late(0.1) for _ in range(3)] == [0, 0, 0]


def test_a_small_step_of_the_clock_is_forgotten_after_a_while():
    clocks = Clocks(0.0)
    clocks.late(0.1)
    clocks.ahead += 1
    assert clocks.late(0.1) == 1
    for _ in range(2):
        clocks.discord += timedelta(minutes=11)
        clocks.late(0.1)
    assert [clocks.late(0.1), clocks.late(0.6)] == [0, 0.5]


def test_a_process_that_is_late_with_everything_does_not_get_used_to_it_soon():
    clocks = Clocks(0.0)
    clocks.late(0.1)
    assert {clocks.late(1.1) for _ in range(400)} == {1}
