"""Results that a tournament's organiser has changed or voided: what counts is worked out again from all results.

Ratings follow one from another, so those of every later match on the server are worked out again too.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.rules.achievements import DEEDS, DEEDS_OF_A_WIN, Achievement
from bot.club.rules.rating import Rating
from bot.club.rules.seasons import ALL_TIME
from bot.club.store import achievements, gains, ratings
from bot.club.store import rows as standing_rows
from bot.club.store.results import PLAYER_COLUMNS, MatchResult, PlayerResult
from bot.club.store.standing import EVERY_PRESET
from bot.platform.database.postgres_server import lock_server
from bot.schema.club import standings
from bot.schema.tables import games, result_players, results

_OF_RESULT: Final = tuple(name for name in MatchResult.__dataclass_fields__ if name != "players")
_RATED: Final = ("mu", "sigma", "new_mu", "new_sigma", "weight", "nth")
_RULED: Final = ("won", "points", "place", "stayed")
_ROWS: Final = (
    sa.select(
        results.c.id,
        *(results.c[name] for name in _OF_RESULT),
        *(result_players.c[name] for name in PLAYER_COLUMNS),
    )
    .join_from(results, result_players)
    .order_by(results.c.id, result_players.c.seat)
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The way in which a match of a tournament is to count.

    Attributes:
        fixture: the pairing that its game was opened for.
        ranked: whether it counts at all; if not, it stays as it is.
        winner: the side that has won; None if none has.
        points: each side's points.
    """

    fixture: str
    ranked: bool
    winner: int | None = None
    points: tuple[int, int] = (0, 0)


async def revise(connection: AsyncConnection, tournament_id: int, verdicts: Collection[Verdict]) -> bool:
    """Have a tournament's matches count as it was decided; returns whether that changed a result."""
    if not verdicts:
        return False
    by_fixture = {verdict.fixture: verdict for verdict in verdicts}
    theirs = (games.c.tournament_id == tournament_id, games.c.fixture.in_(list(by_fixture)))
    guild_id = await connection.scalar(
        sa.select(results.c.guild_id).join(games, games.c.id == results.c.game_id).where(*theirs).limit(1)
    )
    if guild_id is None:
        return False  # none of them has a result
    await lock_server(connection, guild_id)
    named = sa.select(results.c.id, games.c.fixture).join(games, games.c.id == results.c.game_id).where(*theirs)
    fixtures = {row[0]: row[1] for row in await connection.execute(named)}
    old = await _read(connection, results.c.id.in_(list(fixtures)))
    new = {number: ruled(result, by_fixture[fixtures[number]]) for number, result in old.items()}
    changed = {number: result for number, result in new.items() if result != old[number]}
    if not changed:
        return False
    entered = await _entered(connection, guild_id, min(changed))
    for number, result in changed.items():
        await _rewrite(connection, number, result)
    earned = await achievements.take_back(connection, list(changed))
    people = {player.user_id for result in changed.values() for player in result.players if player.user_id is not None}
    people |= await _rate_again(connection, guild_id, min(changed), entered)
    await standing_rows.recount(connection, guild_id, people)
    for number, result in changed.items():
        await achievements.add(connection, number, _with_deeds(result, earned))
    await achievements.recount(connection, guild_id, people)
    return True


def ruled(result: MatchResult, verdict: Verdict) -> MatchResult:
    """Work out a result as it is to count, but for its ratings, which change with those before it."""
    players = tuple(_ruled_player(player, verdict) for player in result.players) if verdict.ranked else result.players
    found = replace(result, ranked=verdict.ranked, friendly=not verdict.ranked, players=players)
    if verdict.ranked:
        return found
    unrated = tuple(replace(player, **dict.fromkeys(_RATED), known=False) for player in players)
    return replace(found, nth=None, weight=None, players=unrated)


def _ruled_player(player: PlayerResult, verdict: Verdict) -> PlayerResult:
    won, drawn = player.side == verdict.winner, verdict.winner is None
    return replace(
        player,
        won=won,
        place=1 if won or drawn else 2,
        points=verdict.points[player.side],
        stayed=won or drawn or player.sources is not None,  # somebody who left before the end has no sources
    )


async def _rewrite(connection: AsyncConnection, number: int, result: MatchResult) -> None:
    of_match = {name: getattr(result, name) for name in ("ranked", "friendly", "nth", "weight")}
    await connection.execute(sa.update(results).where(results.c.id == number).values(of_match))
    for player in result.players:
        values = {name: getattr(player, name) for name in (*_RULED, *_RATED, "known")} | {"ranked": result.ranked}
        await connection.execute(
            sa.update(result_players)
            .where(result_players.c.result_id == number, result_players.c.seat == player.seat)
            .values(values)
        )


def _with_deeds(result: MatchResult, earned: Sequence[achievements.Earned]) -> MatchResult:
    """The result with what its people achieved in that match by itself; a deed of the winner's needs the win."""

    def deeds(player: PlayerResult) -> frozenset[Achievement]:
        own = {deed.achievement for deed in earned if deed.user_id == player.user_id and deed.at == result.ended_at}
        return frozenset(own & DEEDS - (frozenset() if player.won else DEEDS_OF_A_WIN))

    return replace(result, players=tuple(replace(player, deeds=deeds(player)) for player in result.players))


# ------------------------------------------------------------------------------------------- ratings again


async def _entered(connection: AsyncConnection, guild_id: int, first: int) -> dict[int, Rating]:
    """Read the ratings with which people entered their earliest rated matches from one on: the first one, or the one
    that they had when they erased their data."""
    columns = (result_players.c[name] for name in ("user_id", "mu", "sigma"))
    own = (result_players.c.guild_id == guild_id, result_players.c.result_id >= first, result_players.c.mu.is_not(None))
    rows = await connection.execute(
        sa.select(*columns)
        .where(*own, result_players.c.user_id.is_not(None))
        .order_by(result_players.c.result_id.desc())
    )
    return {row.user_id: Rating(row.mu, row.sigma) for row in rows}  # the earliest is the last


async def _rate_again(
    connection: AsyncConnection, guild_id: int, first: int, entered: Mapping[int, Rating]
) -> set[int]:
    """Work out the ratings of a server's results from one on, in order; returns the people who are in them."""
    later = await _read(connection, (results.c.guild_id == guild_id) & (results.c.id >= first) & results.c.ranked)
    people = {player.user_id for result in later.values() for player in result.players if player.user_id is not None}
    ids = sa.select(results.c.id).where(results.c.guild_id == guild_id, results.c.id >= first, results.c.ranked)
    unrated = result_players.c.result_id.in_(ids)
    await connection.execute(sa.update(result_players).where(unrated).values(dict.fromkeys(_RATED)))
    await connection.execute(sa.update(results).where(results.c.id.in_(ids)).values(nth=None, weight=None))
    await standing_rows.recount(connection, guild_id, people)  # everybody's rating is as it was before the first one
    for number, result in later.items():
        rated = await ratings.rated_again(connection, number, result, entered)
        await _rewrite(connection, number, rated)
        await _note(connection, rated)
        await gains.add(connection, rated)
    return people


async def _note(connection: AsyncConnection, result: MatchResult) -> None:
    """Note the ratings after a result for the next one; all else in the standings is counted at the end."""
    for player in result.players:
        if player.user_id is None or player.new_mu is None:
            continue
        rated_at = sa.func.coalesce(standings.c.rated_at, result.ended_at)
        latest = sa.case((rated_at > result.ended_at, rated_at), else_=result.ended_at)
        await connection.execute(
            sa.update(standings)
            .where(
                standings.c.guild_id == result.guild_id,
                standings.c.period == ALL_TIME,
                standings.c.preset == EVERY_PRESET,
                standings.c.user_id == player.user_id,
            )
            .values(mu=player.new_mu, sigma=player.new_sigma, rated_at=latest)
        )


async def _read(connection: AsyncConnection, which: sa.ColumnElement[bool]) -> dict[int, MatchResult]:
    values: dict[int, tuple[Any, ...]] = {}
    players: dict[int, list[PlayerResult]] = {}
    width = len(PLAYER_COLUMNS)
    for number, *row in await connection.execute(_ROWS.where(which)):
        values[number] = tuple(row[:-width])
        players.setdefault(number, []).append(PlayerResult(*row[-width:]))
    return {
        number: MatchResult(**dict(zip(_OF_RESULT, own, strict=True)), players=tuple(players[number]))
        for number, own in values.items()
    }
