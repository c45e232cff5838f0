"""Duplicate rounds: opens the results of tables once no other table plays the same boards, and makes the sheets."""

import logging

from bot.platform.database.errors import StoreError
from bot.platform.refusals import Refusal
from bot.tables.boards.presenter import Presenter
from bot.tables.log.events import Fixture
from bot.tables.store.logs import Games
from bot.tournaments.live.director import TournamentDirector
from bot.tournaments.live.running import LiveTournament, TournamentObserver
from bot.tournaments.live.sheet import RoundSheet, Sheets, is_over
from bot.tournaments.refusals import TournamentRefusal

log = logging.getLogger(__name__)


class DuplicateRounds(TournamentObserver):
    """An observer of tournaments that shows everybody what was played at their tables, as soon as that is allowed."""

    def __init__(self, presenter: Presenter, tournaments: TournamentDirector, games: Games) -> None:
        self._presenter = presenter
        self._tournaments = tournaments
        self._sheets = Sheets(games)
        tournaments.observe(self)

    async def sheet(self, tournament_id: int, guild_id: int, number: int, person_id: int | None) -> RoundSheet:
        """A round's sheet for a person, or for everybody (None); `number` 0 stands for the latest round.

        Raises:
            Refusal: if the server has no such tournament, or its tables play different cards.
            StoreError: if it can't be read.
        """
        tournament = await self._tournaments.find(tournament_id)
        if tournament is None or tournament.guild_id != guild_id:
            raise Refusal(TournamentRefusal.NO_BOARDS)
        sheet = await self._sheets.sheet(tournament.view(), number, person_id)
        if sheet is None:
            raise Refusal(TournamentRefusal.NO_BOARDS)
        return sheet

    async def is_open(self, fixture: Fixture) -> bool:
        """Whether all of a table's cards may be seen: no other table can still have the same ones before it.

        Raises StoreError if it can't be read.
        """
        if not fixture.boards:
            return True
        tournament = await self._tournaments.find(fixture.tournament)
        return tournament is None or is_over(tournament.view(), fixture.round)

    def tournament_changed(self, tournament: LiveTournament) -> None:
        for sealed, number in self._presenter.sealed_ends():
            if sealed == tournament.id:
                self._open(tournament, number)

    async def look_again(self) -> None:
        """Open what may be opened, now that the tables whose end the bot before this one hadn't shown are back."""
        for tournament_id, number in self._presenter.sealed_ends():
            try:
                tournament = await self._tournaments.find(tournament_id)
            except (StoreError, Refusal) as error:
                log.warning("Tournament %s can't be read, and its tables stay sealed: %s", tournament_id, error)
                continue
            if tournament is None:  # its log isn't kept any more
                self._presenter.boards_opened(tournament_id, number)
            else:
                self._open(tournament, number)

    def _open(self, tournament: LiveTournament, number: int) -> None:
        if is_over(tournament.view(), number):
            self._presenter.boards_opened(tournament.id, number)
