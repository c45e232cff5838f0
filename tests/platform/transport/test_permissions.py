"""The bot posts nothing in public on behalf of people who may not post there themselves."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.transport.permissions import MissingPermission, check_may_write, lacking_in


def interaction(channel: type, *, locked: bool = False, **allowed: bool) -> Any:
    """An interaction of somebody with these permissions in a channel of this class."""
    return SimpleNamespace(permissions=discord.Permissions(**allowed), channel=Mock(spec=channel, locked=locked))


@pytest.mark.parametrize(
    ("asked", "may"),
    [
        (interaction(discord.TextChannel, send_messages=True), True),
        (interaction(discord.TextChannel, send_messages_in_threads=True), False),
        (interaction(discord.Thread, send_messages_in_threads=True), True),
        (interaction(discord.Thread, send_messages=True), False),
        (interaction(discord.Thread, locked=True, send_messages_in_threads=True), False),
        (interaction(discord.Thread, locked=True, send_messages_in_threads=True, manage_threads=True), True),
    ],
)
def test_people_may_write_where_discord_lets_them(asked: Any, may: bool) -> None:
    code = None
    try:
        check_may_write(asked)
    except Refusal as error:
        code = error.code
    assert code is (None if may else CommonRefusal.MAY_NOT_WRITE)


@pytest.mark.parametrize(("status", "code"), [(403, 50001), (404, 10003)])
async def test_only_a_clear_answer_says_that_the_bot_cannot_see_a_channel(status: int, code: int) -> None:
    response: Any = SimpleNamespace(status=status, reason="refused")

    def client_answering(code: int) -> Any:
        kind = discord.Forbidden if status == 403 else discord.NotFound
        guild = SimpleNamespace(fetch_channel=AsyncMock(side_effect=kind(response, {"code": code, "message": "no"})))
        return SimpleNamespace(user=SimpleNamespace(id=1), fetch_guild=AsyncMock(return_value=guild))

    assert await lacking_in(client_answering(code), 1, 2) == [MissingPermission.VIEW]
    with pytest.raises(discord.HTTPException):
        await lacking_in(client_answering(0), 1, 2)
