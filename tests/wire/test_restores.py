"""After a backup was restored, no button of what it doesn't hold does anything, and no number is given twice."""

from pathlib import Path

import pytest

from tests.wire.restoring import restoring


@pytest.mark.thorough
async def test_old_messages_seat_nobody_after_a_restore(tmp_path: Path) -> None:
    figures = await restoring(tmp_path, restores=1, tables=2, seed=1)
    assert figures.found == []
    assert figures.unanswered == 0
    assert figures.clicks > 80
