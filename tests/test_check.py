"""`python -m bot check`: no complaints about a good database, and a line for each problem in a damaged one."""

from __future__ import annotations

import asyncio
import re
import shutil
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

import bot.__main__ as command_line
from bot.engine.cards import DECK, Card
from bot.engine.moves import Stage
from bot.engine.rules import Seating
from bot.platform.database.errors import StoreUnavailable
from bot.platform.eventlog import LogEntry, people_of
from bot.platform.people import Person
from bot.privacy.live.erasure import Disguise
from bot.process.check import check
from bot.process.stores import Stores
from bot.tables.live.chance import Chance
from bot.tables.live.result import result_of
from bot.tables.log.actions import Action, AddComputer, Join, Leave, NextRound, PlayMove, Start
from bot.tables.log.codec import encode
from bot.tables.log.decide import decide
from bot.tables.log.events import Closed, Config, LogEvent, Opened, Phase
from bot.tables.log.state import TableState, opened
from tests.support.databases import with_tables
from tests.support.live_files import bytes_of
from tests.support.secrecy import default_finder

GUILD, OTHER_GUILD = 1_100_000_000_000_000_001, 1_100_000_000_000_000_002
ANA, BEA, CLO = (Person(1_300_000_000_000_000_000 + n, name) for n, name in enumerate(("Ana", "Bea", "Clo")))
NOON = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)


class Seeded(Chance):
    """Decks from a seed."""

    def __init__(self, seed: object) -> None:
        self.seed = seed

    def deck(self, game_id: int, round_number: int, seating: Seating) -> tuple[Card, ...]:
        return tuple(Random(f"{self.seed}/{round_number}").sample(DECK, len(DECK)))

    def dealer(self, game_id: int, seating: Seating) -> int:
        return 0

    def board(self, shuffle: int, number: int) -> tuple[Card, ...]:
        raise AssertionError("these tables belong to no tournament")


class Game:
    """A table's events, made by people's actions."""

    def __init__(self, *people: Person, seed: object = 1, computers: int = 0, target: int = 5) -> None:
        self.chance = Seeded(seed)
        self.people = people
        first = Opened(people[0], Config.of_preset("escoba", target=target))
        self.events: list[LogEvent] = [first]
        self.state: TableState = opened(first)
        for person in people[1:]:
            self.act(Join(person))
        for _ in range(computers):
            self.act(AddComputer(people[0], self.state.version))

    def act(self, action: Action) -> None:
        self.add(*decide(self.state, action, 1).dealt(self.chance, 1).events)

    def add(self, *events: LogEvent) -> None:
        for event in events:
            self.state = self.state.apply(event)
            self.events.append(event)

    def play(self, *, moves: int = 1_000, leaves: Person | None = None) -> Game:
        """Start, and play random legal moves until the match is over or `moves` have been made."""
        self.act(Start(self.people[0], self.state.version))
        if leaves is not None:
            self.act(Leave(leaves))
        rng = Random(f"{self.chance.seed}")
        while self.state.phase is Phase.PLAYING and (moves := moves - 1) >= 0:
            match = self.state.match
            assert match is not None
            if match.stage is Stage.TO_DEAL:
                staying = next(person for person in self.people if person is not leaves)
                self.act(NextRound(staying, match.version))
                continue
            assert match.turn is not None
            move = rng.choice(match.legal_moves())
            person = next((p for p in self.people if self.state.seat_of(p.id) == match.turn), None)
            self.add(match.event_of(move)) if person is None else self.act(PlayMove(person, match.version, move))
        return self

    def end(self, phase: Phase) -> Game:
        self.add(Closed(phase))
        return self

    async def keep(self, store: Stores, *, guild: int = GUILD, channel: int) -> int:
        """Store the log as a table does; returns the game's id."""
        now = NOON + timedelta(hours=channel)
        entries = [LogEntry(version, *encode(event), now) for version, event in enumerate(self.events, 1)]
        joined = people_of(self.events)
        row = await store.games.open(
            guild_id=guild,
            channel_id=channel,
            opener_id=ANA.id,
            locale="es-ES",
            at=now,
            entries=entries[:1],
            joined=joined,
        )
        result = result_of(self.state, guild_id=guild, channel_id=channel, ended_at=now)
        await store.games.append(row.id, entries[1:], joined=joined, result=result, close=not self.state.open)
        return row.id


@dataclass
class Database:
    """A closed database with every kind of game."""

    path: Path
    finished: int
    running: int

    def sql(self, *statements: str) -> None:
        """Run statements that damage it."""
        with closing(sqlite3.connect(self.path)) as connection, connection:
            for statement in statements:
                connection.execute(statement.format(finished=self.finished, running=self.running, clo=CLO.id))

    def without_constraints(self, table: str) -> None:
        """Drop a table's keys so that it accepts duplicate rows."""
        with closing(sqlite3.connect(self.path)) as connection, connection:
            connection.execute(f"CREATE TABLE bare AS SELECT * FROM {table}")  # noqa: S608 - a table of the test
            connection.execute(f"DROP TABLE {table}")
            connection.execute(f"ALTER TABLE bare RENAME TO {table}")

    async def lines(self) -> list[str]:
        """The complaints about it, without the summary, whose count is checked."""
        said: list[str] = []
        good = await check(self.path, said.append)
        *complaints, summary = said
        assert good == (not complaints)
        assert summary.endswith(f" checked: {len(complaints) or 'no'} problems.")
        for line in complaints:
            assert not default_finder().cards(re.sub(r"\d{6,}", "", line)), line
        return complaints


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Database:
    """The good database, created once."""
    path = with_tables(tmp_path_factory.mktemp("check") / "games.sqlite3")

    async def make() -> Database:
        store = await Stores.open(path)
        finished = await Game(ANA, BEA, seed=1).play().keep(store, channel=1)
        await Game(BEA, CLO, seed=2).play().keep(store, channel=2)
        await Game(CLO, ANA, BEA, seed=3).play(leaves=ANA).keep(store, channel=3)
        await Game(ANA, BEA, seed=4).play().keep(store, channel=4, guild=OTHER_GUILD)
        await Game(ANA, seed=5, computers=1).play().keep(store, channel=5)  # practice
        await Game(ANA, BEA).play(moves=5).end(Phase.CANCELLED).keep(store, channel=6)
        await Game(ANA, BEA).end(Phase.EXPIRED).keep(store, channel=7)
        running = await Game(ANA, BEA, seed=6).play(moves=9).keep(store, channel=8)
        await Game(CLO).keep(store, channel=9)
        await store.database.close()
        return Database(path, finished, running)

    return asyncio.run(make())


@pytest.fixture
def database(made: Database, tmp_path: Path) -> Database:
    """A copy of the good database, to be damaged."""
    path = tmp_path / made.path.name
    shutil.copyfile(made.path, path)
    return replace(made, path=path)


async def test_a_good_database_has_no_problems(database: Database) -> None:
    said: list[str] = []
    assert await check(database.path, said.append)
    assert re.fullmatch(r"9 games \(2 open\), \d+ events, 5 results and 5 standings checked: no problems\.", said[0])
    assert len(said) == 1


async def test_an_empty_database_has_no_problems(tmp_path: Path) -> None:
    with_tables(tmp_path / "new")
    said: list[str] = []
    assert await check(tmp_path / "new", said.append)
    assert said == ["0 games (0 open), 0 events, 0 results and 0 standings checked: no problems."]


async def test_it_changes_nothing_and_the_bot_may_write_meanwhile(database: Database) -> None:
    store = await Stores.open(database.path)
    await store.values.set("kept", "yes")
    before = {path.name: bytes_of(path) for path in database.path.parent.iterdir() if path.suffix != ".sqlite3-shm"}
    assert await database.lines() == []
    after = {path.name: bytes_of(path) for path in database.path.parent.iterdir() if path.suffix != ".sqlite3-shm"}
    assert after == before
    await store.values.set("kept", "still")
    await store.database.close()


async def test_erasing_a_person_leaves_no_problem_behind(database: Database) -> None:
    store = await Stores.open(database.path)
    await store.personal_data.forget(ANA.id, Disguise(ANA.id).rewriter, NOON)
    await store.database.close()
    assert await database.lines() == []


# --------------------------------------------------------------------------------------------------- damaged logs


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        ("UPDATE events SET body = 'deal 7o 7o' WHERE version = 4", "can't be|isn't legal"),
        ("UPDATE events SET body = '{{' WHERE version = 1", "version 1 can't be read"),
        ("UPDATE events SET at = 'noon' WHERE version = 5", "version 5 has no readable time"),
        ("UPDATE events SET body = '0 claim 4c' WHERE version = 6", r"version 6 isn't legal \(\w+\)"),
        ("DELETE FROM events WHERE version BETWEEN 7 AND 14", r"versions are missing: 7, 8, 9, 10, 11, \.\.\."),
        ("DELETE FROM events WHERE version > 8", r"its log ends at version 8, but should end at \d+"),
        *(
            pytest.param(*fault, marks=pytest.mark.thorough)
            for fault in (
                ("UPDATE events SET kind = '' WHERE version = 2", "version 2 can't be read"),
                ("UPDATE events SET body = x'ff00fe' WHERE version = 5", "version 5 can't be read"),
                (
                    "UPDATE events SET kind = 'computer_removed', body = '{{\"seat\":0}}' WHERE version = 6",
                    r"can't be applied \(\w+\)",
                ),
                ("DELETE FROM events WHERE version = 7", "versions are missing: 7"),
                ("DELETE FROM events", r"its log ends at version 0, but should end at \d+"),
            )
        ),
    ],
)
async def test_a_damaged_log_is_found(database: Database, damage: str, complaint: str) -> None:
    where = "AND" if "WHERE" in damage else "WHERE"
    database.sql(f"{damage} {where} game_id = {{finished}}")
    lines = await database.lines()
    assert lines
    assert all(line.startswith(f"game {database.finished}: ") for line in lines)
    assert any(re.search(complaint, line) for line in lines)


async def test_events_after_the_end_are_found(database: Database) -> None:
    database.sql(
        "INSERT INTO events SELECT id, max(version) + 1, 'closed', '{{\"phase\":\"abandoned\"}}', closed_at"
        " FROM games JOIN events ON game_id = id WHERE id = {finished}",
    )
    (line,) = await database.lines()
    assert re.fullmatch(rf"game {database.finished}: version \d+ comes after its end", line)


async def test_games_that_are_open_and_closed_at_once_are_found(database: Database) -> None:
    database.sql(
        "UPDATE games SET closed_at = NULL WHERE id = {finished}",
        "UPDATE games SET closed_at = '2026-03-14 12:00:00.000000' WHERE id = {running}",
    )
    lines = await database.lines()
    assert f"game {database.finished}: it is open, but its log says finished" in lines
    assert f"game {database.running}: it is closed, but its log says playing" in lines


async def test_a_deleted_log_is_fine_but_a_lost_one_is_found(database: Database) -> None:
    store = await Stores.open(database.path)
    old = NOON + timedelta(hours=3, minutes=30)  # after the ends of the first games
    dropped = await store.kept.drop_logs(old)
    await store.database.close()
    assert dropped
    assert await database.lines() == []
    with closing(sqlite3.connect(database.path)) as connection:
        kept = "SELECT id FROM games WHERE closed_at IS NOT NULL AND id IN (SELECT game_id FROM events)"
        [lost, *_] = [row[0] for row in connection.execute(kept).fetchall()]
    database.sql(f"DELETE FROM events WHERE game_id = {lost}")  # noqa: S608 - a number
    assert any(line.startswith(f"game {lost}: ") for line in await database.lines())


async def test_a_missing_participant_is_found(database: Database) -> None:
    database.sql(f"DELETE FROM participants WHERE game_id = 1 AND user_id = {ANA.id}")  # noqa: S608 - a number
    assert await database.lines() == [f"game 1: user {ANA.id} is in its log, but isn't stored as a participant"]


async def test_decks_that_no_seed_gives_are_found(database: Database) -> None:
    database.sql("INSERT INTO deals VALUES ({finished}, 'x', 'x', NULL, 0, 0)")
    assert await database.lines() == [f"game {database.finished}: what its decks are drawn with can't be read"]


async def test_two_open_games_in_a_channel_are_found(database: Database) -> None:
    database.sql("DROP INDEX uq_games_open_channel", "UPDATE games SET channel_id = 9 WHERE closed_at IS NULL")
    assert await database.lines() == ["channel 9: several games are open: 8, 9"]


async def test_events_without_a_game_are_found(database: Database) -> None:
    database.sql("DELETE FROM games WHERE id = {running}")
    assert await database.lines() == [
        f"{what} of game {database.running}, which isn't there" for what in ("events", "people")
    ]


# ------------------------------------------------------------------------------------------ results and standings


async def test_a_finished_match_without_its_result_is_found(database: Database) -> None:
    database.sql(
        "DELETE FROM result_players WHERE result_id IN (SELECT id FROM results WHERE game_id = {finished})",
        "DELETE FROM results WHERE game_id = {finished}",
    )
    lines = await database.lines()
    assert f"game {database.finished}: its match is finished, but it has no result" in lines
    assert f"server {GUILD}, standings of all: user {ANA.id} has the wrong matches" in lines


async def test_a_result_without_a_finished_match_is_found(database: Database) -> None:
    database.sql("UPDATE results SET game_id = {running} WHERE game_id = {finished}")
    lines = await database.lines()
    assert f"game {database.running}: it has a result, but its log says playing" in lines
    assert f"game {database.finished}: its match is finished, but it has no result" in lines


async def test_a_doubled_result_is_found(database: Database) -> None:
    database.without_constraints("results")
    database.without_constraints("result_players")
    database.sql(
        "INSERT INTO results SELECT 99, game_id, version, guild_id, channel_id, ended_at, preset, target, seating,"
        " rounds, ranked, luck, friendly, weight, nth, rule_set FROM results WHERE game_id = {finished}",
        "INSERT INTO result_players SELECT 99, seat, side, user_id, name, won, points, escobas, guild_id, ended_at,"
        " ranked, place, sources, mu, sigma, new_mu, new_sigma, stayed, weight, known, played, gains, nth"
        " FROM result_players WHERE result_id = 1",
    )
    lines = await database.lines()
    assert lines[0] == f"game {database.finished}: it has 2 results"
    assert f"server {GUILD}, standings of 2026-03: user {ANA.id} has the wrong matches" in lines[1:]


DIFFERENCES = {
    "results SET preset = 'quince'": "result's preset is 'quince', not 'escoba'",
    "results SET ended_at = '2020-01-01 00:00:00.000000'": "result's time isn't that of the game's end",
    "results SET rounds = rounds + 1": "result's rounds is",
    "results SET target = 21": "result's target is 21, not 5",
    "results SET ranked = 0": "result's ranked is 0, not 1",
    "results SET version = 3": "result's version is 3, not",
    "results SET guild_id = 5": "result's guild_id is 5, not",
    "result_players SET won = 1 - won WHERE result_id = 1": "result's won of seat 0 is",
    "result_players SET points = 77 WHERE result_id = 1 AND seat = 1": "points of seat 1 is 77, not",
    "result_players SET escobas = 9 WHERE result_id = 1 AND seat = 0": "escobas of seat 0 is 9, not",
    "result_players SET user_id = 5 WHERE result_id = 1 AND seat = 0": "user_id of seat 0 is 5, not",
    "result_players SET played = 0 WHERE result_id = 1 AND seat = 0": "played of seat 0 is 0, not 1",
    "result_players SET gains = 0 WHERE result_id = 1 AND seat = 0": "gains of seat 0 is 0, not 1",
}


async def test_every_difference_between_a_result_and_its_log_is_found(database: Database) -> None:
    for change in DIFFERENCES:
        database.sql(f"UPDATE {change}{'' if 'WHERE' in change else ' WHERE game_id = {finished}'}")
    lines = await database.lines()
    about = [line for line in lines if line.startswith(f"game {database.finished}: its ")]
    missed = {complaint for complaint in DIFFERENCES.values() if not any(complaint in line for line in about)}
    assert missed == set(), lines


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("results SET rounds = rounds + 1", "result's rounds is"),
        ("result_players SET ranked = 0 WHERE result_id = 1 AND seat = 0", "seat 0 differs from its match in server"),
        ("result_players SET seat = 5 WHERE result_id = 1 AND seat = 1", "seat 1 is missing|seat 5 was never taken"),
    ],
)
async def test_a_result_that_differs_from_its_log_is_found(database: Database, change: str, complaint: str) -> None:
    where = "" if "WHERE" in change else " WHERE game_id = {finished}"
    database.sql(f"UPDATE {change}{where}")
    lines = await database.lines()
    assert any(re.search(f"^game {database.finished}: its .*(?:{complaint})", line) for line in lines), lines


async def test_a_leaderboard_that_differs_from_the_logs_is_found(database: Database) -> None:
    where = f"guild_id = {GUILD} AND period = 'all' AND user_id = {BEA.id}"
    database.sql(f"UPDATE standings SET points = points + 1 WHERE {where}")  # noqa: S608 - numbers of this module
    lines = await database.lines()
    wrong = [
        line for line in lines if line.startswith(f"server {GUILD}, leaderboard by points: user {BEA.id} has rank")
    ]
    assert len(wrong) == 1
    assert "; the logs say rank" in wrong[0]
    assert not any(f"server {OTHER_GUILD}" in line for line in lines)


async def test_a_person_missing_from_a_log_or_a_leaderboard_is_named(database: Database) -> None:
    database.sql("UPDATE standings SET user_id = 5 WHERE user_id = {clo}")
    lines = await database.lines()
    assert f"server {GUILD}, leaderboard by rate: user {CLO.id} is missing" in lines
    assert f"server {GUILD}, leaderboard by rate: user 5 has no ranked match in the logs" in lines
    for period in ("all", "2026-03"):
        assert f"server {GUILD}, standings of {period}: user {CLO.id} is missing" in lines
        assert f"server {GUILD}, standings of {period}: user 5 has no match in the results" in lines


async def test_a_month_that_differs_from_the_results_is_found(database: Database) -> None:
    figures = {"matches", "wins", "points", "escobas", "rounds", "streak", "best_streak", "practice_matches"}
    figures |= {"practice_wins", "last_result_id", "rate", "name", "season_points", "rated"}
    changes = ", ".join(f"{each} = NOT {each}" for each in figures)
    where = f"guild_id = {GUILD} AND period = '2026-03' AND preset = '' AND user_id = {BEA.id}"
    database.sql(f"UPDATE standings SET {changes}, last_at = '2020-01-01 00:00:00.000000' WHERE {where}")  # noqa: S608
    wrong = {line for line in await database.lines() if f"user {BEA.id} has" in line}
    figures.add("last_at")
    assert wrong == {f"server {GUILD}, standings of 2026-03: user {BEA.id} has the wrong {each}" for each in figures}


async def test_values_that_are_not_numbers_are_found(database: Database) -> None:
    database.sql("UPDATE result_players SET points = 'many' WHERE result_id = 1 AND seat = 0")
    assert any("points of seat 0 is 'many'" in line for line in await database.lines())


# ------------------------------------------------------------------------------------------ the file, the command


async def test_a_damaged_index_is_found(database: Database) -> None:
    # an entry of the index differs from its row
    with closing(sqlite3.connect(database.path)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_schema SET sql = replace(sql, '(channel_id)', '(guild_id)')"
            " WHERE name = 'uq_games_open_channel'"
        )
    assert any(line.startswith("the file: ") for line in await database.lines())


async def test_a_file_that_is_not_a_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("This is no database. " * 100)
    with pytest.raises(StoreUnavailable, match="text"):
        await check(tmp_path / "text", lambda line: None)


async def test_a_newer_versions_database_is_refused_by_its_own_name(database: Database) -> None:
    database.sql("UPDATE escoba_version SET version_num = '9999', works_for = '9999'")
    with pytest.raises(StoreUnavailable, match=f"{database.path}: a newer version of the bot wrote it"):
        await database.lines()


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_line, "set_up_logging", lambda *args, **options: None)


@pytest.mark.usefixtures("quiet")
class TestCommand:
    def test_it_checks_the_settings_database_or_the_file_named(
        self, database: Database, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert command_line.main(["check", str(database.path)]) == 0
        assert "no problems" in capsys.readouterr().out
        database.sql("DELETE FROM events WHERE game_id = {finished} AND version = 3")
        monkeypatch.setenv("ESCOBA_DATABASE", str(database.path))
        assert command_line.main(["check"]) == 1
        out = capsys.readouterr().out
        assert f"game {database.finished}: versions are missing: 3\n" in out

    def test_a_missing_file_is_not_created(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert command_line.main(["check", str(tmp_path / "none")]) == 2
        assert "none" in capsys.readouterr().err
        assert list(tmp_path.iterdir()) == []

    def test_a_file_that_is_not_a_database_is_reported_as_such(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "text").write_text("This is no database. " * 100)
        assert command_line.main(["check", str(tmp_path / "text")]) == 2
        assert "can't be checked" in capsys.readouterr().err

    def test_without_a_temporary_folder_it_says_which_it_has_tried(
        self, database: Database, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(tempfile, "tempdir", None)
        monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/proc/none"])
        assert command_line.main(["check", str(database.path)]) == 2
        assert capsys.readouterr().err.endswith("temporary directory found in ['/proc/none'].\n")
