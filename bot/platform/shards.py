"""The part of a bot's servers that one process serves: Discord's shards, as a value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Self

SNOWFLAKE_SHIFT: Final = 22
"""The number of low bits of a server's id that Discord ignores when it assigns the server to a shard."""
MOST: Final = 16_384
"""An upper bound, higher than any bot's number of shards."""
_TEXT: Final = re.compile(r"([0-9]{1,5}(?:-[0-9]{1,5})?(?:,[0-9]{1,5}(?:-[0-9]{1,5})?)*)/([0-9]{1,5})")


@dataclass(frozen=True, slots=True)
class Shards:
    """Some of `count` shards, by their numbers from 0 to count - 1, in ascending order."""

    numbers: tuple[int, ...] = (0,)
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read shards and their count, such as `0-3/16` or `0,2/4`.

        Raises:
            ValueError: if the text is invalid, or names a shard twice or one that doesn't exist.
        """
        match = _TEXT.fullmatch("".join(text.split()))
        if match is None:
            raise ValueError("not shards")
        count, numbers = int(match[2]), set[int]()
        for part in match[1].split(","):
            first, _, last = part.partition("-")
            some = range(int(first), int(last or first) + 1)
            if not some or not numbers.isdisjoint(some):
                raise ValueError("an empty range, or a shard that is named twice")
            numbers.update(some)
        if max(numbers) >= count or count > MOST:
            raise ValueError("no such shard")
        return cls(tuple(sorted(numbers)), count)

    @classmethod
    def read(cls, text: str) -> Self:
        """Like `parse`; an invalid text means all shards."""
        try:
            return cls.parse(text)
        except ValueError:
            return cls()

    def meets(self, other: Shards) -> bool:
        """Whether a server may belong to both these shards and the others."""
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
        return (guild_id >> SNOWFLAKE_SHIFT) % self.count

    def has(self, guild_id: int) -> bool:
        return self.of(guild_id) in self.numbers

    @property
    def first(self) -> bool:
        """Whether shard 0 is among them: the process that has it does the jobs that exactly one process must do."""
        return 0 in self.numbers

    @property
    def complete(self) -> bool:
        return len(self.numbers) == self.count

    @property
    def share(self) -> float:
        """The fraction of all shards that these are, above 0 and up to 1."""
        return len(self.numbers) / self.count


ALL: Final = Shards()
"""All servers, however many shards there are."""
