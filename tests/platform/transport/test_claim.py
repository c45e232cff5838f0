"""Claiming an interaction that another process may have answered: it is deferred before anything is done."""

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.platform.transport.reply import Reply


class Response:
    """Takes a deferral, or refuses it with Discord's code."""

    def __init__(self, status: int, code: int) -> None:
        self.status, self.code = status, code
        self.deferred: list[dict[str, Any]] = []

    async def defer(self, **how: Any) -> None:
        self.deferred.append(how)
        if self.status >= 400:
            refused: Any = SimpleNamespace(status=self.status, reason="")
            raise discord.HTTPException(refused, {"code": self.code, "message": ""})


def interaction(response: Response, *, kind: str = "component") -> Any:
    message = object() if kind == "component" else None
    return SimpleNamespace(id=1, type=discord.InteractionType[kind], message=message, response=response, extras={})


@pytest.mark.parametrize(
    ("status", "code", "ours"),
    [
        pytest.param(204, 0, True, id="nobody has answered"),
        pytest.param(400, 40060, False, id="another process has"),
        pytest.param(404, 10062, False, id="it is too late"),
        pytest.param(500, 0, True, id="nobody knows"),
    ],
)
async def test_an_interaction_that_can_be_deferred_must_be_answered(status: int, code: int, ours: bool) -> None:
    reply = Reply(interaction(Response(status, code)))
    assert await reply.claim() is ours
    assert reply.deferred is (status < 400)


async def test_the_answer_to_a_claimed_command_stays_public_or_private() -> None:
    for public in (True, False):
        response = Response(204, 0)
        assert await Reply(interaction(response, kind="application_command"), public=public).claim()
        assert response.deferred == [{"ephemeral": not public, "thinking": True}]


async def test_suggestions_need_no_claim() -> None:
    response = Response(400, 40060)
    assert await Reply(interaction(response, kind="autocomplete")).claim()
    assert response.deferred == []
