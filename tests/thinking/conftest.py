"""What the log told."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.fixture
def expected_log(caplog: pytest.LogCaptureFixture) -> Callable[[str], bool]:
    """Whether something was logged with these words."""
    return lambda words: any(words in record.getMessage() for record in caplog.records)
