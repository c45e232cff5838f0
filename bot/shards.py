"""Which part of a bot's servers one process serves: Discord's shards, as a value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Self

SNOWFLAKE_SHIFT: Final = 22
"""Discord deals servers out by their ids without these lowest bits."""
MOST: Final = 16_384
"""More shards than any bot has."""
_TEXT: Final = re.compile(r"([0-9]{1,5}(?:-[0-9]{1,5})?(?:,[0-9]{1,5}(?:-[0-9]{1,5})?)*)/([0-9]{1,5})")


@dataclass(frozen=True, slots=True)
class Shards:
    """Some of `count` shards, by their numbers from 0 on, in order."""

    numbers: tuple[int, ...] = (0,)
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """The shards of a text as `0-3/16` or `0,2/4`: which, and of how many.

        Raises:
            ValueError: if it is no such text, or names a shard that there isn't.
        """
        match = _TEXT.fullmatch("".join(text.split()))
        if match is None:
            raise ValueError("not shards")
        count, numbers = int(match[2]), set[int]()
        for part in match[1].split(","):
            first, _, last = part.partition("-")
            some = range(int(first), int(last or first) + 1)
            if not some or not numbers.isdisjoint(some):
                raise ValueError("a range that is empty, or a shard that is named twice")
            numbers.update(some)
        if max(numbers) >= count or count > MOST:
            raise ValueError("no such shard")
        return cls(tuple(sorted(numbers)), count)

    @classmethod
    def read(cls, text: str) -> Self:
        """The shards of a text; of one that names none all of them, in however many."""
        try:
            return cls.parse(text)
        except ValueError:
            return cls()

    def meets(self, other: Shards) -> bool:
        """Whether a server may be of these and of the others."""
        return self.count != other.count or not set(self.numbers).isdisjoint(other.numbers)

    def __str__(self) -> str:
        parts: list[list[int]] = []
        for number in self.numbers:
            if parts and parts[-1][-1] == number - 1:
                parts[-1][1:] = [number]
            else:
                parts.append([number])
        return f"{','.join('-'.join(map(str, part)) for part in parts)}/{self.count}"

    def of(self, guild_id: int) -> int:
        """The shard of a server."""
        return (guild_id >> SNOWFLAKE_SHIFT) % self.count

    def has(self, guild_id: int) -> bool:
        """Whether a server is of one of these shards."""
        return self.of(guild_id) in self.numbers

    @property
    def first(self) -> bool:
        """Whether shard 0 is among them: its process does what is to be done once for all."""
        return 0 in self.numbers

    @property
    def complete(self) -> bool:
        """Whether these are all."""
        return len(self.numbers) == self.count

    @property
    def share(self) -> float:
        """Which part of all they are, 0 to 1."""
        return len(self.numbers) / self.count


ALL: Final = Shards()
"""All servers, in however many shards they are."""
