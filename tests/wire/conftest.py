"""What the tests of the wire itself begin with."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.wire.client import Client, Hands, serving


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
