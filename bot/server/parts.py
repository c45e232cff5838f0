"""The parts that the handlers of a server's and a person's settings use."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.platform.operating.meter import Status


@dataclass(frozen=True, slots=True)
class ServerParts:
    """The questions of settings to the rest of the bot. `status`: tells the bot's owner how it is doing."""

    status: Callable[[], Awaitable[Status]]
