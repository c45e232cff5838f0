"""A model of what is kept, against whatever people, servers and time do, in any order.

Nothing about a person is left once they have erased it, or about a server once it is deleted; nothing is kept past its
term; and nothing that is in use, or may still be, is dropped.
"""

import asyncio
import tempfile
from collections.abc import Coroutine
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from bot.club.store.gains import KEPT
from bot.club.store.given_roles import Given
from bot.platform.people import Person
from bot.platform.refusals import Refusal
from bot.privacy.live.retention import GONE_DAYS, Retention
from bot.privacy.live.tournament_erasure import erase
from bot.tables.live.table import Table
from bot.tables.log.actions import AddComputer, Join, Leave, PlayMove, Start
from bot.tables.log.events import Config
from bot.tables.settings import TablePreferences
from bot.tournaments.rules.log import CancelTournament, Enter
from bot.tournaments.rules.tournament import Setup
from bot.training.store.rows import DayAnswer
from tests.support.dose import dose
from tests.support.tables.hall import Hall, legal, turn_of
from tests.support.tables.kit import config_of
from tests.tournaments.evening import TournamentProcess

PEOPLE: Final = tuple(Person(1_300_000_000_000_000_100 + number, f"Zebulon{number}") for number in range(4))
GUILDS: Final = (1_100_000_000_000_000_201, 1_100_000_000_000_000_302)
KEPT_DAYS: Final = 40
"""How many days the logs of closed games are kept."""
IDLE_DAYS: Final = 14
SHORT: Final = config_of(target=5)
people, guilds = st.sampled_from(PEOPLE), st.sampled_from(GUILDS)


class Keeping(RuleBasedStateMachine):
    """People play, alone and with others, answer, choose, take part in tournaments and erase their data; servers remove
    the bot and invite it again; days pass, and what is due is deleted."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.process = self.run(TournamentProcess.on(Path(self.folder.name) / "escoba.sqlite3"))
        self.away: dict[int, datetime] = {}
        """The servers that have removed the bot, and when."""
        self.erased: set[Person] = set()
        """Who has erased everything, and done nothing since."""
        self.deleted: set[int] = set()
        """The servers of which everything was deleted, and nothing has happened there since."""
        self.channels = 5_000
        self.retention = self.run(self.retain())

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Carry something out to its end."""
        return self.runner.run(work)

    async def retain(self) -> Retention:
        """The retention of the present process, which knows which servers the bot is in."""
        hall = self.process.hall

        async def finds(guild_id: int) -> bool:
            return guild_id not in self.away

        made = Retention(
            *(hall.store.database, hall.store.kept, hall.store.alone, hall.store.tournaments, hall.clock),
            *(hall.manager, hall.guild_settings, hall.away, (self.process.tournaments,)),
            idle=IDLE_DAYS * 86_400.0,
            days=KEPT_DAYS,
            here=lambda guild_id: guild_id not in self.away,
            finds=finds,
        )
        await made.start()
        await made.compare_guilds(lambda _: True, sure=True)
        return made

    def teardown(self) -> None:
        self.run(self.process.tournaments.close())
        self.run(self.process.hall.close())
        self.runner.close()
        self.folder.cleanup()

    # ------------------------------------------------------------------------------------------------- what is seen
    @property
    def hall(self) -> Hall:
        """The tables of the present process."""
        return self.process.hall

    @property
    def now(self) -> datetime:
        """The time."""
        return self.hall.clock.now()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What is stored."""
        return self.hall.rows(query)

    def everything(self) -> dict[str, str]:
        """All that is stored, by table, as text."""
        tables = [name for (name,) in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: repr(self.rows(f"SELECT * FROM {table}")) for table in tables}  # noqa: S608

    def acts(self, person: Person, guild: int | None = None) -> None:
        """Note that something new is kept of a person, and of a server."""
        self.erased.discard(person)
        self.deleted.discard(guild or 0)

    def open_at(self, guild: int) -> list[Table]:
        """The open tables of a server that the bot is in."""
        return [] if guild in self.away else self.hall.manager.within(guild_id=guild)

    # ------------------------------------------------------------------------------------------------ what is done
    @initialize()
    def there_is_some_of_everything(self) -> None:
        one, other, *_ = PEOPLE
        self.play_alone(set(PEOPLE))
        for guild in GUILDS:
            for cancelled in (False, True):
                self.holds_a_tournament(one, guild, cancelled)
            self.answers_and_chooses(other, guild)
            self.opens(one, guild)
            self.joins_and_starts(other, guild)
            self.play_on(guild, 3)

    @rule(person=people, guild=guilds)
    def opens(self, person: Person, guild: int) -> None:
        if guild in self.away:
            return
        self.channels += 1
        self.acts(person, guild)
        with suppress(Refusal):
            table = self.run(
                self.hall.manager.open(
                    guild_id=guild, channel_id=self.channels, opener=person, config=SHORT, locale="es-ES"
                )
            )
            self.run(table.submit(AddComputer(person, table.version)))

    @rule(person=people, guild=guilds)
    def joins_and_starts(self, person: Person, guild: int) -> None:
        for table in self.open_at(guild)[-1:]:
            self.acts(person, guild)
            with suppress(Refusal):
                self.run(table.submit(Join(person)))
                self.run(table.submit(Start(person, table.version)))

    @rule(guild=guilds, cards=st.sampled_from([3, 100]))
    def play_on(self, guild: int, cards: int) -> None:
        for table in self.open_at(guild)[-1:]:
            self.run(self.play(table, cards))

    async def play(self, table: Table, cards: int) -> None:
        """Have the people of a table play so many cards, and its computers theirs."""
        for _ in range(cards):
            view = table.view()
            if view.over or view.match is None:
                return
            person_id = None if view.match.turn is None else view.seats[turn_of(table)].person_id
            if person_id is None:
                await self.hall.clock.advance(46.0)
                continue
            person = next((each for each in PEOPLE if each.id == person_id), None)
            if person is None:
                return  # it is the turn of somebody who has erased their data and still sits there
            self.acts(person, table.guild_id)
            with suppress(Refusal):
                await table.submit(PlayMove(person, view.version, legal(table)[0]))

    @rule(person=people, guild=guilds)
    def leaves(self, person: Person, guild: int) -> None:
        for table in self.open_at(guild):
            if table.seat_of(person.id) is not None:
                self.acts(person, guild)
                with suppress(Refusal):
                    self.run(table.submit(Leave(person)))

    @rule(some=st.sets(people, min_size=1))
    def play_alone(self, some: set[Person]) -> None:
        for person in sorted(some, key=lambda person: person.id):
            self.acts(person)
            self.run(self.alone(person))

    async def alone(self, person: Person) -> None:
        """Begin a match alone, or go on with it."""
        table = await self.hall.manager.alone(person.id)
        if table is None:
            table = await self.hall.manager.open(
                guild_id=None, channel_id=None, opener=person, config=Config(), locale="es-ES"
            )
            await table.submit(AddComputer(person, table.version))
            await table.submit(Start(person, table.version))
        await self.play(table, 3)

    @rule(person=people, guild=guilds)
    def answers_and_chooses(self, person: Person, guild: int) -> None:
        if guild in self.away:
            return
        self.acts(person, guild)
        store, day = self.hall.store, self.now.date()
        self.run(store.answers.give(DayAnswer(day, person.id, guild, person.name, "7o", 0, True, self.now)))
        self.run(store.rule_sets.add(guild, f"{person.id % 100}", "{}", person.id, self.now))
        self.run(self.hall.preferences.change(person.id, TablePreferences, text_only=True))

    @rule(person=people, guild=guilds)
    def gets_a_role(self, person: Person, guild: int) -> None:
        """A podium brings somebody a role, if they have a place on the leaderboard."""
        if guild not in self.away and self.run(self.hall.store.given_roles.note(Given(guild, 5, person.id))):
            self.acts(person, guild)

    @rule(person=people, guild=guilds, cancelled=st.booleans())
    def holds_a_tournament(self, person: Person, guild: int, cancelled: bool) -> None:
        if guild in self.away:
            return
        self.channels += 1
        self.acts(person, guild)
        with suppress(Refusal):
            live = self.run(
                self.process.tournaments.open(
                    guild_id=guild, channel_id=self.channels, locale="es-ES", organiser=person, setup=Setup(target=5)
                )
            )
            self.run(live.submit(Enter(person), moderates=True))
            if cancelled:
                self.run(live.submit(CancelTournament(person), moderates=True))

    @rule(person=people)
    def erases(self, person: Person) -> None:
        store, hall = self.hall.store, self.hall
        self.run(
            erase(
                store.personal_data, store.tournaments, hall.manager, self.process.tournaments, hall.preferences, person
            )
        )
        for given in self.run(store.given_roles.due()):
            assert given.user_id == person.id, "the role is still to be taken"
            self.run(store.given_roles.taken(given))
        assert not any(
            person.id in held for guild in GUILDS for held in self.run(store.given_roles.held(guild)).values()
        )
        self.erased.add(person)
        assert hall.preferences.cached(person.id, TablePreferences) == TablePreferences(), "nor is it remembered"

    @rule(guild=guilds)
    def removes_the_bot(self, guild: int) -> None:
        if guild not in self.away:
            self.deleted.discard(guild)
            self.away[guild] = self.now
            self.run(self.retention.guild_left(guild))

    @rule(guild=guilds)
    def invites_the_bot(self, guild: int) -> None:
        if self.away.pop(guild, None) is not None:
            self.run(self.retention.guild_joined(guild))

    @rule(days=st.sampled_from([1, IDLE_DAYS - 1, IDLE_DAYS + 1, GONE_DAYS + 1, KEPT_DAYS + 1]))
    def days_pass(self, days: int) -> None:
        """The bot is down meanwhile, starts again, and deletes what is due."""
        self.process = self.run(self.process.restarted(away=days * 86_400.0))
        self.retention = self.run(self.retain())
        played = self.rows(PLAYED)
        alone, idle = self.open_alone(), self.stored_before(timedelta(days=IDLE_DAYS))
        self.run(self.retention.delete_expired())
        forty = f"{self.now - timedelta(days=KEPT):%Y-%m-%d}"
        assert self.rows(f"SELECT day FROM rating_gains WHERE day <= '{forty}'") == [], "also of who plays no more"  # noqa: S608
        assert self.rows("SELECT 1 FROM people WHERE chosen_at IS NULL") == []
        dropped = {guild for guild, at in self.away.items() if at <= self.now - timedelta(days=GONE_DAYS)}
        self.deleted |= dropped
        assert self.rows(PLAYED) == [row for row in played if row[0] not in dropped], "only servers left long ago go"
        assert self.open_alone() == alone - idle, "only those end that nobody goes on with"
        for game, closed_at, entries, seeds, opener in self.rows(LOGS):
            old = closed_at is not None and moment(closed_at) < self.now - timedelta(days=KEPT_DAYS)
            assert (entries == 0) == old, f"the log of game {game}, closed at {closed_at}"
            assert not (old and (seeds or opener)), f"what game {game} was drawn with, or who opened it"
        for number, closed_at, entries in self.rows(TOURNAMENT_LOGS):
            old = closed_at is not None and moment(closed_at) < self.now - timedelta(days=KEPT_DAYS)
            assert (entries == 0) == old, f"the log of tournament {number}, closed at {closed_at}"

    def open_alone(self) -> set[int]:
        """The open games of people who play alone."""
        return {row[0] for row in self.rows("SELECT id FROM games WHERE guild_id IS NULL AND closed_at IS NULL")}

    def stored_before(self, time: timedelta) -> set[int]:
        """Those of them that nobody has gone on with for so long."""
        newest = dict(self.rows("SELECT game_id, max(at) FROM events GROUP BY game_id"))
        return {game for game in self.open_alone() if moment(newest[game]) < self.now - time}

    # ----------------------------------------------------------------------------------------- what is true always
    @invariant()
    def nothing_is_left_of_who_has_erased_it(self) -> None:
        if not self.erased:
            return
        for table, text in self.everything().items():
            for person in self.erased:
                assert str(person.id) not in text, f"{person} in {table}"
                assert person.name not in text, f"{person} in {table}"

    @invariant()
    def nothing_is_left_of_a_deleted_server(self) -> None:
        if not self.deleted:
            return
        for table, text in self.everything().items():
            for guild in self.deleted:
                assert str(guild) not in text, f"{guild} in {table}"

    @invariant()
    def what_is_in_use_is_there(self) -> None:
        with_logs = "SELECT game_id FROM events"
        assert self.rows(f"SELECT id FROM games WHERE closed_at IS NULL AND id NOT IN ({with_logs})") == []  # noqa: S608


PLAYED: Final = (
    "SELECT games.guild_id, games.id, count(results.id) FROM games LEFT JOIN results ON game_id = games.id GROUP BY 2"
)
LOGS: Final = (
    "SELECT id, closed_at, (SELECT count(*) FROM events WHERE game_id = games.id),"
    " (SELECT count(*) FROM deals WHERE game_id = games.id), opener_id FROM games"
)
TOURNAMENT_LOGS: Final = (
    "SELECT id, closed_at, (SELECT count(*) FROM tournament_events WHERE tournament_id = tournaments.id)"
    " FROM tournaments"
)


def moment(stored: str) -> datetime:
    """A moment as it is stored."""
    return datetime.fromisoformat(stored).replace(tzinfo=UTC)


TestKeeping = Keeping.TestCase
TestKeeping.settings = settings(
    max_examples=dose("KEEPING", 15),
    stateful_step_count=20,
    deadline=None,
    phases=set(Phase) - {Phase.shrink, Phase.explain},
)
