"""Whether somebody is still on a server: asked once in a while, and in doubt they are."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.platform.transport.reward_roles import KEPT, Members

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def refused(kind: type[discord.HTTPException], status: int, code: int) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="refused")
    return kind(response, {"code": code, "message": "refused"})


class Discord:
    """Answers with `error`, or else that the person is a member."""

    def __init__(self, error: Exception | None = None) -> None:
        self.http, self.error, self.asked, self.now = self, error, list[tuple[int, int]](), NOW
        client: Any = self
        self.members = Members(client, lambda: self.now)

    async def get_member(self, guild_id: int, person_id: int) -> dict[str, object]:
        self.asked.append((guild_id, person_id))
        if self.error is not None:
            raise self.error
        return {}


async def test_an_answer_is_remembered_for_a_while():
    discord_ = Discord()
    for _ in range(2):
        assert await discord_.members.has(1, 7)
    assert discord_.asked == [(1, 7)]
    discord_.error = refused(discord.NotFound, 404, 10007)
    discord_.now += KEPT - timedelta(seconds=1)
    assert await discord_.members.has(1, 7)
    discord_.now += timedelta(seconds=1)
    assert not await discord_.members.has(1, 7)
    assert not await discord_.members.has(1, 7)
    assert len(discord_.asked) == 2


@pytest.mark.parametrize(
    ("error", "belongs", "remembered"),
    [
        (refused(discord.NotFound, 404, 10007), False, True),
        (refused(discord.NotFound, 404, 10004), False, True),
        (refused(discord.Forbidden, 403, 50001), False, True),
        (refused(discord.NotFound, 404, 10013), False, True),
        (refused(discord.NotFound, 404, 0), True, False),
        (refused(discord.Forbidden, 403, 0), True, False),
        (refused(discord.Forbidden, 403, 20026), True, False),
        (refused(discord.NotFound, 404, 10062), True, False),
        (refused(discord.DiscordServerError, 500, 0), True, False),
        (discord.RateLimited(60.0), True, False),
        (TimeoutError(), True, False),
    ],
)
async def test_only_a_clear_no_means_that_somebody_has_left(error: Exception, belongs: bool, remembered: bool):
    discord_ = Discord(error)
    assert await discord_.members.has(1, 7) is belongs
    assert await discord_.members.has(1, 7) is belongs
    assert len(discord_.asked) == (1 if remembered else 2)


async def test_several_servers_are_asked_at_once_and_each_once():
    discord_ = Discord()
    assert await discord_.members.among([1, 2, 1, None], 7) == {1, 2, None}
    assert discord_.asked == [(1, 7), (2, 7)], "a match without a server needs no membership"
