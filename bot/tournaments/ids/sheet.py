"""The custom_ids of the travelling sheet's buttons: tournament, round, board and page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bot.platform.kit.codec import PUBLIC, Reference, Verbs
from bot.platform.language.texts import Words
from bot.platform.layout import Component, button


class SheetVerb(Verbs):
    """An action of the travelling sheet's buttons and menus."""

    OPEN = "open", PUBLIC
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
class SheetRef(Reference[SheetVerb]):
    """A page of a board's sheet; round 0 is the latest one, and board 0 none in particular."""

    kind: ClassVar = "b"
    verbs: ClassVar = SheetVerb

    tournament: int
    round: int = 0
    board: int = 0
    page: int = 0


def boards_button(tournament: int, round_number: int, t: Words) -> Component:
    """The button that shows a person the boards that they have played, and who did what with them."""
    return button(
        SheetRef(tournament, round_number).custom_id(SheetVerb.OPEN), t.context("button", "Boards"), emoji="📋"
    )
