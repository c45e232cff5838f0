"""Who sees a body."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from tests.support import wiretap

if TYPE_CHECKING:
    from tests.simulation.network import Request
    from tests.simulation.town import Town


def sight_of(town: Town, request: Request) -> wiretap.Request:
    """A request as the wiretap of all other tests describes it: with its viewer, and the message that it edits."""
    backend = town.world.realm.backend
    seen = wiretap.Request(request.number, backend.clock.now(), request.method, request.path, request.body, "")
    wiretap.Wiretap._look_up(_tap(backend), seen)
    edits = wiretap.WEBHOOK.fullmatch(request.path)
    if edits is not None and edits[2] and seen.message_id is None:
        seen.viewer = seen.user_id  # the message is gone: nobody sees it, not even they
    return seen


def _tap(backend: Any) -> Any:
    return SimpleNamespace(env=SimpleNamespace(backend=backend))
