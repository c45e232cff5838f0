"""The choices of all servers and people, each as one stored document, from which every subject reads its own kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Final

from bot.platform.database.errors import StoreError
from bot.platform.database.key_values import KeyValues
from bot.platform.database.preferences import StoredPreferences
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.stored import C, Document

_NOTHING: Final = Document()


class Documents(ABC):
    """Documents by whose they are."""

    def __init__(self) -> None:
        self._documents: dict[int, Document] = {}

    async def of(self, owner_id: int | None, kind: type[C]) -> C:
        """Return somebody's choices of a kind; the defaults for nobody.

        Raises:
            StoreError: if they can't be read.
        """
        return (_NOTHING if owner_id is None else await self._find(owner_id)).of(kind)

    def cached(self, owner_id: int | None, kind: type[C]) -> C:
        """Return somebody's choices if they have been read, else the defaults."""
        return (_NOTHING if owner_id is None else self._documents.get(owner_id, _NOTHING)).of(kind)

    async def change(self, owner_id: int, kind: type[C], **changes: Any) -> None:
        """Store some of somebody's choices, by the names of the fields, beside those that they have made.

        Raises:
            StoreError: if those can't be read.
            Refusal: if what is stored can't be read, or if the store can't write; then they are unchanged.
            ValueError: if a field doesn't take its value.
        """
        text = (await self.of(owner_id, kind)).changed(**changes).dump()
        try:
            await self._put(owner_id, text)
        except StoreError as error:
            raise Refusal(CommonRefusal.UNAVAILABLE) from error
        self._documents[owner_id] = _document(text)

    def drop(self, owner_id: int) -> None:
        """Forget choices that the store no longer holds."""
        self._documents.pop(owner_id, None)

    @abstractmethod
    async def _find(self, owner_id: int) -> Document: ...

    @abstractmethod
    async def _put(self, owner_id: int, text: str | None) -> None: ...


class GuildSettingsCache(Documents):
    """The settings of all servers, each read when it is first needed."""

    def __init__(self, values: KeyValues) -> None:
        super().__init__()
        self._values = values

    async def _find(self, owner_id: int) -> Document:
        if owner_id not in self._documents:
            read = _document(await self._values.get(guild_settings_key(owner_id)))
            self._documents.setdefault(owner_id, read)  # somebody may have saved others meanwhile
        return self._documents[owner_id]

    async def _put(self, owner_id: int, text: str | None) -> None:
        await self._values.set(guild_settings_key(owner_id), text)


class PreferencesCache(Documents):
    """Everybody's preferences, kept in memory: they are few, and deciding whom a message pings can't wait for the
    store."""

    def __init__(self, store: StoredPreferences) -> None:
        super().__init__()
        self._store = store
        self.on_change: Callable[[int], None] = lambda _: None
        """Called with whoever has changed something, here or in another process."""

    def people(self, kind: type[C], want: Callable[[C], bool]) -> list[int]:
        """List the people whose preferences are like that, which the defaults aren't."""
        return [person_id for person_id, document in self._documents.items() if want(document.of(kind))]

    async def load(self) -> None:
        """Read all that the store holds.

        Raises:
            StoreError: if it can't be read.
        """
        stored = await self._store.all()
        documents = {text: Document(text) for text in set(stored.values())}  # equal preferences share one object
        self._documents = {person_id: documents[text] for person_id, text in stored.items()}

    async def change(self, owner_id: int, kind: type[C], **changes: Any) -> None:
        await super().change(owner_id, kind, **changes)
        self._changed(owner_id)

    async def refresh(self, person_id: int) -> None:
        """Read a person's preferences again, because another process changed them.

        Raises:
            StoreError: if they can't be read.
        """
        self._documents[person_id] = _document(await self._store.get(person_id))
        self._changed(person_id)

    def _changed(self, person_id: int) -> None:
        """Tell of the change, and keep nothing in memory of somebody who has made no choice or is erased."""
        if self._documents.get(person_id) is _NOTHING:
            self.drop(person_id)
        self.on_change(person_id)

    async def _find(self, owner_id: int) -> Document:
        return self._documents.get(owner_id, _NOTHING)

    async def _put(self, owner_id: int, text: str | None) -> None:
        await self._store.put(owner_id, text)


def guild_settings_key(guild_id: int) -> str:
    return f"guild_settings:{guild_id}"


def _document(text: str | None) -> Document:
    return Document(text) if text else _NOTHING  # most share this one
