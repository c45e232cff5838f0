"""At a tournament's table no computer plays and leaving loses: no text of it says anything else."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.platform.language.catalogues import words
from bot.platform.layout import Layout
from bot.tables.live.view import TableView
from bot.tables.log.events import Fixture, Phase
from bot.tables.screens.ending import cancel_question, leave_question
from bot.tables.screens.questions import ping_text
from bot.tables.screens.score import ended_layout
from tests.support.layouts import words_of
from tests.tables.screens.test_next_ping import PLAYING

EN, ES = words("en"), words("es")
DEADLINE = datetime(2026, 3, 14, tzinfo=UTC)
SINGLE = replace(PLAYING, fixture=Fixture(7, 1, 2))
DUPLICATE = replace(PLAYING, fixture=Fixture(7, 1, 2, (3, 4)))


def pairs(view: TableView) -> TableView:
    return replace(view, seats=view.seats[:2] * 2)


@pytest.mark.parametrize(
    ("view", "partner", "percent"),
    [
        (SINGLE, False, False),
        (pairs(SINGLE), True, False),
        (DUPLICATE, False, True),
        (pairs(DUPLICATE), True, True),
    ],
)
def test_leaving_says_what_is_lost_and_for_whom(view: TableView, partner: bool, percent: bool) -> None:
    text = words_of(leave_question(view, 0, EN))
    assert "This tournament match is then over" in text
    assert "computer" not in text
    assert ("your partner" in text) is partner
    assert ("0%" in text) is percent
    assert "robot" not in words_of(leave_question(view, 0, ES))


def test_leaving_another_table_leaves_the_cards_to_a_computer() -> None:
    assert "A robot plays on for you" in words_of(leave_question(replace(PLAYING, match=None), 0, EN))


def test_the_last_warning_says_what_happens_at_the_deadline() -> None:
    warned = ping_text(1, DEADLINE, None, EN, loses=True)
    assert "the match is lost <t:" in warned
    assert "computer" not in warned
    assert "A robot takes over" in ping_text(1, DEADLINE, None, EN)


def test_a_match_that_was_decided_is_not_said_to_count_for_nobody() -> None:
    def said(view: TableView) -> str:
        layout: Layout = ended_layout(replace(view, phase=Phase.CANCELLED, ended_by="Olga", match=None), EN)
        return words_of(layout)

    assert said(SINGLE) == "**Olga** ended this match. The tournament's message says what counts."
    assert said(PLAYING) == "**Olga** closed the table, so nothing counts."
    assert "The tournament's organiser then decides how it counts." in words_of(cancel_question(SINGLE, EN))
    assert "It won't count." in words_of(cancel_question(replace(PLAYING, match=None), EN))


@pytest.mark.parametrize("phase", [Phase.CANCELLED, Phase.GONE, Phase.IDLE])
def test_however_a_match_has_ended_a_button_leads_back_to_the_tournament(phase: Phase) -> None:
    ended = replace(SINGLE, match=None, phase=phase, ended_by="Ana")
    assert "t:back:7" in str(ended_layout(ended, EN).to_components())
    assert "t:back:" not in str(ended_layout(replace(ended, fixture=None), EN).to_components())
