"""Messages that Discord has but the bot doesn't know of, because it was killed before it could store their ids."""

from pathlib import Path

import pytest

from tests.support.dose import thorough_but
from tests.wire.faults import CALLBACKS, SENDS
from tests.wire.seen import Seen
from tests.wire.table import Table, tables


def with_buttons(table: Table) -> list[Seen]:
    """The channel's public messages that can be clicked, oldest first."""
    return [seen for seen in table.wire.history(table.channel_id) if not seen.private and seen.enabled]


def is_posted(table: Table) -> bool:
    """Whether the channel has a table message with a running round."""
    return any(seen.find("hand") for seen in with_buttons(table))


async def posted_again(table: Table) -> int:
    """Have the bot post a deleted table again, whose answer it doesn't get; returns the id of the deleted one."""
    w, deleted = table.wire, table.shown.id
    w.realm.delete_message(table.channel_id, deleted)
    w.faults.add("POST", SENDS, hang=60, times=1)
    await table.move().end()
    await w.bot.until(lambda: is_posted(table))
    return deleted


async def killed_while_posting(table: Table) -> Seen:
    """Kill the bot before it learns that Discord has the table's new message; returns that."""
    deleted = await posted_again(table)
    await table.wire.kill()
    table.wire.faults.clear()
    assert table.shown.id > deleted
    return table.shown


@pytest.mark.thorough
async def test_a_message_whose_id_was_not_stored_is_found_again(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        posted = await killed_while_posting(table)
        await w.start_bot()
        await w.settle()
        assert [seen.id for seen in with_buttons(table)] == [posted.id]
        for member in w.people:
            await w.click(member, table.shown, table.shown.one("hand"))
        await table.moves(2)
        await table.catches_up()
        assert [seen.id for seen in with_buttons(table)] == [posted.id]


@pytest.mark.thorough
async def test_moves_played_after_such_a_message_are_shown_on_it(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        await posted_again(table)
        version = table.version
        await table.moves(2)
        await w.kill()
        w.faults.clear()
        assert table.version >= version + 2
        assert not table.up_to_date, "the message shows the table as it was before these moves"
        await w.start_bot()
        await table.catches_up()
        assert len(with_buttons(table)) == 1


@pytest.mark.thorough
async def test_a_message_whose_nonce_has_expired_loses_its_buttons_at_the_first_click(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        orphan = await killed_while_posting(table)
        w.realm.nonces.clear()  # as Discord does after some minutes
        await w.start_bot()
        await w.settle()
        assert [seen.id for seen in with_buttons(table)] == [orphan.id, table.shown.id]
        await w.click(w.people[0], orphan, orphan.one("hand"))
        await w.settle()
        assert [seen.id for seen in with_buttons(table)] == [table.shown.id]
        assert w.panel(table.channel_id, w.people[0]).find("panel")


@pytest.mark.parametrize("verb", thorough_but(["hand", "panel"], "hand"))
async def test_the_newest_message_becomes_the_table_message_once_somebody_clicks_it(tmp_path: Path, verb: str) -> None:
    async with tables(tmp_path) as (w, [table]):
        older = table.shown
        w.faults.add("POST", CALLBACKS, hang=60, times=1)
        w.send_slash(w.people[0], table.channel_id, "escoba table")
        await w.bot.until(lambda: table.shown.id > older.id)
        await w.kill()
        w.faults.clear()
        newer = table.shown
        await w.start_bot()
        await w.settle()
        assert [seen.id for seen in with_buttons(table)] == [older.id, newer.id]
        if verb == "hand":
            await w.click(w.people[0], newer, newer.one("hand"))
        else:  # a panel says nothing about the table's messages
            await w.click(w.people[0], table.panel(w.people[0]), table.panel(w.people[0]).one("panel"))
        await w.settle()
        assert [seen.id for seen in with_buttons(table)] == ([newer.id] if verb == "hand" else [older.id, newer.id])
        for member in w.people:
            await w.click(member, newer, newer.one("hand"))
        await table.moves(2)
        await table.catches_up()
        assert [seen.id for seen in with_buttons(table)] == [newer.id]
