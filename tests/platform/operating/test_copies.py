"""A second bot with the same token is noticed by the interactions that it answers."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.platform.operating.copies import FEW, WHILE, SecondCopy


def test_a_few_answers_from_elsewhere_within_minutes_are_a_second_copy(caplog: pytest.LogCaptureFixture) -> None:
    now = datetime(2026, 3, 14, tzinfo=UTC)
    copy = SecondCopy(lambda: now)
    for _ in range(FEW):
        assert not copy.is_likely
        copy.noticed()
    assert copy.is_likely
    copy.noticed()
    assert caplog.text.count("reset the token") == 1, "once in a while is enough"
    now += WHILE
    assert not copy.is_likely
    for _ in range(FEW):
        now += timedelta(minutes=1)
        copy.noticed()
    assert caplog.text.count("reset the token") == 2


def test_single_ones_are_not(caplog: pytest.LogCaptureFixture) -> None:
    now = datetime(2026, 3, 14, tzinfo=UTC)
    copy = SecondCopy(lambda: now)
    for _ in range(10):
        copy.noticed()
        now += WHILE / 2 + timedelta(seconds=1)
        assert not copy.is_likely
    assert caplog.text == ""
