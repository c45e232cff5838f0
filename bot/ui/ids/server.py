"""The custom_ids of the buttons and menus of settings, own rules, preferences and personal data.

Those of preferences and personal data refer to whoever clicks.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final

from bot.platform.kit.codec import Reference
from bot.tables.server.guild_settings import GuildSettings
from bot.tables.server.preferences import Preferences
from bot.ui.ids.game import RULE_MENUS, Verb


class ListVerb(StrEnum):
    """A button or menu of a list of choices."""

    OPEN = "open"
    """Shows the list."""
    CHANGE = "change"
    """Shows the screen of the chosen one."""


class SettingsVerb(StrEnum):
    """A button or menu of the settings that sets nothing by itself."""

    EXPORT = "export"
    """Sends the results as a file."""
    ZONE = "zoneask"
    """Opens the form for another time zone, and submits it."""


class DaySetting(StrEnum):
    """A button or menu of the screen about the day's position."""

    CHANNEL = "dayin"
    HOUR = "dayat"
    NOW = "daynow"
    """Posts the day's message at once."""
    OFF = "dayoff"


_CHOSEN_ELSEWHERE: Final = ("rule_set", "all_organise")
"""The settings without a menu of their own: the rule set comes with the preset, and a tournament's screen has the
other."""


@dataclass(frozen=True, slots=True)
class SettingsRef(Reference[str]):
    """The server's settings; each menu's verb is the field that it sets."""

    kind: ClassVar = "s"
    verbs: ClassVar = (
        *(field for field in GuildSettings.model_fields if field not in _CHOSEN_ELSEWHERE),
        *ListVerb,
        *SettingsVerb,
        *DaySetting,
    )


SETTINGS: Final = SettingsRef()


class OwnRulesVerb(StrEnum):
    """An action of the buttons and menus about a server's own rules."""

    OPEN = "open"
    """Shows all of them."""
    PICK = "pick"
    """Shows the chosen one."""
    ONE = "one"
    """Shows one again, after the answer to a question was no."""
    RENAME = "rename"
    """Opens the form for another name, and submits it."""
    NEW = "new"
    """Opens the form for the name of new ones, and submits it."""
    DELETE = "delete"
    CONFIRM_DELETE = "deleteyes"


@dataclass(frozen=True, slots=True)
class OwnRulesRef(Reference[str]):
    """A rule set by its number; 0 for none in particular. The menus that change it have the verbs of a lobby's."""

    kind: ClassVar = "o"
    verbs: ClassVar = (*OwnRulesVerb, Verb.RULE, Verb.TARGET, *RULE_MENUS)

    number: int = 0


class PreferencesVerb(StrEnum):
    """A button of the preferences that sets nothing by itself."""

    HOLIDAY = "holiday"
    """Opens the form for holidays, and submits it."""


_ALONG: Final = ("digest_zone", "digest_locale", "digest_channel", "digest_refused")
"""The preferences that are set along with others."""


@dataclass(frozen=True, slots=True)
class PreferencesRef(Reference[str]):
    """The person's preferences; each menu's verb is the field that it sets."""

    kind: ClassVar = "m"
    verbs: ClassVar = (
        *(field for field in Preferences.model_fields if field not in _ALONG),
        *ListVerb,
        *PreferencesVerb,
    )


PREFERENCES: Final = PreferencesRef()


class PrivacyVerb(StrEnum):
    """An action of the buttons about a person's data."""

    SEE = "see"
    """Says what is kept."""
    DATA = "data"
    ERASE = "erase"
    CONFIRM_ERASE = "eraseyes"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class PrivacyRef(Reference[PrivacyVerb]):
    """The person's data."""

    kind: ClassVar = "p"
    verbs: ClassVar = PrivacyVerb
