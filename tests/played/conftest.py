"""The fixture of the tests that play by clicks."""

from functools import partial
from pathlib import Path

import pytest

from tests.support.escoba import RoomOf, room


@pytest.fixture
def room_of(tmp_path: Path) -> RoomOf:
    """Opens a server with members and the bot, with its database in the test's own folder."""
    return partial(room, tmp_path)
