"""The parts that the handlers of the tournaments use."""

from dataclasses import dataclass

from bot.tournaments.boards.board import TournamentBoards
from bot.tournaments.boards.duplicate import DuplicateRounds
from bot.tournaments.live.director import TournamentDirector


@dataclass(frozen=True, slots=True)
class TournamentParts:
    """The director and the boards of the tournaments."""

    tournaments: TournamentDirector
    boards: TournamentBoards
    duplicate: DuplicateRounds
