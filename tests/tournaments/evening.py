"""A tournament in a hall: a real store in a file, a clock moved by hand, and threads that are only numbers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Self

from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.people import Person
from bot.tables.live.table import Table
from bot.tables.log.actions import Leave, PlayMove
from bot.tournaments.live.codec import replayed
from bot.tournaments.live.director import TournamentDirector
from bot.tournaments.live.running import LiveTournament
from bot.tournaments.live.view import NoThreads, NoThreadsReason, TournamentView
from bot.tournaments.rules.log import Begin, BeginCheckIn, CheckIn, Enter, TournamentAction
from bot.tournaments.rules.tournament import Entry, Format, Pairing, Setup, Tournament, TournamentStage
from tests.support.tables.hall import Hall, legal
from tests.support.tables.kit import CHANNEL, GUILD

ORGANISER = Person(1_300_000_000_000_000_900, "Olga")
CROWD = tuple(Person(1_300_000_000_000_001_000 + number, f"P{number}") for number in range(1, 12))


class Threads:
    """Places whose threads outlive a restart, as Discord's do; with `none`, threads are refused for that reason."""

    def __init__(self) -> None:
        self.there: dict[str, int] = {}
        self.opened = 0
        self.let_go: list[int] = []
        self.told: list[NoThreadsReason] = []
        self.called: list[int] = []
        self.none: NoThreadsReason | None = None

    async def thread(self, view: TournamentView, round: int, table: int, entries: tuple[Entry, Entry]) -> int:
        """The thread of a table."""
        await asyncio.sleep(0)
        if self.none is not None:
            raise NoThreads(self.none)
        name = f"{view.id}/{round}/{table}"
        if name not in self.there:
            self.opened += 1
            self.there[name] = CHANNEL + 1000 + self.opened
        return self.there[name]

    def archive_soon(self, guild_id: int, channel_id: int) -> None:
        """Note it."""
        self.let_go.append(channel_id)

    def call_to_check_in(self, view: TournamentView, people: Sequence[int]) -> None:
        """Note it."""
        self.called.append(view.id)

    def tell_no_threads(self, view: TournamentView, reason: NoThreadsReason) -> None:
        """Note it."""
        self.told.append(reason)


class Watcher:
    """An observer that notes the versions at which it was called."""

    def __init__(self) -> None:
        self.versions: list[int] = []
        self.lost: list[int] = []

    def tournament_changed(self, tournament: LiveTournament) -> None:
        """Note it."""
        self.versions.append(tournament.state.version)

    def tournament_lost(self, tournament: LiveTournament) -> None:
        """Note it."""
        self.lost.append(tournament.id)


class TournamentProcess:
    """A process: its hall, and its tournaments."""

    def __init__(self, hall: Hall, threads: Threads) -> None:
        self.hall = hall
        self.threads = threads
        self.seen = Watcher()
        self.tournaments = TournamentDirector(
            hall.store.tournaments, hall.store.ratings, hall.clock, hall.manager, threads, hall.away.of
        )
        self.tournaments.observe(self.seen)
        hall.manager.observe(self.tournaments)

    @classmethod
    async def on(cls, path: Path) -> Self:
        """The first process on a file."""
        evening = cls(await Hall.build(path), Threads())
        await evening.tournaments.load()
        evening.tournaments.begin()
        return evening

    async def restarted(self, *, away: float = 0) -> TournamentProcess:
        """The next process, which knows only what was stored."""
        await self.tournaments.close()
        hall = await self.hall.restarted(away=away)
        evening = TournamentProcess(hall, self.threads)
        await evening.tournaments.load()
        evening.tournaments.begin()
        evening.tournaments.recheck_tables()
        await evening.settled()
        return evening

    @property
    def live(self) -> LiveTournament:
        """The evening's only tournament, open or over."""
        known = [*self.tournaments._kept.values(), *self.tournaments._over.values()]
        assert len(known) == 1, "there is one tournament"
        return known[0]

    @property
    def state(self) -> Tournament:
        """The tournament's current state."""
        return self.live.state

    async def stored(self) -> Tournament:
        """The state that the tournament's stored log adds up to."""
        return replayed(await self.hall.store.tournaments.log(1))

    async def settled(self) -> None:
        """Wait until the stewards have nothing left to do."""
        while tasks := [each._task for each in self.tournaments._stewards.values() if each._task is not None]:
            await asyncio.wait(tasks)

    async def announce(self, setup: Setup | None = None) -> LiveTournament:
        """Open sign-up."""
        return await self.tournaments.open(
            guild_id=GUILD, channel_id=CHANNEL, locale="es-ES", organiser=ORGANISER, setup=setup or Setup(target=5)
        )

    async def submit(self, *actions: TournamentAction) -> None:
        """Carry out actions, and whatever the steward does because of them."""
        for action in actions:
            await self.live.submit(action, moderates=True)
        await self.settled()

    async def begun(self, people: Sequence[Person], setup: Setup | None = None) -> None:
        """Begin a tournament: its first round is paired, and its tables are open."""
        await self.announce(setup)
        await self.submit(*(Enter(person) for person in people), BeginCheckIn(ORGANISER))
        await self.submit(*(CheckIn(person) for person in people), Begin(ORGANISER))

    def table_of(self, pairing: Pairing) -> Table:
        """The open table of a pairing of the latest round."""
        link = self.live.view().link(len(self.state.rounds), pairing.table)
        assert link is not None, "the pairing's table has been opened"
        table = self.hall.manager.get(link.game_id)
        assert table is not None, "the table is open"
        return table

    def waiting(self) -> list[Pairing]:
        """The pairings of the latest round whose tables are open."""
        if self.state.round is None:
            return []
        links = self.live.view().tables
        return [
            each
            for each in self.state.round.pairings
            if (link := links.get((self.state.round.number, each.table))) is not None and link.open
        ]

    async def forfeit(self, pairing: Pairing) -> None:
        """The second person of a pairing leaves their table."""
        await self.table_of(pairing).submit(Leave(self.state.entry(pairing.second).people[0]))
        await self.settled()

    async def play(self, pairing: Pairing) -> None:
        """Play a pairing's match to its end."""
        await self.play_cards(pairing, None)

    async def play_cards(self, pairing: Pairing, cards: int | None) -> None:
        """Play some cards of a pairing's match, or all."""
        table, played = self.table_of(pairing), 0
        people = {person.id: person for entry in self.state.entries for person in entry.people}
        while table.phase.open and played != cards:
            view = table.view()
            assert view.match is not None
            turn = view.match.turn
            if turn is None:
                await self.hall.clock.advance(46)
                continue
            who = people[view.seats[turn].person_id or 0]
            await table.submit(PlayMove(who, view.version, legal(table)[-1]))
            played += 1
        await self.settled()

    async def advance(self, seconds: float) -> None:
        """Let time pass, and wait for whatever falls due."""
        await self.hall.clock.advance(seconds)
        await self.settled()


class Dies:
    """Makes a store fail after `lives` further writes: one more is stored, as if its process were killed right then."""

    def __init__(self, evening: TournamentProcess) -> None:
        self._evening = evening
        self.lives = 0
        database: Any = evening.hall.store.database
        for name in ("write", "append"):
            setattr(database, name, self._mortal(getattr(database, name)))

    def _mortal(self, write: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def mortal(*args: Any, **kwargs: Any) -> Any:
            if self.lives < 0:
                raise StoreUnavailable(Fault.UNAVAILABLE, "killed")
            self.lives -= 1
            done = await write(*args, **kwargs)
            if self.lives < 0:
                raise StoreUnavailable(Fault.UNAVAILABLE, "killed once that was stored")
            return done

        return mortal


def swiss(*, target: int = 5) -> Setup:
    """Set-up of a Swiss tournament with short matches."""
    return Setup(Format.SWISS, target=target)


def over(state: Tournament) -> bool:
    return state.stage is TournamentStage.FINISHED
