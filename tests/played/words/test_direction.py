"""Names written from right to left turn nothing round that stands beside them, whatever Discord does to marks."""

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from bot.club.ids.leaderboard import LeaderboardRef
from bot.club.rules.achievements import Achievement
from bot.club.screens.ranking import Listing, Podium, leaderboard_layout, podium_layout
from bot.club.store.achievements import Earned
from bot.club.store.career import Aftermath, EndedRun
from bot.club.store.standing import LeaderboardPage, Metric, Standing
from bot.club.words.honours import honour_lines
from bot.engine.moves import Stage
from bot.engine.views import seat_view
from bot.platform.kit.host import Display
from bot.platform.language.spelling import directed, label_of, units
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout, button, option
from bot.platform.people import Person
from bot.tables.screens.panel import panel_layout
from bot.tables.screens.table import public_layout
from bot.tables.words.telling import story_lines
from bot.tournaments.rules.standings import standings
from bot.tournaments.screens.standings import standings_text
from tests.played.words.test_aloud import EVENINGS, states, view_of
from tests.support.club import RecordedTournament
from tests.support.direction import MARKS, turned
from tests.support.layouts import every_language
from tests.support.limits_components import tree_problems, walk
from tests.support.store import NOON

ISOLATED = re.compile("\u2068[^\u2069]*\u2069|[\u200e\u200f]")
"""The parts of a text that have no effect beyond themselves."""
HEBREW, ARABIC = "אבגד", "محمد"
NAMES = (HEBREW, ARABIC, "שרה כהן", "Ana שרה", "דן 7", "يوسف.")


@pytest.mark.parametrize(
    "text",
    [
        f"{HEBREW} 1,000 → **926**",
        f"1,000 → 926 {HEBREW} (−74)",
        f"**{HEBREW}** · 12 wins",
        f"✅ **3.** {HEBREW} – {ARABIC} · 11 – 5",
        f"{HEBREW} & {ARABIC}: **7**",
        f"{HEBREW}\nAna: 3",
        f"{HEBREW} **+3** · {ARABIC} **+1**",
    ],
)
def test_what_stands_beside_a_name_keeps_its_order(text: str):
    assert list(turned(text)), "without marks it would be turned round"
    assert not list(turned(directed(text)))
    assert not list(turned(directed(text), ISOLATED)), "isolates serve where marks are removed"


@pytest.mark.parametrize("name", ["שרה כהן", "אב־גד", "ש*רה", "דן7", "7דן", "عبد الله", "ג'ון", "שרה | כהן"])
def test_a_name_is_marked_as_a_whole(name: str):
    assert directed(f"{name}: 3") == f"\u200e\u2068{name}\u2069\u200e: 3"


@pytest.mark.parametrize("text", ["", "Ana: 3", "José Ñandú 🧹 · 1,000", "Ωμέγα Иван 李"])
def test_other_texts_stay_as_they_are(text: str):
    assert directed(text) == text


def test_a_label_is_cut_to_the_units_that_discord_counts():
    assert label_of("🧹" * 40, 80) == "🧹" * 40
    assert label_of("🧹" * 41, 80) == "🧹" * 39 + "…"
    assert label_of(HEBREW * 20, 80) == f"\u200e\u2068{(HEBREW * 20)[:75]}\u2069\u200e…"
    assert units(HEBREW) == 8
    assert len(button("e:x", "x" * 90)["label"]) == 80
    assert len(option("x" * 110, "1", chosen=False, description="x" * 110)["description"]) == 100


def layouts_of(name: str, t: Words) -> Iterator[Layout]:
    """The screens of a match between people with such names."""
    evening = EVENINGS[name]
    display = Display(t, evening.pictures)
    for match in states(evening):
        view = view_of(evening, match)
        view = replace(view, seats=tuple(replace(each, name=NAMES[n]) for n, each in enumerate(view.seats)))
        yield public_layout(view, display)
        if match.stage is not Stage.OVER:
            yield from (panel_layout(view, seat_view(match, seat), display) for seat in range(len(view.seats)))


def shown(layout: Layout) -> Iterator[list[Component]]:
    yield list(layout.components)
    if layout.drawing is not None:
        yield list(layout.drawing.components)


@every_language
@pytest.mark.parametrize("name", EVENINGS)
def test_every_screen_of_a_match_reads_in_its_order(name: str, t: Words):
    found = {line for each in layouts_of(name, t) for nodes in shown(each) for line in tree_problems(walk(nodes))}
    assert found == set()


AFTER_A_NAME = re.compile(r"[\u0590-\u07ff][^A-Za-z\u0590-\u07ff\n]*[0-9]")
"""Figures that would be turned round with a name before them, if nothing marked it."""


def without_marks(*layouts: Layout) -> list[str]:
    """The lines of layouts as they are if every mark is removed."""
    texts = (str(node.get("content") or "") for each in layouts for _, node in walk(each.components))
    return MARKS.sub("", "\n".join(texts)).splitlines()


@every_language
def test_ratings_captures_and_leaderboards_need_no_marks(t: Words):
    people = tuple(
        Standing(1, "all", n, name, matches=3, streak=n, rank=n, season_points=7) for n, name in enumerate(NAMES[:3], 1)
    )
    listings = (
        Listing(LeaderboardRef(metric, "all"), LeaderboardPage(people, 2), 1, people[0], 1, NOON) for metric in Metric
    )
    tournament = RecordedTournament().start(4)
    tournament.play_round(Random(1))
    entries = (replace(each, people=(Person(each.number, HEBREW * each.number),)) for each in tournament.now.entries)
    state = replace(tournament.now, entries=tuple(entries))
    persons = [Person(each.user_id, each.name) for each in people]
    earned = tuple(Earned(each.user_id, medal, NOON) for each in people for medal in list(Achievement)[:2])
    ended = (EndedRun(people[0].user_id, 3),)
    lines = [
        *without_marks(*(leaderboard_layout(each, t) for each in listings)),
        *without_marks(podium_layout(Podium("2026-10", people, 2), t)),
        *standings_text(state, standings(state), t).splitlines(),
        *honour_lines(Aftermath(1, people, (), earned, ended), persons, t),
    ]
    for evening in EVENINGS.values():
        view = view_of(evening, states(evening)[-1])
        lines += story_lines(view.story, tuple(replace(each, name=HEBREW) for each in view.seats), t)
    assert sum(HEBREW in each for each in lines) > 15
    assert [each for each in lines if AFTER_A_NAME.search(each)] == []
