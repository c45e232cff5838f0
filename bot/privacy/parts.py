"""The parts that the handlers of a person's data use."""

from dataclasses import dataclass

from bot.platform.memories import Memories
from bot.privacy.live.erasure import DataRequests
from bot.tournaments.live.director import TournamentDirector


@dataclass(frozen=True, slots=True)
class PrivacyParts:
    """The questions of privacy to the rest of the bot.

    Attributes:
        data_requests: the people whose data is being collected or erased.
        tournaments: those that an erased person leaves.
        memories: all else that remembers people, for when their stored data is gone.
    """

    data_requests: DataRequests
    tournaments: TournamentDirector
    memories: Memories
