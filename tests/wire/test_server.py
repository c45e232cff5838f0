"""The simulated Discord behaves as the real one does; otherwise the other tests would prove nothing."""

import asyncio
from io import BytesIO
from typing import Any

import aiohttp
import pytest

from tests.support import schema
from tests.support.fake_discord.attachments import MOST_BYTES
from tests.support.fake_discord.refused import Refused
from tests.wire.client import TEXT, Client
from tests.wire.faults import EDITS
from tests.wire.process import TOKEN

NO_SCHEMA = schema.missing()


async def test_the_content_type_is_exactly_application_json(client: Client) -> None:
    _, headers, _ = await client.ask("GET", "/users/@me")
    assert headers["Content-Type"] == "application/json"


@pytest.mark.thorough
async def test_an_answer_after_three_seconds_is_refused(client: Client) -> None:
    in_time, late = await client.click(), await client.click()
    assert await client.reply(in_time) == (200, 0)
    await asyncio.sleep(3.05)
    assert await client.reply(late) == (404, 10062)


async def test_a_second_answer_is_refused(client: Client) -> None:
    record = await client.click()
    assert await client.reply(record) == (200, 0)
    assert await client.reply(record) == (400, 40060)


@pytest.mark.thorough
async def test_a_token_expires_after_the_time_that_is_set(client: Client) -> None:
    answers: list[tuple[int, int]] = []
    for seconds in (60.0, 0.3):
        client.realm.token_seconds = seconds
        record = await client.click()
        await client.reply(record)
        await asyncio.sleep(0.35)
        path = f"/webhooks/{client.realm.backend.application_id}/{record.token}/messages/@original"
        status, _, body = await client.ask("PATCH", path, TEXT)
        answers.append((status, body.get("code", 0)))
    assert answers == [(200, 0), (401, 50027)]


async def test_the_sixth_edit_in_five_seconds_is_rate_limited(client: Client) -> None:
    message = await client.send()
    path = f"/channels/{client.channel}/messages/{message}"
    answers = [await client.ask("PATCH", path, TEXT) for _ in range(6)]
    assert [status for status, _, _ in answers] == [200] * 5 + [429]
    _, headers, body = answers[-1]
    assert headers["X-RateLimit-Remaining"] == "0"
    assert 0 < body["retry_after"] <= 5
    assert body["global"] is False
    assert client.server.rates.refused == 1


async def test_a_click_on_a_removed_button_is_refused_and_makes_no_interaction(client: Client) -> None:
    realm, message = client.realm, await client.send()
    path = f"/channels/{client.channel}/messages/{message}"

    async def show(custom_id: str, *, disabled: bool = False) -> dict[str, Any]:
        button = {"type": 2, "style": 1, "label": "Join", "custom_id": custom_id, "disabled": disabled}
        await client.ask("PATCH", path, {**TEXT, "components": [{"type": 1, "components": [button]}]})
        return realm.payload_of(realm.backend.get_message(client.channel, message))

    seen = await show("first")
    realm.component(client.person, seen, "first", None)
    now = await show("second")
    _, payload = realm.component(client.person, seen, "second", None)
    assert payload["message"] == now
    begun = len(realm.backend.interactions)
    with pytest.raises(Refused, match="This interaction failed") as refused:
        realm.component(client.person, seen, "first", None)
    assert (refused.value.status, refused.value.code) == (400, 50035)
    await show("second", disabled=True)
    with pytest.raises(Refused):
        realm.component(client.person, now, "second", None)
    await client.delete(message)
    with pytest.raises(Refused):
        realm.component(client.person, now, "second", None)
    assert len(realm.backend.interactions) == begun
    realm.component(client.person, seen, "first", None, checked=False)
    assert len(realm.backend.interactions) == begun + 1


async def test_faults_happen_as_often_as_requested(client: Client) -> None:
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


async def test_a_file_of_over_ten_mebibytes_is_refused(client: Client) -> None:
    form = aiohttp.FormData()
    body = '{"attachments":[{"id":0,"filename":"a.png"}],"allowed_mentions":{"parse":[]},"content":"x"}'
    form.add_field("payload_json", body, content_type="application/json")
    form.add_field("files[0]", BytesIO(bytes(MOST_BYTES + 1)), filename="a.png", content_type="image/png")
    path = f"{client.server.api}/channels/{client.channel}/messages"
    async with client.session.post(path, data=form, headers={"Authorization": f"Bot {TOKEN}"}) as answer:
        assert (answer.status, (await answer.json())["code"]) == (413, 40005)


async def test_an_application_is_found_at_both_addresses(client: Client) -> None:
    client.realm.owner = client.person
    old, new = [await client.ask("GET", path) for path in ("/oauth2/applications/@me", "/applications/@me")]
    assert (new[0], new[2]) == (old[0], old[2])
    assert new[2]["owner"]["id"] == str(client.person.id)


@pytest.mark.skipif(NO_SCHEMA is not None, reason=NO_SCHEMA or "")
async def test_fields_that_discord_does_not_know_are_ignored(client: Client) -> None:
    assert (await client.post(colour="red"))[0] == 200
    record = await client.click()
    assert await client.reply(record, colour="red") == (200, 0)
    assert client.realm.ignored == ["/colour", "/data/colour"]
    assert all(message.components for message in client.realm.backend.messages[client.channel].values())


async def test_the_wrong_token_is_refused(client: Client) -> None:
    async with client.session.get(client.server.api + "/users/@me", headers={"Authorization": "Bot x"}) as answer:
        assert answer.status == 401


async def test_a_body_that_discord_would_refuse_is_reported(client: Client) -> None:
    await client.ask("POST", f"/channels/{client.channel}/messages", {"content": "<@1> hello"})
    assert any("allowed_mentions" in line for line in client.server.tap.errors)
