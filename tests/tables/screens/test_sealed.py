"""The public message of a table whose boards are also played elsewhere reveals no cards; its players' panels do."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from random import Random

import pytest

from bot.club.store.career import Aftermath
from bot.engine.events import MatchStarted, Played, RoundDealt
from bot.engine.match import Match, start
from bot.engine.moves import Stage
from bot.engine.rules import PRESETS, Seating
from bot.engine.views import seat_view
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.layout import Layout
from bot.process.dispatch import screen_of
from bot.tables.live.view import TableView
from bot.tables.log.events import Fixture, Phase, Presence
from bot.tables.screens.links import Below, links_of
from bot.tables.screens.panel import panel_layout
from bot.tables.screens.table import copy_layout, end_panel, public_layout
from tests.support.engine import next_event, rules_of
from tests.support.layouts import table_of, thorough_but_few, troubles
from tests.support.limits_components import walk
from tests.support.secrecy import default_finder

EN = words("en")
DISPLAYS = (Display(EN, pictures=True), Display(words("es")))
BOARDS = (3, 4)
COMBOS = [(preset, seating) for preset in PRESETS for seating in (Seating.TWO, Seating.PAIRS)]
PLAYABLE = [(preset, seating) for preset, seating in COMBOS if not rules_of(preset).conflicts(seating)]


def table(match: Match) -> TableView:
    phase = Phase.FINISHED if match.stage is Stage.OVER else Phase.PLAYING
    view = replace(table_of(match, match.seating.seats), phase=phase, fixture=Fixture(9, 2, 1, BOARDS))
    return replace(view, deadline=datetime(2026, 11, 23, 20, tzinfo=UTC))


@cache
def played(preset: str, seating: Seating, seed: object) -> list[tuple[bool, TableView]]:
    """Two boards, played at random; for each event, whether it played or dealt cards, and the table after it."""
    return list(_played(preset, seating, seed))


def _played(preset: str, seating: Seating, seed: object) -> Iterator[tuple[bool, TableView]]:
    rng = Random(f"{seed}")
    match = start(MatchStarted(rules_of(preset, rounds=2), seating, seating.seats - 1))
    while match.stage is not Stage.OVER:
        event = next_event(match, rng)
        match = match.apply(event)
        yield isinstance(event, Played | RoundDealt), table(match)


def public(view: TableView) -> list[Layout]:
    """Everything about a table that others may be shown."""
    layouts = [public_layout(view, display) for display in DISPLAYS]
    return [*layouts, *(copy_layout(view, "https://discord.com/channels/1/2/3", display) for display in DISPLAYS)]


def said(layout: Layout) -> str:
    return "\n".join(node["content"] for _, node in walk(list(layout.components)) if "content" in node)


@pytest.mark.parametrize(("preset", "seating"), thorough_but_few(PLAYABLE))
def test_the_public_message_is_the_same_after_each_move_whatever_the_cards(preset: str, seating: Seating) -> None:
    courses: list[list[list[Layout]]] = []
    for seed in range(2):
        course: list[list[Layout]] = []
        for counts, view in played(preset, seating, f"{preset}/{seed}"):
            layouts = public(view)
            if counts:
                course.append(layouts)
            else:
                assert layouts == course[-1], "neither a choice of captures nor a claim is shown"
        courses.append(course)
    assert len(courses[0]) > 70
    assert courses[0] == courses[1]


def test_it_names_no_card_and_shows_no_picture_and_no_state() -> None:
    for _, view in played("escoba", Seating.TWO, 1):
        for layout in public(view):
            assert layout.drawing is None
            assert not default_finder().cards(said(layout))
            for _, node in walk(list(layout.components)):
                assert node.get("custom_id", "").split(":")[3:] in ([], ["0"], ["2", "0", "0"])
            assert troubles(layout) == []


def test_it_says_who_plays_whose_turn_it_is_and_which_board() -> None:
    views = [view for _, view in played("escoba", Seating.TWO, 1)]
    first, last = said(public(views[0])[0]), said(public(views[-1])[0])
    assert "Round 2, table 1" in first
    assert "Board 1 of 2" in first
    assert "turn. Time runs out <t:" in first
    assert any("Board 1 of 2 has been played." in said(public(view)[0]) for view in views)
    assert "All 2 boards were played." in last
    assert "win" not in last


def test_its_players_see_a_boards_score_on_their_panel_and_the_result_when_they_are_done() -> None:
    match = start(MatchStarted(rules_of("escoba", rounds=2), Seating.TWO, 1))
    rng, paused = Random(3), 0
    while match.stage is not Stage.OVER:
        match = match.apply(next_event(match, rng))
        view = table(match)
        if match.stage is Stage.TO_PLAY:
            layout = panel_layout(view, seat_view(match, 0), DISPLAYS[0])
            assert f"board {match.round_number} of 2 · deal" in said(layout)
        elif match.stage is Stage.TO_DEAL:
            paused += 1
            for display in DISPLAYS:
                layout = panel_layout(view, seat_view(match, 0), display, note="note")
                assert troubles(layout) == []
                assert "note" in said(layout)
            assert "Board 1 of 2: the score" in said(panel_layout(view, seat_view(match, 0), DISPLAYS[0]))
    assert paused == 1
    view = table(match)
    layout = end_panel(view, view.seats[0].person_id or 0, Aftermath(), Display(EN))
    assert "What counts is how others have done with the same cards." in said(layout)
    assert str(match.totals[0]) in said(layout)
    assert "rematch" not in said(layout)
    assert not any("rematch" in str(node.get("custom_id")) for _, node in walk(list(layout.components)))


def test_when_the_round_is_over_the_result_is_for_everybody() -> None:
    view = [view for _, view in played("escoba", Seating.TWO, 1)][-1]
    assert view.sealed
    opened = replace(view, opened=True)
    assert not opened.sealed
    layout = public_layout(opened, Display(EN, pictures=True))
    assert layout.drawing is not None


def test_a_table_ended_early_shows_no_score_either() -> None:
    view = next(view for _, view in played("escoba", Seating.TWO, 1) if view.match and view.match.scores)
    view = replace(view, seats=(replace(view.seats[0], presence=Presence.LEFT), *view.seats[1:]))
    for phase in (Phase.CANCELLED, Phase.ABANDONED, Phase.IDLE, Phase.FORFEITED):
        sealed = public_layout(replace(view, phase=phase), Display(EN))
        assert "Total" not in said(sealed)
        assert "Total" in said(public_layout(replace(view, phase=phase, opened=True), Display(EN)))


def test_below_it_are_the_ways_to_its_tournament_its_review_its_replay_and_its_boards() -> None:
    view = [view for _, view in played("escoba", Seating.TWO, 1)][-1]
    found = [str(each["custom_id"]) for below in Below for each in links_of(view, below, EN)]
    screens = [screen_of(each) for each in found]
    assert [screen and screen.name for screen in screens] == ["tournaments", "games", "replays", "travelling sheets"]
