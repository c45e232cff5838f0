"""What the tests by clicks share."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

import pytest

from tests.support.escoba import Room, room

RoomOf = Callable[..., AbstractAsyncContextManager[Room]]


@pytest.fixture
def room_of(tmp_path: Path) -> RoomOf:
    """Opens a server with people and the bot, its database in a folder of the test's own."""
    return partial(room, tmp_path)
