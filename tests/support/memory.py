"""What a running bot remembers, found by following every reference from its parts and its modules."""

import gc
import sys
from collections.abc import Collection, Iterator
from functools import _lru_cache_wrapper  # pyright: ignore[reportPrivateUsage] - there is no public name for it
from types import FunctionType, ModuleType
from typing import Any, Final

from bot.process.app import EscobaBot

_OUTSIDE: Final = ("discord", "simcord", "tests", "asyncio", "sqlalchemy", "aiosqlite", "alembic", "PIL", "logging")
"""Packages whose objects aren't looked into: libraries', and the other side of the simulation."""


def remembered(bot: EscobaBot, wanted: Collection[str | int]) -> list[str]:
    """Say where a bot remembers one of these texts, or a text with it, or one of these numbers: a path for each."""
    gc.collect()
    texts, numbers = (
        [each for each in wanted if isinstance(each, str)],
        {each for each in wanted if isinstance(each, int)},
    )
    found: list[str] = []
    seen: set[int] = set()
    waiting = [(name, each) for name, each in _roots(bot)]
    kept = [each for _, each in waiting]  # so that no id is used again
    while waiting:
        path, each = waiting.pop()
        if isinstance(each, str):
            if any(text in each for text in texts):
                found.append(f"{path}: {each[:60]!r}")
            continue
        if isinstance(each, int):
            if each in numbers:
                found.append(f"{path}: {each}")
            continue
        if id(each) in seen or each.__class__.__module__.split(".")[0] in _OUTSIDE:
            continue
        seen.add(id(each))
        kept.append(each)
        waiting += [(f"{path} > {type(each).__name__}", part) for part in _parts(each)]
    return sorted(set(found))


def _roots(bot: EscobaBot) -> Iterator[tuple[str, Any]]:
    for name in ("host", "parts", "retention", "service", "luck"):
        yield name, getattr(bot, name)
    for name, module in [*sys.modules.items()]:
        if name.split(".")[0] in ("bot", "cogs"):
            yield from ((f"{name}.{key}", value) for key, value in [*vars(module).items()] if not key.startswith("__"))


def _parts(each: Any) -> list[Any]:
    if isinstance(each, ModuleType | type | EscobaBot):
        return []
    if isinstance(each, FunctionType):
        return [*(each.__closure__ or ()), *(each.__defaults__ or ())]
    if isinstance(each, _lru_cache_wrapper):
        return [part for part in gc.get_referents(each) if isinstance(part, dict) and part is not each.__dict__]
    return gc.get_referents(each)
