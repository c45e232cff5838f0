"""What the buttons of a replay carry in their custom_ids: the game, and the step that they were made for.

``w:<verb>:<game>:<step>``, numbers in base 36. In the list of a player's matches, the game is 0, the step the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.ui.kit.ids.game import Ref, base36
from bot.ui.layout import Component, button
from bot.ui.words.texts import Words

KIND: Final = "w"
"""Begins the custom_ids."""


class ReplayVerb(StrEnum):
    """What a button or menu of a replay, or of the list of matches, asks for."""

    OPEN = "open"
    """Shows a step in a message of its own."""
    GO = "go"
    """Shows a step in place of what the message shows."""
    CHOOSE = "choose"
    """Shows the match chosen in the menu of matches."""
    LIST = "list"
    OLDER = "older"
    NEWER = "newer"

    FIRST = "first"
    BACK = "back"
    NEXT = "next"
    LAST = "last"
    ROUND = "round"
    """Shows the step chosen in a menu, as the next two do."""
    DEAL = "deal"
    ESCOBA = "escoba"
    SHOW = "show"
    """Shows the step to everybody in the channel."""

    CLIP = "clip"
    """Makes a clip of one of the match's best moments, whose number stands in place of a step."""
    SHOW_CLIP = "showclip"
    EXPORT = "export"
    """Sends the match as a file."""

    VERIFY = "verify"
    """Shows how the match that is chosen in a menu was dealt."""
    VERIFY_ROUND = "deck"
    """The same for the round that is chosen."""


@dataclass(frozen=True, slots=True)
class ReplayRef:
    """A step of a match, by the match's version after it; or with game 0, a page of the list."""

    game: int = 0
    at: int = 0

    def custom_id(self, verb: ReplayVerb) -> str:
        return ":".join((KIND, verb, base36(self.game), base36(self.at)))

    @classmethod
    def read(cls, parts: Sequence[str]) -> ReplayRef | None:
        """Read the parts of a custom_id that follow its verb; None if they are malformed."""
        ref = Ref.read(parts)
        return None if ref is None or ref.args else cls(ref.game, ref.version)


def number_of(text: str) -> int:
    """The number chosen in a menu; 0 if the text isn't a valid one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


def replay_button(game: int, t: Words, at: int = 0) -> Component:
    """The button that shows a match to one of its players step by step, from the step `at` on."""
    return button(ReplayRef(game, at).custom_id(ReplayVerb.OPEN), t("Replay"), emoji="🎞️")


def clip_button(game: int, t: Words) -> Component:
    """The button that makes a clip of a match's best moment, for one of its players."""
    return button(ReplayRef(game).custom_id(ReplayVerb.CLIP), t("Clip"), emoji="🎬")
