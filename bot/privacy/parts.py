"""The parts that the handlers of a person's data use."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.platform.memories import Memories
from bot.platform.people import Person
from bot.privacy.live.erasure import DataRequests


@dataclass(frozen=True, slots=True)
class PrivacyParts:
    """The questions of privacy to the rest of the bot.

    Attributes:
        data_requests: the people whose data is being collected or erased.
        erase: erases a person everywhere, and returns how many rows that changed.
        memories: all else that remembers people.
    """

    data_requests: DataRequests
    erase: Callable[[Person], Awaitable[int]]
    memories: Memories
