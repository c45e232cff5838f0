"""The simulated Discord's rate limits: what counts towards them, when they are exceeded, and what the bot gets then."""

import pytest

from tests.wire.client import Client, ManualClock
from tests.wire.faults import EDITS
from tests.wire.limits import BAN_WINDOW, Ban, Rates, Windows


# --------------------------------------------------------------------------------------------------- the windows
def test_a_window_takes_its_number_of_requests_and_no_more_until_it_is_over() -> None:
    clock = ManualClock()
    windows = Windows(3, 5.0, clock)
    assert [windows.count().over for _ in range(4)] == [False, False, False, True]
    clock.advance(4.99)
    assert windows.count().over
    clock.advance(0.01)
    assert not windows.count().over


def test_a_window_begins_with_the_first_request_after_the_last_window() -> None:
    clock = ManualClock()
    windows = Windows(2, 5.0, clock)
    windows.count()
    clock.advance(7.0)  # no window runs meanwhile
    assert windows.count().seconds == 5.0
    clock.advance(4.0)
    again = windows.count()
    assert (again.left, again.seconds, again.over) == (0, 1.0, False)


def test_excess_requests_do_not_prolong_the_window() -> None:
    clock = ManualClock()
    windows = Windows(1, 5.0, clock)
    windows.count()
    for _ in range(4):
        clock.advance(1.0)
        assert windows.count().over
    clock.advance(1.0)
    assert not windows.count().over


def test_each_key_has_its_own_window() -> None:
    windows = Windows(1, 5.0, ManualClock())
    assert [windows.count(key).over for key in ("a", "b", "a")] == [False, False, True]


def test_windows_of_unused_keys_are_dropped() -> None:
    clock = ManualClock()
    windows = Windows(1, 2.0, clock)
    for number in range(10_000):
        windows.count(number)
    clock.advance(2.0)
    windows.count("new")
    assert len(windows._windows) == 1


def test_only_the_channel_limits_are_on_by_default() -> None:
    rates = Rates(clock=ManualClock())
    posts = [rates.judge("POST", f"/channels/{number}/messages") for number in range(500)]
    edits = [rates.judge("PATCH", "/webhooks/1/token/messages/@original") for _ in range(100)]
    old = [rates.judge("PATCH", "/channels/1/messages/2", 90_000.0) for _ in range(5)]
    assert not any(verdict.refusal for verdict in posts + edits + old)


def test_more_invalid_responses_in_ten_minutes_than_the_limit_cause_a_ban() -> None:
    clock = ManualClock()
    ban = Ban(limit=3, seconds=60.0, clock=clock)
    for status in (401, 403, 429, 200, 404, 400, 500):
        ban.answered(status)
    assert ban.invalid == 3
    ban.answered(429, "shared")  # a shared limit: somebody else's doing
    assert (ban.invalid, ban.left) == (3, 0.0)
    ban.answered(403)
    assert (ban.bans, ban.left) == (1, 60.0)
    clock.advance(60.0)
    assert ban.left == 0.0


def test_invalid_responses_stop_counting_after_ten_minutes() -> None:
    clock = ManualClock()
    ban = Ban(limit=2, clock=clock)
    ban.answered(403)
    clock.advance(BAN_WINDOW - 1)
    ban.answered(403)
    clock.advance(1)
    assert ban.invalid == 1
    ban.answered(403)
    assert ban.bans == 0


# ----------------------------------------------------------------------------------------------------- over HTTP
async def test_the_global_limit_counts_everything_but_interactions_and_their_tokens(
    client: Client, clock: ManualClock
) -> None:
    client.server.rates.globally = 4
    record = await client.click()  # posts a message, the first request that counts
    assert await client.reply(record) == (200, 0)
    for _ in range(3):
        assert (await client.edit_reply(record))[0] == 200
    for _ in range(3):
        assert (await client.ask("GET", "/users/@me"))[0] == 200
    status, headers, body = await client.ask("GET", "/users/@me")
    assert status == 429
    assert body == {"message": "You are being rate limited.", "retry_after": 1.0, "global": True}
    assert (headers["Retry-After"], headers["X-RateLimit-Global"]) == ("1", "true")
    assert headers["X-RateLimit-Scope"] == "global"
    assert "X-RateLimit-Remaining" not in headers
    assert (await client.edit_reply(record))[0] == 200, "answers to interactions have no global limit"
    clock.advance(1.0)
    assert (await client.ask("GET", "/users/@me"))[0] == 200


async def test_a_channel_takes_five_edits_in_five_seconds_and_says_how_many_are_left(
    client: Client, clock: ManualClock
) -> None:
    message, other = await client.send(), client.realm.add_channel("otra")
    answers = []
    for _ in range(6):
        answers.append(await client.edit(message))
        clock.advance(0.5)
    assert [status for status, _, _ in answers] == [200] * 5 + [429]
    assert [headers["X-RateLimit-Remaining"] for _, headers, _ in answers] == ["4", "3", "2", "1", "0", "0"]
    _, headers, body = answers[-1]
    assert body == {"message": "You are being rate limited.", "retry_after": 2.5, "global": False}
    assert (headers["Retry-After"], headers["X-RateLimit-Reset-After"]) == ("3", "2.500")
    assert (headers["X-RateLimit-Scope"], headers["X-RateLimit-Limit"]) == ("user", "5")
    assert "X-RateLimit-Global" not in headers
    elsewhere = await client.send(other)
    assert (await client.edit(elsewhere, other))[0] == 200, "each channel is counted separately"
    clock.advance(2.0)
    assert (await client.edit(message))[0] == 200
    assert client.server.rates.refusals == {"edit": 1}


async def test_posts_edits_and_deletes_are_counted_separately(client: Client, clock: ManualClock) -> None:
    client.server.rates.deletes = (2, 1.0)
    messages = [await client.send() for _ in range(5)]
    assert (await client.post())[0] == 429
    assert (await client.edit(messages[0]))[0] == 200
    assert [(await client.delete(message))[0] for message in messages[:3]] == [204, 204, 429]
    clock.advance(1.0)
    assert (await client.delete(messages[2]))[0] == 204
    assert (await client.post())[0] == 429
    assert client.server.rates.refusals == {"send": 2, "delete": 1}


async def test_each_interaction_token_has_its_own_limit(client: Client, clock: ManualClock) -> None:
    client.server.rates.tokens = (5, 2.0)
    record, other = await client.click(), await client.click()
    for each in (record, other):
        await client.reply(each)
    assert [(await client.edit_reply(record))[0] for _ in range(6)] == [200] * 5 + [429]
    status, headers, body = await client.edit_reply(record)
    assert (status, body["retry_after"], headers["X-RateLimit-Bucket"]) == (429, 2.0, "bucket-token")
    assert (await client.edit_reply(other))[0] == 200
    clock.advance(2.0)
    assert (await client.edit_reply(record))[0] == 200


def test_the_follow_ups_of_all_tokens_share_a_limit() -> None:
    rates = Rates(tokens=(5, 2.0), follow_ups=(6, 60.0), clock=ManualClock())
    verdicts = [rates.judge("POST", f"/webhooks/1/token-{number % 3}") for number in range(7)]
    assert [verdict.refusal is not None for verdict in verdicts] == [False] * 6 + [True]
    assert verdicts[-1].headers["X-RateLimit-Scope"] == "shared"
    assert verdicts[-1].headers["Retry-After"] == "60"
    assert rates.judge("PATCH", "/webhooks/1/token-3/messages/@original").refusal is None, "edits have only their own"
    assert rates.refusals == {"follow-up": 1}


async def test_emojis_have_a_limit_of_their_own_of_which_nothing_is_said_before(
    client: Client, clock: ManualClock
) -> None:
    client.server.rates.emojis = (2, 1800.0)
    path = f"/applications/{client.realm.backend.application_id}/emojis"
    image = "data:image/png;base64,"
    answers = [await client.ask("POST", path, {"name": f"copas_{n}", "image": image}) for n in range(3)]
    assert [status for status, _, _ in answers] == [201, 201, 429]
    assert "X-RateLimit-Remaining" not in answers[1][1]
    _, headers, body = answers[2]
    assert (body["retry_after"], body["global"], headers["X-RateLimit-Scope"]) == (1800.0, False, "shared")
    assert (await client.ask("DELETE", f"{path}/{answers[0][2]['id']}"))[0] == 429
    assert (await client.ask("GET", path))[0] == 200, "it is a limit of changes"
    clock.advance(1800.0)
    assert (await client.ask("DELETE", f"{path}/{answers[0][2]['id']}"))[0] == 204


async def test_messages_over_an_hour_old_take_fewer_edits(client: Client, clock: ManualClock) -> None:
    client.server.rates.most, client.server.rates.old_edits = 100, (2, 20.0)
    old, young = await client.send(), await client.send()
    client.realm.make_old(client.channel, old)
    assert [(await client.edit(old))[0] for _ in range(2)] == [200, 200]
    status, headers, body = await client.edit(old)
    assert (status, body["code"], body["retry_after"], body["global"]) == (429, 30046, 20.0, False)
    assert body["message"].startswith("Maximum number of edits to messages older than 1 hour reached")
    assert int(headers["X-RateLimit-Remaining"]) > 0, "the channel's ordinary limit isn't the cause"
    assert (await client.edit(young))[0] == 200
    clock.advance(20.0)
    assert (await client.edit(old))[0] == 200


async def test_a_fault_can_tell_the_bot_to_retry_after_minutes(client: Client) -> None:
    message = await client.send()
    client.server.faults.add("PATCH", EDITS, 429, retry_after=600.0, times=1)
    status, headers, body = await client.edit(message)
    assert (status, body["retry_after"], headers["Retry-After"]) == (429, 600.0, "600")
    assert headers["X-RateLimit-Remaining"] == "0"
    assert (await client.edit(message))[0] == 200


async def test_a_banned_address_gets_only_cloudflares_page(client: Client, clock: ManualClock) -> None:
    record = await client.click()
    client.server.ban.limit, client.server.ban.seconds = 2, 300.0
    client.server.faults.add("PATCH", EDITS, 403, code=50001)
    message = await client.send()
    assert [(await client.edit(message))[0] for _ in range(3)] == [403] * 3
    paths = (("GET", "/users/@me"), ("POST", f"/interactions/{record.id}/{record.token}/callback"))
    for method, path in paths:
        status, headers, body = await client.ask(method, path, {"type": 6})
        assert (status, headers["Retry-After"], headers["Server"]) == (429, "300", "cloudflare")
        assert headers["Content-Type"].startswith("text/html")
        assert "1015" in body
        assert not [name for name in headers if name.startswith("X-RateLimit") or name == "Via"]
    assert not record.responded
    assert (client.server.ban.turned_away, client.server.ban.invalid) == (2, 0)
    clock.advance(300.0)
    assert (await client.ask("GET", "/users/@me"))[0] == 200


async def test_rate_limited_requests_count_as_invalid(client: Client, clock: ManualClock) -> None:
    client.server.ban.limit = 2
    message = await client.send()
    statuses = [(await client.edit(message))[0] for _ in range(9)]
    assert statuses == [200] * 5 + [429] * 4
    assert client.server.rates.refused == 3
    assert client.server.ban.turned_away == 1


@pytest.mark.parametrize(
    ("method", "path", "age", "most"),
    [
        pytest.param("GET", "/users/@me", 0.0, 50, id="all requests in a second"),
        pytest.param("PATCH", "/channels/1/messages/2", 0.0, 5, id="edits"),
        pytest.param("PATCH", "/channels/1/messages/2", 3601.0, 3, id="edits of old messages"),
        pytest.param("POST", "/channels/1/messages", 0.0, 5, id="posts"),
        pytest.param("DELETE", "/channels/1/messages/2", 0.0, 5, id="deletes"),
        pytest.param("PATCH", "/webhooks/1/token/messages/@original", 0.0, 5, id="edits by token"),
    ],
)
def test_as_discord_turns_every_limit_on(method: str, path: str, age: float, most: int) -> None:
    rates = Rates(seconds=0.5, clock=ManualClock())
    rates.as_discord()
    refused = [rates.judge(method, path, age).refusal is not None for _ in range(most + 1)]
    assert refused == [False] * most + [True]


def test_as_discord_never_refuses_an_answer_to_an_interaction() -> None:
    rates = Rates(clock=ManualClock())
    rates.as_discord()
    assert not any(rates.judge("POST", f"/interactions/{n}/token/callback").refusal for n in range(200))
