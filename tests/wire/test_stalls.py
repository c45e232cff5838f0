"""Whatever the database does, each click and each command gets a first response in time, and nothing is lost."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.dose import thorough_but
from tests.support.postgres import temporary_cluster
from tests.wire.stalling import Hanging, locked_file, stalled_disk, stalling, stalling_beside, stopped_server


async def check(folder: Path, hanging: Hanging, seconds: float) -> None:
    """Let a database hang once."""
    figures = await stalling(folder, hanging, hangs=[seconds], tables=2, seed=1)
    assert figures.found == []
    assert (figures.stops, figures.stuck, figures.unanswered) == (1, 0, 0)
    assert figures.clicks > seconds


@pytest.mark.parametrize("whole", thorough_but([True, False], True))
@pytest.mark.parametrize("seconds", thorough_but([1, 3, 10, 20], 3))
async def test_people_hear_from_the_bot_while_the_server_hangs(tmp_path: Path, seconds: float, whole: bool) -> None:
    with temporary_cluster() as cluster:
        await check(tmp_path, stopped_server(cluster, cluster.new(), whole=whole), seconds)


@pytest.mark.thorough
@pytest.mark.parametrize("how", [locked_file, stalled_disk])
@pytest.mark.parametrize("seconds", thorough_but([1, 3, 10, 20], 3))
async def test_people_hear_from_the_bot_while_the_file_hangs(
    tmp_path: Path, seconds: float, how: Callable[[Path], Hanging]
) -> None:
    await check(tmp_path, how(tmp_path), seconds)


@pytest.mark.thorough
async def test_of_two_processes_one_serves_after_the_server_has_hung(tmp_path: Path) -> None:
    with temporary_cluster() as cluster:
        figures = await stalling_beside(tmp_path, cluster, hangs=[3, 10, 20], seed=1)
    assert figures.found == []
    assert (figures.stops, figures.stuck, figures.unanswered) == (3, 0, 0)
