"""Whom the real process notifies: the player whose turn it is, once, in words that a locked phone can show."""

from pathlib import Path

import pytest

from tests.wire.table import tables


@pytest.mark.thorough
async def test_a_player_who_does_not_click_gets_a_short_message_that_goes_once_they_have(tmp_path: Path) -> None:
    async with tables(tmp_path, as_discord=True, nudge_seconds=1) as (w, [table]):
        player, mover = table.other, table.turn
        w.say(player, table.channel_id, "what was that about the weather?")
        old = table.shown
        w.notified.clear()
        await table.move().end()
        await w.bot.until(lambda: bool(w.notified.by_bot()))
        await w.settle()
        [ping] = w.notified.by_bot()
        assert (ping.user_id, ping.silent) == (player.id, False)
        assert ping.text.startswith(f"<@{player.id}>, it's your turn")
        assert f"/{table.channel_id}/{old.id})" in ping.text
        assert w.notified.of(mover) == []
        public = [seen for seen in w.history(table.channel_id) if not seen.private]
        assert (table.shown.id, public[-1].id) == (old.id, ping.message_id), "the table stays where it is"
        w.gateway.starts.seconds = 0  # so that the next process doesn't wait before it identifies
        await w.restart()
        await w.click(player, table.shown, table.shown.one("hand"))
        await w.bot.until(lambda: ping.message_id not in [seen.id for seen in w.history(table.channel_id)])
        while table.panel(player).find("card", "take"):  # a card may have several captures
            await table.move().end()
        await w.bot.until(lambda: len(w.notified.by_bot()) > 1)
        assert [ping.user_id for ping in w.notified.by_bot()] == [player.id, mover.id]


@pytest.mark.thorough
async def test_neither_edits_of_the_table_message_nor_a_new_round_notify_anybody(tmp_path: Path) -> None:
    async with tables(tmp_path, as_discord=True) as (w, [table]):
        await table.party.play(until=lambda: bool(table.shown.find("next")))
        for person in w.people:
            await w.click(person, table.shown, table.shown.one("next"))
        await table.party.play(until=lambda: table.party.version > 40)
        assert w.notified.by_bot() == []
