"""The source of randomness for players."""

from typing import Protocol


class Rng(Protocol):
    """A source of random numbers, with all that a player needs; `random.Random` provides it."""

    def random(self) -> float:
        """Return a number from 0 up to but not including 1."""
        ...


def shuffle(items: list[int], rng: Rng, begin: int = 0, end: int | None = None) -> None:
    """Shuffle in place: positions `begin` to `end` (exclusive) get a random sample of the items from `begin` on."""
    draw, size = rng.random, len(items)
    for place in range(begin, size - 1 if end is None else min(end, size - 1)):
        other = place + int(draw() * (size - place))
        items[place], items[other] = items[other], items[place]
