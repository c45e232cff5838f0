"""What the tests of the wire itself begin with."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.wire.client import Client, Hands, serving
from tests.wire.process import BotProcess


@pytest.fixture
def from_scratch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each bot is started as an operator does it, not as a copy of a process that has imported it."""
    monkeypatch.setattr(BotProcess, "copied", False)


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    """Somebody who asks a server with one person and one channel."""
    async with serving() as made:
        yield made


@pytest.fixture
def hands(client: Client) -> Hands:
    """The clock by which that server counts."""
    clock = Hands()
    client.server.rates.clock = client.server.ban.clock = client.server.gateway.starts.clock = clock
    client.server.traffic.clock = clock
    return clock
