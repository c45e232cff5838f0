"""Two worlds in which the same things happen, compared after each of them."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Any

from tests.secrecy.postbox import Message
from tests.secrecy.told import difference
from tests.secrecy.world import World

Act = Callable[[World], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Found:
    """A button or menu on a message."""

    message: Message
    node: dict[str, Any]

    @property
    def custom_id(self) -> str:
        """What it carries."""
        return self.node["custom_id"]

    @property
    def verb(self) -> str:
        """What it does."""
        return self.custom_id.split(":")[1]

    @property
    def options(self) -> list[str]:
        """What a menu offers."""
        return [option["value"] for option in self.node.get("options", [])]


class Pair:
    """Twin worlds. `blind_to`: whose own messages may differ; `compared` counts the comparisons.

    Whatever is said to have happened in `at` is told when the worlds differ.
    """

    def __init__(self, one: World, other: World, blind_to: Collection[int]) -> None:
        self.worlds = (one, other)
        self.blind_to = blind_to
        self.compared = 0
        self.requests = 0
        self.done: set[str] = set()
        self.at = ""

    async def both(self, what: str, act: Act, *, measured: bool = True) -> None:
        """Let it happen in both worlds. `measured`: the metrics are compared, too.

        That takes longer than all the rest; they tell of all that has been, so that now and then will do.

        Raises:
            AssertionError: if somebody could tell them apart by what comes of it.
        """
        for world in self.worlds:
            await act(world)
        one, other = (world.told(measured=measured) for world in self.worlds)
        self.compared += 1
        self.requests += len(one.sent)
        found = difference(one, other, blind_to=self.blind_to)
        assert found is None, f"{self.at}: after {what}, {found}"

    # ------------------------------------------------------------------------------------------ what people do
    async def slash(self, person_id: int, channel_id: int, name: str) -> None:
        """Somebody sends a command such as "escoba hand"."""

        async def act(world: World) -> None:
            await world.happens(world.box.slash(person_id, channel_id, name))

        self.done.add(name)
        await self.both(f"/{name} by person {person_id}", act)

    def find(self, person_id: int, channel_id: int, pattern: str, *, disabled: bool = False) -> list[Found]:
        """The buttons and menus of that custom_id that somebody sees in the first world, on the newest such message."""
        return _find(self.worlds[0], person_id, channel_id, pattern, disabled=disabled)

    async def press(
        self,
        person_id: int,
        channel_id: int,
        pattern: str,
        values: list[str] | None = None,
        *,
        forged: str | None = None,
    ) -> bool:
        """Somebody presses the newest button of that custom_id they see; whether there is one.

        `values`: what they choose in a menu. `forged`: the custom_id that is sent in its place.
        """
        found = [_find(world, person_id, channel_id, pattern, disabled=forged is not None) for world in self.worlds]
        if not any(found):
            return False
        assert all(found), f"{self.at}: person {person_id} sees {pattern} in one world only"
        custom_id = forged or found[0][0].custom_id
        messages = {id(world): each[0].message for world, each in zip(self.worlds, found, strict=True)}

        self.done.add("forged" if forged else custom_id.split(":")[1])

        async def act(world: World) -> None:
            await world.happens(world.box.click(person_id, messages[id(world)], custom_id, values))

        await self.both(f"{custom_id} by person {person_id}", act, measured=False)
        return True

    # ------------------------------------------------------------------------------------------ what happens else
    async def pass_time(self, seconds: float) -> None:
        """Time goes by."""
        await self.both(f"{seconds} s", lambda world: world.pass_time(seconds))

    async def restart(self) -> None:
        """Both bots are stopped, and others begin where they were."""
        await self.both("the end", World.stop)
        await self.both("a restart", World.start)

    def refuse(self, on: bool) -> None:
        """The stores take no entries, or take them again."""
        for world in self.worlds:
            world.refuse(on)


def _find(world: World, person_id: int, channel_id: int, pattern: str, *, disabled: bool) -> list[Found]:
    for message in world.box.seen_by(person_id, channel_id):
        nodes = message.nodes(disabled=disabled)
        if found := [Found(message, node) for node in nodes if re.fullmatch(pattern, node["custom_id"])]:
            return found
    return []
