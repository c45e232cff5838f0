"""What the bot does beside presses ends with it."""

import asyncio

from bot.platform.kit.host import Background


async def test_what_is_under_way_is_cancelled_and_nothing_more_is_begun_once_closed():
    background, begun, done = Background(), list[str](), list[str]()

    async def work(name: str) -> None:
        begun.append(name)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        done.append(name)

    background.spawn(work("before"))
    await asyncio.sleep(0)
    background.close()
    background.spawn(work("after"))
    await background.settle()
    assert (begun, done) == (["before"], [])
