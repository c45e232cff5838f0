"""The limits of requests with interactions' tokens, and how long the bot waits because of them."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import discord
import pytest
from discord.http import MultipartParameters, Route
from discord.webhook.async_ import AsyncWebhookAdapter
from multidict import CIMultiDict, CIMultiDictProxy

from bot.platform.transport.trouble import NETWORK
from bot.platform.transport.webhooks import LONGEST_SECONDS, FollowUps, Webhooks


class Time:
    """Seconds that pass only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def follow_ups(time: Time) -> FollowUps:
    return FollowUps(6, time, time.sleep)


async def test_a_follow_up_waits_until_the_minute_has_room_for_it(time: Time, follow_ups: FollowUps):
    for number in range(6):
        await follow_ups.turn(f"t{number}", new=True)
    assert time.now == 1000
    time.now += 55
    await follow_ups.turn("another", new=True)
    assert 1060 < time.now < 1062
    await follow_ups.turn("another", new=True)
    assert time.now < 1062, "the others are over a minute old, too"


async def test_edits_take_no_room_and_need_none(time: Time, follow_ups: FollowUps):
    for number in range(20):
        await follow_ups.turn("token", new=number % 4 == 0)
    assert time.now == 1000
    assert not follow_ups.has_room("token")


async def test_an_undocumented_limit_delays_an_answer_only_for_a_while(time: Time, follow_ups: FollowUps):
    for number in range(7):
        await follow_ups.turn(f"t{number}", new=True)
    assert time.now == 1000 + LONGEST_SECONDS


async def test_a_limit_from_discord_holds_for_the_follow_ups_of_all_tokens(time: Time, follow_ups: FollowUps):
    follow_ups.refused("a", 40.0, new=True)
    for token in ("a", "b"):
        assert not follow_ups.has_room(token)
        with pytest.raises(discord.RateLimited) as error:
            await follow_ups.turn(token, new=True)
        assert error.value.retry_after == 40
    await follow_ups.turn("b", new=False)
    assert time.now == 1000
    time.now += 35
    await follow_ups.turn("b", new=True)
    assert time.now == 1040


async def test_a_token_that_is_used_up_stops_no_other(time: Time, follow_ups: FollowUps):
    follow_ups.used_up("a", 2.0)
    assert not follow_ups.has_room("a")
    assert follow_ups.has_room("b")
    await follow_ups.turn("b", new=True)
    assert time.now == 1000
    await follow_ups.turn("a", new=False)
    assert time.now == 1002


async def test_follow_ups_nobody_waits_for_have_room_while_a_third_is_free(time: Time, follow_ups: FollowUps):
    for _ in range(4):
        assert follow_ups.has_room("token")
        await follow_ups.turn("token", new=True)
    assert not follow_ups.has_room("token")
    time.now += 62
    assert follow_ups.has_room("token")


async def test_without_a_limit_there_is_always_room(time: Time):
    unlimited = FollowUps(0, time, time.sleep)
    for _ in range(100):
        await unlimited.turn("token", new=True)
    assert unlimited.has_room("token")
    assert time.now == 1000


# ------------------------------------------------------------------------------------------- discord.py's requests


class Answer:
    """A response of Discord."""

    def __init__(self, status: int = 200, *, body: str = '{"id": "5", "retry_after": 0.0}', **headers: str) -> None:
        self.body = body
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.status = status
        self.reason = "as the test says"
        self.headers = CIMultiDictProxy(CIMultiDict({**named, "Content-Type": "application/json"}))

    async def text(self, encoding: str) -> str:
        return self.body

    async def read(self) -> bytes:
        return self.body.encode()


TOKEN = "token"


class Session:
    """Answers requests with interactions' tokens: one after the other as the test says, then always with success."""

    closed = False

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, str]] = []

    @asynccontextmanager
    async def request(self, method: str, url: str, **_: Any) -> AsyncGenerator[Answer]:
        self.asked.append((method, url.partition("/api/v10/")[2]))
        yield self.answers.pop(0) if self.answers else Answer()


async def send(adapter: AsyncWebhookAdapter, session: Any, token: str = TOKEN) -> Any:
    return await adapter.execute_webhook(1, token, session=session, payload={}, wait=True)


async def edit(adapter: AsyncWebhookAdapter, session: Any, token: str = TOKEN) -> Any:
    return await adapter.edit_webhook_message(1, token, 5, session=session, payload={})


async def test_a_request_that_discord_limits_for_minutes_raises_and_is_not_tried_again(
    time: Time, follow_ups: FollowUps
):
    session, adapter = Session(Answer(429, Retry_After="600", Via="1.1 google")), Webhooks(follow_ups)
    for seconds in (600, 590):
        with pytest.raises(discord.RateLimited) as error:
            await edit(adapter, session)
        assert error.value.retry_after == seconds
        time.now += 10
    assert len(session.asked) == 1, "each further attempt would count towards a ban"
    await edit(adapter, session, "another")
    time.now += 590
    await edit(adapter, session)
    assert len(session.asked) == 3


async def test_the_time_to_wait_may_be_only_in_the_body(time: Time, follow_ups: FollowUps):
    session = Session(Answer(429, body='{"retry_after": 600}', Via="1.1 google"))
    with pytest.raises(discord.RateLimited) as error:
        await edit(Webhooks(follow_ups), session)
    assert error.value.retry_after == 600


async def test_a_short_limit_is_waited_for(time: Time, follow_ups: FollowUps):
    session, adapter = Session(Answer(429, Retry_After="2", Via="1.1 google")), Webhooks(follow_ups)
    assert (await edit(adapter, session))["id"] == "5"
    assert (len(session.asked), time.now) == (2, 1002)


async def test_the_last_request_that_a_token_has_is_answered_at_once_and_the_next_one_waits(
    time: Time, follow_ups: FollowUps
):
    used_up = Answer(X_RateLimit_Remaining="0", X_RateLimit_Reset_After="1.5")
    session, adapter = Session(used_up), Webhooks(follow_ups)
    await edit(adapter, session)
    assert time.now == 1000
    await edit(adapter, session)
    assert time.now == 1001.5


async def test_every_follow_up_goes_through_the_limiter_and_nothing_else_does(time: Time, follow_ups: FollowUps):
    session: Any = Session()
    adapter = Webhooks(follow_ups)
    for _ in range(20):
        await edit(adapter, session)
        await adapter.create_interaction_response(
            1, "token", session=session, params=MultipartParameters(payload={}, multipart=None, files=None)
        )
    assert follow_ups.has_room("token")
    for _ in range(6):
        await send(adapter, session)
    assert not follow_ups.has_room("token")
    await send(adapter, session)
    assert time.now == 1000 + LONGEST_SECONDS
    assert session.asked[-1][0] == "POST"


async def test_a_refused_first_answer_waits_for_no_limit_of_its_token(time: Time, follow_ups: FollowUps):
    follow_ups.used_up("token", 600)
    session: Any = Session()
    await Webhooks(follow_ups).create_interaction_response(
        1, "token", session=session, params=MultipartParameters(payload={}, multipart=None, files=None)
    )
    assert time.now == 1000


async def test_an_answer_after_the_bot_has_disconnected_fails_like_one_on_a_broken_connection() -> None:
    session = aiohttp.ClientSession()
    await session.close()
    route = Route("POST", "/interactions/{webhook_id}/{webhook_token}/callback", webhook_id=1, webhook_token="token")
    with pytest.raises(NETWORK):
        await Webhooks(FollowUps(30)).request(route, session, payload={})
