"""The choices of a person or a server, as text: read field by field, so that what a newer version wrote is kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar, Self, TypeVar, cast

from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationError

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
