"""Discord takes every body, by its limits and by its published schema."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from tests.simulation.judges.judge import Judge
from tests.support.wiretap import CALLBACK, Wiretap

if TYPE_CHECKING:
    from tests.simulation import network
    from tests.simulation.life import Life
    from tests.simulation.town import Town


LONG_SECONDS = 0.4
"""After so long on the way, the bot may have tried again."""
UNKNOWN_INTERACTION, ACKNOWLEDGED, ARCHIVED = 10062, 40060, 50083


class _Recorder(Wiretap):
    """The wiretap that all other tests have, told of requests by the judge."""

    def __init__(self, backend: Any, now: Any) -> None:
        self.env: Any = SimpleNamespace(backend=backend, now=now)
        self.requests = []
        self.watchers = []
        self.schema = None  # what the simulated Discord answers is compared with it in all other tests
        self._errors = []
        self._checked = 0


class Bodies(Judge):
    """Discord takes every body."""

    kind = "body"

    def __init__(self, town: Town) -> None:
        super().__init__(town)
        backend = town.world.realm.backend
        self._tap = _Recorder(backend, backend.clock.now)
        self._answered: dict[int, Any] = {}
        self._tried: set[str] = set()
        """The answers that may have arrived, though the bot was told otherwise."""
        self._by: dict[str, Life] = {}
        """The processes that have answered interactions."""

    def arrived(self, request: network.Request) -> None:
        self._answered[request.number] = self._tap._hear(request.method, request.path, request.body, request.files)

    def _slow(self, request: network.Request) -> bool:
        """Whether the answer to a request takes so long that the bot may try again meanwhile."""
        return self.town.world.discord.slow > 1.0 or self.now - request.at > LONG_SECONDS

    def _may_be_answered(self, request: network.Request) -> bool:
        """Whether the bot couldn't know that this interaction has been answered, or what was pressed is gone, or that a
        thread is archived."""
        if request.code == ARCHIVED:
            return request.method in ("PATCH", "DELETE")
        if (found := CALLBACK.fullmatch(request.path)) is None or request.code not in (
            ACKNOWLEDGED,
            UNKNOWN_INTERACTION,
        ):
            return False
        shot = self.town.presses.shots.get(int(found[1]))
        by = self._by.get(request.path, request.life)
        died = by is not request.life and not by.alive  # the one that waited for its place can't know what it did
        overtaken = self._slow(request)  # the bot has given it up, and tried again
        return request.path in self._tried or shot is None or shot.doubled or died or overtaken

    def heard(self, request: network.Request) -> None:
        if (answered := self._answered.pop(request.number, None)) is None:
            return
        answer = request.answer if request.applied else None
        answered(request.status, request.code, answer, bool(request.fault) or self._may_be_answered(request))
        if request.path.endswith("/callback"):
            if request.applied:
                self._by[request.path] = request.life
            if request.fault or self._slow(request):
                self._tried.add(request.path)
        found = self._tap.errors
        self._tap.clear()
        for line in found:
            self.object_to(line)
