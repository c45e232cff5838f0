"""The tap records all that a bot sends, knows who could see it, and finds what Discord would refuse."""

from itertools import pairwise
from typing import Any

import pytest

from tests.support import schema
from tests.support.fake_discord import shapes
from tests.support.limits import COMPONENTS_V2
from tests.support.people import Person, world
from tests.support.secrecy import leaked_cards
from tests.support.standin import StandIn
from tests.support.wiretap import Request, Wiretap

NO_SCHEMA = schema.missing()
needs_schema = pytest.mark.skipif(NO_SCHEMA is not None, reason=NO_SCHEMA or "")


async def play_a_little(ana: Person, bea: Person, channel: Any) -> None:
    await ana.slash(channel, "escoba play")
    table = ana.latest(channel)
    await ana.press(table, label="My hand")
    await ana.press(channel, label="Play 7o")
    await bea.press(table, label="Slowly")
    await bea.press(table, label="Note")


async def test_a_bot_that_does_nothing_wrong_has_no_findings():
    async with world(StandIn, people=2) as (_, channel, (ana, bea), tap):
        await play_a_little(ana, bea, channel)
        assert isinstance(tap, Wiretap)
        assert tap.errors == []
        assert tap.warnings == []
        assert tap.refused == []
        assert tap.unanswered == []
        tap.check()


async def test_every_request_is_recorded_with_its_body_and_files():
    async with world(StandIn, people=2) as (env, channel, (ana, bea), tap):
        await play_a_little(ana, bea, channel)
        assert len(tap.requests) == len(env.http_requests)
        assert [(r.method, r.path) for r in tap.requests] == [(r.method, r.path) for r in env.http_requests]
        assert all(before.at <= after.at for before, after in pairwise(tap.requests))
        opened = next(request for request in tap.requests if request.files)
        assert opened.file_names == ["table.png"]
        assert opened.files[0].size == 8
        assert opened.message["flags"] == COMPONENTS_V2
        assert opened.message_id == ana.messages(channel)[0].id
        assert tap.to("PUT", "/applications/*/commands")[0].body[0]["name"] == "escoba"
        assert str(opened).endswith("callback type 4 (seen by everyone)")


async def test_the_tap_knows_who_could_see_each_body():
    async with world(StandIn, people=2) as (_, channel, (ana, bea), tap):
        await play_a_little(ana, bea, channel)

        def shown(requests: list[Request]) -> list[str]:
            return [str(r.message["components"]) for r in requests if r.message.get("components")]

        assert sum("a table" in body for body in shown(tap.public())) == 1
        assert sum("played 7o" in body for body in shown(tap.public())) == 1  # by editing the channel's message
        assert not any(" has " in body for body in shown(tap.public()))
        mine = shown(tap.for_user(ana.id))
        assert ["has 7o" in mine[0], "has nothing" in mine[1]] == [True, True]  # ephemeral, then its update
        hers = shown(tap.for_user(bea.id))  # an ephemeral defer's edit, a followup, a modal
        assert ["has 10e" in hers[0], "has 1b" in hers[1], "words" in hers[2]] == [True, True, True]
        seen = [*tap.public(), *tap.for_user(ana.id), *tap.for_user(bea.id)]
        assert len(seen) == len(tap.requests)


async def test_watchers_check_a_request_before_it_takes_effect():
    async with world(StandIn, people=2, check=False) as (_, channel, (ana, bea), tap):

        def nobody_shows_the_seven(request: Request) -> list[str]:
            shown = channel.history()
            leaks = leaked_cards(request.body, {"7o"}, files=request.file_names)
            return [f"{leak}, after {len(shown)} messages" for leak in leaks if request.viewer is None]

        def fails(request: Request) -> list[str]:
            raise KeyError("lost") if request.files else StopIteration

        tap.watchers += [nobody_shows_the_seven, fails]
        await play_a_little(ana, bea, channel)
        assert any("7o in components/0/components/0/content" in line for line in tap.errors)
        assert any("a watcher failed: KeyError('lost')" in line for line in tap.errors)
        with pytest.raises(AssertionError, match="findings in"):
            tap.check()
        tap.check(allow=["7o in", "a watcher failed"])
        tap.clear()
        tap.check()


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"content": "<@1>"}, "allowed_mentions: missing"),
    ({"content": "x" * 2001}, "content: 2001 characters"),
    ({"content": "hola", "flags": COMPONENTS_V2}, "content beside Components V2"),
    ({"components": [{"type": 10, "content": "hola"}]}, "V2 components without"),
    ({"components": [{"type": 10, "content": "hola"}], "flags": COMPONENTS_V2 | 64}, "can be ephemeral"),
]


@pytest.mark.parametrize(("body", "finding"), WRONG)
async def test_a_wrong_request_of_a_running_bot_is_found(body: dict[str, Any], finding: str):
    async with world(StandIn, people=1, check=False) as (env, channel, (ana,), tap):
        env.bot.raw_body = body
        await send_raw(ana, channel)
        assert any(finding in line for line in tap.errors)


@needs_schema
async def test_every_request_is_checked_against_the_schema():
    async with world(StandIn, people=1, check=False) as (env, channel, (ana,), tap):
        env.bot.raw_body = {"content": "hola", "nonce": []}  # SimCord doesn't check it
        await send_raw(ana, channel)
        assert any("schema: create_message: at nonce" in line for line in tap.errors)


async def test_a_refused_request_is_a_finding_unless_the_test_asked_for_it():
    async with world(StandIn, people=1, check=False) as (env, channel, (ana,), tap):
        env.bot.raw_body = {"content": "hola"}
        env.inject_error("POST", "/channels/*/messages", status=400)
        await send_raw(ana, channel)
        assert [(request.status, request.injected) for request in tap.refused] == [(400, True)]
        assert tap.errors == []
        env.bot.raw_body = {"content": ""}
        await send_raw(ana, channel)
        assert any("answered 400, code 50035" in line for line in tap.errors)


async def send_raw(ana: Person, channel: Any) -> None:
    await ana.slash(channel, "escoba raw")


async def test_two_worlds_in_succession_each_have_their_own_tap():
    async with world(StandIn, people=1) as (_, _, _, first):
        heard = len(first.requests)
    async with world(StandIn, people=2) as (_, channel, (ana, bea), second):
        await play_a_little(ana, bea, channel)
        assert len(first.requests) == heard < len(second.requests)


# ------------------------------------------------------------------------------------------- Discord's schema
def test_without_the_schema_there_is_a_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Any):
    monkeypatch.setattr(schema, "FOLDER", tmp_path)
    assert "isn't beside the project" in (schema.missing() or "")
    assert schema.load.__wrapped__() is None


USER = {"id": "1", "username": "ana", "avatar": None, "discriminator": "0", "public_flags": 0, "flags": 0}
WHOLE = USER | {"global_name": "Ana", "primary_guild": None}
EMOJI = {"id": "2", "name": "as", "roles": [], "require_colons": True, "managed": False, "animated": False}
EMOJI |= {"available": True, "user": WHOLE}


@needs_schema
@pytest.mark.parametrize(
    ("method", "path", "status", "answer", "finding"),
    [
        ("GET", "/applications/1/emojis/2", 200, EMOJI, None),
        ("GET", "/applications/1/emojis/2", 200, EMOJI | {"id": "as"}, "at id"),
        ("GET", "/applications/1/emojis/2", 200, EMOJI | {"user": USER}, "at user: 'global_name' is a required"),
        ("POST", "/applications/1/emojis", 201, EMOJI, None),
        ("POST", "/applications/1/emojis", 200, EMOJI, "doesn't answer 200"),
        ("DELETE", "/channels/1/messages/2", 204, None, None),
        ("DELETE", "/channels/1/messages/2", 204, {}, "204 has no body"),
        ("GET", "/nowhere", 200, {}, "no operation"),
    ],
)
def test_answers_are_checked_against_the_schema(method: str, path: str, status: int, answer: Any, finding: str | None):
    spec = schema.load()
    assert spec is not None
    for _ in range(2):
        found = spec.check_answer(method, path, status, answer)
        assert bool(found) == bool(finding)
        assert finding is None or finding in found[0]


@needs_schema
async def test_an_answer_that_discord_would_not_give_is_found(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shapes.serializers, "user_payload", shapes._user)
    async with world(StandIn, people=2, check=False) as (_, channel, (ana, bea), tap):
        await play_a_little(ana, bea, channel)
        assert any("the fake's answer: create_interaction_response" in line for line in tap.errors)


@needs_schema
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/channels/1/messages", {"components": [{"type": 10, "content": "hola"}], "flags": 32768}),
        ("POST", "/channels/1/messages", {"components": [{"type": 10, "content": ""}]}),
        ("POST", "/channels/1/messages", {"components": [{"type": 10}]}),
        ("POST", "/channels/1/messages", {"components": [{"type": 99}]}),
        ("POST", "/channels/1/messages", {"components": [{"content": "no type"}]}),
        ("POST", "/channels/1/messages", {"components": [{"type": 17, "components": [{"type": 17}]}]}),
        (
            "POST",
            "/channels/1/messages",
            {"components": [{"type": 1, "components": [{"type": 2, "style": 9}]}]},
        ),
        ("POST", "/channels/1/messages", {"attachments": [{"id": 0, "filename": "a.png"}]}),
        ("POST", "/channels/1/messages", {"allowed_mentions": {"parse": ["none"]}}),
        ("PATCH", "/channels/1/messages/2", {"content": 5}),
        ("POST", "/interactions/1/t/callback", {"type": 6}),
        ("POST", "/interactions/1/t/callback", {"type": 3}),
        ("POST", "/interactions/1/t/callback", {"type": 7, "data": {"components": [{"type": 14}]}}),
        ("POST", "/interactions/1/t/callback", {"type": 9, "data": {"title": "a"}}),
        ("PATCH", "/webhooks/1/t/messages/@original", {"embeds": [{"title": "x" * 300}]}),
        ("PUT", "/applications/1/commands", [{"name": "a", "description": "b", "type": 1, "contexts": [9]}]),
        ("DELETE", "/channels/1/messages/2", None),
        ("GET", "/nowhere", None),
    ],
)
def test_the_quick_check_agrees_with_the_slow_one(method: str, path: str, body: Any):
    spec = schema.load()
    assert spec is not None
    try:
        expected = spec.check_slowly(method, path, body)
    except LookupError as error:
        expected = [str(error)]
    assert spec.check(method, path, body) == expected
