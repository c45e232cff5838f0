"""Facts about people besides the leaderboard: their careers, and single results for export."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import dropwhile, takewhile
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.rules.seasons import ALL_TIME, number_of
from bot.club.store import achievements, leaderboard, ratings, rivals
from bot.club.store.achievements import Earned
from bot.club.store.ratings import RatingChange
from bot.club.store.rivals import Rivalry
from bot.club.store.standing import Leaderboard, Metric, Standing
from bot.platform.database.database import Store, reading
from bot.schema.server import rule_sets
from bot.schema.servers import of_server
from bot.schema.tables import games, result_players, results, tournaments

RIVALS: Final = 3
"""Rivals named in a career."""
FORM: Final = 10
"""Latest matches in a career's form."""
_LOOKED_AT: Final = 100
"""Latest results, practice included, that are searched for the form or a run, so that their cost has a bound."""
RUN_TOLD: Final = 3
"""Wins in a row that make a run worth telling."""


@dataclass(frozen=True, slots=True)
class Career:
    """A user's matches on a server: the standing of all time, ranked by wins; the people they have met most; whether
    they won each of their latest matches that count, the oldest first; the standings of all time by rule system
    and by the server's own rule sets, not ranked, the most played first, with the sets' names by their numbers; and
    their achievements."""

    standing: Standing
    rivals: tuple[Rivalry, ...] = ()
    form: tuple[bool, ...] = ()
    presets: tuple[Standing, ...] = ()
    achievements: tuple[Earned, ...] = ()
    set_names: Mapping[int, str] = field(default_factory=dict[int, str])


@dataclass(frozen=True, slots=True)
class Duel:
    """A user's record against somebody whom they have met in matches that count.

    Attributes:
        met: the sums of these matches.
        rival: the other's standing of all time, ranked by wins.
        form: the winners of the latest of them, the earliest first: 0 for the user, 1 for the rival, None for a third.
    """

    met: Rivalry
    rival: Standing
    form: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class EndedRun:
    """A run of wins that a person has lost, by its length."""

    user_id: int
    wins: int


@dataclass(frozen=True, slots=True)
class Aftermath:
    """The consequences of a match for its people.

    Attributes:
        result_id: the match's result, by which records name it; 0 if it has none.
        standings: the standings by wins of those who are listed.
        ratings: the change to everybody's rating, by seat; empty if it changed none.
        achievements: their achievements with it.
        ended: the runs of wins that it has ended.
    """

    result_id: int = 0
    standings: tuple[Standing, ...] = ()
    ratings: tuple[RatingChange, ...] = ()
    achievements: tuple[Earned, ...] = ()
    ended: tuple[EndedRun, ...] = ()


class Careers(Store):
    """The matches of people, summed up."""

    @reading
    async def of(self, connection: AsyncConnection, guild_id: int | None, user_id: int) -> Career:
        """Read a user's matches on a server; or on all together, without what belongs to one: rivals and rule sets."""
        if guild_id is None:
            total = await leaderboard.everywhere(connection, user_id) or Standing(0, ALL_TIME, user_id)
            earned = await achievements.of_user(connection, None, user_id)
            return Career(total, form=await _form(connection, None, user_id), achievements=earned)
        standing = await leaderboard.stats(connection, guild_id, user_id)
        if not standing.matches:
            return Career(standing)
        met = await rivals.most_met(connection, guild_id, user_id, RIVALS)
        form = await _form(connection, guild_id, user_id)
        by_preset = await leaderboard.by_preset(connection, guild_id, user_id)
        numbers = [number for row in by_preset if (number := number_of(row.preset)) is not None]
        names = await set_names(connection, guild_id, numbers)
        earned = await achievements.of_user(connection, guild_id, user_id)
        return Career(standing, met, form, by_preset, earned, names)

    @reading
    async def duel(self, connection: AsyncConnection, guild_id: int, user_id: int, rival_id: int) -> Duel | None:
        """Read a user's record against another in a guild; None if they have never met in a match that counts."""
        met = await rivals.head_to_head(connection, guild_id, user_id, rival_id)
        if met is None:
            return None
        rival = await leaderboard.stats(connection, guild_id, rival_id)
        return Duel(met, rival, await rivals.meetings(connection, guild_id, user_id, rival_id))

    @reading
    async def aftermath(
        self, connection: AsyncConnection, guild_id: int, game_id: int, people: Collection[int]
    ) -> Aftermath:
        """Read what the finished match of a game has brought some people."""
        latest = sa.select(results.c.id).where(results.c.game_id == game_id).order_by(results.c.version.desc()).limit(1)
        found = [await leaderboard.own_row(connection, guild_id, each, Leaderboard(Metric.WINS)) for each in people]
        result_id = await connection.scalar(latest) or 0
        ended = [
            EndedRun(row.user_id, await _run_before(connection, guild_id, row.user_id, result_id))
            for row in found
            if row is not None and row.best_streak >= RUN_TOLD
        ]
        return Aftermath(
            result_id=result_id,
            standings=tuple(row for row in found if row is not None),
            ratings=await ratings.changes(connection, game_id),
            achievements=await achievements.of_result(connection, result_id),
            ended=tuple(each for each in ended if each.wins >= RUN_TOLD),
        )


async def _run_before(connection: AsyncConnection, guild_id: int, user_id: int, result_id: int) -> int:
    """Count the wins in a row that a result has ended; 0 if it was a win, or isn't among a user's latest."""
    outcomes = _outcomes(guild_id, user_id)
    query = sa.select(outcomes.c.result_id, outcomes.c.won).where(_counts(outcomes)).order_by(*_newest_first(outcomes))
    latest = dropwhile(lambda row: row[0] != result_id, (await connection.execute(query)).all())
    this = next(latest, None)
    return 0 if this is None or this[1] else sum(1 for _ in takewhile(lambda row: row[1], latest))


async def set_names(connection: AsyncConnection, guild_id: int, numbers: Collection[int]) -> dict[int, str]:
    """Return the names of some of a server's rule sets, including deleted ones that still have results."""
    if not numbers:
        return {}
    named = (rule_sets.c.guild_id == guild_id, rule_sets.c.id.in_(numbers))
    rows = await connection.execute(sa.select(rule_sets.c.id, rule_sets.c.name).where(*named))
    return {row[0]: row[1] for row in rows}


async def _form(connection: AsyncConnection, guild_id: int | None, user_id: int) -> tuple[bool, ...]:
    outcomes = _outcomes(guild_id, user_id)
    query = sa.select(outcomes.c.won).where(_counts(outcomes)).order_by(*_newest_first(outcomes))
    return tuple(reversed(list(await connection.scalars(query.limit(FORM)))))


def _outcomes(guild_id: int | None, user_id: int) -> sa.Subquery:
    """A user's latest results, practice included."""
    return (
        sa.select(*(result_players.c[name] for name in ("won", "gains", "ranked", "ended_at", "result_id")))
        .where(of_server(result_players.c.guild_id, guild_id), result_players.c.user_id == user_id)
        .order_by(*_newest_first(result_players))
        .limit(_LOOKED_AT)
        .subquery()
    )


def _newest_first(rows: sa.FromClause) -> tuple[sa.ColumnElement[Any], ...]:
    return rows.c.ended_at.desc(), rows.c.result_id.desc()


def _counts(outcomes: sa.Subquery) -> sa.ColumnElement[bool]:
    """Whether an outcome counts for runs: see `PlayerResult.counts`."""
    return outcomes.c.ranked & (outcomes.c.gains.is_not(False) | ~outcomes.c.won)


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One seat's result, with the values that all seats of its match share.

    `user_id` is None for a computer, and for somebody who was erased. `mu` to `new_sigma` are the rating before and
    after the match, None if it changed no ratings. `rule_set` is the name of the server's own rules that it was played
    by, if any; empty if that is no longer known.
    """

    result_id: int
    ended_at: datetime
    preset: str
    rule_set: str | None
    target: int
    ranked: bool
    friendly: bool
    user_id: int | None
    name: str
    side: int
    won: bool
    points: int
    escobas: int
    mu: float | None
    sigma: float | None
    new_mu: float | None
    new_sigma: float | None


class ResultRows(Store):
    """The rows of results."""

    @reading
    async def latest(self, connection: AsyncConnection, guild_id: int, most: int) -> tuple[list[int], int]:
        """List the ids of a server's latest results, the latest first and at most `most`, and count them all.

        Those of a duplicate tournament are included once it is over: until then others may still play the same cards.
        """
        # Not from `results`, which has no index by server.
        sealed = (
            sa.select(results.c.id)
            .join(games, games.c.id == results.c.game_id)
            .join(tournaments, tournaments.c.id == games.c.tournament_id)
            .where(tournaments.c.guild_id == guild_id, tournaments.c.closed_at.is_(None), results.c.friendly)
        )
        theirs = (
            sa.select(result_players.c.result_id)
            .where(result_players.c.guild_id == guild_id, result_players.c.result_id.not_in(sealed))
            .distinct()
        )
        total = await connection.scalar(sa.select(sa.func.count()).select_from(theirs.subquery())) or 0
        ids = await connection.scalars(theirs.order_by(result_players.c.result_id.desc()).limit(most))
        return list(ids), total

    @reading
    async def of(self, connection: AsyncConnection, result_ids: Sequence[int]) -> list[ResultRow]:
        """Read the rows of some results, by id from the highest down, then by seat."""
        # A set's name is kept while there are results by it or open games; its first result may be of a later rematch.
        by_set = sa.case((results.c.rule_set.is_not(None), sa.func.coalesce(rule_sets.c.name, "")))
        of_results = ("target", "ranked", "friendly")
        of_seats = ("user_id", "name", "side", "won", "points", "escobas", "mu", "sigma", "new_mu", "new_sigma")
        found = await connection.execute(
            sa.select(
                results.c.id,
                results.c.ended_at,
                results.c.preset,
                by_set,
                *(results.c[name] for name in of_results),
                *(result_players.c[name] for name in of_seats),
            )
            .join_from(results, result_players)
            .outerjoin(rule_sets, rule_sets.c.id == results.c.rule_set)
            .where(results.c.id.in_(result_ids))
            .order_by(results.c.id.desc(), result_players.c.seat)
        )
        return [ResultRow(*row) for row in found]
