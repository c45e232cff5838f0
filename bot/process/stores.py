"""Builds the stores of all subjects on one database."""

from collections.abc import Iterator
from typing import Self

from bot.club.store.career import Careers, ResultRows
from bot.club.store.given_roles import GivenRoles
from bot.club.store.leaderboard import Leaderboards
from bot.club.store.newcomers import Newcomers
from bot.club.store.ratings import Ratings
from bot.club.store.rows import Standings
from bot.club.store.rule_sets import RuleSets
from bot.platform.database.database import BUSY_SECONDS, Database, Store
from bot.platform.database.key_values import KeyValues
from bot.platform.database.locations import Location
from bot.platform.database.opening import database_at
from bot.platform.database.preferences import StoredPreferences
from bot.privacy.store.erasure import GuildNames, PersonalData
from bot.privacy.store.retention import KeptData
from bot.replays.store.own_matches import OwnMatches
from bot.schema import SCHEMA
from bot.tables.store.alone import GamesAlone
from bot.tables.store.deals import Deals
from bot.tables.store.evenings import EveningMatches
from bot.tables.store.logs import Games
from bot.tournaments.store.logs import TournamentLogs
from bot.training.store.answers import Answers
from bot.training.store.days import DayChannels, Days
from bot.training.store.lessons import Lessons, MatchLuck
from bot.training.store.practice import PracticePositions, ReviewRows


class Stores:
    """Everything the bot remembers."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.values = KeyValues(database)
        self.games = Games(database)
        self.alone = GamesAlone(database)
        self.deals = Deals(database)
        self.evenings = EveningMatches(database)
        self.rule_sets = RuleSets(database)
        self.results = ResultRows(database)
        self.standings = Standings(database)
        self.leaderboards = Leaderboards(database)
        self.given_roles = GivenRoles(database)
        self.careers = Careers(database)
        self.ratings = Ratings(database)
        self.newcomers = Newcomers(database)
        self.tournaments = TournamentLogs(database)
        self.matches = OwnMatches(database)
        self.days = Days(database)
        self.answers = Answers(database)
        self.day_channels = DayChannels(database)
        self.practice = PracticePositions(database)
        self.lessons = Lessons(database)
        self.reviews = ReviewRows(database)
        self.luck = MatchLuck(database)
        self.preferences = StoredPreferences(database)
        self.names = GuildNames(database)
        self.personal_data = PersonalData(database)
        self.kept = KeptData(database)

    @classmethod
    async def open(cls, location: str | Location, *, busy_seconds: float = BUSY_SECONDS) -> Self:
        """Open the database at a location, and bring its tables up to date; see `database_at`.

        Raises InvalidLocation and StoreError.
        """
        stores = cls(await database_at(location, SCHEMA, busy_seconds=busy_seconds))
        await stores.database.open()
        return stores

    def all(self) -> Iterator[Store]:
        return (each for each in vars(self).values() if isinstance(each, Store))
