"""A fixture that looks for messages in the log."""

from collections.abc import Callable

import pytest


@pytest.fixture
def expected_log(caplog: pytest.LogCaptureFixture) -> Callable[[str], bool]:
    """A function that tells whether a message with these words was logged."""
    return lambda words: any(words in record.getMessage() for record in caplog.records)
