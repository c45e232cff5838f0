"""The statements that bots run are recorded, and run again on the tables of every newer version that works for them.

Those of this version are recorded here. `written/` keeps those of released schemas, in one file for each and each kind
of database: see CONTRIBUTING.md, "Changing the tables". A step made up for it shows what they find.

SQLite's plans for those of this version are read, too: none may go through all of a table that grows as people play,
unless its method is listed here with the reason.
"""

import inspect
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, cast
from unittest.mock import Mock

import psycopg
import pytest
import sqlalchemy as sa

from bot.club.store.given_roles import Given
from bot.club.store.revised import Verdict
from bot.club.store.standing import Leaderboard, Metric
from bot.engine.cards import DECK
from bot.platform.database.database import Database, Store
from bot.platform.database.upgrade import newest, oldest_beside
from bot.platform.people import Person
from bot.platform.shards import Shards
from bot.process.stores import Stores
from bot.schema import SCHEMA
from bot.tables.log.ahead import Ahead
from bot.tables.log.evenings import Part
from bot.tables.store.deals import Deal, Draw, Seal
from bot.training.store.days import DayChannel, Stopped
from bot.training.store.rows import DayAnswer, Judgement, LessonRow, PracticeRow
from tests.platform.database import released_steps
from tests.support.databases import with_tables
from tests.support.steps import EXPANDS, newer_version
from tests.support.store import (
    CHANNEL,
    GUILD,
    MARCH,
    NOON,
    OPENER,
    entries,
    entry,
    leaderboard_of,
    match_result,
    miss,
    new_game,
    on_both,
    player_result,
    rows,
)

_FOLDER: Final = Path(__file__).with_name("written")
_PAPER: Final = Path(__file__).parents[3] / "docs" / "RUNNING.md"
"""Its table has the schema of each version."""
_ERASING: Final = "-- From here on, data of people and servers are erased."
_WRITES: Final = os.environ.get("WRITTEN") == "write"
_RECORDED: Final[dict[type, list[str]]] = {}
"""What this version runs, by the kind of database: recorded once."""
_NO_ROWS: Final = {"PersonalData.note_erasure"}
"""Methods of stores that have nothing to do with rows."""
_OF_SERVERS: Final = {"day_channels", "departures", "given_roles", "key_values", "missing_guilds", "rule_sets"}
"""Tables with a few rows for each server, however much is played there."""
_THROUGH_ALL: Final = {
    "TournamentLogs.unfinished": "start",
    "StoredPreferences.all": "start",
    "KeptData.guilds": "retention",
    "KeptData.drop_games": "retention",
    "KeptData.drop_crowds": "retention",
    "KeptData.drop_limits": "retention",
    "KeptData.note_chosen": "retention",
    "KeptData.inactive": "retention",
    "PersonalData.marks_of": "one's own data",
    "KeptData.drop_rest": "retention",
    "PersonalData.forget": "erasure",
    "TournamentLogs.forget": "erasure",
    "Standings.servers": "check",
    "EveningMatches.channels": "start, and the table keeps a match for an evening only",
}
"""Methods that may go through all of a table that grows, and when they are called."""
_METHOD: Final = "-- method "


async def write_and_read(store: Stores) -> None:
    """Call every method that reads or writes rows, and add to every table."""
    game = await new_game(store, log=entries(1, 2), joined=[5])
    await store.games.append(game.id, [entry(3)])
    await store.games.append(game.id, entries(4, 8))
    await store.games.append(game.id, [entry(9)], joined=[8], moved_to=CHANNEL + 1)
    await store.games.set_message(game.id, 77, NOON)
    drawn = await new_game(store, 900, log=[entry(1)], seal=Seal("seed", "commitment"))
    assert [await store.games.set_message(drawn.id, message_id, NOON) for message_id in (77, 78, 78)] == [1, 2, 2]
    await store.games.append(drawn.id, [entry(2)], draw=Draw(1, 78))
    await store.games.append(drawn.id, [entry(3)], draw=Draw(2, 78), close=True)
    assert await store.deals.latest(GUILD, OPENER, "played", limit=1) == [drawn.id]
    assert await store.deals.of(drawn.id) == Deal("seed", "commitment", 78, posted=2, dealt=2)
    await store.games.set_locale(game.id, "en-GB")
    for named in (Ahead("1.1.3", DECK[0]), Ahead("1.1.2", DECK[1], untaken=True)):
        await store.games.name_ahead(game.id, 1, named)
        assert await store.games.ahead_of(game.id, 1) == named
    for face in ("clap", "gasp", "gasp", "laugh"):
        await store.games.press_face(game.id, 1, "1.1", face)
    for side in (0, 1):
        assert await store.games.vote(game.id, 1, 2, side) == {2: side}
    assert await store.games.vote(game.id, 1, 1, 0) == {1: 0, 2: 1}
    faces, votes = await store.games.crowds_of([game.id, drawn.id])
    assert (faces, votes) == ({game.id: ("1.1", {1: "laugh"})}, {game.id: {1: {1: 0, 2: 1}}})
    await store.games.append(game.id, [entry(10)], faceless=True, voteless=[2])
    await store.games.press_face(game.id, 1, "1.2", "clap")
    kept = await store.rule_sets.add(GUILD, "Peña", "{}", 1, NOON)
    assert isinstance(kept, int)
    for number, (when, winner, ranked) in enumerate([(0, 1, True), (60, 2, True), (-60, 1, True), (90, 1, False)]):
        match = await new_game(store, 100 + number, log=[entry(1)])
        players = [
            player_result(
                seat,
                seat + 1,
                won=seat + 1 == winner,
                points=21 - seat,
                place=1 + (seat + 1 != winner),
                sources='{"a":2}',
            )
            for seat in range(3)
        ]
        result = match_result(players, ended_at=NOON + timedelta(seconds=when), ranked=ranked, rule_set=kept)
        await store.games.append(match.id, [entry(2)], result=result, close=True, part=Part(best_of_three=True))
        await store.evenings.end_shown(match.id, 80 + number)
        missed = PracticeRow(f"review/{match.id}/7", "{}", "sevens", 0, NOON)
        assert await store.reviews.put(match.id, 1, Judgement(900, 250, 4, decisions=20, at=NOON), [missed])
        assert await store.luck.put(match.id, "[[21,-11,49],[-21,11,49]]")
    where: Any = {"guild_id": GUILD + 1, "channel_id": 200, "opener_id": 1, "locale": "es-ES"}
    elsewhere = await store.games.open(**where, at=NOON, entries=[entry(1)])
    alone = match_result([player_result(0, 1, won=True), player_result(1, None)], guild_id=GUILD + 1)
    await store.games.append(elsewhere.id, [entry(2)], result=alone, close=True)
    missed = PracticeRow("day/2026-03-14", "{}", "sevens", 0, NOON)
    await store.practice.add(1, [missed, replace(missed, source="starter/1", exercise="", step=4)])
    for asked in await store.practice.of(1):
        assert await store.practice.move(1, asked, replace(missed, step=1))
        await store.practice.get(1, asked.source)
    for key, value in (("a", "1"), ("a", "2"), ("b", "1"), ("b", None)):
        await store.values.set(key, value)
    assert not await store.values.add("a", "3")
    assert await store.values.add("a", "3", instead_of="2")
    for choices in (None, "nudge=never", "nudge=always"):
        await store.preferences.put(1, choices)
    await store.lessons.offer(1, LessonRow("escoba", 0, None, NOON))
    await store.lessons.offer(6, LessonRow("escoba", 0, None, NOON))
    await store.lessons.put(6, LessonRow("escoba", 1, "0 5c ?", NOON))
    assert await store.days.add_position(NOON.date(), "{}") == "{}"
    await store.kept.depart([11, 12], NOON)
    await miss(store, 13, NOON)
    await store.kept.rejoin([11, 14])
    await store.games.give_up((await new_game(store, 300)).id, NOON)
    channel = DayChannel(GUILD + 1, 200, 18, "es-ES")
    for row in (channel, replace(channel, message_id=78, day=NOON.date(), unused=1)):
        await store.day_channels.put(row)
    await store.day_channels.put(replace(channel, guild_id=GUILD + 2, stopped=Stopped.GONE))

    for name in ("Aurora", "Otra"):
        spare = await store.rule_sets.add(GUILD + 1, name, "{}", 6, NOON)
        assert isinstance(spare, int)
    await store.rule_sets.change(GUILD + 1, spare, "{}", 7, NOON)
    await store.rule_sets.rename(GUILD + 1, spare, "Tercera")
    assert await store.rule_sets.remove(GUILD + 1, spare)
    assert await store.rule_sets.remove(GUILD, kept)
    await store.rule_sets.of(GUILD + 1)
    await store.rule_sets.names(GUILD, [kept])

    for number, guild_id in enumerate((GUILD, GUILD + 1)):
        place: Any = {"guild_id": guild_id, "channel_id": 400 + number, "locale": "es-ES"}
        evening = await store.tournaments.open(**place, organiser_id=5, at=NOON, entries=[entry(1, "5")])
        await store.tournaments.append(evening.id, [entry(2, "1")], joined=[1])
        await store.tournaments.set_message(evening.id, 79)
        table: Any = {"opener_id": 1, "at": NOON, "entries": [entry(1)], "fixture": (evening.id, "1.1")}
        await store.games.open(**place | {"channel_id": 500 + number}, **table)
        await store.tournaments.games(evening.id)
        await store.tournaments.log(evening.id)
    await store.tournaments.append(evening.id, [entry(3)], close=True)
    await store.tournaments.unfinished()
    await store.tournaments.naming(1)
    await store.tournaments.get(evening.id)
    await store.tournaments.set_event(evening.id, 80)
    await store.tournaments.revise(evening.id, [Verdict("1.1", ranked=False)])
    await store.tournaments.give_up(evening.id, NOON)

    await store.names.rename_in_logs(GUILD, Person(5, "Xenia"))
    await store.games.newest_event()
    for outdated in (True, False):
        assert await store.names.is_outdated(GUILD, Person(1, "Xenia")) == outdated
        await store.names.rename(GUILD, Person(1, "Xenia"))

    answer = DayAnswer(NOON.date(), 1, GUILD + 1, "Ana", "0 7o x 8c", 0, True, NOON)
    for given in (answer, replace(answer, user_id=2, guild_id=GUILD, lost=700)):
        assert await store.answers.give(given) == given

    for metric in Metric:
        await leaderboard_of(store, metric, since=MARCH)
        await store.leaderboards.own_row(GUILD, 1, Leaderboard(metric, preset="escoba"))
    await store.leaderboards.stats(GUILD, 1)
    await store.careers.of(GUILD, 1)
    await store.careers.aftermath(GUILD, game.id + 1, [1, 2])
    await store.leaderboards.seasons_before(GUILD, "2026-04", limit=9)
    await store.careers.duel(GUILD, 1, 2)
    await store.ratings.lineup(GUILD, [1, 2, 3], NOON)
    await store.ratings.changes(game.id + 1)
    await store.ratings.history(GUILD, 1)
    await store.luck.of(game.id + 1)
    await store.luck.latest(GUILD, 1, 20)
    await store.standings.servers()
    await store.standings.differences(GUILD)
    await store.reviews.latest(GUILD, 1, limit=3)
    for shards in (Shards.parse("0/1"), Shards.parse("0-1/4")):
        await store.games.open_games("played", shards)
        await store.games.unshown_ends(shards)
    in_private: Any = {"guild_id": None, "channel_id": None, "opener_id": 1, "locale": "es-ES"}
    await store.games.open(**in_private, at=NOON, entries=[entry(1)])
    await store.alone.open(1, "played")
    await store.alone.latest(1)
    await store.alone.idle(NOON, limit=9)
    await store.games.opened_since(game, [1])
    await store.games.unplayed(1, 2, NOON, "match")
    await store.games.played_between(CHANNEL, 1, game.id, "match")
    assert await store.games.broken_off(GUILD, 10) == []
    await store.games.get(game.id)
    await store.games.log(game.id)
    await store.games.with_logs([game.id, elsewhere.id])
    await store.lessons.of(6)
    await store.preferences.all()
    await store.preferences.get(1)
    await store.kept.guilds(["guild_settings:"])
    await store.kept.departed()
    await store.values.get("a")
    await store.values.of("a")
    await store.day_channels.all()
    await store.days.known(NOON.date(), NOON.date())
    await store.answers.record(1, NOON.date(), NOON.date(), 7)
    await store.day_channels.get(GUILD)
    await store.answers.has_answered(1, NOON.date())
    await store.answers.streaks([1, 2], NOON.date())
    await store.answers.given_in(GUILD, NOON.date())
    await store.answers.month(GUILD, 1, MARCH.date(), 10)
    await store.answers.regulars(GUILD, [1, 2], MARCH.date())
    await store.answers.solvers([1, 2], MARCH.date())
    await store.answers.together(GUILD, MARCH.date())
    await store.answers.has_tried(1)
    await store.days.position(NOON.date())
    await store.games.running(1)
    await store.games.ended(1, MARCH, NOON)
    await store.matches.page(GUILD, 1, limit=5, offset=0)
    await store.matches.of(GUILD, 1, game.id)
    await store.newcomers.among([1, 7])
    await store.newcomers.winless([1, 7])
    await store.newcomers.has_only(1, 7)
    await store.ratings.current(GUILD, [1, 7], NOON)
    ids, _ = await store.results.latest(GUILD, 5)
    await store.results.of(ids)
    assert await store.evenings.began_at(game.id) is None
    assert [place.guild_id for place in await store.evenings.channels(Shards.parse("0/1"))] == [GUILD]
    first, second, *_ = [each.game_id for each in await store.evenings.of_channel(CHANNEL)]
    await store.evenings.close([first, second], 99)
    await store.evenings.forget([first])
    for role in (given := [Given(GUILD, 5, 1), Given(GUILD, 6, 1), Given(GUILD, 6, 2)]):
        assert await store.given_roles.note(role)
    await store.given_roles.taken(given[0])
    assert await store.given_roles.held(GUILD) == {6: {1, 2}}


async def erase(store: Stores) -> None:
    """Call every method that erases what people and servers leave behind."""
    await store.personal_data.of(1)
    shards = Shards.parse(f"{((GUILD >> 22) + 1) % 4}/4")
    await store.personal_data.forget(5, lambda game_id: lambda kind, body: f"{body}.", NOON, shards=shards)
    for game_id, user_id in await store.personal_data.erasures_due():
        await store.personal_data.forget_in(game_id, user_id, lambda game_id: lambda kind, body: f"{body}.")
    await store.personal_data.forget(1, lambda game_id: lambda kind, body: None, NOON)
    assert await store.given_roles.due() == [Given(GUILD, 6, 1)]
    for _ in range(2):
        await store.personal_data.note_erasure(1, NOON)
        await store.personal_data.erasure_done(1)
    await store.personal_data.marks_of(1, NOON)
    await store.kept.drop_limits(NOON)
    await store.kept.drop_crowds()
    await store.kept.note_chosen(NOON)
    await store.kept.inactive(NOON)
    await store.tournaments.forget(5, lambda number: lambda kind, body: f"{body}.", shards=shards)
    for number, user_id in await store.tournaments.erasures_due():
        await store.tournaments.forget_in(number, user_id, lambda number: lambda kind, body: f"{body}.")
    await store.tournaments.drop_logs(NOON + timedelta(days=1))
    await store.kept.drop_games(GUILD + 1)
    await store.kept.drop_rest(GUILD + 1, ["a"])
    await store.kept.drop_logs(NOON + timedelta(days=1))
    await store.day_channels.drop(GUILD + 2)


@pytest.fixture
def with_the_tables(database: str | Path) -> str | Path:
    return with_tables(database) if isinstance(database, Path) else database


def file_of(version: str, database: str | Path) -> Path:
    return _FOLDER / f"{version}.{'sqlite' if isinstance(database, Path) else 'postgresql'}.sql"


def released(database: str | Path) -> dict[str, list[str]]:
    """The statements of released schemas, by version."""
    kept = sorted(_FOLDER.glob(file_of("*", database).name))
    return {file.name.partition(".")[0]: file.read_text().splitlines() for file in kept}


@contextmanager
def recording(database: str | Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Note the statements that are run in the block, with their values."""
    noted: list[str] = []
    with monkeypatch.context() as patch:
        if isinstance(database, Path):
            connect = sqlite3.connect

            def tracing(*args: Any, **options: Any) -> sqlite3.Connection:
                made = connect(*args, **options)
                made.set_trace_callback(noted.append)
                return made

            patch.setattr(sqlite3, "connect", tracing)
            yield noted
            return
        with psycopg.connect(database.replace("+psycopg", "")) as server:
            execute = psycopg.AsyncCursor.execute
            values = psycopg.ClientCursor(server)

            async def noting(self: Any, query: Any, params: Any = None, **options: Any) -> Any:
                noted.append(values.mogrify(query, params))
                return await execute(self, query, params, **options)

            patch.setattr(psycopg.AsyncCursor, "execute", noting)
            yield noted


def about_rows(statements: list[str]) -> list[str]:
    """The statements that name one of the tables, each on one line; of reads that differ only in values, the first."""
    names = re.compile(rf"\b(?:{'|'.join(SCHEMA.metadata.tables)})\b")
    found: list[str] = []
    read: set[str] = set()
    for line in (" ".join(statement.split()) for statement in statements):
        if line != _ERASING and (line.startswith("--") or not names.search(line)):
            continue
        shape = re.sub(r"'[^']*'|\d+", "?", line)
        if shape not in read:
            found.append(line)
        if line.startswith("SELECT"):
            read.add(shape)
    return found


_USED: Final[set[str]] = set()
"""The methods of stores that have been used."""
_WROTE: Final[dict[str, bool]] = {}
"""The transactions that were opened to write, by what ran in them, each with whether it has ever written anything."""

_FOUND_NOTHING: Final = {"GuildNames.rename_in_logs", "KeptData.drop_rest", "revise"}
"""Those that find nothing here that they would change."""


def noting_writes(database: Database, noted: list[str]) -> Any:
    """The database's `write`, which notes of each transaction whether it writes. `noted`: the statements that run."""
    write = database.write

    async def noting(statements: Any, *args: Any, **how: Any) -> Any:
        begun, name = len(noted), getattr(statements, "func", statements).__qualname__
        try:
            return await write(statements, *args, **how)
        finally:
            changes = any(each.lstrip().startswith(("INSERT", "UPDATE", "DELETE")) for each in noted[begun:])
            _WROTE[name] = _WROTE.get(name, False) or changes

    return noting


class _Noted:
    """A store of which it is noted which methods are used, also among the statements."""

    def __init__(self, store: Store, noted: list[str]) -> None:
        self._store = store
        self._noted = noted

    def __getattr__(self, name: str) -> Any:
        method = f"{type(self._store).__name__}.{name}"
        _USED.add(method)
        self._noted.append(_METHOD + method)
        return getattr(self._store, name)


@pytest.fixture
async def recorded(
    with_the_tables: str | Path, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """All that this version runs, with the methods that do; recorded on another database of the same kind."""
    kind = type(with_the_tables)
    if kind not in _RECORDED:
        place = another(request, with_the_tables, tmp_path / "recorded")
        with recording(place, monkeypatch) as noted:
            store = await Stores.open(place)
            for name, each in list(vars(store).items()):
                if isinstance(each, Store):
                    setattr(store, name, _Noted(each, noted))
            noted.clear()
            monkeypatch.setattr(store.database, "write", noting_writes(store.database, noted))
            await write_and_read(store)
            noted.append(_ERASING)
            await erase(store)
            _RECORDED[kind] = [*noted]
            await store.database.close()
    return _RECORDED[kind]


@pytest.fixture
def written(recorded: list[str]) -> list[str]:
    """The statements that this version runs."""
    return about_rows(recorded)


@on_both
async def test_all_that_the_bot_writes_and_reads_is_recorded(with_the_tables: str | Path, written: list[str]) -> None:
    methods = {
        f"{type(store).__name__}.{name}"
        for store in Stores(cast(Database, Mock())).all()
        for name, _ in inspect.getmembers(store, inspect.iscoroutinefunction)
        if not name.startswith("_")
    }
    assert methods - _USED <= _NO_ROWS, "every method has its statements here"
    added_to = {line.split()[2] for line in written if line.startswith("INSERT INTO")}
    assert added_to == set(SCHEMA.metadata.tables)
    if _WRITES:
        _FOLDER.mkdir(exist_ok=True)
        file_of(newest(SCHEMA), with_the_tables).write_text("\n".join(written) + "\n")


def gone_through(database: Path, statements: list[str]) -> set[tuple[str, str]]:
    """(method, table): where SQLite goes through all of a table that grows."""
    grow = SCHEMA.metadata.tables.keys() - _OF_SERVERS
    found: set[tuple[str, str]] = set()
    method = ""
    with running(database) as run:
        for statement in statements:
            if statement.startswith(_METHOD):
                method = statement.removeprefix(_METHOD)
            elif re.match("SELECT|INSERT|UPDATE|DELETE|WITH", statement):
                plan: Any = run(f"EXPLAIN QUERY PLAN {statement}")
                tables = filter(None, (_whole_table(step[-1], statement) for step in plan))
                found |= {(method, table) for table in tables if table in grow}
    return found


def _whole_table(step: str, statement: str) -> str | None:
    """The table that a step of a plan goes through, unless by an index of the few rows that are not over yet."""
    # With max() a step that reads everything is called a search, but has no condition in parentheses.
    read = re.match(r"(?:SCAN|SEARCH(?!.*\()) (\w+)(?:.* INDEX (\w+))?", step)
    if read is None or read[2] in _indexes_of_the_unfinished():
        return None
    named = re.search(rf"\b(\w+) AS {read[1]}\b", statement)
    return named[1] if named and read[1] not in SCHEMA.metadata.tables else read[1]


def _indexes_of_the_unfinished() -> set[str | None]:
    indexes = (index for table in SCHEMA.metadata.tables.values() for index in table.indexes)
    unfinished = ("closed_at IS NULL", "closed_at IS NOT NULL AND message_id IS NOT NULL")
    return {str(index.name) for index in indexes if index.info.get("where", "").startswith(unfinished)}


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_no_statement_goes_through_a_table_that_grows(with_the_tables: Path, recorded: list[str]) -> None:
    found = gone_through(with_the_tables, recorded)
    assert {(method, table) for method, table in found if method not in _THROUGH_ALL} == set()
    assert _THROUGH_ALL.keys() == {method for method, _ in found}, "those that no longer do so needn't be listed"


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_statement_that_goes_through_a_table_that_grows_is_found(with_the_tables: Path) -> None:
    planted = [
        "SELECT id FROM games WHERE closed_at IS NULL ORDER BY id",
        "SELECT own.won FROM result_players AS own WHERE own.won",
        "SELECT max(events.at) FROM events, games WHERE events.game_id = games.id AND games.closed_at IS NULL",
        "SELECT id FROM games WHERE closed_at IS NULL",
        "SELECT guild_id FROM departures",
    ]
    marked = [line for number, each in enumerate(planted) for line in (f"{_METHOD}{number}", each)]
    assert gone_through(with_the_tables, marked) == {("0", "games"), ("1", "result_players"), ("2", "events")}


@on_both
async def test_only_what_writes_opens_a_transaction_to_write(written: list[str]) -> None:
    assert {name for name, wrote in _WROTE.items() if not wrote} == _FOUND_NOTHING


async def problems(database: str | Path, statements: list[str]) -> list[str]:
    """The problems after an older bot has run its statements on a database's tables."""
    found: list[str] = []
    with running(database) as run:
        for statement in statements:
            if statement == _ERASING:
                refer_to_rows(database, known=" ".join(statements))
                continue
            try:
                run(statement)
            except (sqlite3.Error, psycopg.Error) as error:
                found.append(f"{error} in {statement[:60]}")
    if isinstance(database, Path):
        found += [f"no parent: {row}" for row in rows(database, "PRAGMA foreign_key_check")]
    store = await Stores.open(database)
    for guild_id in await store.standings.servers():
        found += await store.standings.differences(guild_id)
    await store.database.close()
    return found


@contextmanager
def running(database: str | Path) -> Iterator[Callable[[str], object]]:
    """A function that runs a statement on a connection that commits each one."""
    if isinstance(database, Path):
        with closing(sqlite3.connect(database, isolation_level=None)) as connection:
            connection.execute("PRAGMA foreign_keys=ON")
            yield lambda statement: connection.execute(statement).fetchall()
    else:
        with psycopg.connect(database.replace("+psycopg", ""), autocommit=True) as server:
            yield lambda statement: server.execute(statement.encode())


def refer_to_rows(database: str | Path, *, known: str) -> None:
    """Add rows that refer to every existing row to each table that an older bot doesn't know, as newer bots may."""
    engine = sa.create_engine(f"sqlite:///{database}" if isinstance(database, Path) else database)
    tables = sa.MetaData()
    with engine.begin() as connection:
        tables.reflect(connection)
        for table in tables.sorted_tables:
            if table.name in known or len(table.foreign_keys) != 1:
                continue
            [key] = table.foreign_keys
            columns = [column for column in table.columns if column is key.parent or not column.nullable]
            numbers = {column for column in table.primary_key if isinstance(column.type, sa.Integer)}
            values = [key.column if column in {key.parent, *numbers} else _anything(column) for column in columns]
            connection.execute(sa.insert(table).from_select(columns, sa.select(*values)))
    engine.dispose()


def _anything(column: sa.Column[Any]) -> sa.ColumnElement[Any]:
    if isinstance(column.type, sa.Boolean):
        return sa.false()
    return sa.cast(NOON if isinstance(column.type, sa.DateTime) else "0", column.type)


@pytest.mark.thorough
async def test_the_tables_take_what_every_version_writes_that_they_work_for(
    with_the_tables: str | Path, written: list[str], request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    this = newest(SCHEMA)
    theirs = {**released(with_the_tables), this: written}
    schemas = re.findall(r"^\| [\d.]+ \| (\d{4}) \|", _PAPER.read_text(encoding="utf-8"), re.MULTILINE)
    assert {each for each in schemas if oldest_beside(SCHEMA, this) <= each} <= set(theirs), "each that had a release"
    for version, statements in theirs.items():
        database = with_the_tables if version == this else another(request, with_the_tables, tmp_path / version)
        assert await problems(database, statements) == []


def another(request: pytest.FixtureRequest, like: str | Path, place: Path) -> str | Path:
    return with_tables(place) if isinstance(like, Path) else request.getfixturevalue("postgres").new()


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        (EXPANDS, None),
        pytest.param('    op.drop_column("people", "choices")', "choices", marks=pytest.mark.thorough),
        pytest.param('    op.rename_table("reviews", "accuracies")', "reviews", marks=pytest.mark.thorough),
        (
            '    op.drop_index("ix_participants_user_id")\n'
            '    op.create_index("one_each", "participants", ["user_id"], unique=True)',
            "(?i)unique",
        ),
        (
            '    op.create_table("cups", sa.Column("result_id", sa.BigInteger(), sa.ForeignKey("results.id")))',
            "(?i)foreign key",
        ),
    ],
)
async def test_a_step_that_older_bots_cannot_work_with_is_found(
    with_the_tables: str | Path, written: list[str], tmp_path: Path, step: str, problem: str | None
) -> None:
    with newer_version(tmp_path, step, works_for=newest(SCHEMA)):
        await (await Stores.open(with_the_tables)).database.close()
    found = await problems(with_the_tables, written)
    assert bool(found) == (problem is not None), found
    assert problem is None or re.search(problem, " ".join(found))


async def test_a_table_that_is_counted_from_what_older_bots_write_is_found_to_be_wrong(
    with_the_tables: str | Path, written: list[str]
) -> None:
    theirs = [line for line in written if "rivals" not in line]
    found = await problems(with_the_tables, theirs)
    assert found, "they didn't count who had met whom"
    assert all(re.search("rivals: user . against user . is wrong", line) for line in found), found


def test_a_released_step_is_never_edited() -> None:
    assert "0001_first_tables.py" in released_steps.recorded()
    assert released_steps.edited() == [], (
        "put it back, and mend it with a new step: see CONTRIBUTING.md, Changing the tables"
    )


def test_an_edited_step_is_noticed_and_not_recorded_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(released_steps, "FILE", tmp_path / "steps.sha256")
    released_steps.FILE.write_text(f"{'0' * 64}  0001_first_tables.py\n")
    assert released_steps.edited() == ["0001_first_tables.py"]
    with pytest.raises(SystemExit, match="never edited"):
        released_steps.main()
    released_steps.FILE.unlink()
    with newer_version(tmp_path, EXPANDS):
        released_steps.main()
        assert [name[:4] for name in released_steps.recorded()] == [
            f"{n:04}" for n in range(1, int(newest(SCHEMA)) + 1)
        ]
