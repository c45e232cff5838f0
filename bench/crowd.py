"""Fills a database with the results of a large server, as an older version left them, and upgrades it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import sqlalchemy as sa
from alembic import command

from bot.club.seasons import ALL_TIME, month_of
from bot.store.club.standing import COLUMNS, EVERY_PRESET, Standing, read_sources, sources_of
from bot.store.migrations.upgrade import configuration
from bot.store.schema import result_players, standings

GUILD: Final = 1_100_000_000_000_000_001
FIRST_PERSON: Final = 1_300_000_000_000_000_000
LATEST: Final = datetime(2026, 3, 14, 12, tzinfo=UTC)
THIS_MONTH: Final = month_of(LATEST)
SOURCES: Final = '{"cards":3,"escobas":6,"oros":4,"seven_of_oros":3,"sevens":5}'
DAYS: Final = 730
"""The number of days that the results are spread over."""
_BEFORE: Final = "0004"
"""The last migration before sums were stored."""

# The same numbers on each run and each database. The square of a number picks a person, so that a few play a lot.
_CHANCE: Final = "((({0}) * 2654435761 % 4294967296 * 40503 + 12345) % 4294967296 / 64)"
_ONE: Final = f"({_CHANCE.format('i * 2')} % 1000 * ({_CHANCE.format('i * 2 + 1')} % 1000) * :people / 1000000)"
_OTHER: Final = f"(({_ONE} + 1 + {_CHANCE.format('i * 3 + 7')} % (:people - 1)) % :people)"
_NUMBERS: Final = "WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < :results)"
_MOMENTS: Final = {
    "sqlite": "strftime('%Y-%m-%d %H:%M:%S.000000', :latest - (:results - i) * :seconds / :results, 'unixepoch')",
    "postgresql": "to_timestamp(:latest - (:results - i) * :seconds / :results)",
}
_GAME: Final = (
    "INSERT INTO games (id, guild_id, channel_id, opener_id, locale, opened_at, closed_at)"
    " SELECT 1, :guild, 1, 0, 'es-ES', {moment}, {moment} FROM (SELECT 1 AS i) AS numbers"
)
_RESULTS: Final = (
    "INSERT INTO results"  # noqa: S608 - made of this module's constants, like the next one
    " (id, game_id, version, guild_id, channel_id, ended_at, preset, target, seating, rounds, ranked)"
    f" {_NUMBERS} SELECT i, 1, i, :guild, 1, {{moment}}, 'escoba', 21, '2', 3 + i % 4, :yes FROM numbers"
)
_PLAYERS: Final = (
    "INSERT INTO result_players"  # noqa: S608
    " (result_id, seat, side, user_id, name, won, points, escobas, guild_id, ended_at, ranked)"
    f" {_NUMBERS} SELECT i, seat, seat, :first + CASE WHEN seat = 0 THEN {_ONE} ELSE {_OTHER} END, 'Somebody',"
    f" {_CHANCE.format('i * 5')} % 2 = seat, CASE WHEN {_CHANCE.format('i * 5')} % 2 = seat THEN 21"
    f" ELSE {_CHANCE.format('i * 7 + seat')} % 21 END, {_CHANCE.format('i * 11 + seat')} % 7, :guild, {{moment}}, :yes"
    " FROM numbers CROSS JOIN (SELECT 0 AS seat UNION ALL SELECT 1) AS seats"
)
_LATER_INDEX: Final = "ix_result_players_rated"
_RATED: Final = (
    "UPDATE results SET nth = 1, weight = 1",
    "UPDATE result_players SET place = 1 + seat, mu = 25, sigma = 3, new_mu = 20 + result_id % 1000 * 0.01,"
    " new_sigma = 3, sources = :sources",
    "UPDATE standings SET season_points = matches + 2 * wins",
    "UPDATE standings SET rated = matches, sigma = 3, rated_at = last_at, mu = 20 + last_result_id % 1000 * 0.01"
    " WHERE preset = ''",
    "UPDATE standings SET rating = mu - sigma WHERE preset = ''",
)


@dataclass(frozen=True, slots=True)
class Crowd:
    """What was created, and how many seconds the upgrade that adds up the results took."""

    results: int
    people: int
    upgraded: float


def fill(url: sa.URL, count: int, people: int) -> Crowd:
    """Create an old schema in an empty database, fill it with that many results of that many people, and upgrade it."""
    engine = sa.create_engine(url)
    try:
        with engine.begin() as connection:
            command.upgrade(configuration(connection), _BEFORE)
            moment = _MOMENTS[connection.dialect.name]
            indexes = sorted(result_players.indexes, key=lambda index: str(index.name))
            indexes = [index for index in indexes if index.name != _LATER_INDEX]
            for index in indexes:
                index.drop(connection)
            values = {
                "results": count,
                "people": people,
                "guild": GUILD,
                "first": FIRST_PERSON,
                "latest": int(LATEST.timestamp()),
                "seconds": DAYS * 24 * 3600,
                "yes": True,
            }
            for statement in (_GAME, _RESULTS, _PLAYERS):
                query = sa.text(statement.format(moment=moment))
                named = {name: value for name, value in values.items() if name in query.compile().params}
                typed = [sa.bindparam(name, type_=sa.Boolean if name == "yes" else sa.BigInteger) for name in named]
                connection.execute(query.bindparams(*typed), named)
            for index in indexes:
                index.create(connection)
            if connection.dialect.name == "postgresql":  # its sequences don't notice ids that were inserted
                for table in ("games", "results"):
                    newest = sa.text("SELECT setval(pg_get_serial_sequence(:table, 'id'), :newest)")
                    connection.execute(newest, {"table": table, "newest": count})
        _tidy(engine)
        began = time.perf_counter()
        with engine.begin() as connection:
            command.upgrade(configuration(connection), "head")
        upgraded = time.perf_counter() - began
        with engine.begin() as connection:
            _rate(connection)
        _tidy(engine)
        return Crowd(count, people, upgraded)
    finally:
        engine.dispose()


def _rate(connection: sa.Connection) -> None:
    """Give all results made-up ratings, which no matches would bring, and the standings what follows from them."""
    for statement in _RATED:
        connection.execute(sa.text(statement), {"sources": SOURCES} if ":sources" in statement else {})
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
