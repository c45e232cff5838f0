"""Channels and servers that are gone, or that the bot may no longer use."""

import asyncio
import time
from pathlib import Path

import pytest

from bot.platform.kit.channel_access import PROBE_SECONDS
from tests.wire.table import tables


async def test_a_match_goes_on_in_its_panels_where_the_bot_is_muted(tmp_path: Path) -> None:
    async with tables(tmp_path, count=2) as (w, [mute, free]):
        w.realm.deny(mute.channel_id, "view_channel", "send_messages")
        since, began, version = len(w.requests), time.monotonic(), mute.version
        await mute.moves(1)
        await w.bot.until(lambda: mute.unseen)
        for _ in range(5):
            answer = await w.click(mute.other, mute.panel(mute.other), mute.panel(mute.other).one("panel"))
            assert "I can't write in" in answer.text
        await mute.moves(4)
        await w.settle()
        refused = [request for request in mute.requests(since) if request.status == 403]
        assert 1 <= len(refused) <= 2 + (time.monotonic() - began) / PROBE_SECONDS, "however often people click"
        assert mute.version > version
        await free.moves(2)
        await free.catches_up()
        w.realm.deny(mute.channel_id)
        await mute.catches_up()
        await w.bot.until(lambda: not mute.unseen)
        await mute.moves(1)
        await mute.catches_up()


async def test_a_match_goes_on_without_requests_when_its_channel_is_deleted(tmp_path: Path) -> None:
    async with tables(tmp_path, count=2) as (w, [lost, other]):
        w.realm.remove_channel(lost.channel_id)
        await w.bot.until(lambda: lost.unseen)
        await w.settle()
        assert [request for request in lost.requests() if request.status == 404] == []
        assert lost.phase == "playing"
        assert w.rows("SELECT count(*) FROM results") == [(0,)]
        await other.moves(2)
        await other.catches_up()


async def test_games_sleep_quietly_when_the_bot_is_removed_from_a_server(tmp_path: Path) -> None:
    async with tables(tmp_path, count=2) as (w, both):
        since = len(w.requests)
        w.realm.remove_guild()
        await w.bot.until(lambda: bool(w.rows("SELECT 1 FROM departures")))
        await asyncio.sleep(0.5)
        await w.settle()
        assert w.requests[since:] == []
        assert w.bot.running
        assert [table.phase for table in both] == ["playing"] * 2


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
async def test_a_match_goes_on_when_its_channel_was_deleted_while_the_bot_was_away(tmp_path: Path) -> None:
    async with tables(tmp_path, count=2) as (w, [lost, other]):
        await w.kill()
        w.realm.remove_channel(lost.channel_id)
        since = len(w.requests)
        await w.start_bot()
        await w.bot.until(lambda: lost.unseen)
        assert len(lost.requests(since)) <= 2
        assert lost.phase == "playing"
        await other.party.play(until=lambda v=other.party.version: other.party.version > v)


@pytest.mark.thorough
async def test_games_sleep_when_the_bot_was_removed_from_their_server_while_it_was_away(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        await w.bot.until(lambda: "Connected to" in w.bot.log)  # so it knows that the database is its own
        await w.settle()
        await w.kill()
        w.realm.remove_guild()
        await w.start_bot()
        await w.bot.until(lambda: bool(w.rows("SELECT 1 FROM departures")))
        await w.settle()
        assert table.phase == "playing"
        assert len([request for request in w.requests if request.status in (403, 404)]) <= 3
