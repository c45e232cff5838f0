"""The way a server's tables are shown: which deck, pictures or text, and in which words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.platform.language.faces import Deck
from bot.platform.language.texts import Words


@dataclass(frozen=True, slots=True)
class Display:
    """The way a table's message or a panel is shown to its readers.

    Attributes:
        words: the readers' language, and how texts and buttons show cards.
        pictures: whether tables, scores and results are drawn; text takes the picture's place where Discord refuses it.
        lesson: whether a panel offers the first lesson to its player, who is new.
        seeks: whether the server has a role that a lobby may mention to find players.
    """

    words: Words
    pictures: bool = False
    lesson: bool = False
    seeks: bool = False

    @property
    def deck(self) -> Deck:
        """The deck that is drawn: the same as in texts."""
        return self.words.faces.deck


class Displays(Protocol):
    """Finds how tables are shown."""

    def __call__(self, locale: str, guild_id: int | None, person_id: int | None = None) -> Display:
        """Find how they are shown in a language and on a server; to one person alone, in their own way."""
        ...
