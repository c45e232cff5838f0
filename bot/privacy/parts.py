"""The parts that the handlers of a person's data use."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.privacy.live.erasure import DataRequests
from bot.tournaments.live.director import TournamentDirector


@dataclass(frozen=True, slots=True)
class PrivacyParts:
    """The questions of privacy to the rest of the bot.

    Attributes:
        data_requests: the people whose data is being collected or erased.
        tournaments: those that an erased person leaves.
        erased: told the id of a person whose stored data is gone, so that nothing of it stays in memory.
    """

    data_requests: DataRequests
    tournaments: TournamentDirector
    erased: Callable[[int], None]
