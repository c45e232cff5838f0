"""The leaderboard: what its menus offer, what a line says, and which old buttons still mean something."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.club.ids.leaderboard import LeaderboardRef, LeaderboardVerb
from bot.club.rules.rating import Rating
from bot.club.screens.ranking import (
    METRICS,
    MOST_PERIODS,
    Listing,
    choosing_layout,
    leaderboard_layout,
    shown_leaderboard,
)
from bot.club.store.standing import LeaderboardPage, Metric, Standing
from bot.engine.rules import PRESETS
from bot.platform.language.catalogues import words
from bot.platform.layout import Component, Layout
from tests.support.layouts import words_of
from tests.support.limits_components import walk

EN, ES = words("en"), words("es")
NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


def standing(user_id: int = 1, name: str = "Ana", rating: Rating | None = None, **changes: Any) -> Standing:
    found = Standing(1, "2026-11", user_id, name, matches=10, wins=7, points=150, escobas=12, season_points=24, rank=1)
    if rating is not None:
        found = replace(found, mu=rating.mu, sigma=rating.sigma, rated_at=NOW)
    return replace(found, **changes)


def listing_of(ref: LeaderboardRef, *rows: Standing, own: Standing | None = None, **changes: Any) -> Listing:
    ref = ref if ref.period != "season" else replace(ref, period="2026-11")
    listing = Listing(ref, LeaderboardPage(rows, len(rows)), 1, own, 5, NOW, "2026-11", ["2026-10", "2026-08"])
    return replace(listing, **changes)


def said(ref: LeaderboardRef, *rows: Standing, **changes: Any) -> str:
    return words_of(leaderboard_layout(listing_of(ref, *rows, **changes), EN))


def menus(listing: Listing) -> dict[str, list[Component]]:
    """The options of each menu that the leaderboard offers, by its verb."""
    (change,) = menus_on(leaderboard_layout(listing, EN)).values()
    return {
        each["value"]: menus_on(choosing_layout(listing, LeaderboardVerb(each["value"]), EN))[each["value"]]
        for each in change
    }


def menus_on(layout: Layout) -> dict[str, list[Component]]:
    nodes = (node for _, node in walk(layout.to_components()) if "options" in node)
    return {node["custom_id"].split(":")[1]: node["options"] for node in nodes}


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("period", ["season", "all", "2026-03", "2026-Q4"])
@pytest.mark.parametrize("preset", ["", *PRESETS])
def test_a_page_survives_its_custom_id(metric: Metric, period: str, preset: str) -> None:
    ref = LeaderboardRef(metric, period, 3, preset)
    assert LeaderboardRef.read(ref.custom_id(LeaderboardVerb.NEXT).split(":")[2:]) == ref


@pytest.mark.parametrize(
    "parts",
    [
        [],
        ["wins"],
        ["wins", "all"],
        ["wins", "all", "!"],
        ["wins", "all", "-1"],
        ["luck", "all", "0"],
        ["wins", "2026-13", "0"],
        ["wins", "2026-Q5", "0"],
        ["wins", "week", "0"],
        ["wins", "all", "0", "brisca"],
        ["wins", "all", "0", ""],
        ["wins", "all", "0", "escoba", "!"],
    ],
)
def test_an_invalid_page_refers_to_nothing(parts: list[str]) -> None:
    assert LeaderboardRef.read(parts) is None


def test_the_present_season_comes_first_then_all_time_then_past_ones() -> None:
    periods = menus(listing_of(LeaderboardRef()))["period"]
    assert [each["label"] for each in periods] == [
        "November 2026, now",
        "All time",
        "October 2026",
        "August 2026",
    ]
    assert [each["value"] for each in periods if each["default"]] == ["2026-11"]


def test_no_more_seasons_are_offered_than_fit_and_the_one_shown_is_among_them() -> None:
    past = [f"{2026 - number}-01" for number in range(MOST_PERIODS)]
    periods = menus(listing_of(LeaderboardRef(period="2000-05"), past=past))["period"]
    assert len(periods) == MOST_PERIODS
    assert [each["value"] for each in periods if each["default"]] == ["2000-05"]


def test_a_server_without_seasons_has_no_menu_for_them() -> None:
    listing = listing_of(LeaderboardRef(Metric.RATING, "all"), season=None, past=())
    assert menus(listing).keys() == {"metric"}


def test_ratings_are_for_all_rules() -> None:
    assert "rules" in menus(listing_of(LeaderboardRef()))
    assert "rules" not in menus(listing_of(LeaderboardRef(Metric.RATING)))
    assert LeaderboardRef(preset="quince").by(Metric.RATING).preset == ""
    assert LeaderboardRef(preset="quince").by(Metric.WINS).preset == "quince"


def test_a_rating_has_a_question_mark_until_it_is_settled() -> None:
    settled, unsettled = Rating(28.0, 2.0), Rating(28.0, 4.0)
    ref = LeaderboardRef(Metric.RATING)
    assert f"**Ana**__\n-# {settled.shown:,} · 10 matches" in said(ref, standing(rating=settled))
    assert f"**Ana**__\n-# {unsettled.shown:,}? · " in said(ref, standing(rating=unsettled))


@pytest.mark.parametrize(
    ("metric", "figures"),
    [
        (Metric.SEASON_POINTS, "**24 points** · won 7 of 10"),
        (Metric.WINS, "7 wins · 10 matches"),
        (Metric.RATE, "70% · 7 wins · 10 matches"),
        (Metric.POINTS, "150 points · 10 matches"),
        (Metric.ESCOBAS, "12 escobas · 10 matches"),
    ],
)
def test_a_line_says_what_it_is_ranked_by_and_from_how_many_matches(metric: Metric, figures: str) -> None:
    assert f"🥇 __**Ana**__\n-# {figures}" in said(LeaderboardRef(metric), standing())
    shown = words_of(shown_leaderboard(listing_of(LeaderboardRef(metric), standing()), "Bea", EN))
    assert f"🥇 **Ana**\n-# {figures}" in shown


def test_the_heading_names_the_season_its_end_and_the_rules() -> None:
    assert "-# November 2026 · ends <t:1796083200:R>" in said(LeaderboardRef())
    assert "-# October 2026\n" in said(LeaderboardRef(period="2026-10"), standing())
    assert "-# All time · Escoba de quince" in said(LeaderboardRef(Metric.WINS, "all", preset="quince"))
    spanish = leaderboard_layout(listing_of(LeaderboardRef(period="2026-Q4")), ES)
    assert "-# 4.º trimestre de 2026" in words_of(spanish)


def test_an_empty_leaderboard_says_what_it_takes() -> None:
    assert "\nNobody has played 5 matches yet." in said(LeaderboardRef(Metric.RATE))
    assert "\nNobody has played 1 match yet." in said(LeaderboardRef(Metric.RATE), min_matches=1)
    assert "No match finished here this season." in said(LeaderboardRef())
    assert "No match was finished here in this time." in said(LeaderboardRef(period="2026-10"))
    assert "No match finished here yet." in said(LeaderboardRef(Metric.WINS, "all"))
    assert "No match with these rules" in said(LeaderboardRef(Metric.WINS, "all", preset="quince"))


def test_the_reader_learns_why_they_are_not_ranked() -> None:
    assert "Ranked by win rate from 5 matches." in said(LeaderboardRef(Metric.RATE), standing(2))
    assert "You have no rating here yet" in said(LeaderboardRef(Metric.RATING), standing(2))
    assert "You aren't ranked here yet" in said(LeaderboardRef(), standing(2))
    assert "Your place: **12.** __**Ana**__\n-# **24 points**" in said(LeaderboardRef(), own=standing(rank=12))
