"""Requests that the page would never send: whatever is in one, the demo refuses it and goes on."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import aiohttp
import pytest

from bot.demo import Demo
from bot.demo.actions import _HANDLERS  # pyright: ignore[reportPrivateUsage]

pytestmark = pytest.mark.asyncio(loop_scope="module")

DEEP: Final = "[" * 30_000 + "]" * 30_000
ODD: Final = (
    *(
        "null",
        "true",
        "0",
        "-1",
        "1.5",
        "1e999",
        "NaN",
        "-Infinity",
        "1" * 30,
        "9" * 5_000,
        '""',
        '"\\ud800"',
        '"\\u0000"',
    ),
    *("[]", "{}", "[[]]", "[{}]", '[["oros"]]', '{"a":[{"b":null}]}', '{"\\ud800":1}', "[" * 90 + "]" * 90),
    *('{"a":' * 900 + "1" + "}" * 900, DEEP),
)
MARK: Final = "@"


def spots(value: Any) -> Iterator[Any]:
    """The request with each of its values replaced by a mark, one after the other."""
    yield MARK
    if isinstance(value, dict):
        for key in value:
            yield from ({**value, key: changed} for changed in spots(value[key]))
    if isinstance(value, list):
        for place in range(len(value)):
            yield from ([*value[:place], changed, *value[place + 1 :]] for changed in spots(value[place]))


async def requests(sample: Demo, client: aiohttp.ClientSession) -> dict[str, dict[str, Any]]:
    """A request of each kind that is answered."""
    world = sample.world
    channel = str(world.channels["mesa-1"].id)
    await act(sample, client, json.dumps({"kind": "command", "channel": channel, "path": "board", "options": {}}))
    board = list(world.messages(world.channels["mesa-1"]))[-1][0]
    click = {"kind": "click", "channel": channel, "message": board, "id": "t:form"}
    _, answer = await act(sample, client, json.dumps(click))
    ana = str(world.residents["ana"].user.id)
    options = {"number": 3, "who": ana, "suit": "c", "loud": True}
    return {
        "command": {"kind": "command", "channel": channel, "path": "echo", "options": options},
        "on_person": {"kind": "on_person", "channel": channel, "name": "Greet someone", "person": ana},
        "autocomplete": {"kind": "autocomplete", "channel": channel, "path": "echo", "option": "suit"},
        "click": click,
        "select": {"kind": "select", "channel": channel, "message": board, "id": "c:suits", "values": ["copas"]},
        "modal": {"kind": "modal", "modal": answer["modal"]["key"], "values": {"line": "a", "menu": ["1"]}},
        "say": {"kind": "say", "channel": channel, "text": "hello"},
        "dismiss": {"kind": "dismiss", "message": board},
        "locale": {"kind": "locale", "locale": "en-US"},
        "guild_locale": {"kind": "guild_locale", "locale": "en-US"},
    }


async def act(sample: Demo, client: aiohttp.ClientSession, body: str, charset: str = "") -> tuple[int, Any]:
    headers = {"Origin": f"http://127.0.0.1:{sample.port}", "Content-Type": "application/json" + charset}
    async with client.post("/act/ana", data=body.encode(), headers=headers) as answer:
        return answer.status, await answer.json() if answer.content_type == "application/json" else await answer.text()


async def test_whatever_is_in_a_request_it_is_refused_or_done(sample: Demo) -> None:
    async with aiohttp.ClientSession(sample.address()) as client:
        valid, wrong = await requests(sample, client), list[tuple[int, str]]()
        assert valid.keys() == _HANDLERS.keys()
        for kind, request in valid.items():
            for spot in spots(request):
                for odd in ODD:
                    body = re.sub(f'"{MARK}"', lambda _, odd=odd: odd, json.dumps(spot))
                    status, _ = await act(sample, client, body)
                    if status not in (200, 400):
                        wrong.append((status, f"{kind}: {body[:150]}"))
        assert wrong == []
        status, answer = await act(sample, client, json.dumps(valid["say"]))
        assert (status, answer) == (200, {"ok": True})


@pytest.mark.parametrize("body", [DEEP, '{"kind":' + DEEP + "}", '{"kind":"say","text":1e999}', '{"kind":NaN}'])
async def test_a_body_that_no_page_could_mean_is_refused(sample: Demo, body: str) -> None:
    async with aiohttp.ClientSession(sample.address()) as client:
        assert await act(sample, client, body) == (400, {"ok": False, "error": "invalid"})


async def test_the_page_speaks_utf_8_alone(sample: Demo) -> None:
    async with aiohttp.ClientSession(sample.address()) as client:
        status, _ = await act(sample, client, '{"kind":"dismiss","message":"1"}', "; charset=nonsense")
        assert status in (200, 400)
