"""Looks at the log."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.fixture
def expected_log(caplog: pytest.LogCaptureFixture) -> Callable[[str], bool]:
    """Whether a message containing these words was logged."""
    return lambda words: any(words in record.getMessage() for record in caplog.records)
