"""Fills a database with the results of a large server, and with what they add up to."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import sqlalchemy as sa

from bot.club.rules.seasons import ALL_TIME, month_of
from bot.club.store.gains import KEPT
from bot.club.store.standing import COLUMNS, EVERY_PRESET, Standing, read_sources, sources_of
from bot.platform.database.upgrade import migrate
from bot.schema import SCHEMA
from bot.schema.club import rivals, standings
from bot.schema.tables import result_players

GUILD: Final = 1_100_000_000_000_000_001
FIRST_PERSON: Final = 1_300_000_000_000_000_000
LATEST: Final = datetime(2026, 3, 14, 12, tzinfo=UTC)
THIS_MONTH: Final = month_of(LATEST)
SOURCES: Final = '{"cards":3,"escobas":6,"oros":4,"seven_of_oros":3,"sevens":5}'
DAYS: Final = 730
"""The number of days that the results are spread over."""

# The same numbers on each run and each database. The square of a number picks a person, so that a few play a lot.
_CHANCE: Final = "((({0}) * 2654435761 % 4294967296 * 40503 + 12345) % 4294967296 / 64)"
_ONE: Final = f"({_CHANCE.format('i * 2')} % 1000 * ({_CHANCE.format('i * 2 + 1')} % 1000) * :people / 1000000)"
_OTHER: Final = f"(({_ONE} + 1 + {_CHANCE.format('i * 3 + 7')} % (:people - 1)) % :people)"
_NUMBERS: Final = "WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < :results)"
_MOMENTS: Final = {
    "sqlite": "strftime('%Y-%m-%d %H:%M:%S.000000', :latest - (:results - i) * :seconds / :results, 'unixepoch')",
    "postgresql": "to_timestamp(:latest - (:results - i) * :seconds / :results)",
}
_MONTHS: Final = {
    "sqlite": "substr(ended_at, 1, 7)",
    "postgresql": "to_char(ended_at AT TIME ZONE 'UTC', 'YYYY-MM')",
}
_GAME: Final = (
    "INSERT INTO games (id, guild_id, channel_id, opener_id, locale, opened_at, closed_at)"
    " SELECT 1, :guild, 1, 0, 'es-ES', {moment}, {moment} FROM (SELECT 1 AS i) AS numbers"
)
_RESULTS: Final = (
    "INSERT INTO results"  # noqa: S608 - made of this module's constants, like the next one
    " (id, game_id, version, guild_id, channel_id, ended_at, preset, target, seating, rounds, ranked, nth, weight)"
    f" {_NUMBERS} SELECT i, 1, i, :guild, 1, {{moment}}, 'escoba', 21, '2', 3 + i % 4, :yes, 1, 1 FROM numbers"
)
# No matches would bring these ratings.
_PLAYERS: Final = (
    "INSERT INTO result_players"  # noqa: S608
    " (result_id, seat, side, user_id, name, won, points, escobas, guild_id, ended_at, ranked, place, mu, sigma,"
    " new_mu, new_sigma, sources)"
    f" {_NUMBERS} SELECT i, seat, seat, :first + CASE WHEN seat = 0 THEN {_ONE} ELSE {_OTHER} END, 'Somebody',"
    f" {_CHANCE.format('i * 5')} % 2 = seat, CASE WHEN {_CHANCE.format('i * 5')} % 2 = seat THEN 21"
    f" ELSE {_CHANCE.format('i * 7 + seat')} % 21 END, {_CHANCE.format('i * 11 + seat')} % 7, :guild, {{moment}}, :yes,"
    " 1 + seat, 25, 3, 20 + i % 1000 * 0.01, 3, :sources"
    " FROM numbers CROSS JOIN (SELECT 0 AS seat UNION ALL SELECT 1) AS seats"
)
# A run is a person's matches from one lost match to the next, without the latter: its wins are a streak. Results are
# numbered in the order in which they ended. A record is the greatest number that holds a value and, below it, which
# result was the first to reach it: see `bot.club.store.standing`.
_RUNS: Final = """
CREATE TEMPORARY TABLE runs AS
WITH seats AS (
    SELECT p.*, {month} AS month, r.rounds, SUM(CASE WHEN won THEN 0 ELSE 1 END) OVER (
        PARTITION BY user_id ORDER BY result_id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS run
    FROM (SELECT result_id, user_id, won, points, escobas, ended_at FROM result_players) AS p
    JOIN (SELECT id, rounds FROM results) AS r ON r.id = p.result_id
)
SELECT user_id, run, month,
    substr(month, 1, 4) || '-Q' || ((CAST(substr(month, 6, 2) AS INTEGER) + 2) / 3) AS quarter,
    COUNT(*) AS matches, SUM(CASE WHEN won THEN 1 ELSE 0 END) AS wins, SUM(points) AS points,
    SUM(escobas) AS escobas, SUM(rounds) AS rounds, MAX(ended_at) AS last_at, MAX(result_id) AS last_result_id,
    MAX(CASE WHEN points > 0 THEN points * 68719476736 + (68719476735 - result_id) ELSE 0 END) AS top_points,
    MAX(CASE WHEN escobas > 0 THEN escobas * 68719476736 + (68719476735 - result_id) ELSE 0 END) AS top_escobas
FROM seats GROUP BY user_id, run, month
"""
# Of the numbers that combine a run and its wins, the highest is the last run's, however many wins it has.
_STANDINGS: Final = """
INSERT INTO standings (guild_id, period, user_id, preset, name, matches, wins, points, escobas, rounds, streak,
    best_streak, practice_matches, practice_wins, last_at, last_result_id, rate, top_points, top_escobas, season_points,
    rated, mu, sigma, rated_at, rating)
SELECT :guild, period, user_id, preset, 'Somebody', matches, wins, points, escobas, rounds, streak, best_streak, 0, 0,
    last_at, last_result_id, CAST(wins AS BIGINT) * 1099511627775 / CAST(matches AS BIGINT), top_points, top_escobas,
    matches + 2 * wins,
    CASE WHEN preset = '' THEN matches ELSE 0 END,
    CASE WHEN preset = '' THEN 20 + last_result_id % 1000 * 0.01 END,
    CASE WHEN preset = '' THEN 3 END,
    CASE WHEN preset = '' THEN last_at END,
    CASE WHEN preset = '' THEN 17 + last_result_id % 1000 * 0.01 END
FROM (
    SELECT period, user_id, SUM(matches) AS matches, SUM(wins) AS wins, SUM(points) AS points, SUM(escobas) AS escobas,
        SUM(rounds) AS rounds, MAX(run * 1048576 + wins) % 1048576 AS streak, MAX(wins) AS best_streak,
        MAX(last_at) AS last_at, MAX(last_result_id) AS last_result_id, MAX(top_points) AS top_points,
        MAX(top_escobas) AS top_escobas
    FROM (
        SELECT {period} AS period, user_id, run, SUM(matches) AS matches, SUM(wins) AS wins, SUM(points) AS points,
            SUM(escobas) AS escobas, SUM(rounds) AS rounds, MAX(last_at) AS last_at,
            MAX(last_result_id) AS last_result_id, MAX(top_points) AS top_points, MAX(top_escobas) AS top_escobas
        FROM runs GROUP BY 1, user_id, run
    ) AS whole_runs GROUP BY period, user_id
) AS sums CROSS JOIN (SELECT '' AS preset UNION ALL SELECT 'escoba') AS presets
"""
_PERIODS: Final = (f"'{ALL_TIME}'", "quarter", "month")
_RIVALS: Final = """
INSERT INTO rivals (guild_id, user_id, rival_id, matches, wins, losses)
SELECT :guild, own.user_id, other.user_id, COUNT(*),
    SUM(CASE WHEN own.won THEN 1 ELSE 0 END), SUM(CASE WHEN other.won THEN 1 ELSE 0 END)
FROM result_players AS own JOIN result_players AS other ON other.result_id = own.result_id AND other.side <> own.side
GROUP BY own.user_id, other.user_id
"""
# What the made-up ratings would have gained doesn't matter, only how many rows there are.
_GAINS: Final = """
INSERT INTO rating_gains (guild_id, user_id, source_id, day, amount)
SELECT :guild, own.user_id, other.user_id, {day}, 0
FROM result_players AS own JOIN result_players AS other ON other.result_id = own.result_id AND other.side <> own.side
WHERE own.result_id > :results - :results * :kept / :days
GROUP BY 1, 2, 3, 4
"""
_DAYS_OF: Final = {
    "sqlite": "substr(own.ended_at, 1, 10)",
    "postgresql": "to_char(own.ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
}


@dataclass(frozen=True, slots=True)
class Crowd:
    """What was created."""

    results: int
    people: int


def fill(url: sa.URL, count: int, people: int) -> Crowd:
    """Create the tables in an empty database, and fill them with that many results of that many people."""
    engine = sa.create_engine(url)
    values = {
        "results": count,
        "people": people,
        "guild": GUILD,
        "first": FIRST_PERSON,
        "latest": int(LATEST.timestamp()),
        "seconds": DAYS * 24 * 3600,
        "days": DAYS,
        "kept": KEPT,
        "yes": True,
        "sources": SOURCES,
    }
    try:
        with engine.begin() as connection:
            migrate(connection, SCHEMA, str(url))
            database = connection.dialect.name
            moment, month = _MOMENTS[database], _MONTHS[database]
            of_tables = (*result_players.indexes, *rivals.indexes, *standings.indexes)
            indexes = sorted(of_tables, key=lambda index: str(index.name))
            for index in indexes:
                index.drop(connection)
            for statement in (
                *(each.format(moment=moment) for each in (_GAME, _RESULTS, _PLAYERS)),
                _RUNS.format(month=month),
                *(_STANDINGS.format(period=period) for period in _PERIODS),
                "DROP TABLE runs",
                _RIVALS,
                _GAINS.format(day=_DAYS_OF[database]),
            ):
                _run(connection, statement, values)
            for index in indexes:
                index.create(connection)
            if database == "postgresql":  # its sequences don't notice ids that were inserted
                for table in ("games", "results"):
                    newest = sa.text("SELECT setval(pg_get_serial_sequence(:table, 'id'), :newest)")
                    connection.execute(newest, {"table": table, "newest": count})
            _add_sources(connection)
        _tidy(engine)
        return Crowd(count, people)
    finally:
        engine.dispose()


def _run(connection: sa.Connection, statement: str, values: dict[str, object]) -> None:
    """Run a statement with those of the values that it names."""
    query = sa.text(statement)
    named = {name: value for name, value in values.items() if name in query.compile().params}
    types = {bool: sa.Boolean, int: sa.BigInteger, str: sa.Text}
    connection.execute(query.bindparams(*(sa.bindparam(n, type_=types[type(v)]) for n, v in named.items())), named)


def _add_sources(connection: sa.Connection) -> None:
    """Complete the standings of all time: where the points came from, and ratings that are less certain with age."""
    of_all_time = sa.select(*(standings.c[name] for name in COLUMNS)).where(
        standings.c.period == ALL_TIME, standings.c.preset == EVERY_PRESET
    )
    rows = [Standing(*row) for row in connection.execute(of_all_time)]
    each = read_sources(SOURCES)
    connection.execute(
        sa.update(standings)
        .where(
            standings.c.guild_id == GUILD,
            standings.c.period == ALL_TIME,
            standings.c.user_id == sa.bindparam("user"),
            standings.c.preset == EVERY_PRESET,
        )
        .values(rating=sa.bindparam("key"), sources=sa.bindparam("added")),
        [
            {
                "user": row.user_id,
                "key": row.rating,
                "added": sources_of([{item: row.matches * points for item, points in each.items()}]),
            }
            for row in rows
        ],
    )


def _tidy(engine: sa.Engine) -> None:
    """Do what a database server would do by itself after a while."""
    if engine.dialect.name == "postgresql":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM ANALYZE")
