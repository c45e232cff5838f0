"""Lets all engines of a test process share the statements that SQLAlchemy has compiled.

A bot compiles each of its statements once, and then runs for months. Here every test opens engines of its own,
and compiling the same statements again took a twentieth of the tests' time.
"""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.util import LRUCache

MOST = 5_000
"""How many statements are kept."""


class SharedStatements(LRUCache[Any, Any]):
    """Compiled statements by SQLAlchemy's keys, with the type of the dialect in place of the engine's own dialect."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(_general(key), default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(_general(key), value)


def _general(key: tuple[Any, ...]) -> tuple[Any, ...]:
    return (type(key[0]), *key[1:])


def pytest_configure() -> None:
    """Make every engine use the same cache instead of its own.

    Called by pytest, and by the process from which bots on the wire are forked.
    """
    shared = SharedStatements(MOST)
    setattr(sa.Engine, "_compiled_cache", property(lambda engine: shared, lambda engine, own: None))  # noqa: B010
