"""What a button carries: the game, the version of the state it was made for, and its move, all in its custom_id.

``e:<verb>:<game>:<version>[:<argument>...]``, numbers in base 36. So a button works after a restart as before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from bot.engine.cards import FULL, CardSet

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_LARGEST: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Ref:
    """A place in a game, and what is to be done there."""

    game: int
    version: int
    args: tuple[str, ...] = ()

    def custom_id(self, verb: str) -> str:
        """The custom_id of a button that does `verb` there."""
        return ":".join(("e", verb, base36(self.game), base36(self.version), *self.args))

    @classmethod
    def parse(cls, match: re.Match[str]) -> Ref:
        """What a custom_id that matched `template` refers to. Numbers too large for any game refer to game 0."""
        game, version = int(match["game"], 36), int(match["version"], 36)
        if game > _LARGEST or version > _LARGEST:
            return cls(0, 0)
        return cls(game, version, tuple(match["args"].split(":")[1:]) if match["args"] else ())


def template(verb: str) -> str:
    """The pattern of the custom_ids of one verb; no two verbs' patterns match the same text."""
    return rf"e:{verb}:(?P<game>[0-9a-z]{{1,13}}):(?P<version>[0-9a-z]{{1,13}})(?P<args>(?::[0-9a-z]{{1,13}})*)"


def base36(number: int) -> str:
    """A number of at least 0 in base 36."""
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"


def pack(cards: CardSet) -> str:
    """A set of cards as an argument."""
    return base36(cards.mask)


def unpack(argument: str) -> CardSet | None:
    """The set of cards of an argument; None if it is none."""
    try:
        mask = int(argument, 36)
    except ValueError:
        return None
    return CardSet(mask) if 0 <= mask <= FULL.mask else None
