"""Who sees a body."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from tests.support import wiretap
from tests.support.secrecy import strings

if TYPE_CHECKING:
    from tests.simulation.network import Request
    from tests.simulation.town import Town


UPDATES = (6, 7)
"""The kinds of answers that change the clicked message."""


def sight_of(town: Town, request: Request) -> wiretap.Request:
    """A request as the wiretap of all other tests describes it: with its viewer, and the message that it edits.

    It is looked up once, by the first judge that asks, usually when it arrives.
    """
    if request.seen is None:
        request.seen = _look_up(town, request)
    return request.seen


def strings_of(request: Request) -> list[tuple[str, str]]:
    """Every string in a request's body with its place."""
    if request.strings is None:
        request.strings = strings(request.body)
    return request.strings


def _look_up(town: Town, request: Request) -> wiretap.Request:
    backend = town.world.realm.backend
    seen = wiretap.Request(request.number, backend.clock.now(), request.method, request.path, request.body, "")
    wiretap.Wiretap._look_up(_tap(backend), seen)
    webhook = wiretap.WEBHOOK.fullmatch(request.path)
    edits = bool(webhook and webhook[2]) or (webhook is None and _kind(request) in UPDATES)
    if edits and seen.message_id is None and seen.user_id is not None:
        seen.viewer = seen.user_id  # the message is gone: nobody sees it, not even they
    return seen


def _kind(request: Request) -> int:
    return request.body.get("type", 0) if request.path.endswith("/callback") and request.body else 0


def _tap(backend: Any) -> Any:
    return SimpleNamespace(env=SimpleNamespace(backend=backend))
