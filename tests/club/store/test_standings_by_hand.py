"""Standings: whatever was played, every list and statistic equals a count by hand.

STANDINGS=500 tries that many histories; `make soak` does.
"""

import dataclasses
import itertools
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from pathlib import Path

import hypothesis
import pytest
from hypothesis import strategies as st

from bot.club.rules.seasons import ALL_TIME, month_of
from bot.club.store.career import RIVALS
from bot.club.store.results import MatchResult, PlayerResult
from bot.club.store.standing import Leaderboard, Metric, Standing
from bot.process.stores import Stores
from tests.support.dose import dose
from tests.support.store import (
    APRIL,
    MARCH,
    MOMENTS,
    add_finished_game,
    leaderboard_of,
    match_result,
    only_stats,
    player_result,
    stats_with,
)

COUNTED = (Metric.WINS, Metric.RATE, Metric.POINTS, Metric.ESCOBAS)
"""The metrics counted here; tests/club/store/test_season.py has ratings and points of seasons."""
# Each example has a guild of its own in the one database.
_numbers = itertools.count(2_000_000_000_000_000_000)


@st.composite
def matches(draw: st.DrawFn) -> MatchResult:
    users = draw(st.lists(st.none() | st.integers(1, 6), min_size=1, max_size=4))
    users = [user for n, user in enumerate(users) if user is None or user not in users[:n]]
    players = [
        player_result(
            seat,
            user,
            name=draw(st.sampled_from("abc")),
            won=draw(st.booleans()),
            points=draw(st.integers(0, 3)),
            escobas=draw(st.integers(0, 2)),
        )
        for seat, user in enumerate(users)
    ]
    return match_result(
        players,
        ended_at=draw(st.sampled_from(MOMENTS)),
        ranked=draw(st.sampled_from([True, True, False])),
        rounds=draw(st.integers(1, 4)),
    )


def leaderboard_columns(row: Standing) -> Standing:
    """A standing with only what a leaderboard shows."""
    names = ("name", "matches", "wins", "points", "escobas", "rank")
    return Standing(0, "", row.user_id, **{name: getattr(row, name) for name in names})


def played_by(user: int, played: Sequence[MatchResult]) -> list[tuple[MatchResult, PlayerResult]]:
    """A user's matches, in the order in which they ended."""
    in_order = sorted(played, key=lambda each: each.ended_at)
    return [(each, one) for each in in_order for one in each.players if one.user_id == user]


def expected_leaderboard(
    played: Sequence[MatchResult], metric: Metric, since: datetime | None, min_matches: int
) -> list[Standing]:
    """The whole leaderboard, counted by hand."""

    def value(row: Standing, metric: Metric) -> Fraction:
        return Fraction(row.wins, row.matches) if metric is Metric.RATE else Fraction(getattr(row, metric.value))

    rows = []
    for user in {one.user_id for each in played for one in each.players if one.user_id is not None}:
        everything = played_by(user, played)
        month = "" if since is None else since.strftime("%Y-%m")
        mine = [one for each, one in everything if each.ranked and each.ended_at.strftime("%Y-%m").startswith(month)]
        if len(mine) >= (min_matches if metric is Metric.RATE else 1):
            row = Standing(
                0,
                "",
                user,
                name=everything[-1][1].name,
                matches=len(mine),
                wins=sum(one.won for one in mine),
                points=sum(one.points for one in mine),
                escobas=sum(one.escobas for one in mine),
            )
            rows.append(row)
    order = (metric, Metric.WINS, Metric.RATE, Metric.POINTS)
    rows.sort(key=lambda row: (*(-value(row, each) for each in order), row.user_id))
    return [
        dataclasses.replace(row, rank=1 + sum(value(other, metric) > value(row, metric) for other in rows))
        for row in rows
    ]


def expected_stats(user: int, played: Sequence[MatchResult]) -> Standing:
    """A user's statistics, counted by hand."""
    everything = played_by(user, played)
    ranked = [(each, one) for each, one in everything if each.ranked]
    practice = [one for each, one in everything if not each.ranked]
    runs = [len(list(run)) for won, run in itertools.groupby(one.won for _, one in ranked) if won]
    by_wins = {row.user_id: row.rank for row in expected_leaderboard(played, Metric.WINS, None, 1)}
    return stats_with(
        matches=len(ranked),
        wins=sum(one.won for _, one in ranked),
        points=sum(one.points for _, one in ranked),
        escobas=sum(one.escobas for _, one in ranked),
        rounds=sum(each.rounds for each, _ in ranked),
        streak=len(list(itertools.takewhile(lambda won: won, (one.won for _, one in reversed(ranked))))),
        best_streak=max(runs, default=0),
        practice_matches=len(practice),
        practice_wins=sum(one.won for one in practice),
        last_at=max((each.ended_at for each, _ in everything), default=None),
        top_points=max((one.points for _, one in ranked), default=0),
        top_escobas=max((one.escobas for _, one in ranked), default=0),
        rank=by_wins.get(user, 0),
    )


def expected_season_points(user: int, played: Sequence[MatchResult]) -> int:
    """A user's points in an endless season, counted by hand; in these matches nobody leaves."""
    points = 0
    for number, each in enumerate(played):
        own = [one for one in each.players if one.user_id == user]
        if own and each.ranked:
            people = sorted(str(one.user_id) for one in each.players)
            earlier = [
                other
                for other in played[:number]
                if other.ranked
                and other.ended_at.date() == each.ended_at.date()
                and sorted(str(one.user_id) for one in other.players) == people
            ]
            points += (3 if own[0].won else 1) if len(earlier) < 3 else 0
    return points


def expected_rivals(user: int, played: Sequence[MatchResult]) -> dict[int, tuple[int, int, int]]:
    """For each opponent of a user: how often they met, the user won, and the opponent won; counted by hand."""
    counts: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    for each, own in played_by(user, played):
        for other in each.players:
            if each.ranked and other.user_id is not None and other.side != own.side:
                for place, added in enumerate((1, own.won, other.won)):
                    counts[other.user_id][place] += added
    return {rival: (met, won, lost) for rival, (met, won, lost) in counts.items()}


async def assert_rivals_are(store: Stores, guild: int, played: Sequence[MatchResult]) -> None:
    """Check that everybody's career lists the rivals whom they have met most, in that order."""
    for user in range(1, 7):
        expected = expected_rivals(user, played)
        found = (await store.careers.of(guild, user)).rivals
        assert {each.rival_id: (each.matches, each.wins, each.losses) for each in found}.items() <= expected.items()
        most = sorted(expected, key=lambda rival: (-expected[rival][0], rival))[:RIVALS]
        assert [each.rival_id for each in found] == most


@pytest.mark.thorough
@hypothesis.settings(
    max_examples=dose("STANDINGS", 8), suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture]
)
@hypothesis.given(
    st.lists(matches(), max_size=12),
    st.sampled_from([None, MARCH.replace(month=2), MARCH, APRIL]),
    st.integers(1, 3),
    st.integers(1, 4),
)
async def test_every_list_is_what_counting_by_hand_gives(
    database: str | Path, played: list[MatchResult], since: datetime | None, min_matches: int, size: int
) -> None:
    guild = next(_numbers)
    store = await Stores.open(database)
    try:
        await add_finished_game(
            store,
            [dataclasses.replace(each, guild_id=guild) for each in played],
            channel_id=guild,
        )
        for metric in COUNTED:
            expected = expected_leaderboard(played, metric, since, min_matches)
            pages = [
                await leaderboard_of(
                    store,
                    metric,
                    guild_id=guild,
                    since=since,
                    min_matches=min_matches,
                    limit=size,
                    offset=offset,
                )
                for offset in range(0, len(expected) + 1, size)
            ]
            assert [leaderboard_columns(row) for page in pages for row in page.rows] == expected
            assert {page.total for page in pages} == {len(expected)}
            own = {row.user_id: row for row in expected}
            for user in range(1, 7):
                period = ALL_TIME if since is None else month_of(since)
                found = await store.leaderboards.own_row(
                    guild, user, Leaderboard(metric, period, min_matches=min_matches)
                )
                assert (None if found is None else leaderboard_columns(found)) == own.get(user)
        for user in range(1, 7):
            stats = await store.leaderboards.stats(guild, user)
            assert only_stats(stats) == expected_stats(user, played)
            assert stats.season_points == expected_season_points(user, played)
        await assert_rivals_are(store, guild, played)
    finally:
        await store.database.close()
