"""What a process with only some of the shards reads: its own servers' games, and whom to erase from them."""

from bot.platform.shards import ALL, Shards
from bot.privacy.live.erasure import Disguise
from bot.process.stores import Stores
from tests.support.store import NOON, OPENER, entry

ANA = 1_300_000_000_000_000_011
SOME, REST = Shards.parse("0,3/5"), Shards.parse("1-2,4/5")


async def game_on_shard(store: Stores, shard: int, channel: int, *joined: int) -> int:
    """A game on a server of one of five shards."""
    row = await store.games.open(
        guild_id=((10**11 * 5 + shard) << 22) + 12345,
        channel_id=channel,
        opener_id=OPENER,
        locale="es",
        at=NOON,
        entries=[entry(1)],
        joined=joined,
    )
    return row.id


async def test_only_games_of_ones_own_shards_are_listed(store: Stores) -> None:
    ids = [await game_on_shard(store, number % 5, number) for number in range(10)]
    for closed in (0, 1):
        await store.games.append(ids[closed], [], close=True)
        await store.games.set_message(ids[closed], 7, NOON)
    assert [game.id for game in await store.games.open_games("played", SOME)] == [ids[n] for n in (3, 5, 8)]
    assert [game.id for game in await store.games.open_games("played", REST)] == [ids[n] for n in (2, 4, 6, 7, 9)]
    assert [game.id for game in await store.games.open_games("played", ALL)] == ids[2:]
    assert await store.games.unshown_ends(SOME) == ids[:1]
    assert await store.games.unshown_ends(REST) == ids[1:2]
    assert await store.games.unshown_ends() == ids[:2]


async def test_an_erasure_is_recorded_for_the_open_games_of_other_shards(store: Stores) -> None:
    here, there, closed, other = [
        await game_on_shard(store, shard, number, *joined)
        for number, (shard, joined) in enumerate([(0, [ANA]), (1, [ANA]), (2, [ANA]), (4, [])])
    ]
    await store.games.append(closed, [], close=True)
    touched = await store.personal_data.forget(ANA, Disguise(ANA).rewriter, NOON, open_games=[here], shards=SOME)
    assert touched == 1, "one game here has the person"
    assert await store.personal_data.erasures_due(SOME) == []
    assert await store.personal_data.erasures_due(REST) == [(there, ANA)]
    assert await store.personal_data.erasures_due() == [(there, ANA)]
    await store.personal_data.forget_in(there, ANA, Disguise(ANA).rewriter)
    assert await store.personal_data.erasures_due(REST) == []
    assert (await store.personal_data.of(ANA)).games == ()
    assert await store.personal_data.forget(ANA, Disguise(ANA).rewriter, NOON, open_games=[here], shards=SOME) == 0
    assert await store.personal_data.forget(OPENER, Disguise(OPENER).rewriter, NOON, shards=SOME) == 3
    assert await store.personal_data.erasures_due(REST) == [(there, OPENER), (other, OPENER)]


async def test_small_values_are_found_by_the_prefix_of_their_keys(store: Stores) -> None:
    for key in ("shown", "shown0-1/4", "show", "Shown", "s%own"):
        await store.values.set(key, key)
    assert set(await store.values.of("shown")) == {"", "0-1/4"}
    assert set(await store.values.of("s%")) == {"own"}
