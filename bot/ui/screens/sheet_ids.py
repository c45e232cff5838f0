"""What the buttons of the travelling sheet carry in their custom_ids: the tournament, the round and the board.

``b:<verb>:<tournament>:<round>:<board>``, numbers in base 36; board 0 where none is chosen yet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.ui.screens.ids import base36
from bot.ui.screens.layout import Component, button
from bot.ui.words.texts import Words

KIND: Final = "b"
"""Begins the custom_ids."""
_LARGEST: Final = 2**63 - 1
_PART: Final = re.compile("[0-9a-z]{1,13}")


class SheetVerb(StrEnum):
    """What a button or menu of the travelling sheet asks for."""

    OPEN = "open"
    """Shows it to the person alone, in a message of its own."""
    BOARD = "board"
    """Shows the board of the custom_id, or the one chosen in the menu."""
    ROUND = "round"
    """Shows the round chosen in the menu."""
    DEAL = "deal"
    """Shows how the board was dealt."""
    SHOW = "show"
    """Shows the board to everybody in the channel."""


@dataclass(frozen=True, slots=True)
class SheetRef:
    """A board of a round; 0 for the latest round, and for no board in particular."""

    tournament: int
    round: int = 0
    board: int = 0

    def custom_id(self, verb: SheetVerb) -> str:
        return ":".join((KIND, verb, *map(base36, (self.tournament, self.round, self.board))))

    @classmethod
    def read(cls, parts: Sequence[str]) -> SheetRef | None:
        """Read the parts of a custom_id that follow its verb; None if they are malformed."""
        if len(parts) != 3 or not all(map(_PART.fullmatch, parts)):
            return None
        numbers = [int(part, 36) for part in parts]
        return cls(0) if max(numbers) > _LARGEST else cls(*numbers)


def boards_button(tournament: int, round_number: int, t: Words) -> Component:
    """The button that shows a person the boards that they have played, and who did what with them."""
    return button(SheetRef(tournament, round_number).custom_id(SheetVerb.OPEN), t("Boards"), emoji="📋")
