"""The podium of a season: who is on it, and that its message fits."""

from dataclasses import replace

import pytest

from bot.club.screens.ranking import MOST, Podium, crowd_rows, podium_layout, podium_rows
from bot.club.store.standing import Standing
from bot.platform.language.catalogues import words
from bot.platform.language.texts import Words
from tests.support.layouts import LARGEST, NAME, every_language, troubles, words_of

EN = words("en")


def standings(*points: int) -> list[Standing]:
    """People with these points, the most first, as in a leaderboard."""
    ranks = [1 + sum(other > each for other in points) for each in points]
    return [
        Standing(1, "2026-10", number, f"P{number}", matches=9, wins=each // 3, season_points=each, rank=rank)
        for number, (each, rank) in enumerate(zip(points, ranks, strict=True), 1)
    ]


@pytest.mark.parametrize(
    ("points", "places"),
    [
        ((9, 8, 7, 6), (1, 2, 3)),
        ((9, 8), (1, 2)),
        ((9, 9, 7, 7, 6), (1, 1, 3, 3)),
        ((9, 8, 8, 8, 7), (1, 2, 2, 2)),
        ((9, 9, 9, 9), (1, 1, 1, 1)),
        ((9, 1, 0), (1, 2)),
        ((0, 0), ()),
        ((), ()),
        ((9, *[8] * 9), (1, *[2] * 9)),
        ((9, *[8] * 10), (1,)),
        ((9, 8, *[7] * 9), (1, 2)),
        ((9,) * 11, ()),
    ],
)
def test_the_first_three_are_on_the_podium_equal_ones_together(points: tuple[int, ...], places: tuple[int, ...]):
    rows = podium_rows(standings(*points)[: MOST + 1])
    assert tuple(row.rank for row in rows) == places


def test_of_too_many_winners_only_some_are_named():
    best = standings(*[9] * 12)[: MOST + 1]
    assert len(crowd_rows(best)) == MOST
    assert crowd_rows(best[:MOST]) == ()
    assert crowd_rows(standings(*[0] * 11)) == ()
    text = words_of(podium_layout(Podium("2026-10", crowd_rows(best), 12, crowded=True), EN))
    assert text.count("🥇") == MOST
    assert "They share the first place with others." in text


def test_the_message_says_who_won_and_who_got_which_role():
    podium = Podium("2026-10", podium_rows(standings(9, 7, 7)), 12, ((77, ("P1",)),))
    text = words_of(podium_layout(podium, EN))
    assert "October 2026" in text
    assert "🥇 **P1**\n-# **9 points** · won 3 of 9\n🥈 **P2**" in text
    assert text.count("🥈") == 2
    assert "🎖️ <@&77>: P1" in text
    assert "12 people were ranked." in text


@every_language
def test_the_longest_podium_fits(t: Words):
    row = Standing(1, "2026-Q4", LARGEST, NAME, matches=9_999_999, wins=9_999_999, season_points=9_999_999, rank=1)
    podium = Podium("2026-Q4", (row,) * MOST, 9_999_999, ((LARGEST, (NAME,) * MOST), (LARGEST, (NAME,) * MOST)))
    assert troubles(podium_layout(podium, t)) == []
    assert troubles(podium_layout(replace(podium, crowded=True), t)) == []
