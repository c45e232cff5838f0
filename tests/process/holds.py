"""How long each request that a person can make holds the event loop, on a server that has much to count.

    python -m tests.process.holds 5000

prints it for a server with so many matches of one person, as JSON; `make bench ARGS=holds` sums it up.

The requests are found: every command of the tree, what is offered while somebody types, and every verb of every kind of
screen. Measured is the longest step that a task of the bot took for it, in CPU milliseconds, without the simulated
Discord's own work.
"""

import asyncio
import gc
import json
import logging
import sqlite3
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import discord
from discord import AppCommandOptionType, AppCommandType, app_commands
from simcord.http import router

from bench.many import in_memory
from bot.club.store import rows
from bot.coach.analysis import Analysis, analyse
from bot.engine.moves import Move
from bot.engine.views import SeatView
from bot.platform.people import Person as PersonAt
from bot.players.lookahead import never
from bot.process.app import EscobaBot, create_bot
from bot.process.dispatch import SCREENS
from bot.process.parts import Simulation
from bot.thinking import InlineThinker, Urgency
from bot.thinking.port import Work, seeded
from bot.tournaments.parts import TournamentParts
from bot.tournaments.rules.log import Begin, Enter, JoinPartner
from bot.tournaments.rules.setup import Format, Setup
from tests.support.databases import with_tables
from tests.support.escoba import Room, settings_for
from tests.support.every_press import Known, presses
from tests.support.fake_discord import worlds
from tests.support.people import SimTime, forge, forge_form, world
from tests.test_check import NOON, Game

PAIRS: Final = 64
ANSWERS_PER_MATCH: Final = 20
RIVALS: Final = 20
"""How many people the matches have been played against."""
DAYS: Final = 20
"""The number of days that the answers to the day's puzzle are of."""
LONG: Final = 101
"""The target of one match, which has the longest log."""
_FORM: Final = [{"type": 1, "components": [{"type": 4, "custom_id": "x", "value": each}]} for each in "23"]
Spent = Callable[[], float]
Request = Callable[[], Awaitable[Any]]
T = TypeVar("T")


class Loop:
    """Measures the steps of all tasks but the current one.

    `spent`: what has been spent on this thread so far, such as seconds of CPU.
    """

    def __init__(self, spent: Spent) -> None:
        self.longest = 0.0
        self._spent = spent
        self._outside = 0.0
        """What the simulated Discord has spent."""
        self._driver = asyncio.current_task()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Measure in the block."""
        handle: Any = asyncio.events.Handle
        run, dispatch = handle._run, router.dispatch

        def timed(step: Any) -> None:
            if getattr(step._callback, "__self__", None) is self._driver:
                run(step)
                return
            outside, began = self._outside, self._spent()
            run(step)
            self.longest = max(self.longest, self._spent() - began - (self._outside - outside))

        def answered(*args: Any, **rest: Any) -> Any:
            began = self._spent()
            try:
                return dispatch(*args, **rest)
            finally:
                self._outside += self._spent() - began

        handle._run, router.dispatch = timed, answered
        try:
            yield
        finally:
            handle._run, router.dispatch = run, dispatch


class _ThreadThinker(InlineThinker):
    """Thinks in threads, as the bot does in other processes: only what is left for the loop is measured."""

    async def analysis(
        self,
        view: SeatView,
        seed: str,
        urgency: Urgency,
        *,
        draws: int,
        played: Move | None = None,
        person: int | None = None,
    ) -> Analysis | None:
        return await asyncio.to_thread(analyse, view, seeded(seed), draws=10, played=played)

    async def solve(self, work: Work[T], urgency: Urgency, person: int | None = None) -> T | None:
        answer: Any = None
        while True:
            await asyncio.sleep(0)
            try:
                question = work.send(answer)
            except StopIteration as end:
                return end.value
            text = await asyncio.to_thread(lambda asked=question: json.dumps(asked.think(never)))
            answer = question.parse(json.loads(text))


class _Town:
    """A server with much to count, and somebody who plays there, manages it and presses."""

    def __init__(self, here: Room) -> None:
        self.here = here
        self.person = here.people[0]
        self.numbers: dict[str, Sequence[int]] = {}

    async def fill(self, matches: int, answers: int) -> None:
        """Store matches of the person, answers to the days' puzzles, and a tournament of pairs."""
        parts, guild = self.here.bot.parts, self.here.world.guild.id
        own = PersonAt(self.person.id, self.person.name)
        rivals = [PersonAt(1_000 + number, f"Rival {number}") for number in range(RIVALS)]
        long = await Game(own, rivals[0], target=LONG).play(moves=5_000).keep(parts.stores, guild=guild, channel=7)
        models = [
            await Game(own, rival, seed=rival.id).play().keep(parts.stores, guild=guild, channel=7) for rival in rivals
        ]
        with closing(sqlite3.connect(parts.settings.database)) as database, database:
            _repeat(database, models, matches)
            _answer(database, guild, answers, parts.clock.now().date())
        await parts.stores.database.write(rows.recount, guild, [each.id for each in (own, *rivals)])
        cup = self.here.world.guild.create_text_channel("copa")
        with worlds.as_bot(self.here.env):
            tournament = await self._tournament(own, guild, cup.id)
        await self.here.env.settle()
        await self.here.begin(2)
        games = self.here.table.id, long
        self.numbers = {"e": games, "v": games, "w": games, "t": [tournament], "b": [tournament]}

    async def _tournament(self, organiser: PersonAt, guild_id: int, channel_id: int) -> int:
        live = self.here.bot.host.of(TournamentParts).tournaments
        setup = Setup(Format.DUPLICATE, pairs=True, boards=2, title="Copa")
        opened = await live.open(
            guild_id=guild_id, channel_id=channel_id, locale="es-ES", organiser=organiser, setup=setup
        )
        for number in range(PAIRS):
            first = organiser if not number else PersonAt(5_000 + 2 * number, f"Uno {number}")
            await opened.submit(Enter(first))
            await opened.submit(JoinPartner(PersonAt(5_001 + 2 * number, f"Dos {number}"), number + 1))
        await opened.submit(Begin(organiser))
        return opened.id

    async def press(self, custom_id: str, *, private: bool) -> None:
        """Press a button, or choose in a menu, on a message of the kind that has it."""
        await forge(self.person, self._message(private=private), custom_id, ["1"])

    async def submit(self, custom_id: str, *, private: bool) -> None:
        """Submit a form."""
        await forge_form(self.person, self._message(private=private), custom_id, _FORM)

    def _message(self, *, private: bool) -> discord.Message:
        return self.person.latest(self.here.channel, ephemeral=private)


def _repeat(database: sqlite3.Connection, models: Sequence[int], matches: int) -> None:
    """Copy these games, with their results, until there are so many; each a minute older than the one before."""
    database.execute("CREATE TEMP TABLE copies (new INTEGER, old INTEGER, ago TEXT)")
    first = database.execute("SELECT max(id) + 1 FROM games").fetchone()[0]
    database.executemany(
        "INSERT INTO copies VALUES (?, ?, ?)",
        ((first + number, models[number % len(models)], f"-{number} minutes") for number in range(matches)),
    )
    # Each model has one result; the copies' results get the numbers of their games, which are free.
    for table, by in (
        ("games", "id"),
        ("events", "game_id"),
        ("participants", "game_id"),
        ("deals", "game_id"),
        ("results", "game_id"),
    ):
        _copy(database, table, f"JOIN copies ON copies.old = {table}.{by}", {by: "copies.new"})
    _copy(
        database,
        "result_players",
        "JOIN results ON results.id = result_id JOIN copies ON copies.old = results.game_id",
        {"result_id": "copies.new"},
    )


def _copy(database: sqlite3.Connection, table: str, join: str, changed: dict[str, str]) -> None:
    if table == "results":
        changed = {**changed, "id": "copies.new"}
    names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    moments = {"ended_at", "opened_at", "closed_at"}
    values = [
        changed.get(name)
        or (f"strftime('%Y-%m-%d %H:%M:%f000', {table}.{name}, copies.ago)" if name in moments else f"{table}.{name}")
        for name in names
    ]
    database.execute(f"INSERT INTO {table} ({', '.join(names)}) SELECT {', '.join(values)} FROM {table} {join}")  # noqa: S608 - the schema's own names


def _answer(database: sqlite3.Connection, guild: int, answers: int, today: date) -> None:
    database.executemany(
        "INSERT INTO day_answers VALUES (?, ?, ?, ?, '7o', ?, 1, ?)",
        (
            (
                f"{day}",
                10_000 + number // DAYS,
                guild,
                f"Person {number // DAYS}",
                number % 700,
                f"{day} 12:00:00.000000",
            )
            for number in range(answers)
            for day in [today - timedelta(days=number % DAYS)]
        ),
    )


@asynccontextmanager
async def _town(folder: Path, matches: int, answers: int) -> AsyncIterator[_Town]:
    with_tables(folder / "escoba.sqlite3")
    settings = settings_for(folder, pictures=True)

    async def make(now: SimTime) -> EscobaBot:
        return await create_bot(settings, Simulation(now.now, now.hold, forgets=True, thinker=_ThreadThinker()))

    async with world(make, ("Ana", "Bea", "Ciro"), check=False, settle_timeout=300.0) as made:
        role = made.guild.create_role("boss", permissions=discord.Permissions.all())
        made.env.backend.add_member_role(made.guild.id, made.people[0].id, role.id)
        await made.env.advance_time((NOON - made.env.now()).total_seconds() + 86_400)
        town = _Town(Room(made, make))
        await town.fill(matches, answers)
        yield town


def _requests(town: _Town) -> Iterator[tuple[str, Request]]:
    """All requests that somebody can make, each with a name."""
    here, person = town.here, town.person
    for command in here.bot.tree.walk_commands():
        if isinstance(command, app_commands.Command):
            name = command.qualified_name
            yield f"/{name}", partial(person.slash, here.channel, name, **_options(town, command))
            for option in command.parameters:
                if option.autocomplete:
                    typed = partial(person.actor.autocomplete, here.channel, name, option.display_name, "e")
                    yield f"/{name} {option.display_name}", typed
    for menu in here.bot.tree.get_commands(type=AppCommandType.user):
        yield menu.name, partial(person.right_click, here.channel, here.people[1], menu.name)
    known = Known(town.numbers, [each.id for each in here.people[:2]], here.bot.parts.clock.now().date())
    for screen in SCREENS:
        for custom_id in presses(screen, known):
            kind, verb, *_ = custom_id.split(":")
            private = verb not in screen.public
            yield f"{kind}:{verb}", partial(town.press, custom_id, private=private)
            if verb in screen.forms:
                yield f"{kind}:{verb} form", partial(town.submit, custom_id, private=private)


def _options(town: _Town, command: app_commands.Command[Any, ..., Any]) -> dict[str, Any]:
    """Values for the options that a command must have, and for the others that name somebody."""
    people = AppCommandOptionType.user
    return {each.display_name: town.here.people[1].actor for each in command.parameters if each.type is people}


async def measure(matches: int, answers: int, spent: Spent = time.thread_time) -> dict[str, float]:
    """Make each request on a server with that many matches of one person, and answers to the day's puzzle.

    Everything is pressed twice, on two such servers, there and back: what one press takes away, such as a table that
    ends, is missing only in one of the two for those that come after it.

    Returns what the longest step of each request has `spent`, by its name, the longest first.
    """
    longest = defaultdict[str, float](float)
    for back in (False, True):
        with in_memory() as database:
            async with _town(Path(database).parent, matches, answers) as town:
                gc.collect()
                gc.disable()  # a collection of all there is may fall on any step, whatever it is for
                for name, request in list(_requests(town))[:: -1 if back else 1]:
                    loop = Loop(spent)
                    with loop.watched():
                        await request()
                        await town.here.env.settle()
                    longest[name] = max(longest[name], loop.longest)
                gc.enable()
    return dict(sorted(longest.items(), key=lambda each: -each[1]))


def main() -> None:
    """Print the milliseconds of each request, the longest first."""
    logging.disable(logging.WARNING)
    matches = int(sys.argv[1])
    found = asyncio.run(measure(matches, matches * ANSWERS_PER_MATCH))
    sys.stdout.write(json.dumps({name: round(1000 * took, 2) for name, took in found.items()}))


if __name__ == "__main__":
    main()
