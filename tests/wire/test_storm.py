"""Once Discord has stopped failing in all kinds of ways, every table shows its newest state."""

from pathlib import Path

import pytest

from tests.wire.dose import dose
from tests.wire.storming import storming


@pytest.mark.thorough
async def test_every_table_shows_its_newest_state_after_a_storm_of_faults(tmp_path: Path) -> None:
    how = dose()
    for number in range(how.storms):
        folder = tmp_path / str(number)
        folder.mkdir()
        figures = await storming(folder, tables=how.kill_tables, seconds=4.0, seed=how.seed + number)
        assert figures.found == []
        assert figures.faults > 5
        assert figures.moves > 20
