"""Sums of a server's results, worked out as standings from scratch: for corrections, and to check the stored ones."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.rules.rating import FULL_MATCHES
from bot.club.rules.seasons import ALL_TIME
from bot.club.store.standing import (
    COLUMNS,
    EVERY_PRESET,
    FOR_A_MATCH,
    FOR_A_WIN,
    KEY,
    LAST_RESULT,
    Key,
    Standing,
    sources_of,
)
from bot.schema.club import standings
from bot.schema.tables import result_players as players
from bot.schema.tables import results

_ADDED: Final = (
    *("matches", "wins", "points", "escobas", "rounds", "practice_matches", "practice_wins", "season_points", "rated"),
)
_SET_KEY: Final = sa.literal("set").concat(sa.cast(results.c.rule_set, sa.Text))
"""See `bot.club.rules.seasons.key_of`."""
_NUMBERS: Final = (*_ADDED, "streak", "best_streak")


class _Statements(NamedTuple):
    """Queries on the results: `rows` and `latest_ratings` for each period, `rows` also for each kind of preset."""

    rows: tuple[sa.Select[*tuple[Any, ...]], ...]
    latest_ratings: tuple[sa.Select[*tuple[Any, ...]], ...]
    sources: sa.Select[*tuple[Any, ...]]


async def added_up(
    connection: AsyncConnection, guild_id: int, people: Collection[int] | None = None
) -> dict[Key, Standing]:
    """Work out the standings of a server from its results, of all people or some."""
    statements = _statements(connection.dialect.name, of_all=people is None)
    which = {"guild": guild_id} if people is None else {"guild": guild_id, "people": list(people)}
    found: dict[Key, Standing] = {}
    for statement in statements.rows:
        for row in await connection.execute(statement, which):
            found[row.period, row.user_id, row.preset] = Standing(*row)
    for statement in statements.latest_ratings:
        for row in await connection.execute(statement, which):
            key = (row.period, row.user_id, EVERY_PRESET)
            found[key] = replace(found[key], mu=row.new_mu, sigma=row.new_sigma)
    sources: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for user_id, item, total in await connection.execute(statements.sources, which):
        sources[user_id] |= {} if item is None else {item: total}
    for user_id, points in sources.items():
        key = (ALL_TIME, user_id, EVERY_PRESET)
        found[key] = replace(found[key], sources=sources_of([points]))
    return found


@cache
def _statements(dialect: str, *, of_all: bool) -> _Statements:
    """Build the statements once: building them takes longer than running them for a small server."""
    some = [players.c.guild_id == sa.bindparam("guild", type_=sa.BigInteger)]
    if not of_all:
        some.append(players.c.user_id.in_(sa.bindparam("people", type_=sa.BigInteger, expanding=True)))
    by_sets = [*some, results.c.rule_set.is_not(None)]
    presets = ((sa.literal(EVERY_PRESET), some), (results.c.preset, some), (_SET_KEY, by_sets))
    if dialect == "sqlite":
        moment = sa.type_coerce(players.c.ended_at, sa.Text)
        month = sa.func.substr(moment, 1, 7)
        number = (sa.cast(sa.func.substr(moment, 6, 2), sa.Integer) + 2) // 3
        quarter = sa.func.substr(moment, 1, 4).concat("-Q").concat(sa.cast(number, sa.Text))
    else:
        moment = sa.func.timezone("UTC", players.c.ended_at)
        month, quarter = (sa.func.to_char(moment, "YYYY-MM"), sa.func.to_char(moment, 'YYYY-"Q"Q'))
    periods = (sa.literal(ALL_TIME), month, quarter)
    return _Statements(
        tuple(_rows(period, preset, which) for period in periods for preset, which in presets),
        tuple(_latest_ratings(period, some) for period in periods),
        _sources(dialect, some),
    )


def _rows(
    period: sa.ColumnElement[str], preset: sa.ColumnElement[str], some: Sequence[sa.ColumnElement[bool]]
) -> sa.Select[*tuple[Any, ...]]:
    """Work out the standings from the results, except `mu`, `sigma` and `sources`.

    A run is the matches from one lost match to the next, without the latter.
    """
    gains = players.c.gains.is_not(False)
    counts = gains | ~players.c.won  # see `PlayerResult.counts`
    lost = players.c.ranked & ~players.c.won
    partition = (players.c.guild_id, period, players.c.user_id, preset)
    order = (players.c.ended_at, players.c.result_id)
    losses = sa.func.sum(sa.case((lost, 1), else_=0))
    following = sa.func.lead(players.c.result_id)
    rated = players.c.new_mu.is_not(None) & (preset == EVERY_PRESET)
    seats = (
        sa.select(
            players.c.guild_id,
            period.label("period"),
            preset.label("preset"),
            *(players.c[name] for name in ("user_id", "name", "won", "points", "escobas", "ranked", "stayed")),
            *(players.c[name] for name in ("ended_at", "result_id")),
            results.c.rounds,
            results.c.friendly,
            sa.func.coalesce(players.c.nth, results.c.nth).label("nth"),
            rated.label("rated"),
            gains.label("gains"),
            counts.label("counts"),
            losses.over(partition_by=partition, order_by=order, rows=(None, 0)).label("run"),
            following.over(partition_by=partition, order_by=order).is_(None).label("latest"),
        )
        .join_from(players, results)
        .where(players.c.user_id.is_not(None), *some)
        .subquery()
    )
    who = tuple(seats.c[name] for name in KEY)
    ranked, practice = seats.c.ranked, ~seats.c.ranked & ~seats.c.friendly
    counted, gained = ranked & seats.c.counts, ranked & seats.c.gains
    full = gained & (seats.c.nth <= FULL_MATCHES) & seats.c.stayed
    runs = (
        sa.select(
            *who,
            seats.c.run,
            sa.func.max(seats.c.run).over(partition_by=who).label("last_run"),
            sa.func.max(sa.case((seats.c.latest, seats.c.name))).label("name"),
            _sum(counted, 1).label("matches"),
            _sum(counted & seats.c.won, 1).label("wins"),
            _sum(gained, seats.c.points).label("points"),
            _sum(gained, seats.c.escobas).label("escobas"),
            _sum(counted, seats.c.rounds).label("rounds"),
            _sum(practice, 1).label("practice_matches"),
            _sum(practice & seats.c.won, 1).label("practice_wins"),
            _sum(full, sa.case((seats.c.won, FOR_A_WIN), else_=FOR_A_MATCH)).label("season_points"),
            _sum(seats.c.rated, 1).label("rated"),
            _record(gained, seats.c.points, seats.c.result_id).label("top_points"),
            _record(gained, seats.c.escobas, seats.c.result_id).label("top_escobas"),
            sa.func.max(seats.c.ended_at).label("last_at"),
            sa.func.max(sa.case((seats.c.latest, seats.c.result_id))).label("last_result_id"),
            sa.func.max(sa.case((seats.c.rated, seats.c.ended_at))).label("rated_at"),
        )
        .group_by(*who, seats.c.run)
        .subquery()
    )
    group = {name: runs.c[name] for name in KEY}
    figures: dict[str, sa.ColumnElement[Any]] = {
        **group,
        "name": sa.func.max(runs.c.name),
        **{name: sa.func.sum(runs.c[name]) for name in _ADDED},
        "streak": sa.func.sum(sa.case((runs.c.run == runs.c.last_run, runs.c.wins), else_=0)),
        "best_streak": sa.func.max(runs.c.wins),
        **{name: sa.func.max(runs.c[name]) for name in ("last_at", "last_result_id", "rated_at")},
        **{name: sa.func.max(runs.c[name]) for name in ("top_points", "top_escobas")},
        **{name: sa.null() for name in ("mu", "sigma", "sources")},
    }
    # PostgreSQL's sums have wider types than the columns they add up.
    columns = (
        sa.cast(figures[name], standings.c[name].type) if name in _NUMBERS else figures[name].label(name)
        for name in COLUMNS
    )
    return sa.select(*columns).group_by(*group.values())


def _latest_ratings(
    period: sa.ColumnElement[str], some: Sequence[sa.ColumnElement[bool]]
) -> sa.Select[*tuple[Any, ...]]:
    latest = (
        sa.select(period.label("period"), players.c.user_id, sa.func.max(players.c.result_id).label("result_id"))
        .where(players.c.user_id.is_not(None), players.c.new_mu.is_not(None), *some)
        .group_by(players.c.user_id, period)
        .subquery()
    )
    same = (players.c.result_id == latest.c.result_id) & (players.c.user_id == latest.c.user_id)
    return sa.select(latest.c.period, latest.c.user_id, players.c.new_mu, players.c.new_sigma).join_from(
        latest, players, same
    )


def _sources(dialect: str, some: Sequence[sa.ColumnElement[bool]]) -> sa.Select[*tuple[Any, ...]]:
    """Select where each person's points of all time came from, one item per row."""
    if dialect == "sqlite":
        items = sa.func.json_each(players.c.sources).table_valued("key", "value")
    else:
        items = sa.func.json_each_text(sa.cast(players.c.sources, sa.JSON)).table_valued("key", "value")
    points = sa.func.sum(sa.cast(items.c.value, sa.Integer))
    gained = players.c.ranked & players.c.gains.is_not(False)
    counted = (players.c.user_id.is_not(None), gained, players.c.sources.is_not(None), *some)
    return (
        sa.select(players.c.user_id, items.c.key, points)
        .select_from(players.join(items, sa.true(), isouter=True))
        .where(*counted)
        .group_by(players.c.user_id, items.c.key)
    )


def _sum(condition: sa.ColumnElement[bool], value: sa.ColumnElement[int] | int) -> sa.ColumnElement[int]:
    return sa.func.sum(sa.case((condition, value), else_=0))


def _record(
    condition: sa.ColumnElement[bool], value: sa.ColumnElement[int], result_id: sa.ColumnElement[int]
) -> sa.ColumnElement[int]:
    """Select the greatest `record_of` the values."""
    record = sa.cast(value, sa.BigInteger) * sa.literal(LAST_RESULT + 1, sa.BigInteger) + (
        sa.literal(LAST_RESULT, sa.BigInteger) - result_id
    )
    return sa.func.max(sa.case((condition & (value > 0), record), else_=sa.literal(0, sa.BigInteger)))
