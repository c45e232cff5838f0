"""The simulated gateway's single connections: their frames, heartbeats and limits, and how sessions change over."""

import asyncio
import json

from tests.wire.client import GUILDS, Client, Listener
from tests.wire.gateway import DISPATCH, IDENTIFY, INVALID_SESSION
from tests.wire.link import FRAMES, HEARTBEAT, HEARTBEAT_ACK, RATE_LIMITED, SESSION_TIMED_OUT
from tests.wire.process import TOKEN

BEAT = {"op": HEARTBEAT, "d": None}


async def begun(bot: Listener) -> str:
    """Begin a session; returns its id."""
    await bot.identify()
    return (await bot.frame())["d"]["session_id"]


async def test_a_frame_may_be_text_or_binary(client: Client) -> None:
    async with client.connected() as bot:
        await bot.socket.send_bytes(json.dumps(BEAT).encode())
        assert (await bot.frame())["op"] == HEARTBEAT_ACK
        data = {"token": TOKEN, "intents": GUILDS, "properties": {}}
        await bot.socket.send_bytes(json.dumps({"op": IDENTIFY, "d": data}).encode())
        assert (await bot.frame())["t"] == "READY"


async def test_discord_may_ask_for_a_heartbeat(client: Client) -> None:
    async with client.listening() as bot:
        await client.server.gateway.ask_for_heartbeats()
        while (frame := await bot.frame())["op"] == DISPATCH:
            pass
        assert frame["op"] == HEARTBEAT
        await bot.socket.send_json(BEAT)
        assert (await bot.frame())["op"] == HEARTBEAT_ACK
        assert client.server.gateway.heartbeats == 1


async def test_a_connection_without_heartbeats_is_closed_and_its_session_can_be_resumed(client: Client) -> None:
    client.server.gateway.heartbeat_seconds = 0.2
    async with client.connected() as bot:
        session = await begun(bot)
        for _ in range(3):
            await asyncio.sleep(0.15)
            await bot.socket.send_json(BEAT)
        assert client.server.gateway.online
        assert await bot.code() == SESSION_TIMED_OUT
    client.server.gateway.heartbeat_seconds = 60.0
    async with client.connected() as bot:
        await bot.resume(session)
        assert await bot.heard("RESUMED") == {}


async def test_a_client_may_send_120_frames_a_minute(client: Client) -> None:
    async with client.connected() as bot:
        for number in range(FRAMES):
            await (begun(bot) if not number else bot.socket.send_json(BEAT))
        assert not bot.socket.closed
        await bot.socket.send_json(BEAT)
        assert await bot.code() == RATE_LIMITED == 4008


async def test_a_number_that_discord_has_not_sent_yet_ends_the_session(client: Client) -> None:
    async with client.connected() as bot:
        session = await begun(bot)
        await bot.socket.close(code=4000)
    async with client.connected() as bot:
        await bot.resume(session, 1000)
        assert await bot.code() == 4007
    async with client.connected() as bot:
        await bot.resume(session)
        assert (await bot.frame())["op"] == INVALID_SESSION


async def test_a_session_that_is_resumed_elsewhere_leaves_its_older_connection(client: Client) -> None:
    async with client.connected() as older, client.connected() as newer:
        session = await begun(older)
        closed = asyncio.create_task(older.code())
        await newer.resume(session)
        assert await newer.heard("RESUMED") == {}
        client.realm.add_channel("otra")
        assert await newer.heard("CHANNEL_CREATE")
        assert await closed == 4000
        assert client.server.gateway.sessions_online(0) == 1
