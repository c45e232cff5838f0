"""The interactions that are being handled are finished before the bot stops."""

import asyncio

from bot.platform.kit.host import InFlight


async def test_the_end_waits_for_what_is_being_handled_and_for_nothing_that_begins_later() -> None:
    in_flight, gates = InFlight(), [asyncio.Event(), asyncio.Event()]

    async def handle(number: int) -> None:
        with in_flight.begun(number):
            await gates[number].wait()

    handling = [asyncio.create_task(handle(0))]
    await asyncio.sleep(0)
    ending = asyncio.create_task(in_flight.finished())
    await asyncio.sleep(0)
    handling.append(asyncio.create_task(handle(1)))
    await asyncio.sleep(0)
    assert not ending.done()
    gates[0].set()
    await ending
    assert in_flight.handled() == [0]
    gates[1].set()
    await asyncio.gather(*handling)
    assert in_flight.handled() == [0, 1]
