"""The steps of a turn around the quiet hours of the player."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.platform.clock import Breaks
from bot.platform.language.quiet import Quiet
from bot.tables.live.turn import TurnStep, outside, steps_of_turn
from bot.tables.log.pace import DAY
from bot.tables.settings import TurnNotice
from tests.support.tables.hall import PACE

NIGHT = Quiet("UTC", 23, 8)
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
SLOW = replace(PACE, turn=DAY, warning=DAY // 4, nudge=45)


def steps(seconds_left: float, now: datetime, notice: TurnNotice) -> dict[TurnStep, datetime]:
    planned = steps_of_turn(SLOW, seconds_left, now, notice)
    return {each.step: each.at for each in outside(planned, now, Breaks(), NIGHT)}


def test_whoever_knows_of_a_turn_whose_warning_is_due_is_warned_at_once():
    found = steps(60 * 60, NOON, TurnNotice.NEVER)
    assert TurnStep.NUDGE not in found
    assert found[TurnStep.WARNING] == NOON


def test_a_warning_that_is_due_replaces_the_notice_of_the_turn():
    found = steps(60 * 60, NOON, TurnNotice.LATER)
    assert TurnStep.NUDGE not in found


def test_a_turn_that_comes_at_night_is_told_in_the_morning():
    night = NOON.replace(hour=23)
    assert steps(DAY, night, TurnNotice.LATER)[TurnStep.NUDGE] == night + timedelta(hours=9)
