"""Which message of a channel shows the table: after a restart, on a click, and while one is being posted."""

from datetime import UTC, datetime, timedelta

from bot.tables.boards.public_message import PublicMessage, Role

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


def recalled(message_id: int | None, posted_at: datetime | None = NOON, ended: datetime | None = None) -> PublicMessage:
    """A table's message after a restart."""
    return PublicMessage.recalled(message_id, posted_at, ended)


def test_a_message_posted_after_the_end_of_the_match_shows_its_result():
    ended = NOON + timedelta(minutes=12)
    assert [recalled(100, at, ended).over for at in (ended - timedelta(seconds=1), ended)] == [False, True]
    assert not recalled(100).over
    assert not recalled(None, None, ended).over


def test_the_newest_message_shows_the_table():
    message = recalled(100)
    assert message.role_of(100, posting=False) is Role.TABLE
    assert message.role_of(99, posting=False) is Role.OLDER
    assert message.role_of(101, posting=False) is Role.NEWER
    message = message.moved(101, NOON)
    assert message.role_of(101, posting=False) is Role.TABLE
    assert message.role_of(100, posting=False) is Role.OLDER


def test_nothing_is_decided_while_a_message_is_being_posted():
    message = recalled(100)
    assert message.role_of(101, posting=True) is Role.UNSETTLED
    assert message.role_of(100, posting=True) is Role.TABLE
    assert PublicMessage().role_of(100, posting=False) is Role.UNSETTLED
