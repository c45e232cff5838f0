"""Positions of days: the first one stored for a day stays."""

import asyncio
from datetime import date, timedelta
from pathlib import Path

from bot.process.stores import Stores

TODAY = date(2026, 3, 14)
DAY = timedelta(days=1)


async def test_the_first_position_of_a_day_stays_even_if_several_processes_store_one(
    store: Stores, database: str | Path
) -> None:
    other = await Stores.open(database)
    texts = await asyncio.gather(*(each.days.add_position(TODAY, f"{n}") for n, each in enumerate([store, other] * 4)))
    assert len(set(texts)) == 1
    assert await store.days.position(TODAY) == await other.days.position(TODAY) == texts[0]
    await other.database.close()


async def test_the_days_with_a_position_are_known(store: Stores) -> None:
    assert await store.days.position(TODAY) is None
    for day in (TODAY - DAY, TODAY, TODAY + 2 * DAY, TODAY + 8 * DAY):
        await store.days.add_position(day, "it")
    assert await store.days.known(TODAY, TODAY + 7 * DAY) == {TODAY, TODAY + 2 * DAY}
