"""Everybody has played before, and won, but in tests marked `newcomers`.

Otherwise they would be told what most tests aren't about, and play friendly matches against easy robots.
"""

from collections.abc import Collection

import pytest

from bot.club.store.newcomers import Newcomers


async def _nobody(_store: Newcomers, people: Collection[int]) -> frozenset[int]:
    return frozenset()


async def _never(_store: Newcomers, user_id: int, game_id: int) -> bool:
    return False


def nobody_is_new(patch: pytest.MonkeyPatch | None = None) -> None:
    """Have everybody known as somebody who has won: for as long as `patch` lasts, else in this process."""
    for name in ("among", "winless"):
        (patch or pytest.MonkeyPatch()).setattr(Newcomers, name, _nobody)
    (patch or pytest.MonkeyPatch()).setattr(Newcomers, "has_only", _never)


@pytest.fixture(autouse=True)
def _everybody_has_won(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.node.get_closest_marker("newcomers") is None:
        nobody_is_new(monkeypatch)
