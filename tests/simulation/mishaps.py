"""What goes wrong with requests and interactions, as faults."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from tests.simulation.network import Fault as Mishap
from tests.simulation.network import Request
from tests.simulation.town import Town

ROUTES: Final = (
    ("callback", lambda request: request.path.endswith("/callback")),
    ("panel", lambda request: "/webhooks/" in request.path),
    ("edit", lambda request: request.method == "PATCH" and request.path.startswith("/channels/")),
    ("send", lambda request: request.method == "POST" and request.path.endswith("/messages")),
    ("any", lambda request: True),
)
"""The kinds of requests that a fault of Discord's may be about."""


NOT_FOUND_SECONDS: Final = 900.0
"""How long a single 404 waits for a request of its kind."""

Make = Callable[[Request], Mishap]


def _refuses(town: Town, chance: Random, make: Make, what: str, seconds: float, share: float, most: int) -> None:
    """For a while, requests of a kind fail, at most so many of them."""
    name, fits = chance.choice(ROUTES)
    left = [most]

    def judge(request: Request) -> Mishap | None:
        if not left[0] or not fits(request) or chance.random() > share:
            return None
        left[0] -= 1
        return make(request)

    _happens(town, judge, f"{what} of {name}", seconds)


def _happens(town: Town, judge: Callable[[Request], Mishap | None], what: str, seconds: float) -> None:
    town.trouble(what, seconds + 10.0, silent=False)
    town.mishaps.append(judge)
    town.world.machine.after(seconds, lambda: town.mishaps.remove(judge))


def server_errors(town: Town, chance: Random) -> None:
    """Discord answers with 500 to 504, sometimes though it has done what was asked."""

    def make(request: Request) -> Mishap:
        return Mishap("5xx", chance.choice((500, 502, 503, 504)), applied=chance.random() < 0.4)

    _refuses(town, chance, make, "5xx", chance.uniform(5.0, 60.0), chance.uniform(0.2, 1.0), 40)


def lost_connections(town: Town, chance: Random) -> None:
    """Connections are cut, before a request has arrived or after."""

    def make(request: Request) -> Mishap:
        return Mishap("cut", drop=True, applied=chance.random() < 0.5, delay=chance.choice((0.0, 0.0, 4.0)))

    _refuses(town, chance, make, "cut", chance.uniform(5.0, 60.0), chance.uniform(0.2, 1.0), 40)


def too_many(town: Town, chance: Random) -> None:
    """Discord takes no more requests for a while, of one kind or of all."""
    everywhere = chance.random() < 0.2

    def make(request: Request) -> Mishap:
        wait = chance.choice((0.4, 2.0, 9.0, 40.0))
        return Mishap("429", 429, retry_after=wait, everywhere=everywhere)

    _refuses(town, chance, make, "429", chance.uniform(1.0, 15.0), 0.5, 6)


def one_not_found(town: Town, chance: Random) -> None:
    """A single 404 for something that is there, as soon as there is such a request."""
    name, fits = chance.choice(ROUTES)
    left = [chance.randint(1, 2)]

    def judge(request: Request) -> Mishap | None:
        if not left[0] or not fits(request):
            return None
        left[0] -= 1
        town.trouble(f"404 of {name}", 10.0, silent=False)
        if request.path.startswith("/channels/"):
            return Mishap("404", 404, chance.choice((10003, 10003 if request.method == "POST" else 10008)))
        if request.path.endswith("/callback"):
            return Mishap("404", 404, 10062)
        return Mishap("404", 404, 10015 if "/webhooks/" in request.path else 0)

    town.mishaps.append(judge)
    town.world.machine.after(NOT_FOUND_SECONDS, lambda: town.mishaps.remove(judge))


def one_forbidden(town: Town, chance: Random) -> None:
    """A single 403 for something that is allowed in a channel; interactions know none."""
    left = [chance.randint(1, 2)]

    def judge(request: Request) -> Mishap | None:
        if not left[0] or not request.path.startswith("/channels/"):
            return None
        left[0] -= 1
        return Mishap("403", 403, chance.choice((50001, 50013)))

    _happens(town, judge, "403 of channels", 30.0)


def slow_way(town: Town, chance: Random) -> None:
    """Everything takes long."""
    discord, seconds = town.world.discord, chance.uniform(5.0, 60.0)
    discord.slow = chance.choice((5.0, 20.0, 60.0))
    town.trouble("slow", seconds + 8.0)

    def over() -> None:
        discord.slow = 1.0

    town.world.machine.after(seconds, over)


def doubled(town: Town, chance: Random) -> None:
    """Discord delivers an interaction twice, or late."""
    seconds = chance.uniform(5.0, 60.0)
    town.presses.doubles = chance.choice((0.2, 0.5))
    town.trouble("doubled", seconds + 5.0, silent=False)

    def over() -> None:
        town.presses.doubles = 0.0

    town.world.machine.after(seconds, over)
