"""How the bot exits if it can't start: its code says whether another start may help, and its log says why."""

import asyncio
import logging
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
import sqlalchemy as sa

from bench.postgres import GUARDED, Cluster
from bot.platform.database.errors import Fault, StoreError, StoreUnavailable
from bot.platform.database.locations import InvalidLocation
from bot.process import serve
from bot.settings import SettingsError
from tests.support.errors import Expected
from tests.wire.world import wire

CLOSED = {
    4004: ("refused the token", 2),
    4010: ("no such shard", 2),
    4011: ("more shards than this bot has: start it again", 1),
    4012: ("update the bot", 2),
    4013: ("update the bot", 2),
    4014: ("an intent that it requests: see the Bot page", 2),
}
"""The codes with which Discord closes a connection for good: what the log says, and the exit code."""
LASTING = {Fault.READ_ONLY, Fault.CORRUPT, Fault.NEWER, Fault.REFUSED}


@pytest.mark.parametrize(
    ("error", "code"),
    [(StoreUnavailable(fault, "the reason"), 2 if fault in LASTING else 1) for fault in Fault]
    + [(StoreError("the reason"), 2), (SettingsError("the reason"), 2), (InvalidLocation("the reason"), 2)],
    ids=lambda value: getattr(value, "code", type(value).__name__) if isinstance(value, Exception) else "",
)
def test_the_code_is_1_only_if_another_start_may_help(
    error: Exception, code: int, expected_errors: Expected, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail() -> int:
        raise error

    expected_errors.append(("bot.process.serve", "the reason"))
    with caplog.at_level(logging.ERROR):
        assert asyncio.run(serve._exit_code(fail())) == code


@pytest.mark.parametrize("code", CLOSED)
def test_a_connection_closed_for_good_is_explained_in_one_line(
    code: int, expected_errors: Expected, caplog: pytest.LogCaptureFixture
) -> None:
    words, exit_code = CLOSED[code]
    socket: Any = SimpleNamespace(close_code=code)

    async def fail() -> int:
        raise discord.ConnectionClosed(socket, shard_id=0)

    expected_errors.append(("bot.process.serve", words))
    with caplog.at_level(logging.ERROR):
        assert asyncio.run(serve._exit_code(fail())) == exit_code
    assert len(caplog.messages) == 1


@pytest.mark.parametrize("command", ["run", "sync"])
async def test_a_wrong_password_is_reported_before_discord_is_contacted(
    tmp_path: Path, postgres: Cluster, postgres_url: str, command: str
) -> None:
    url = sa.make_url(postgres_url).set(username=GUARDED, password="wr0ng-w0rd").render_as_string(hide_password=False)
    async with wire(tmp_path, 1, started=False, check=False, database=url, launch={"WIRE_COMMAND": command}) as w:
        await w.start_bot(connect=False)
        assert await w.bot.ended() == 2
        assert "password authentication failed" in w.log
        assert "wr0ng" not in w.log
        assert w.requests == []


@pytest.mark.thorough
async def test_an_unreachable_server_is_reported_before_discord_is_contacted(tmp_path: Path) -> None:
    away = f"postgresql+psycopg://ana@/games?host={tmp_path}"
    async with wire(tmp_path, 1, started=False, check=False, database=away) as w:
        await w.start_bot(connect=False)
        assert await w.bot.ended() == 1
        assert "Is the server running" in w.log
        assert w.requests == []
