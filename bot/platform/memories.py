"""All that a process remembers of people besides its database, so that whoever erases their data is forgotten too.

Whatever may hold a name or an id for longer than an answer takes is added here: caches of functions where they are
defined, and all else by those who build it.
"""

from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import Any, Final, TypeVar

Forget = Callable[[int], Awaitable[None] | None]
"""Forgets a person, by their id; everybody for 0."""
F = TypeVar("F", bound=Callable[..., Any])

_CACHES: Final[list[Callable[[], None]]] = []
"""Clear the caches of functions."""


def naming(cached: F) -> F:
    """Have a cached function, whose arguments or results may name people, forget them all with one."""
    clears(cached.cache_clear)  # pyright: ignore[reportFunctionMemberAccess] - every cached function has it
    return cached


def clears(clear: Callable[[], None]) -> None:
    """Call this whenever a person is forgotten."""
    _CACHES.append(clear)


class Memories:
    """All that one bot remembers of people."""

    def __init__(self) -> None:
        self._each: list[Forget] = []

    def add(self, *each: Forget) -> None:
        self._each += each

    async def forget(self, person_id: int) -> None:
        """Forget a person whose stored data is erased, or it could be read again; 0 if it may be anybody's.

        Raises StoreError or Refusal if something can't be read again without them; all else is forgotten then.
        """
        for clear in _CACHES:
            clear()
        failed: Exception | None = None
        for forget in self._each:
            try:
                done = forget(person_id)
                if isawaitable(done):
                    await done
            except Exception as error:
                failed = failed or error
        if failed is not None:
            raise failed
