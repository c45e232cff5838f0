"""The bot posts nothing in public on behalf of people who may not post there themselves."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import discord
import pytest

from bot.tables.errors import Refusal, RefusalCode
from bot.ui.transport.permissions import check_may_write


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
    assert code is (None if may else RefusalCode.MAY_NOT_WRITE)
