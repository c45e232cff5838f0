"""When Discord refuses, fails or doesn't answer, the newest state is still shown in the end, with few requests."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.support.dose import thorough_but
from tests.wire.faults import CALLBACKS, EDITS, PANELS, SENDS
from tests.wire.table import tables


@pytest.mark.thorough
async def test_an_edit_that_fails_is_made_again_soon_and_ends_no_game(tmp_path: Path) -> None:
    """After a 502 it is discord.py that tries again, after anything else the bot itself."""
    failures: list[dict[str, Any]] = [{"status": 502}, {"status": 503}, {"status": 404, "code": 0}, {"drop": True}]
    async with tables(tmp_path, len(failures)) as (w, made):
        since = len(w.requests)
        faults = [
            w.faults.add("PATCH", f"/channels/{table.channel_id}/messages/*", times=1, **how)
            for table, how in zip(made, failures, strict=True)
        ]
        faults.append(w.faults.add("PATCH", PANELS, drop=True, times=1))
        for table in made:
            await table.moves(1)  # another move would bring the message up to date, too
        for table in made:
            await table.catches_up()
            assert table.phase == "playing"
            assert len(table.requests(since)) <= 3
        assert [fault.hits for fault in faults] == [1] * len(faults)


@pytest.mark.thorough
async def test_few_requests_are_sent_while_discord_fails(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        since = len(w.requests)
        fault = w.faults.add("*", "/channels/*", 503)
        await table.moves(4)
        await asyncio.sleep(4)
        assert len(table.requests(since)) <= 6
        w.faults.clear()
        await table.catches_up()
        assert fault.hits <= 6


@pytest.mark.thorough
@pytest.mark.parametrize("everywhere", [False, True])
async def test_rate_limits_are_waited_out(tmp_path: Path, everywhere: bool) -> None:
    async with tables(tmp_path) as (w, [table]):
        since = len(w.requests)
        fault = w.faults.add("PATCH", EDITS, 429, times=2, retry_after=0.7, everywhere=everywhere)
        await table.moves(3)
        await table.catches_up()
        assert fault.hits == 2
        assert len(table.requests(since)) <= 8


async def test_an_answer_whose_connection_is_cut_harms_nobody(tmp_path: Path) -> None:
    async with tables(tmp_path, allow=["code 40060"]) as (w, [table]):
        version = table.version
        w.faults.add("POST", CALLBACKS, drop=True, applied=True, times=1)
        await table.move().end()
        await table.catches_up()
        assert table.version == version + 1
        await table.moves(2)


@pytest.mark.parametrize("times", thorough_but([1, 5], 5))
async def test_a_move_counts_and_is_answered_though_discord_fails_at_first(tmp_path: Path, times: int) -> None:
    async with tables(tmp_path) as (w, [table]):
        version = table.version
        fault = w.faults.add("POST", CALLBACKS, 502, times=times)
        await table.move().answer()
        await table.catches_up(version + 1)
        assert table.version == version + 1
        assert fault.hits == times
        await table.moves(1)


@pytest.mark.thorough
async def test_answers_that_another_bot_was_faster_with_are_noticed(tmp_path: Path) -> None:
    async with tables(tmp_path, allow=["code 40060"]) as (w, [table]):
        w.faults.add("POST", CALLBACKS, 400, code=40060, times=3)
        for _ in range(3):
            w.send_click(table.other, table.shown, table.shown.one("hand"))
            await w.settle()
        assert w.log_has("WARNING bot.platform.operating.copies .*: Another bot seems to run with this token")


@pytest.mark.thorough
async def test_a_move_counts_even_if_the_answer_arrives_too_late(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        fault = w.faults.add("POST", CALLBACKS, delay=3.3)
        version = table.version
        shot = table.move()
        await table.catches_up(version + 1)
        await w.bot.until(lambda: bool(w.sent("POST", CALLBACKS)[-1].status))
        assert w.sent("POST", CALLBACKS)[-1].code == 10062
        assert shot.got is None
        assert fault.hits < 6, "it gives up soon, so that nobody else waits"
        w.faults.clear()
        assert table.version == version + 1
        await w.click(table.other, table.shown, table.shown.one("hand"))
        await table.party.play(until=lambda: table.version > version + 2)


@pytest.mark.thorough
async def test_a_deleted_table_message_is_posted_afresh(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        older = table.shown.id
        w.realm.delete_message(table.channel_id, older)
        since = len(w.requests)
        await table.move().end()
        await table.catches_up()
        assert table.shown.id != older
        assert len(w.sent("POST", SENDS, since=since)) == 1
        await table.moves(2)
        await table.catches_up()
        assert len(w.sent("POST", SENDS, since=since)) == 1


@pytest.mark.thorough
async def test_expired_panels_are_dropped_silently(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        w.realm.token_seconds = 1.0
        for member in w.people:
            await w.click(member, table.shown, table.shown.one("hand"))
        await w.settle()
        await asyncio.sleep(1.1)
        since = len(w.requests)
        await table.move().end()
        await table.catches_up()
        await w.settle()
        refused = [request for request in w.requests if request.number > since and request.status == 401]
        assert [request.code for request in refused] == [50027], "the other player's panel, once"
        w.realm.token_seconds = 900
        waiting = next(member for member in w.people if table.panel(member).find("panel"))
        answer = await w.click(waiting, table.panel(waiting), table.panel(waiting).one("panel"))
        assert answer.kind == 7
        await table.party.play(until=lambda: table.party.version > 12)
        assert len([request for request in w.requests if request.status == 401]) == 1


@pytest.mark.thorough
async def test_a_panel_that_discord_limits_for_minutes_follows_again_after_a_click(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        fault = w.faults.add("PATCH", PANELS, 429, retry_after=600.0, times=1)
        waiting = table.other
        await table.move().end()
        await w.bot.until(lambda: fault.over)
        answer = await w.click(waiting, table.panel(waiting), table.panel(waiting).one("panel"))
        assert any(press.verb in ("card", "take") for press in answer.presses)
        await table.moves(4)
        statuses = [request.status for request in w.sent("PATCH", PANELS) if request.viewer == waiting.id]
        assert statuses.count(429) == 1
        assert statuses[-1] == 200


@pytest.mark.thorough
async def test_a_panel_that_discord_refuses_is_dropped(tmp_path: Path) -> None:
    async with tables(tmp_path) as (w, [table]):
        for status, code in ((401, 50027), (404, 10015), (404, 10062), (404, 10008), (403, 50001)):
            fault = w.faults.add("PATCH", PANELS, status, code=code)
            mover, waiting = table.turn, table.other
            await table.move().end()
            await w.settle()
            assert fault.hits == 1, f"after a {status} nothing more is sent there"
            w.faults.clear()
            for member in (waiting, mover):
                await w.click(member, table.shown, table.shown.one("hand"))
            await table.catches_up()
