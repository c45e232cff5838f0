"""Small private messages: a text by itself."""

from __future__ import annotations

from discord.ui import LayoutView, TextDisplay

from bot.ui.layout import view_of
from bot.ui.texts import Words


def notice(text: str) -> LayoutView:
    """A text by itself, as a layout."""
    return view_of(TextDisplay(text))


def failed(t: Words, interaction_id: int) -> str:
    """What a person is told when something broke; the number is in the log too."""
    return t(
        "Something went wrong on my side (report number {number}). Nothing is lost: please try again.",
        number=interaction_id,
    )
