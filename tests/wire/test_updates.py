"""An update without a pause: the next process connects beside the one that serves, and takes over; each click is
answered once."""

from pathlib import Path

import pytest

from tests.wire.dose import dose
from tests.wire.figures import Figures
from tests.wire.updating import updating


def check(figures: Figures, updates: int) -> None:
    assert figures.found == []
    assert figures.updates == updates
    assert figures.moves > updates
    assert (figures.unanswered, figures.answered_twice) == (0, 0)


@pytest.mark.thorough
async def test_a_process_on_a_file_ends_for_the_next_one_and_every_click_is_answered_once(tmp_path: Path) -> None:
    how, database = dose(), str(tmp_path / "escoba.sqlite3")
    updates = how.updates // 2  # it goes the same way each time
    figures = await updating(tmp_path, database, updates=updates, shards=how.update_shards, seed=how.seed)
    check(figures, updates)


@pytest.mark.thorough
async def test_a_waiting_process_takes_over_on_postgresql_and_every_click_is_answered_once(
    tmp_path: Path, postgres_url: str
) -> None:
    how = dose()
    figures = await updating(tmp_path, postgres_url, updates=how.updates, shards=how.update_shards, seed=how.seed)
    check(figures, how.updates)
