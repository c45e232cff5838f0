"""What a table's message needs next, case by case."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.engine.views import PublicView
from bot.platform.kit.live_message import FRESH, MessageStep, is_old
from bot.platform.transport.trouble import ARCHIVED, OLD_MESSAGE, UNKNOWN_MESSAGE
from bot.platform.transport.turns import Priority
from bot.tables.boards.public_message import PublicMessage, moment_of, next_step, priority_of, reposts
from bot.tables.live.view import TableView
from bot.tables.log.events import Config, Phase
from bot.tables.log.seats import Question, Seat

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
ANA, BEA = 7, 8
OTHER = 50013


def in_round(number: int, turn: int | None = 0) -> Any:
    """A stand-in for a match in this round, with only what the decision reads."""
    return SimpleNamespace(round_number=number, turn=turn)


PLAYING = TableView(
    id=1,
    guild_id=1,
    channel_id=1,
    opener_id=ANA,
    locale="en",
    phase=Phase.PLAYING,
    config=Config(),
    seats=(Seat("Ana", ANA), Seat("Bea", BEA)),
    version=5,
    match=in_round(2),
    deadline=None,
    waiting=False,
    restored=False,
)
LOBBY = replace(PLAYING, phase=Phase.LOBBY, match=None)
FINISHED = replace(PLAYING, phase=Phase.FINISHED, match=in_round(2, None))
CANCELLED = replace(PLAYING, phase=Phase.CANCELLED)
RESTORED = replace(PLAYING, restored=True)


def slow(turn: int | None = 0, cards: int = 6, **changes: Any) -> TableView:
    """A slow match with that many cards in hands."""
    match = SimpleNamespace(round_number=2, deal=1, turn=turn, hand_counts=(cards, 0), laid=None)
    return replace(PLAYING, slow=True, match=cast("PublicView", match), **changes)


SLOW = slow()
ASKED = slow(question=Question(1, 0, 0, frozenset()))
COMPUTER = slow(seats=(Seat("Luna"), Seat("Bea", BEA)))
SHOWN = {"edited": moment_of(SLOW)}
TURN_BEFORE = {"edited": moment_of(slow(1, 7))}
SAID = {"said_below": True, **TURN_BEFORE}

NONE = PublicMessage()
NEW = PublicMessage(100, NOON)
OLD = PublicMessage(100, NOON - FRESH - timedelta(seconds=1))
RESULT = replace(NEW, over=True)
OLD_RESULT = replace(OLD, over=True)


@pytest.mark.parametrize(
    ("view", "message", "rest", "step"),
    [
        pytest.param(PLAYING, NEW, {}, MessageStep.EDIT, id="a message that shows something else is edited"),
        pytest.param(
            PLAYING, NEW, {"shows": True}, MessageStep.NOTHING, id="one that shows the table already is left alone"
        ),
        pytest.param(LOBBY, NONE, {}, MessageStep.POST, id="a lobby without a message is posted"),
        pytest.param(PLAYING, NONE, {"shows": True}, MessageStep.POST, id="a match without a message is posted"),
        pytest.param(FINISHED, NONE, {}, MessageStep.POST, id="so is a result"),
        pytest.param(FINISHED, NEW, {}, MessageStep.EDIT, id="the result stands on the match's only message"),
        pytest.param(FINISHED, RESULT, {}, MessageStep.EDIT, id="which is brought up to date like any other"),
        # age
        pytest.param(
            PLAYING, OLD, {}, MessageStep.REPLACE, id="an old message is replaced before Discord throttles its edits"
        ),
        pytest.param(PLAYING, OLD, {"shows": True}, MessageStep.NOTHING, id="but not while nothing happens"),
        pytest.param(FINISHED, OLD, {}, MessageStep.REPLACE, id="and when the match is over"),
        pytest.param(FINISHED, OLD_RESULT, {}, MessageStep.EDIT, id="nor for the last edit of a result"),
        pytest.param(RESTORED, OLD, {}, MessageStep.EDIT, id="nor by a restarted bot before anybody has moved"),
        # slow matches
        pytest.param(SLOW, NEW, {"said_below": True}, MessageStep.EDIT, id="slow: a fresh message is edited as ever"),
        pytest.param(SLOW, OLD, TURN_BEFORE, MessageStep.EDIT, id="slow: an old one is edited with each turn"),
        pytest.param(SLOW, OLD, SHOWN, MessageStep.NOTHING, id="slow: once"),
        pytest.param(ASKED, OLD, SHOWN, MessageStep.EDIT, id="slow: but a question has to be seen"),
        pytest.param(SLOW, OLD, SAID, MessageStep.REPLACE, id="slow: it comes below what was said"),
        pytest.param(SLOW, OLD, {**SAID, **SHOWN}, MessageStep.NOTHING, id="slow: when the turn comes, not later"),
        pytest.param(COMPUTER, OLD, SAID, MessageStep.NOTHING, id="slow: it waits for a computer's move"),
        pytest.param(slow(None), OLD, SAID, MessageStep.EDIT, id="slow: in a pause it is nobody's turn"),
        pytest.param(slow(restored=True), OLD, SAID, MessageStep.EDIT, id="slow: nor is it posted by a restarted bot"),
        pytest.param(SLOW, OLD, {**SHOWN, "probing": True}, MessageStep.REPLACE, id="slow: a probe sends something"),
        # ends without a result
        pytest.param(CANCELLED, NEW, {}, MessageStep.EDIT, id="a cancelled game says so on its message"),
        pytest.param(CANCELLED, OLD, {}, MessageStep.EDIT, id="also on an old one"),
        pytest.param(CANCELLED, NONE, {}, MessageStep.NOTHING, id="but isn't worth a message"),
    ],
)
def test_each_table_message_has_its_next_step(
    view: TableView, message: PublicMessage, rest: dict[str, Any], step: MessageStep
):
    assert next_step(view, message, NOON, **rest) is step


def test_a_message_is_old_before_an_hour_has_passed():
    assert not is_old(NOON - FRESH, NOON)
    assert is_old(NOON - timedelta(hours=1), NOON)


@pytest.mark.parametrize(
    ("view", "message", "code", "again"),
    [
        pytest.param(PLAYING, NEW, ARCHIVED, True, id="an archived thread is unarchived"),
        pytest.param(FINISHED, NEW, ARCHIVED, True, id="for a result, too"),
        pytest.param(CANCELLED, NEW, ARCHIVED, False, id="a cancelled game leaves it asleep"),
        pytest.param(PLAYING, NEW, UNKNOWN_MESSAGE, True, id="a deleted message is posted again"),
        pytest.param(FINISHED, NEW, UNKNOWN_MESSAGE, True, id="with the result, if that wasn't seen"),
        pytest.param(FINISHED, RESULT, UNKNOWN_MESSAGE, False, id="but not with one that was"),
        pytest.param(FINISHED, OLD, OLD_MESSAGE, True, id="an old message makes place for the result"),
        pytest.param(FINISHED, OLD_RESULT, OLD_MESSAGE, False, id="but the result can wait"),
        pytest.param(CANCELLED, NEW, UNKNOWN_MESSAGE, False, id="nor what has none"),
        pytest.param(RESTORED, NEW, OLD_MESSAGE, False, id="an old message can wait: anything new replaces it"),
        pytest.param(PLAYING, NEW, OTHER, False, id="after another refusal nothing helps"),
    ],
)
def test_each_refused_edit_is_made_up_for_or_not(view: TableView, message: PublicMessage, code: int, again: bool):
    assert reposts(view, message, code) is again


@pytest.mark.parametrize(
    ("view", "step", "priority"),
    [
        pytest.param(PLAYING, MessageStep.EDIT, Priority.LIVE, id="an edit goes first"),
        pytest.param(PLAYING, MessageStep.POST, Priority.POST, id="a message is posted after the edits of others"),
        pytest.param(
            RESTORED, MessageStep.EDIT, Priority.RESTORED, id="a table on which nothing has happened can wait"
        ),
        pytest.param(RESTORED, MessageStep.POST, Priority.RESTORED, id="whatever it needs"),
    ],
)
def test_each_step_has_its_priority(view: TableView, step: MessageStep, priority: Priority):
    assert priority_of(step, view) is priority
