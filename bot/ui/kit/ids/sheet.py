"""What the buttons of the travelling sheet carry in their custom_ids: the tournament, the round, the board, the page.

``b:<verb>:<tournament>:<round>:<board>:<page>``, numbers in base 36; board 0 where none is chosen yet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.ui.kit.ids.game import base36
from bot.ui.layout import Component, button
from bot.ui.words.texts import Words

KIND: Final = "b"
"""Begins the custom_ids."""
_LARGEST: Final = 2**63 - 1
_PART: Final = re.compile("[0-9a-z]{1,13}")


class SheetVerb(StrEnum):
    """What a button or menu of the travelling sheet asks for."""

    OPEN = "open"
    """Shows the sheet to the person alone, in a message of its own."""
    ROUND = "round"
    """Shows the round chosen in the menu."""
    CHOOSE = "choose"
    """Shows the board chosen in the menu."""
    BOARD = "board"
    """Shows a page of the tables' results on a board."""
    DEAL = "deal"
    """Shows how the board was dealt."""
    SHOW = "show"
    """Shows the page to everybody in the channel."""
    SHOW_DEAL = "showdeal"
    """Shows everybody how the board was dealt."""


@dataclass(frozen=True, slots=True)
class SheetRef:
    """A page of a board's sheet; round 0 is the latest one, and board 0 none in particular."""

    tournament: int
    round: int = 0
    board: int = 0
    page: int = 0

    def custom_id(self, verb: SheetVerb) -> str:
        return ":".join((KIND, verb, *map(base36, (self.tournament, self.round, self.board, self.page))))

    @classmethod
    def read(cls, parts: Sequence[str]) -> SheetRef | None:
        """Read the parts of a custom_id that follow its verb; None if they are malformed."""
        if len(parts) != 4 or not all(map(_PART.fullmatch, parts)):
            return None
        numbers = [int(part, 36) for part in parts]
        return cls(0) if max(numbers) > _LARGEST else cls(*numbers)


def boards_button(tournament: int, round_number: int, t: Words) -> Component:
    """The button that shows a person the boards that they have played, and who did what with them."""
    return button(SheetRef(tournament, round_number).custom_id(SheetVerb.OPEN), t("Boards"), emoji="📋")
