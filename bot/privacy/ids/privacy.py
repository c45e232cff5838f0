"""The custom_ids of the buttons about a person's data: whoever clicks."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from bot.platform.kit.codec import Reference


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
