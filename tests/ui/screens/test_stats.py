"""Statistics as a card: the picture, its alt text and the text without it all say the same."""

from __future__ import annotations

import pytest

from bot.store import Career, Judgement, ReviewRow, Rivalry, Standing
from bot.store.standings.standing import record_of
from bot.ui.pictures.alt import alt_text
from bot.ui.pictures.stats_scene import stats_scene
from bot.ui.pictures.studio import paint
from bot.ui.screens.display import Display
from bot.ui.screens.layout import Layout
from bot.ui.screens.stats import StatsRef, StatsVerb, shown_stats, stats_layout
from bot.ui.words.texts import Words, words
from tests.store.kit import NOON
from tests.support.limits_components import walk
from tests.ui.screens.layouts import LANGUAGES, troubles, words_of

EN = words("en")
ANA = 42
CAREER = Career(
    Standing(
        1,
        "all",
        ANA,
        "Ana",
        matches=148,
        wins=83,
        points=2718,
        escobas=341,
        streak=2,
        best_streak=9,
        last_at=NOON,
        rank=12,
        top_points=record_of(31, 5),
        top_escobas=record_of(7, 4),
    ),
    (Rivalry(ANA, 2, "Bea", 33, 19, 14), Rivalry(ANA, 3, "Ciro", 20, 5, 15)),
    (True, False, True),
)
REVIEWS = [ReviewRow(1, Judgement(620, 5400, 3, 20, NOON))]


def custom_ids(layout: Layout) -> list[str]:
    return [node["custom_id"] for _, node in walk(layout.to_components()) if "custom_id" in node]


@pytest.mark.parametrize("t", LANGUAGES)
def test_text_and_alt_text_carry_all_that_the_picture_shows(t: Words) -> None:
    scene = stats_scene("Ana", CAREER, t)
    for said in (alt_text(scene, t), words_of(stats_layout("Ana", ANA, CAREER, Display(t))).replace("*", "")):
        for shown in ("148", "83", "2718", "341", "12", "9", "31", "7", "Bea", "19 – 14", "Ciro", "5 – 15", "56"):
            assert shown in said
    assert f"{t('won')}, {t('lost')}, {t('won')}" in alt_text(scene, t)
    assert troubles(stats_layout("Ana", ANA, CAREER, Display(t, pictures=True), REVIEWS)) == []
    assert paint(scene).data


def test_it_can_be_shown_to_everybody_without_what_only_its_owner_may_see() -> None:
    private = stats_layout("Ana", ANA, CAREER, Display(EN), REVIEWS)
    assert "**62 out of 100** · points given away a round: 1.8" in words_of(private)
    assert custom_ids(private) == [f"c:show:{ANA}"]
    public = shown_stats("Ana", CAREER, "Bea", Display(EN))
    assert "out of 100" not in words_of(public)
    assert "Shown by Bea" in words_of(public)
    assert custom_ids(public) == []


def test_without_a_match_that_counts_there_is_nothing_to_draw_or_to_show() -> None:
    nothing = stats_layout("Ana", ANA, Career(Standing(1, "all", ANA)), Display(EN, pictures=True))
    assert nothing.drawing is None
    assert custom_ids(nothing) == []
    assert "No ranked match yet" in words_of(nothing)


def test_a_reference_is_read_as_it_was_written() -> None:
    kind, verb, *parts = StatsRef(10**19).custom_id(StatsVerb.SHOW).split(":")
    assert (kind, verb, StatsRef.read(parts)) == ("c", "show", StatsRef(10**19))
    assert [StatsRef.read(each) for each in (["x"], ["-1"], ["1", "2"], [], ["9" * 30])] == [None] * 5
