"""Channels and servers that are gone, or that the bot may no longer use."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.wire.table import tables


async def test_a_bot_muted_in_a_channel_stops_trying_and_tells_the_next_person_who_clicks(tmp_path: Path) -> None:
    async with tables(tmp_path, count=2) as (w, [mute, free]):
        w.realm.deny(mute.channel_id, "view_channel", "send_messages")
        since = len(w.requests)
        await mute.move().end()
        await w.settle()
        version = mute.version
        answer = await w.click(mute.other, mute.panel(mute.other), mute.panel(mute.other).one("panel"))
        assert answer.private
        assert not answer.presses
        assert "view" in answer.text.lower() or "write" in answer.text.lower() or "channel" in answer.text.lower()
        for _ in range(5):
            await mute.move().end()
        await w.settle()
        refused = [request for request in mute.requests(since) if request.status == 403]
        assert 1 <= len(refused) <= 2, "after a 403 nothing more is sent there"
        assert mute.version == version, "its game waits"
        await free.moves(2)
        await free.catches_up()
        w.realm.deny(mute.channel_id)
        await w.click(mute.other, mute.panel(mute.other), mute.panel(mute.other).find("panel", "card")[0].custom_id)
        await mute.catches_up()
        await mute.move().end()
        await mute.catches_up()
        assert mute.version > version


async def test_a_game_ends_quietly_when_its_channel_is_deleted(tmp_path: Path) -> None:
    async with tables(tmp_path, count=2) as (w, [lost, other]):
        w.realm.remove_channel(lost.channel_id)
        await w.bot.until(lambda: lost.phase == "gone")
        await w.settle()
        assert [request for request in lost.requests() if request.status == 404] == []
        assert w.rows("SELECT count(*) FROM results") == [(0,)]
        await other.moves(2)
        await other.catches_up()


async def test_games_end_quietly_when_the_bot_is_removed_from_a_server(tmp_path: Path) -> None:
    async with tables(tmp_path, count=2) as (w, both):
        since = len(w.requests)
        w.realm.remove_guild()
        await w.bot.until(lambda: all(table.phase == "gone" for table in both))
        await asyncio.sleep(0.5)
        await w.settle()
        assert w.requests[since:] == []
        assert w.bot.running


async def test_a_server_outage_ends_no_game(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        version = table.version
        w.realm.guild_outage()
        await asyncio.sleep(0.5)
        assert table.version == version
        assert table.phase == "playing"
        w.realm.guild_outage(over=True)
        await table.moves(2)
        await table.catches_up()


@pytest.mark.thorough
async def test_a_game_ends_when_its_channel_was_deleted_while_the_bot_was_away(tmp_path: Path) -> None:
    async with tables(tmp_path, count=2) as (w, [lost, other]):
        await w.kill()
        w.realm.remove_channel(lost.channel_id)
        since = len(w.requests)
        await w.start_bot()
        await w.bot.until(lambda: lost.phase == "gone")
        assert len(lost.requests(since)) <= 2
        await other.party.play(until=lambda v=other.party.version: other.party.version > v)


@pytest.mark.thorough
async def test_games_end_when_the_bot_was_removed_from_their_server_while_it_was_away(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        await w.kill()
        w.realm.remove_guild()
        await w.start_bot()
        await w.bot.until(lambda: table.phase == "gone")
        await w.settle()
        assert len([request for request in w.requests if request.status in (403, 404)]) <= 3
