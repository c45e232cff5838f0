"""The simulated gateway: its budget of sessions, its close codes and its shards."""

import asyncio
from typing import Any

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.support.patience import HANG_SECONDS
from tests.wire.client import Client, ManualClock
from tests.wire.gateway import INVALID_SESSION
from tests.wire.link import ABNORMAL
from tests.wire.process import TOKEN
from tests.wire.starts import DAY, Shard


async def session_limit(client: Client) -> dict[str, int]:
    """What Discord says about the budget of sessions."""
    status, _, body = await client.ask("GET", "/gateway/bot")
    assert status == 200
    assert (body["url"], body["shards"]) == (client.server.gateway.url, client.server.gateway.shards)
    return body["session_start_limit"]


# ---------------------------------------------------------------------------------------------------- the budget
async def test_the_budget_of_sessions_is_counted(client: Client, clock: ManualClock) -> None:
    assert await session_limit(client) == {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
    for _ in range(3):
        async with client.listening():
            clock.advance(10.0)
    left = await session_limit(client)
    assert (left["remaining"], left["reset_after"]) == (997, int((DAY - 30) * 1000))
    clock.advance(DAY - 30)
    assert (await session_limit(client))["remaining"] == 1000


async def test_a_resumed_session_costs_nothing(client: Client) -> None:
    async with client.connected() as bot:
        await bot.identify()
        session = (await bot.frame())["d"]["session_id"]
        await bot.socket.close(code=4000)
    async with client.connected() as bot:
        await bot.resume(session)
        assert await bot.heard("RESUMED") == {}
    assert (await session_limit(client))["remaining"] == 999


async def test_a_session_that_the_bot_closes_itself_cannot_be_resumed(client: Client) -> None:
    async with client.connected() as bot:
        await bot.identify()
        session = (await bot.frame())["d"]["session_id"]
        await bot.socket.close(code=1000)
    async with client.connected() as bot:
        await bot.resume(session)
        assert (await bot.frame())["op"] == INVALID_SESSION


async def test_a_test_can_set_how_much_of_the_budget_is_spent(client: Client) -> None:
    client.server.gateway.starts.used = 995
    assert (await session_limit(client))["remaining"] == 5
    client.server.gateway.starts.used = 2000
    assert (await session_limit(client))["remaining"] == 0


async def test_a_bot_that_exceeds_the_budget_loses_its_token(client: Client) -> None:
    client.server.gateway.starts.total, client.server.gateway.starts.resets_token = 1, True
    async with client.listening() as first, client.connected() as second:
        await second.identify()
        assert (await second.code(), await first.code()) == (4004, 4004)
    assert (await client.ask("GET", "/gateway/bot"))[0] == 401


async def test_a_second_identify_within_five_seconds_begins_no_session(client: Client, clock: ManualClock) -> None:
    client.server.gateway.starts.seconds = 5.0
    async with client.listening(), client.connected() as bot:
        await bot.identify()
        assert await bot.frame() == {"op": INVALID_SESSION, "d": False, "s": None, "t": None}
        clock.advance(5.0)
        await bot.identify()
        assert (await bot.frame())["t"] == "READY"
    assert client.server.gateway.starts.refused == 1
    assert (await session_limit(client))["remaining"] == 997, "the refused IDENTIFY counts, too"


async def test_with_more_concurrency_shards_can_begin_together(client: Client, clock: ManualClock) -> None:
    starts = client.server.gateway.starts
    starts.seconds, starts.max_concurrency = 5.0, 2
    async with client.listening((0, 3)), client.listening((1, 3)), client.connected() as third:
        await third.identify((2, 3))  # in the same bucket as the first
        assert (await third.frame())["op"] == INVALID_SESSION


# ------------------------------------------------------------------------------------------------ the close codes
@pytest.mark.parametrize("code", [4000, 4004, 4011, 4014])
async def test_a_test_can_close_the_connection_with_any_code(client: Client, code: int) -> None:
    async with client.listening() as bot:
        await client.server.gateway.close(code)
        assert await bot.code() == code


async def test_a_test_can_cut_the_connection_without_a_code(client: Client) -> None:
    async with client.listening() as bot:
        await client.server.gateway.close(ABNORMAL)
        assert await bot.code() == ABNORMAL


@pytest.mark.parametrize(("code", "resumable"), [(4000, True), (ABNORMAL, True), (4004, False), (4014, False)])
async def test_some_close_codes_end_the_session_for_good(client: Client, code: int, resumable: bool) -> None:
    async with client.connected() as bot:
        await bot.identify()
        session = (await bot.frame())["d"]["session_id"]
        await client.server.gateway.close(code)
    async with client.connected() as bot:
        await bot.resume(session)
        frame = await bot.frame()
        assert (frame["op"] == INVALID_SESSION) is not resumable


async def test_a_test_can_have_every_identify_refused_with_a_code(client: Client) -> None:
    client.server.gateway.refuses = 4014
    for _ in range(2):
        async with client.connected() as bot:
            await bot.identify()
            assert await bot.code() == 4014
    assert client.server.gateway.identifies == 0


async def test_a_wrong_token_is_refused(client: Client) -> None:
    async with client.connected() as bot:
        await bot.identify(token="another")
        assert await bot.code() == 4004


async def test_a_bot_with_too_few_shards_is_refused(client: Client) -> None:
    client.server.gateway.shards = client.server.gateway.shards_needed = 2
    for shard, code in ((None, 4011), ((0, 1), 4011), ((2, 2), 4010)):
        async with client.connected() as bot:
            await bot.identify(shard)
            assert await bot.code() == code
    await session_limit(client)
    async with client.listening((0, 2)):
        assert client.server.gateway.shards_online == {0}


# ----------------------------------------------------------------------------------------------------- the shards
def test_a_servers_id_says_which_shard_it_belongs_to() -> None:
    assert [Shard(number, 4).has(7 << 22) for number in range(4)] == [False, False, False, True]
    assert Shard().has(7 << 22)
    assert Shard.of({"shard": [1, 1]}) is None


async def test_each_shard_hears_only_of_its_own_servers(client: Client) -> None:
    guilds = [client.realm.add_guild(f"G{number}", shard=(number, 2)) for number in range(2)]
    channels = [client.realm.add_channel(f"c{number}", guild) for number, guild in enumerate(guilds)]
    async with client.listening((0, 2)) as zero, client.listening((1, 2)) as one:
        for number, bot in enumerate((zero, one)):
            client.realm.remove_channel(channels[number])
            events = await bot.until("CHANNEL_DELETE")
            heard = {int(data["id"]) for name, data in events if name == "GUILD_CREATE"}
            assert guilds[number] in heard
            assert guilds[1 - number] not in heard
            assert all(guild >> 22 & 1 == number for guild in heard)
            assert int(events[-1][1]["guild_id"]) == guilds[number]
        assert client.server.gateway.shards_online == {0, 1}
        await client.server.gateway.close(4000, shard=1)
        assert await one.code() == 4000
        assert client.server.gateway.shards_online == {0}


async def test_a_click_goes_to_the_shard_of_its_server(client: Client) -> None:
    guild = client.realm.add_guild("other", shard=(1 - (client.realm.guild_id >> 22) % 2, 2))
    channel, person = client.realm.add_channel("c", guild), client.realm.add_person("Bea", guild)
    home = (client.realm.guild_id >> 22) % 2
    async with client.listening((home, 2)) as here, client.listening((1 - home, 2)) as there:
        _, payload = client.realm.modal(person, channel, "e:x:1:1", {})
        client.realm.backend.emit("INTERACTION_CREATE", payload)
        _, mine = client.realm.modal(client.person, client.channel, "e:x:1:1", {})
        client.realm.backend.emit("INTERACTION_CREATE", mine)
        assert (await there.heard("INTERACTION_CREATE"))["id"] == payload["id"]
        assert (await here.heard("INTERACTION_CREATE"))["id"] == mine["id"]


async def test_a_shard_may_have_several_sessions_and_each_gets_every_event(client: Client) -> None:
    async with client.listening((0, 1)) as first, client.listening((0, 1)) as second:
        assert client.server.gateway.sessions_online(0) == 2
        _, payload = client.realm.modal(client.person, client.channel, "e:x:1:1", {})
        client.realm.backend.emit("INTERACTION_CREATE", payload)
        assert (await first.heard("INTERACTION_CREATE"))["id"] == payload["id"]
        assert (await second.heard("INTERACTION_CREATE"))["id"] == payload["id"]


class Sharded(discord.AutoShardedClient):
    """A real client that doesn't wait between its shards' IDENTIFYs."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.all_ready = asyncio.Event()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        return

    async def on_ready(self) -> None:
        self.all_ready.set()


@pytest.mark.thorough
async def test_discord_pys_sharded_client_finds_all_its_servers(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Route, "BASE", client.server.api)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(client.server.gateway.url))
    client.server.gateway.shards = client.server.gateway.shards_needed = 2
    guilds = {client.realm.add_guild(f"G{number}", shard=(number % 2, 2)) for number in range(4)}
    async with Sharded() as bot:
        running: asyncio.Task[Any] = asyncio.create_task(bot.start(TOKEN))
        async with asyncio.timeout(HANG_SECONDS):
            await bot.all_ready.wait()
        assert (bot.shard_count, set(bot.shards)) == (2, {0, 1})
        assert {guild.id for guild in bot.guilds} == guilds | {client.realm.guild_id}
        assert all(guild.shard_id == (guild.id >> 22) % 2 for guild in bot.guilds)
        await bot.close()
        await running
