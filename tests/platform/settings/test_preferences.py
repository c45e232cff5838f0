"""The cache of people's preferences holds only people who have chosen something."""

from typing import Any

from bot.platform.settings.documents import PreferencesCache
from bot.platform.settings.language import LanguagePreference

ANA = 1


class Stored:
    """The store, by a dict."""

    def __init__(self) -> None:
        self.texts: dict[int, str] = {}

    async def get(self, user_id: int) -> str | None:
        return self.texts.get(user_id)

    async def put(self, user_id: int, choices: str | None) -> None:
        self.texts.pop(user_id, None)
        if choices is not None:
            self.texts[user_id] = choices


async def chosen() -> tuple[PreferencesCache, Stored]:
    stored: Any = Stored()
    cache = PreferencesCache(stored)
    await cache.change(ANA, LanguagePreference, language="es")
    assert cache.people(LanguagePreference, lambda _: True) == [ANA]
    return cache, stored


async def test_somebody_erased_by_another_process_leaves_no_id_behind():
    cache, stored = await chosen()
    stored.texts.clear()
    await cache.refresh(ANA)
    assert cache.people(LanguagePreference, lambda _: True) == []
    assert cache.cached(ANA, LanguagePreference).language is None


async def test_whoever_chooses_the_default_again_is_forgotten_and_the_change_is_told():
    cache, stored = await chosen()
    told: list[int] = []
    cache.on_change = told.append
    await cache.change(ANA, LanguagePreference, language=None)
    assert cache.people(LanguagePreference, lambda _: True) == []
    assert (stored.texts, told) == ({}, [ANA])
