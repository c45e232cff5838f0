"""The custom_ids of the buttons and menus of lists of choices. Those of preferences refer to whoever clicks."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final

from bot.platform.kit.codec import Reference


class ListVerb(StrEnum):
    """A button or menu of a list of choices."""

    OPEN = "open"
    """Shows the list."""
    CHANGE = "change"
    """Shows the screen of the chosen one."""


@dataclass(frozen=True, slots=True)
class SettingsRef(Reference[str]):
    """The server's settings. The verbs are those of the pages that make up the list; a menu's is the field it sets."""

    kind: ClassVar = "s"
    verbs: ClassVar[Collection[str]] = tuple(ListVerb)


@dataclass(frozen=True, slots=True)
class PreferencesRef(Reference[str]):
    """The person's preferences, with verbs as for settings."""

    kind: ClassVar = "m"
    verbs: ClassVar[Collection[str]] = tuple(ListVerb)


SETTINGS: Final = SettingsRef()
PREFERENCES: Final = PreferencesRef()
