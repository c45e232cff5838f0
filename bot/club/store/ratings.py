"""Ratings: worked out in the transaction of each result, in the order of the results' ids, and read back.

They are stored twice: with each result, before and after it, and in the standings, as they are now.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.rules.gains import Gains, rate_within_limit
from bot.club.rules.rating import Rating, match_weight
from bot.club.rules.seasons import ALL_TIME
from bot.club.store import day_numbers, gains, groups, marks
from bot.club.store.results import MatchResult, PlayerResult
from bot.club.store.standing import EVERY_PRESET, aged
from bot.platform.database.base import UtcDateTime
from bot.platform.database.database import Store
from bot.schema.club import standings
from bot.schema.tables import result_players, results

HISTORY: Final = 60
"""The most points in a person's history."""
_CURRENT: Final = sa.select(standings.c.user_id, standings.c.mu, standings.c.sigma, standings.c.rated_at).where(
    standings.c.guild_id == sa.bindparam("guild", type_=sa.BigInteger),
    standings.c.period == ALL_TIME,
    standings.c.preset == EVERY_PRESET,
    standings.c.user_id.in_(sa.bindparam("people", type_=sa.BigInteger, expanding=True)),
    standings.c.mu.is_not(None),
)
_UNRATED: Final[dict[str, Any]] = {
    **dict.fromkeys(("mu", "sigma", "new_mu", "new_sigma", "weight", "nth")),
    "known": False,
}
"""The fields of a player whose result is yet to be rated and numbered."""
_SEAT: Final = result_players.alias("seat")


@dataclass(frozen=True, slots=True)
class Lineup:
    """The ratings that some people bring to a match against each other, the number it would have among the matches of
    exactly these people on that UTC day, and what they have gained from each other lately."""

    ratings: Mapping[int, Rating]
    nth: int
    gains: Gains = field(default_factory=Gains)


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The change of a person's rating by a match.

    `weight` is the share of the change that was made, and `nth` the match's number among those of the same people on
    its day, which allows a share of its own. `played`: everybody in it may gain by it; otherwise that may have limited
    the change, too.
    """

    user_id: int
    before: Rating
    after: Rating
    weight: float
    nth: int
    played: bool = True

    @property
    def limited(self) -> bool:
        """Whether less was made of the change than the match's number allows, because of what was gained before."""
        return self.played and self.weight < match_weight(self.nth)


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A person's rating after a match, and the time when that ended."""

    ended_at: datetime
    rating: Rating


# ------------------------------------------------------------------------------------------ with a result


async def with_ratings(
    connection: AsyncConnection,
    result: MatchResult,
    *,
    result_id: int | None = None,
    known: Collection[int] | None = None,
    entered: Mapping[int, Rating] | None = None,
) -> MatchResult:
    """Fill in the effect on ratings, and the numbers on its day, of a result that is about to be written; the server's
    rows are locked.

    Args:
        connection: of the transaction.
        result: as it was played.
        result_id: its own, if it is rated again while the rows about rivals hold later ones, too; those whom people had
            met are found in the results before it then.
        known: those who counted as persons of their own when it was rated first.
        entered: the ratings with which people without earlier results came.
    """
    if not result.ranked:
        return result
    people = [player.user_id for player in result.players if player.user_id is not None]
    day = await day_numbers.of_day(connection, result.server, people, result.ended_at)
    there = day_numbers.people_of(day_numbers.seats_of(result.players))
    nth = await day_numbers.next_of(connection, result.server, there, result.ended_at, day)
    result = replace(result, nth=nth)
    grouped = any(player.gains is not None for player in result.players)  # else 1.0 began it, by its rules
    rated = changes_ratings(result.players, fresh=result_id is None)
    if not rated and not grouped:
        return result
    # With a computer at the table ratings don't change, but season points count, and so it matters who is known.
    if known is None:
        known = await groups.known(connection, result.server, people, result.ended_at, grouped=grouped)
    if result_id is not None:
        known = (await gains.known_before(connection, result.server, people, result_id)).intersection(known)
    result = replace(result, players=tuple(replace(each, known=each.user_id in known) for each in result.players))
    if rated:
        result = await _rated(connection, result, people, known, entered)
    return replace(result, players=day_numbers.numbered(result.players, nth, day)) if grouped else result


async def _rated(
    connection: AsyncConnection,
    result: MatchResult,
    people: Collection[int],
    known: Collection[int],
    entered: Mapping[int, Rating] | None,
) -> MatchResult:
    """Work out the ratings of a result with a number, which changes them."""
    assert result.nth is not None
    current = await _current(connection, result.server, people, result.ended_at, entered)
    seats = [-1 - player.seat if player.user_id is None else player.user_id for player in result.players]
    before = [current.get(person_id, Rating()).at_the_table() for person_id in seats]
    lately = await gains.read(connection, result.server, people, result.ended_at, known)
    rated = rate_within_limit(seats, gains.as_rated(result.players, before), result.nth, lately)
    players = tuple(
        replace(
            player,
            mu=old.mu,
            sigma=old.sigma,
            new_mu=new.after.mu,
            new_sigma=new.after.sigma,
            weight=new.weight,
        )
        if player.user_id is not None
        else replace(player, mu=old.mu, sigma=old.sigma)
        for player, old, new in zip(result.players, before, rated, strict=True)
    )
    return replace(result, weight=match_weight(result.nth), players=players)


async def rated_again(
    connection: AsyncConnection, result_id: int, result: MatchResult, entered: Mapping[int, Rating]
) -> MatchResult:
    """Fill in the effect on ratings, and the numbers on its day, of a result that is already written, once those before
    it have been rated again.

    The standings and gains are as they were before it. What somebody who was erased since brought isn't known any more:
    everybody's change, and all numbers, stay as they were.

    `entered`: the ratings with which people came whose first match of all is this one or a later one.
    """
    if result.nth is None or not any(player.erased for player in result.players):
        own = [each.user_id for each in result.players if each.user_id is not None and each.known]
        was_noted = result.weight is not None or any(each.nth is not None for each in result.players)
        known = own if was_noted else None
        blank = tuple(replace(player, **_UNRATED) for player in result.players)
        result = replace(result, nth=None, weight=None, players=blank)
        return await with_ratings(connection, result, result_id=result_id, known=known, entered=entered)
    if result.weight is None:
        return result
    people = [player.user_id for player in result.players if player.user_id is not None]
    current = await _current(connection, result.server, people, result.ended_at, entered)
    return replace(
        result,
        players=tuple(
            each if each.user_id is None else _changed(each, current[each.user_id].at_the_table())
            for each in result.players
        ),
    )


def _changed(player: PlayerResult, before: Rating) -> PlayerResult:
    """Return a player with the change of before that they make now from another rating."""
    if player.mu is None or not player.sigma or player.new_mu is None or player.new_sigma is None:
        return player
    mu, sigma = before.mu + player.new_mu - player.mu, before.sigma * player.new_sigma / player.sigma
    return replace(player, mu=before.mu, sigma=before.sigma, new_mu=mu, new_sigma=sigma)


def changes_ratings(players: Sequence[PlayerResult], *, fresh: bool = False) -> bool:
    """Whether a ranked match changes ratings: every seat was a person's, with a place, and there were several sides.

    In a `fresh` result somebody who erased their data during the match counts, too: as a newcomer, who has left.
    """
    people = all(player.user_id is not None or (fresh and player.erased) for player in players)
    return people and all(each.place is not None for each in players) and len({each.side for each in players}) > 1


# ------------------------------------------------------------------------------------------ reads


async def changes(connection: AsyncConnection, game_id: int) -> tuple[RatingChange, ...]:
    """Read how the finished match of a game has changed its people's ratings, by seat."""
    latest = sa.select(results.c.id).where(results.c.game_id == game_id).order_by(results.c.version.desc()).limit(1)
    names = ("user_id", "mu", "sigma", "new_mu", "new_sigma", "weight")
    idle = sa.select(_SEAT.c.seat).where(_SEAT.c.result_id == results.c.id, _SEAT.c.gains.is_(False))
    rows = await connection.execute(
        sa.select(results.c.nth, (~idle.exists()).label("played"), *(result_players.c[name] for name in names))
        .join_from(result_players, results)
        .where(results.c.id == latest.scalar_subquery(), result_players.c.new_mu.is_not(None))
        .order_by(result_players.c.seat)
    )
    return tuple(
        RatingChange(
            row.user_id, Rating(row.mu, row.sigma), Rating(row.new_mu, row.new_sigma), row.weight, row.nth, row.played
        )
        for row in rows
    )


async def lineup(connection: AsyncConnection, guild_id: int, people: Collection[int], at: datetime) -> Lineup:
    if not people:
        return Lineup({}, 1)
    day = await day_numbers.of_day(connection, guild_id, [min(people)], at)
    nth = await day_numbers.next_of(connection, guild_id, frozenset(people), at, day)
    current = await _current(connection, guild_id, people, at)
    known = await groups.known(connection, guild_id, people, at)
    return Lineup(current, nth, await gains.read(connection, guild_id, people, at, known))


async def _current(
    connection: AsyncConnection,
    guild_id: int,
    people: Collection[int],
    at: datetime,
    entered: Mapping[int, Rating] | None = None,
) -> dict[int, Rating]:
    rows = await connection.execute(_CURRENT, {"guild": guild_id, "people": list(people)})
    stored = {row[0]: aged(Rating(row[1], row[2]), row[3], at) for row in rows}
    if len(stored) == len(people):
        return stored
    marked = await marks.ratings(connection, guild_id, people, at)
    returned = {person_id: aged(rating, since, at) for person_id, (rating, since) in marked.items()}
    return dict.fromkeys(people, Rating()) | returned | dict(entered or {}) | stored


async def history(connection: AsyncConnection, guild_id: int, user_id: int) -> tuple[RatingPoint, ...]:
    own = (
        result_players.c.guild_id == guild_id,
        result_players.c.user_id == user_id,
        result_players.c.new_mu.is_not(None),
    )
    order = (result_players.c.ended_at, result_players.c.result_id)
    ids = sa.select(result_players.c.result_id).where(*own)
    newest = list(await connection.scalars(ids.order_by(*(column.desc() for column in order)).limit(HISTORY + 1)))
    if len(newest) > HISTORY:
        moments = sa.select(result_players.c.ended_at).where(*own)
        first = await connection.scalar(moments.order_by(*order).limit(1))
        last = await connection.scalar(moments.order_by(*(column.desc() for column in order)).limit(1))
        assert first is not None
        assert last is not None
        steps = [first + (last - first) * number / (HISTORY - 1) for number in range(HISTORY)]
        steps[-1] = last  # not rounded
        moment = sa.column("moment", UtcDateTime)
        at = sa.values(moment, name="steps").data([(step,) for step in steps]).cte("steps")
        latest = (
            ids.where(result_players.c.ended_at <= at.c.moment)
            .order_by(*(column.desc() for column in order))
            .limit(1)
            .correlate(at)
            .scalar_subquery()
        )
        newest = list(await connection.scalars(sa.select(latest).select_from(at).distinct()))
    rows = await connection.execute(
        sa.select(result_players.c.ended_at, result_players.c.new_mu, result_players.c.new_sigma)
        .where(result_players.c.result_id.in_(newest), result_players.c.user_id == user_id)
        .order_by(*order)
    )
    return tuple(RatingPoint(row[0], Rating(row[1], row[2])) for row in rows)


class Ratings(Store):
    """The ratings of people, and what changes them."""

    async def lineup(self, guild_id: int, people: Collection[int], at: datetime) -> Lineup:
        """Read what these people would bring to a match at that time, newcomers included."""
        return await self.database.read(lineup, guild_id, people, at)

    async def current(self, guild_id: int, people: Collection[int], at: datetime) -> dict[int, Rating]:
        """Read the ratings of these people at that time, newcomers included."""
        return await self.database.read(_current, guild_id, people, at)

    async def changes(self, game_id: int) -> tuple[RatingChange, ...]:
        """Read how the finished match of a game has changed its people's ratings, by seat; empty if it changed none."""
        return await self.database.read(changes, game_id)

    async def history(self, guild_id: int, user_id: int) -> tuple[RatingPoint, ...]:
        """List a person's ratings after their matches, the oldest first; evenly spaced in time if there are many."""
        return await self.database.read(history, guild_id, user_id)
