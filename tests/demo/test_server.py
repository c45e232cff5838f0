"""The web server: it serves only this computer, and only its own page may act."""

import json
from collections.abc import AsyncGenerator
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from bot.demo import Demo, announce, running
from bot.demo.server import LARGEST_BODY, listen
from bot.settings import Settings
from tests.demo.sample import create_sample
from tests.support.patience import HANG_SECONDS

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module")
async def client(sample: Demo) -> AsyncGenerator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(sample.address()) as session:
        yield session


def origin(demo: Demo) -> dict[str, str]:
    return {"Origin": f"http://127.0.0.1:{demo.port}", "Content-Type": "application/json"}


SLUGS = ("ana", "luis", "emma", "jordi", "marta", "noah", "sofia", "diego")


async def test_there_is_a_page_for_each_resident_and_nobody_else(client: aiohttp.ClientSession) -> None:
    statuses = {}
    for slug in (*SLUGS, "nobody", "..%2f"):
        async with client.get(f"/as/{slug}") as answer:
            statuses[slug] = answer.status
            text = await answer.text()
    assert statuses == dict.fromkeys(SLUGS, 200) | {"nobody": 404, "..%2f": 404}
    assert "Nobody here" in text


@pytest.mark.parametrize(
    ("languages", "person"),
    [
        ("es-ES,es;q=0.9,en;q=0.8", "ana"),
        ("en-US,en;q=0.9", "emma"),
        ("de,en;q=0.5", "emma"),
        ("ca", "ana"),
        ("", "ana"),
    ],
)
async def test_a_newcomer_becomes_a_resident_who_speaks_their_language(
    client: aiohttp.ClientSession, languages: str, person: str
) -> None:
    async with client.get("/", headers={"Accept-Language": languages}, allow_redirects=False) as answer:
        assert (answer.status, answer.headers["Location"]) == (302, f"/as/{person}")


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:{port}.evil.example"]
)
async def test_other_host_names_are_refused(sample: Demo, client: aiohttp.ClientSession, host: str) -> None:
    async with client.get("/as/ana", headers={"Host": host.format(port=sample.port)}) as answer:
        assert answer.status == 403


async def test_localhost_is_accepted(sample: Demo, client: aiohttp.ClientSession) -> None:
    async with client.get("/as/ana", headers={"Host": f"LocalHost:{sample.port}"}) as answer:
        assert answer.status == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://127.0.0.1:{port}"}, 403),
        ({"Origin": "http://127.0.0.1:{port}", "Content-Type": "text/plain"}, 415),
        ({"Origin": "http://127.0.0.1:{port}", "Content-Type": "application/json"}, 200),
    ],
)
async def test_only_the_demos_own_page_may_act(
    sample: Demo, client: aiohttp.ClientSession, headers: dict[str, str], status: int
) -> None:
    sent = {name: value.format(port=sample.port) for name, value in headers.items()}
    body = json.dumps({"kind": "locale", "locale": "en-US"})
    async with client.post("/act/ana", data=body, headers=sent) as answer:
        assert answer.status == status
    assert sample.world.residents["ana"].locale == ("en-US" if status == 200 else "es-ES")


async def test_other_sites_get_no_websocket(sample: Demo, client: aiohttp.ClientSession) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
        await client.ws_connect("/live/ana", origin="http://evil.example")
    with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
        await client.ws_connect("/live/ana")
    async with client.ws_connect("/live/ana", origin=f"http://127.0.0.1:{sample.port}") as line:
        assert [(await line.receive_json())["type"] for _ in range(2)] == ["texts", "setting"]


@pytest.mark.parametrize("body", ["", "[]", "nonsense", '"text"', "\udcff"])
async def test_a_body_that_is_not_a_request_is_refused(sample: Demo, client: aiohttp.ClientSession, body: str) -> None:
    data = body.encode(errors="surrogateescape")
    async with client.post("/act/ana", data=data, headers=origin(sample)) as answer:
        assert (answer.status, await answer.json()) == (400, {"ok": False, "error": "invalid"})


async def test_a_body_that_is_too_large_is_refused(sample: Demo, client: aiohttp.ClientSession) -> None:
    async with client.post("/act/ana", data=b" " * (LARGEST_BODY + 1), headers=origin(sample)) as answer:
        assert answer.status == 413


async def test_the_page_may_load_nothing_from_elsewhere(client: aiohttp.ClientSession) -> None:
    async with client.get("/as/ana") as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        page = await answer.text()
    assert [foreign for foreign in ("http://", "https://", "<style", "<script>") if foreign in page] == []


@pytest.mark.parametrize(
    "path",
    ["/static/", "/static/../server.py", "/static/%2e%2e/server.py", "/cdn/attachments/1/2/x.png", "/cdn/emojis/1.png"],
)
async def test_unknown_paths_arent_found(client: aiohttp.ClientSession, path: str) -> None:
    async with client.get(path) as answer:
        assert answer.status in (403, 404)


async def test_pictures_are_shown_and_other_uploads_only_downloaded(
    sample: Demo, client: aiohttp.ClientSession
) -> None:
    world = sample.world
    ana, channel = world.residents["ana"].actor, world.channels["mesa-1"]
    async with world.operation():
        assert ana is not None
        await ana.send(channel, "two", attachments=[("a.png", b"png"), ("b.html", b"<script>")])
    (_, text, _), *_ = world.messages(channel)
    picture, page = (attachment["url"] for attachment in json.loads(text)["attachments"])
    async with client.get(picture) as answer:
        assert (answer.content_type, await answer.read()) == ("image/png", b"png")
    async with client.get(page) as answer:
        assert answer.content_type == "application/octet-stream"
        assert answer.headers["Content-Disposition"] == "attachment"


async def test_the_applications_emojis_have_pictures(sample: Demo, client: aiohttp.ClientSession) -> None:
    async with sample.world.operation():
        emoji = await sample.world.bot.create_application_emoji(name="oros", image=b"\x89PNG\r\n\x1a\n")
    assert sample.world.version
    async with client.get(f"/cdn/emojis/{emoji.id}.png") as answer:
        assert (answer.content_type, await answer.read()) == ("image/png", b"\x89PNG\r\n\x1a\n")


async def test_windows_are_sent_only_changes_that_they_may_see(sample: Demo, client: aiohttp.ClientSession) -> None:
    channel = str(sample.world.channels["mesa-1"].id)

    async def act(slug: str, **request: Any) -> None:
        async with client.post(f"/act/{slug}", json={"channel": channel, **request}, headers=origin(sample)) as answer:
            assert (await answer.json())["ok"]

    async def news(line: aiohttp.ClientWebSocketResponse) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = await line.receive_json(timeout=HANG_SECONDS)
            if message["type"] == "channel" and message["id"] == channel and not message["first"]:
                return message

    own = f"http://127.0.0.1:{sample.port}"
    async with client.ws_connect("/live/ana", origin=own) as ana, client.ws_connect("/live/emma", origin=own) as emma:
        await act("ana", kind="say", text="hello")
        assert [(await news(line))["messages"][0]["content"] for line in (ana, emma)] == ["hello", "hello"]
        await act("ana", kind="command", path="moderate")
        await act("emma", kind="say", text="bye")
        heard = await news(emma)
        assert [message["content"] for message in heard["messages"]] == ["bye"]
        assert len(heard["ids"]) == 2
        secret = (await news(ana))["messages"][-1]
        assert secret["content"] == "moderated"
        await act("ana", kind="dismiss", message=secret["id"])
        while secret["id"] in (await news(ana))["ids"]:
            pass


async def test_instead_of_a_taken_port_a_free_one_is_used() -> None:
    with listen(0) as first:
        port = first.getsockname()[1]
        with listen(port) as second:
            assert second.getsockname()[1] not in (0, port)
            assert {first.getsockname()[0], second.getsockname()[0]} == {"127.0.0.1"}


async def test_in_a_container_it_can_be_reached_from_outside_but_answers_to_the_same_names_only(
    settings: Settings,
) -> None:
    settings = settings.model_copy(update={"demo_host": "0.0.0.0"})  # noqa: S104 - what this is about
    async with running(settings, create_sample) as demo, aiohttp.ClientSession() as session:
        assert demo.address() == f"http://127.0.0.1:{demo.port}/"
        other = f"127.0.0.2:{demo.port}"  # what an engine forwards to is another address than the one in the browser
        for host, status in ((f"127.0.0.1:{demo.port}", 200), (other, 403)):
            async with session.get(f"http://{other}/as/ana", headers={"Host": host}) as answer:
                assert answer.status == status


async def test_the_addresses_of_everybody_are_printed(sample: Demo, capsys: pytest.CaptureFixture[str]) -> None:
    announce(sample, wanted=1)
    printed = capsys.readouterr().out
    assert "Port 1 is taken" in printed
    assert [slug for slug in ("ana", "luis", "emma", "jordi") if f":{sample.port}/as/{slug}" in printed] == [
        "ana",
        "luis",
        "emma",
        "jordi",
    ]
