"""The choices of people and servers, each one's as one stored text from which every subject reads its own kind.

It is read field by field, so that what a newer version wrote is kept.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, Self, TypeVar, cast

from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationError

from bot.platform.database.errors import StoreError
from bot.platform.database.key_values import KeyValues
from bot.platform.database.preferences import StoredPreferences
from bot.platform.refusals import CommonRefusal, Refusal


class Choices(BaseModel):
    """Choices, each a field with its default and what it takes, stored as a JSON object of those that were made.

    A stored text may be a newer version's. A value that isn't known costs its own field alone, where the default holds
    for now, and is written back as it is, as are fields that aren't known. A text that isn't an object can't be
    changed.
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        use_attribute_docstrings=True,  # they become the fields' descriptions
    )

    CAUTIOUS: ClassVar[Mapping[str, Any]] = {}
    """The values that hold instead of the default in fields whose stored value isn't known."""

    _newer: dict[str, Any] = PrivateAttr(default_factory=dict[str, Any])
    """The unknown part of a stored text, by the names of the fields."""
    _unreadable: bool = PrivateAttr(default=False)

    @property
    def unreadable(self) -> bool:
        """Whether the stored text can't be read at all; then nothing can be changed."""
        return self._unreadable

    @property
    def unknown(self) -> frozenset[str]:
        """The fields whose stored values aren't known."""
        return frozenset(self._newer) & frozenset(type(self).model_fields)

    def knows(self, name: str) -> bool:
        """Whether the value that is stored for a field, if any, is known."""
        return not self._unreadable and name not in self._newer

    def changed(self, **changes: Any) -> Self:
        """The choices after some more were made.

        Raises:
            Refusal: if the stored text can't be read.
            ValueError: if a field doesn't take its value.
        """
        if self._unreadable:
            raise Refusal(CommonRefusal.FROM_NEWER)
        made = {name: getattr(self, name) for name in self.model_fields_set}
        after = type(self)(**made | changes)
        after._newer = {name: value for name, value in self._newer.items() if name not in changes}
        return after

    def dump(self) -> str | None:
        """The text to store; None for the defaults, which aren't stored."""
        if self == type(self)():
            return None
        return json.dumps(self.model_dump(mode="json", exclude_unset=True) | self._newer)

    @classmethod
    def load(cls, text: str | None) -> Self:
        """The choices in a stored text."""
        if not text:
            return cls()
        stored = _object_in(text)
        known: dict[str, Any] = {}
        newer: dict[str, Any] = {}
        for name, value in (stored or {}).items():
            try:
                known[name] = getattr(cls.model_validate_json(json.dumps({name: value})), name)
            except ValidationError:
                newer[name] = value
        doubtful = {name: value for name, value in cls.CAUTIOUS.items() if stored is None or name in newer}
        choices = cls(**known | doubtful)
        choices._newer, choices._unreadable = newer, stored is None
        return choices


C = TypeVar("C", bound=Choices)


class Document:
    """A stored text, with the choices that were read from it, of each kind: several kinds have fields in one text."""

    def __init__(self, text: str | None = None) -> None:
        self._text = text
        self._read: dict[type[Choices], Choices] = {}

    def of(self, kind: type[C]) -> C:
        if kind not in self._read:
            self._read[kind] = kind.load(self._text)
        return cast("C", self._read[kind])


def _object_in(text: str) -> dict[str, Any] | None:
    """The JSON object in a text; None if there is none."""
    try:
        stored: Any = json.loads(text)  # whatever is in a field costs that field alone
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", stored) if isinstance(stored, dict) else None


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
        """Read a person's preferences again, or everybody's for 0, because another process changed them.

        Raises:
            StoreError: if they can't be read.
        """
        if person_id:
            self._documents[person_id] = _document(await self._store.get(person_id))
            self._changed(person_id)
        else:
            await self.load()

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
