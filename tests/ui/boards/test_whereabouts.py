"""Which message of a channel is the table: after a restart, on a click, and while one is being posted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.ui.boards.whereabouts import Whereabouts, Which

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
DEALT = tuple(NOON + timedelta(minutes=minutes) for minutes in (1, 5, 9))


def recalled(message_id: int | None, posted_at: datetime | None, dealt: tuple[datetime, ...] = DEALT) -> Whereabouts:
    """Where the table is after a restart."""
    place = Whereabouts(7)
    place.recall(message_id, posted_at, dealt)
    return place


@pytest.mark.parametrize(
    ("minutes", "number"),
    [
        pytest.param(0, 1, id="posted in the lobby: it stays for the first round"),
        pytest.param(1, 1, id="posted with the first deal"),
        pytest.param(4.9, 1, id="posted in the first round"),
        pytest.param(5, 2, id="posted with the second deal"),
        pytest.param(60, 3, id="posted in the last round"),
    ],
)
def test_a_message_is_of_the_round_that_was_dealt_last_before_it(minutes: float, number: int):
    assert recalled(100, NOON + timedelta(minutes=minutes)).round == number


def test_a_lobby_s_message_is_for_the_first_round():
    assert recalled(100, NOON, ()).round == 1


def test_what_was_never_posted_is_to_be_posted_for_the_first_round():
    assert recalled(None, None).round == 1


def test_the_newest_message_is_the_table():
    place = recalled(100, NOON)
    assert place.which(100) is Which.TABLE
    assert place.which(99) is Which.OLDER
    assert place.which(101) is Which.NEWER
    place.moved(101, NOON)
    assert place.which(101) is Which.TABLE
    assert place.which(100) is Which.OLDER


def test_the_message_of_the_round_before_keeps_its_score():
    place = recalled(100, NOON)
    place.leaves_score()
    place.moved(101, NOON)
    assert place.which(100) is Which.SCORE
    assert place.which(99) is Which.OLDER


def test_nothing_is_settled_while_a_message_is_being_posted():
    place = recalled(100, NOON)
    with place.posting():
        assert place.which(101) is Which.UNSETTLED
        assert place.which(100) is Which.TABLE
    assert Whereabouts(7).which(100) is Which.UNSETTLED


def test_a_restarted_bot_sends_what_may_have_been_sent_before_under_the_same_nonce():
    before, after = Whereabouts(7), recalled(100, NOON)
    before.moved(100, NOON)
    assert not before.tries_again()
    assert before.nonce == after.nonce
    assert after.tries_again()
    after.moved(101, NOON)
    assert after.nonce != before.nonce
    assert not after.tries_again()
    assert after.tries_again()
