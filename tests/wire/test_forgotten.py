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


async def killed_while_posting_a_round(table: Table) -> tuple[Seen, Seen]:
    """Kill the bot before it learns that Discord has the next round's message; returns that and the previous one."""
    w = table.wire
    await table.party.play(until=lambda: bool(table.shown.find("next")))
    before = table.shown
    w.faults.add("POST", SENDS, hang=60, times=1)
    for person in w.people:
        w.send_click(person, before, before.one("next"))
    await w.bot.until(lambda: is_posted(table))
    await w.kill()
    w.faults.clear()
    return table.shown, before


@pytest.mark.thorough
async def test_a_rounds_message_whose_id_was_not_stored_is_found_again(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        posted, before = await killed_while_posting_a_round(table)
        await w.start_bot()
        await w.settle()
        assert [seen.id for seen in with_buttons(table)] == [posted.id]
        left = next(seen for seen in w.history(table.channel_id) if seen.id == before.id)
        assert "Round 1: the score" in left.text
        for member in w.people:
            await w.click(member, table.shown, table.shown.one("hand"))
        await table.moves(2)
        await table.catches_up()
        assert [seen.id for seen in with_buttons(table)] == [posted.id]


@pytest.mark.thorough
async def test_moves_played_after_such_a_message_are_shown_on_it(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        await table.party.play(until=lambda: bool(table.shown.find("next")))
        w.faults.add("POST", SENDS, hang=60, times=1)
        for person in w.people:
            w.send_click(person, table.shown, table.shown.one("next"))
        await w.bot.until(lambda: is_posted(table))
        version = table.version
        for member in w.people:
            await w.click(member, table.panel(member), table.panel(member).one("panel"))
        await table.moves(2)
        await w.kill()
        w.faults.clear()
        assert table.version == version + 2
        assert not table.up_to_date, "the message shows the table as it was before these moves"
        await w.start_bot()
        await table.catches_up()
        assert len(with_buttons(table)) == 1


@pytest.mark.thorough
async def test_a_message_whose_nonce_has_expired_loses_its_buttons_at_the_first_click(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        orphan, _ = await killed_while_posting_a_round(table)
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
