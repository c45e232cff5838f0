"""Which message of a channel shows the table: after a restart, on a click, and while one is being posted."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.tables.boards.public_message import PublicMessage, Role

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
DEALT = tuple(NOON + timedelta(minutes=minutes) for minutes in (1, 5, 9))


def recalled(message_id: int | None, posted_at: datetime | None = NOON) -> PublicMessage:
    """A table's message after a restart."""
    return PublicMessage.recalled(message_id, posted_at, DEALT)


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
def test_a_message_belongs_to_the_last_round_dealt_before_it(minutes: float, number: int):
    assert recalled(100, NOON + timedelta(minutes=minutes)).page == number


def test_a_message_posted_after_the_end_of_the_match_is_its_result():
    ended = NOON + timedelta(minutes=12)
    pages = [PublicMessage.recalled(100, at, DEALT, ended).page for at in (ended - timedelta(seconds=1), ended)]
    assert pages == [3, 4]


def test_a_lobbys_message_is_for_the_first_round():
    assert PublicMessage.recalled(100, NOON, ()).page == 1


def test_a_message_that_was_never_posted_is_for_the_first_round():
    assert recalled(None, None).page == 1


def test_the_newest_message_shows_the_table():
    message = recalled(100)
    assert message.role_of(100, posting=False) is Role.TABLE
    assert message.role_of(99, posting=False) is Role.OLDER
    assert message.role_of(101, posting=False) is Role.NEWER
    message = message.moved(101, NOON)
    assert message.role_of(101, posting=False) is Role.TABLE
    assert message.role_of(100, posting=False) is Role.OLDER


def test_the_message_of_the_previous_round_keeps_its_score():
    message = recalled(100).keeping_score().moved(101, NOON)
    assert message.role_of(100, posting=False) is Role.SCORE
    assert message.role_of(99, posting=False) is Role.OLDER


def test_nothing_is_decided_while_a_message_is_being_posted():
    message = recalled(100)
    assert message.role_of(101, posting=True) is Role.UNSETTLED
    assert message.role_of(100, posting=True) is Role.TABLE
    assert PublicMessage().role_of(100, posting=False) is Role.UNSETTLED
