"""Rules that a server has saved under a name of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from bot.engine.rules import PRESETS, Rules

MAX_RULE_SETS: Final = 10
"""The most rule sets that a server can have."""
LONGEST_NAME: Final = 32
KEY: Final = "set([1-9][0-9]{0,9})"
"""The pattern of the keys of sets; its group is the number."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A server's own rules as they were when somebody chose them: changing the set later changes no table.

    Attributes:
        number: identifies the set among those of all servers; never given to another.
        name: its name on its server, as it was typed.
        rules: the rules it stands for.
    """

    number: int
    name: str
    rules: Rules

    @property
    def key(self) -> str:
        return key_of(self.number)

    def agrees_with(self, rules: Rules) -> bool:
        """Whether rules are the set's: only the target and the number of rounds, which aren't switches, may differ."""
        return replace(rules, target=self.rules.target, rounds=self.rules.rounds) == self.rules


def key_of(number: int) -> str:
    """Write the key that stands for a set wherever a preset's name may stand: in menus, commands and standings. No
    preset has such a name.

    >>> key_of(12)
    'set12'
    """
    return f"set{number}"


def number_of(key: str) -> int | None:
    """Read the number of the set that a key stands for; None if it isn't a set's key."""
    found = re.fullmatch(KEY, key)
    return None if found is None else int(found[1])


def is_key(text: str) -> bool:
    """Whether a text names rules to choose from: a preset, or a set."""
    return text in PRESETS or number_of(text) is not None
