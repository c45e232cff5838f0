"""Where a player's chance comes from."""

from __future__ import annotations

from typing import Protocol


class Rng(Protocol):
    """The one thing a player needs of a random generator; `random.Random` offers it."""

    def random(self) -> float:
        """The next number, from 0 up to but not including 1."""
        ...


def shuffle(items: list[int], rng: Rng, begin: int = 0, end: int | None = None) -> None:
    """Put at each place from `begin` to before `end` any of the items from there on, each as likely."""
    draw, size = rng.random, len(items)
    for place in range(begin, size - 1 if end is None else min(end, size - 1)):
        other = place + int(draw() * (size - place))
        items[place], items[other] = items[other], items[place]
