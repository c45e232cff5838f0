"""The wire itself does what Discord does: without that, the other tests would say nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest

from tests.wire.faults import EDITS
from tests.wire.inside import Realm
from tests.wire.process import TOKEN
from tests.wire.server import Server

TEXT = {"flags": 1 << 15, "components": [{"type": 10, "content": "hello"}]}
ALLOWED = {"allowed_mentions": {"parse": []}}


class Client:
    """Sends requests as a bot would."""

    def __init__(self, server: Server, session: aiohttp.ClientSession) -> None:
        self.server = server
        self.realm = server.realm
        self.session = session
        self.channel = self.realm.channels[0]
        self.person = self.realm.people[0]

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any, Any]:
        """Status, headers and body of an answer."""
        headers = {"Authorization": f"Bot {TOKEN}"}
        async with self.session.request(method, self.server.api + path, json=body, headers=headers) as answer:
            return answer.status, answer.headers, await answer.json() if answer.status != 204 else None

    async def send(self) -> int:
        """Post a message."""
        _, _, body = await self.ask("POST", f"/channels/{self.channel}/messages", {**TEXT, **ALLOWED})
        return int(body["id"])

    async def click(self) -> Any:
        """An interaction that a person begins."""
        message = self.realm.backend.get_message(self.channel, await self.send())
        record, _ = self.realm.component(self.person, self.realm.payload_of(message), "e:x:1:1", None)
        return record

    async def reply(self, record: Any, **data: Any) -> tuple[int, int]:
        """Answer an interaction: the status and Discord's code."""
        path = f"/interactions/{record.id}/{record.token}/callback"
        status, _, body = await self.ask("POST", path, {"type": 4, "data": {**TEXT, **data}})
        return status, (body or {}).get("code", 0)


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with serving() as made:
        yield made


@asynccontextmanager
async def serving() -> AsyncIterator[Client]:
    """A server and somebody who asks it."""
    server = Server(Realm(["Ana"], 1), TOKEN)
    await server.start()
    async with aiohttp.ClientSession() as session:
        yield Client(server, session)
    await server.close()


async def test_the_content_type_is_json_to_the_letter(client: Client) -> None:
    _, headers, _ = await client.ask("GET", "/users/@me")
    assert headers["Content-Type"] == "application/json"


async def test_an_answer_after_three_seconds_is_refused(client: Client) -> None:
    in_time, late = await client.click(), await client.click()
    assert await client.reply(in_time) == (200, 0)
    await asyncio.sleep(3.05)
    assert await client.reply(late) == (404, 10062)


async def test_a_second_answer_is_refused(client: Client) -> None:
    record = await client.click()
    assert await client.reply(record) == (200, 0)
    assert await client.reply(record) == (400, 40060)


async def test_a_token_lives_as_long_as_it_is_set_to(client: Client) -> None:
    client.realm.token_seconds = 0.3
    record = await client.click()
    await client.reply(record)
    path = f"/webhooks/{client.realm.backend.application_id}/{record.token}/messages/@original"
    assert (await client.ask("PATCH", path, TEXT))[0] == 200
    await asyncio.sleep(0.35)
    status, _, body = await client.ask("PATCH", path, TEXT)
    assert (status, body["code"]) == (401, 50027)


async def test_the_sixth_edit_in_five_seconds_is_too_many(client: Client) -> None:
    message = await client.send()
    path = f"/channels/{client.channel}/messages/{message}"
    answers = [await client.ask("PATCH", path, TEXT) for _ in range(6)]
    assert [status for status, _, _ in answers] == [200] * 5 + [429]
    _, headers, body = answers[-1]
    assert headers["X-RateLimit-Remaining"] == "0"
    assert 0 < body["retry_after"] <= 5
    assert body["global"] is False
    assert client.server.rates.refused == 1


async def test_faults_happen_as_often_as_asked_for(client: Client) -> None:
    message = await client.send()
    path = f"/channels/{client.channel}/messages/{message}"
    client.server.faults.add("PATCH", EDITS, 404, code=10008, times=1, skip=1)
    statuses = [(await client.ask("PATCH", path, TEXT))[0] for _ in range(3)]
    assert statuses == [200, 404, 200]
    client.server.faults.add("PATCH", EDITS, drop=True, times=1)
    with pytest.raises(aiohttp.ClientError):
        await client.ask("PATCH", path, TEXT)
    assert client.server.faults.injected == 2


async def test_pictures_can_be_refused_on_edits_alone(client: Client) -> None:
    message = await client.send()
    fault = client.server.faults.add("PATCH", EDITS, 400, code=50035, where=lambda request: bool(request.files))
    path = f"{client.server.api}/channels/{client.channel}/messages/{message}"
    form = aiohttp.FormData()
    body = '{"attachments":[{"id":0,"filename":"a.png"}],"flags":32768,"components":[{"type":10,"content":"x"}]}'
    form.add_field("payload_json", body, content_type="application/json")
    form.add_field("files[0]", b"png", filename="a.png", content_type="image/png")
    async with client.session.patch(path, data=form, headers={"Authorization": f"Bot {TOKEN}"}) as answer:
        assert answer.status == 400
    assert (await client.ask("PATCH", f"/channels/{client.channel}/messages/{message}", TEXT))[0] == 200
    assert fault.hits == 1


async def test_the_wrong_token_is_refused(client: Client) -> None:
    async with client.session.get(client.server.api + "/users/@me", headers={"Authorization": "Bot x"}) as answer:
        assert answer.status == 401


async def test_what_discord_would_refuse_is_found(client: Client) -> None:
    await client.ask("POST", f"/channels/{client.channel}/messages", {"content": "<@1> hello"})
    assert any("allowed_mentions" in line for line in client.server.tap.errors)
