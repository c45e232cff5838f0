"""Two worlds in which the same things happen, compared after each of them."""

import re
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Any

from tests.secrecy.postbox import Message
from tests.secrecy.revealed import difference
from tests.secrecy.world import World

Act = Callable[[World], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Found:
    """A button or menu, and its message."""

    message: Message
    node: dict[str, Any]

    @property
    def custom_id(self) -> str:
        """Its custom_id."""
        return self.node["custom_id"]

    @property
    def verb(self) -> str:
        """The verb in its custom_id."""
        return self.custom_id.split(":")[1]

    @property
    def options(self) -> list[str]:
        """The values of a menu's options."""
        return [option["value"] for option in self.node.get("options", [])]


class Pair:
    """Twin worlds. `blind_to`: users whose private messages may differ. `compared`: the number of comparisons.

    `at` says what was being done; it is part of the error when the worlds differ.
    """

    def __init__(self, one: World, other: World, blind_to: Collection[int]) -> None:
        self.worlds = (one, other)
        self.blind_to = blind_to
        self.compared = 0
        self.requests = 0
        self.done: set[str] = set()
        self.at = ""

    async def both(self, what: str, act: Act, *, measured: bool = True) -> None:
        """Act in both worlds and compare them. `measured`: compare the metrics, too.

        Comparing metrics takes longer than everything else. They are cumulative, so now and then is enough.

        Raises:
            AssertionError: if somebody could tell the worlds apart by the outcome.
        """
        for world in self.worlds:
            await act(world)
        one, other = (world.revealed(measured=measured) for world in self.worlds)
        self.compared += 1
        self.requests += len(one.sent)
        found = difference(one, other, blind_to=self.blind_to)
        assert found is None, f"{self.at}: after {what}, {found}"

    # ------------------------------------------------------------------------------------------ users' actions
    async def slash(self, person_id: int, channel_id: int, name: str) -> None:
        """Send a command such as "escoba hand"."""

        async def act(world: World) -> None:
            await world.happens(world.box.slash(person_id, channel_id, name))

        self.done.add(name)
        await self.both(f"/{name} by person {person_id}", act)

    def find(self, person_id: int, channel_id: int, pattern: str, *, disabled: bool = False) -> list[Found]:
        """The matching buttons and menus on the newest message with one that the person sees in the first world."""
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
        """Press the newest button or menu whose custom_id matches. Returns whether there is one.

        `values`: what is chosen in a menu. `forged`: a custom_id to send instead.
        """
        first, *others = self.worlds
        found = [_find(first, person_id, channel_id, pattern, disabled=forged is not None)]
        # In the other world, on the same kind of message: how messages of several readers interleave is chance.
        kind = {found[0][0].message.reader} if found[0] else {None, person_id}
        found += [
            _find(world, person_id, channel_id, pattern, disabled=forged is not None, readers=kind) for world in others
        ]
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

    # ------------------------------------------------------------------------------------------ other events
    async def pass_time(self, seconds: float) -> None:
        """Move both clocks forward."""
        await self.both(f"{seconds} s", lambda world: world.pass_time(seconds))

    async def restart(self) -> None:
        """Stop both bots and start new ones on their databases."""
        await self.both("the end", World.stop)
        await self.both("a restart", World.start)

    def refuse(self, on: bool) -> None:
        """Make the stores refuse entries, or accept them again."""
        for world in self.worlds:
            world.refuse(on)


def _find(
    world: World,
    person_id: int,
    channel_id: int,
    pattern: str,
    *,
    disabled: bool,
    readers: Collection[int | None] | None = None,
) -> list[Found]:
    """`readers`: whose messages to look at; None: all that the person sees."""
    for message in world.box.seen_by(person_id, channel_id):
        if readers is not None and message.reader not in readers:
            continue
        nodes = message.nodes(disabled=disabled)
        if found := [Found(message, node) for node in nodes if re.fullmatch(pattern, node["custom_id"])]:
            return found
    return []
