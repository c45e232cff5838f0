"""Seasons: which one a moment is in, when it begins and ends, and which comes next."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.club.rules.seasons import SeasonLength, before, bounds, is_season, month_of, periods_of, quarter_of, season_of

moments = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - with UTC


@given(moments, st.sampled_from([month_of, quarter_of]))
def test_a_moment_is_in_its_season_and_the_next_begins_where_it_ends(moment: datetime, of: object) -> None:
    season = of(moment)  # type: ignore[operator]
    begins, ends = bounds(season)
    assert begins <= moment < ends
    assert is_season(season)
    assert bounds(of(ends))[0] == ends  # type: ignore[operator]
    assert bounds(before(season))[1] == begins
    assert of(ends - timedelta(microseconds=1)) == season  # type: ignore[operator]


def test_seasons_are_those_of_utc() -> None:
    elsewhere = datetime(2026, 4, 1, 1, tzinfo=timezone(timedelta(hours=2)))
    assert periods_of(elsewhere) == ("all", "2026-03", "2026-Q1")


def test_a_server_without_seasons_is_in_none() -> None:
    now = datetime(2026, 11, 23, tzinfo=UTC)
    assert [season_of(length, now) for length in SeasonLength] == ["2026-11", "2026-Q4", None]


@pytest.mark.parametrize(
    "text", ["all", "2026-13", "2026-00", "2026-Q5", "2026", "2026-3", " 2026-03", "2026-03\n", ""]
)
def test_an_invalid_season_is_refused(text: str) -> None:
    assert not is_season(text)
    with pytest.raises(ValueError, match="no season"):
        bounds(text)
