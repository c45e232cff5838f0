"""What a process that stops hands over to the next one."""

from typing import Any, cast

from bot.platform.database.key_values import KeyValues
from bot.platform.shards import ALL
from bot.tables.boards.handover import Handover


class Values:
    """The part of a store that keeps values by key."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    async def of(self, prefix: str) -> dict[str, str]:
        return {key.removeprefix(prefix): value for key, value in self.kept.items() if key.startswith(prefix)}

    async def set(self, key: str, value: str | None) -> None:
        if value is None:
            self.kept.pop(key, None)
        else:
            self.kept[key] = value


async def started(values: Values) -> Handover:
    handover = Handover(cast(KeyValues, cast(Any, values)), ALL)
    await handover.read()
    return handover


async def test_what_messages_show_is_handed_over_once_and_only_to_the_next_process() -> None:
    values = Values()
    await (await started(values)).write({1: "one", 2: "two"})
    after = await started(values)
    assert [after.take_digest(number) for number in (1, 1, 3)] == ["one", None, None]
    assert (await started(values)).take_digest(2) is None, "digests are out of date once another process has begun"


async def test_a_process_that_stops_early_hands_on_what_nobody_asked_for() -> None:
    values = Values()
    await (await started(values)).write({1: "one", 2: "two"})
    brief = await started(values)
    assert brief.take_digest(1) == "one"
    await brief.write({1: "newer"})
    last = await started(values)
    assert (last.take_digest(1), last.take_digest(2)) == ("newer", "two")
