"""The custom_ids of the buttons and menus of a server's own rules."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from bot.platform.kit.codec import Reference
from bot.tables.ids.game import RULE_MENUS, Verb


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
