"""Fixtures for the tests on the wire."""

from collections.abc import AsyncIterator

import pytest

from tests.wire.client import Client, ManualClock, serving
from tests.wire.process import BotProcess


@pytest.fixture
def from_scratch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start each bot as an operator would, not as a copy of a process that has already imported it."""
    monkeypatch.setattr(BotProcess, "copied", False)


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    """A client for a simulated Discord with one person and one channel."""
    async with serving() as made:
        yield made


@pytest.fixture
def clock(client: Client) -> ManualClock:
    """The clock by which the client's Discord counts requests."""
    made = ManualClock()
    client.server.rates.clock = client.server.ban.clock = client.server.gateway.starts.clock = made
    client.server.traffic.clock = made
    return made
