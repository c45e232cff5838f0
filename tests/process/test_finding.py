"""Whether the bot is in a server that Discord hasn't listed: in doubt it is."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.process.gateway import ShardedBot


def refusal(status: int, code: int) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="refused")
    kinds = {403: discord.Forbidden, 404: discord.NotFound, 503: discord.DiscordServerError}
    return kinds.get(status, discord.HTTPException)(response, {"code": code, "message": "refused"})


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (refusal(404, 10004), False),
        (refusal(403, 50001), False),
        (refusal(404, 0), True),
        (refusal(403, 0), True),
        (refusal(403, 20026), True),
        (refusal(403, 40333), True),
        (refusal(429, 0), True),
        (refusal(503, 0), True),
        (TimeoutError(), True),
    ],
    ids=repr,
)
async def test_only_a_clear_answer_says_that_the_bot_is_not_in_a_server(error: Exception, found: bool) -> None:
    bot: Any = SimpleNamespace(
        get_guild=Mock(return_value=None),
        http=SimpleNamespace(get_guild=AsyncMock(side_effect=error)),
        _not_in={},
    )
    assert await ShardedBot.finds(bot, 7) is found
    assert bot._not_in == ({} if found else {7: True}), "only what is certain is remembered"
