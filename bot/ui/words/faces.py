"""How cards are shown in texts: by the application's own emojis where they are known, else by common ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, eq=False)
class CardFaces:
    """The cards of one deck in texts and on buttons; a value that comes with the words.

    `emojis` are the application's own, as texts write them: `<:name:id>`, by a card's notation or a suit's letter.
    Those that aren't there are shown as they were without any. `french`: the deck with diamonds for oros. `pictured`:
    tables are shown as pictures, where that is possible. There are few of these, each made once: they are told apart
    by identity, so that words can be kept by them.
    """

    emojis: Mapping[str, str] = field(default_factory=dict[str, str])
    french: bool = False
    pictured: bool = False


PLAIN = CardFaces()
