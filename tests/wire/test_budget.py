"""Against a Discord that enforces its limits, the bot exceeds none, and no player waits for other tables."""

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.phrases import FURTHER_DOWN
from tests.wire.crowd import crowd
from tests.wire.faults import CALLBACKS, EDITS
from tests.wire.players import Party
from tests.wire.table import tables
from tests.wire.world import wire


@pytest.mark.thorough
async def test_a_restart_with_many_open_tables_exceeds_no_limit(tmp_path: Path) -> None:
    found = await crowd(
        tmp_path, tables=20, seconds=8, think=3, clicks=5, globally=13, requests_per_second=6, turn_seconds=600
    )
    assert (found.refused, found.refused_by) == (0, {})
    assert found.late == 0, "answers never wait for a ticket"
    assert found.moves > 10
    first, second = found.starts
    assert first.sent >= 20, "the bot doesn't know what the table messages show, so it sends all of them"
    assert second.sent < 20, "after a clean stop only tables that are being played get anything"


async def test_a_start_over_many_tables_on_half_a_core_sends_no_more_than_the_budget(tmp_path: Path) -> None:
    found = await crowd(tmp_path, tables=25, seconds=0, clicks=5, cores=0.5, pictures=True, requests_per_second=10)
    assert [start.sent >= 25 for start in found.starts] == [True]
    assert [start.busiest for start in found.starts if start.busiest > 10] == []
    assert found.refused_by == {}


@pytest.mark.thorough
async def test_a_table_with_fast_computers_keeps_being_edited_within_the_limit(tmp_path: Path) -> None:
    """Discord accepts five edits in five seconds."""
    async with wire(tmp_path, 1, as_discord=True, computer_seconds=0.3) as w:
        [ana], [channel] = w.people, w.channels
        await w.slash(ana, channel, "escoba play", target=5)
        for verb in ("addc", "addc", "addc", "start"):
            table = w.table(channel)
            await w.click(ana, table, table.one(verb))
            await w.bot.until(lambda seen=table: w.table(channel).payload != seen.payload)
        await w.click(ana, w.table(channel), w.table(channel).one("hand"))
        party = Party(w, channel, [ana])
        for _ in range(3):
            await party.play(until=lambda: bool(w.panel(channel, ana).find("card", "take")))
            await party.step()
            await asyncio.sleep(1.5)
        times = sorted(each.at for each in w.traffic.sent if each.kind == "edit")
        assert len(times) > 3
        assert min(later - earlier for earlier, later in pairwise(times)) > 0.9
        assert w.server.rates.refusals == {}


@pytest.mark.thorough
@pytest.mark.parametrize("turn", ["0", "3600"], ids=["no deadline", "a deadline, which stays the same"])
async def test_an_unchanged_table_is_not_edited_after_a_clean_stop(tmp_path: Path, turn: str) -> None:
    async with tables(tmp_path, 2, turn_seconds=turn) as (w, made):
        assert await w.term() == 0
        number = len(w.requests)
        await w.start_bot()
        await w.bot.until(lambda: w.log_has("All 2 open tables are back"))
        await w.settle()
        assert [str(each.path) for each in w.requests[number:] if "/messages" in each.path] == []
        await made[0].move().end()
        await made[0].catches_up()


@pytest.mark.thorough
async def test_after_a_kill_all_table_messages_are_edited(tmp_path: Path) -> None:
    async with tables(tmp_path, 2) as (w, _):
        assert await w.term() == 0
        await w.start_bot()
        await w.bot.until(lambda: w.log_has("All 2 open tables are back"))
        await w.settle()
        await w.kill()
        number = max(each.number for each in w.requests)
        await w.start_bot()
        await w.bot.until(lambda: len(w.sent("PATCH", EDITS, since=number)) == 2)


@pytest.mark.thorough
async def test_a_clicked_table_is_woken_before_the_others(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        assert await w.term() == 0
        w.faults.add("PATCH", EDITS, 500)
        await w.start_bot()
        panel = table.panel(table.turn)
        answer = await w.click(table.turn, panel, panel.find("card", "take")[0].custom_id)
        assert answer.presses
        w.faults.clear()
        await table.catches_up()


@pytest.mark.thorough
async def test_a_table_rate_limited_for_minutes_is_logged_and_holds_up_no_other(
    tmp_path: Path,
) -> None:
    async with tables(tmp_path, 2) as (w, [frozen, other]):
        path = f"/channels/{frozen.channel_id}/messages/*"
        w.faults.add("PATCH", path, 429, retry_after=600.0, times=1)
        await frozen.moves(1)
        told = r"Table \d+ could not be shown \(RateLimited\); trying again in [67]\d\d s"
        await w.bot.until(lambda: w.log_has(told))
        number = max(each.number for each in w.requests)
        await frozen.moves(2)
        await other.moves(2)
        await other.catches_up()
        await w.settle()
        assert w.sent("PATCH", path, since=number) == [], "any edit would be rate-limited"
        assert frozen.panel(frozen.turn).find("card"), "people can keep playing through their panels"
        assert not frozen.up_to_date


@pytest.mark.thorough
async def test_a_rate_limited_table_is_retried_after_the_time_discord_gave(tmp_path: Path) -> None:
    async with tables(tmp_path, launch={"WIRE_PATIENCE": "0.4"}) as (w, [table]):
        fault = w.faults.add("PATCH", EDITS, 429, retry_after=1.5, times=1)
        await table.moves(1)
        await w.bot.until(lambda: fault.over and w.log_has(r"RateLimited"))
        await table.moves(1)
        await table.catches_up()


async def test_halfway_to_a_ban_only_clicks_are_answered(tmp_path: Path) -> None:
    async with tables(tmp_path, launch={"WIRE_BAN": "6"}) as (w, [table]):
        w.faults.add("PATCH", EDITS, 429, retry_after=0.1, times=3)
        await table.moves(1)
        await w.bot.until(lambda: w.log_has("only clicks are answered for now"))
        await w.settle()
        number = max(each.number for each in w.requests)
        panel = table.panel(table.turn)
        answer = await w.click(table.turn, panel, panel.find("card", "take")[0].custom_id)
        assert answer.presses, "clicks are still answered"
        await w.settle()
        assert w.sent("PATCH", EDITS, since=number) == []


@pytest.mark.thorough
async def test_a_click_on_a_message_still_being_posted_is_answered_with_the_table(tmp_path: Path) -> None:
    async with wire(tmp_path, 2, allow=["code 40060"]) as w:
        [ana, bea], [channel] = w.people, w.channels
        await w.slash(ana, channel, "escoba play")
        older = w.table(channel)
        w.faults.add("POST", CALLBACKS, hang=2, times=1)
        w.send_slash(ana, channel, "escoba table")
        await w.bot.until(lambda: w.table(channel).id > older.id)
        answer = await w.click(bea, w.table(channel), w.table(channel).one("join"))
        assert FURTHER_DOWN not in answer.text
        assert "Bea" in answer.text
        await w.bot.until(lambda: FURTHER_DOWN in w.history(channel)[0].text)
        await w.settle()
        assert "Bea" in w.table(channel).text
