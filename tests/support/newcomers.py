"""Everybody has played before, and won, but in tests marked `newcomers`.

Otherwise they would be told what most tests aren't about, and play friendly matches against easy robots.
"""

from collections.abc import Collection

import pytest

from bot.club.store.newcomers import Newcomers


async def _nobody(_store: Newcomers, _people: Collection[int]) -> frozenset[int]:
    return frozenset()


@pytest.fixture(autouse=True)
def _everybody_has_won(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.node.get_closest_marker("newcomers") is None:
        monkeypatch.setattr(Newcomers, "among", _nobody)
        monkeypatch.setattr(Newcomers, "winless", _nobody)
