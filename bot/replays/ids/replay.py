"""The custom_ids of the buttons of one's matches: the game, and the step of its replay that they were made for.

In the list of them, the game is 0, the step the page.
"""

from dataclasses import dataclass
from typing import ClassVar

from bot.platform.kit.codec import PUBLIC, Reference, Verbs
from bot.platform.language.texts import Words
from bot.platform.layout import Component, button


class ReplayVerb(Verbs):
    """An action of the buttons and menus of a replay, of a match, or of the list of matches."""

    OPEN = "open", PUBLIC
    """Shows a step in a message of its own."""
    GO = "go"
    """Shows a step in place of what the message shows."""
    LIST = "list"
    OLDER = "older"
    NEWER = "newer"
    CHOOSE = "choose"
    """Shows what can be done with the match chosen in the list."""
    MATCH = "match"
    """Shows that again."""

    FIRST = "first"
    BACK = "back"
    NEXT = "next"
    LAST = "last"
    JUMP = "jump"
    """Shows the step chosen in a menu."""
    SHOW = "show"
    """Shows the step to everybody in the channel."""

    CLIP = "clip", PUBLIC
    """Makes a clip of one of the match's best moments, whose number stands in place of a step."""
    SHOW_CLIP = "showclip"
    EXPORT = "export"
    """Sends the match as a file."""

    VERIFY = "verify"
    """Shows how the match was dealt."""
    VERIFY_ROUND = "deck"
    """The same for the round that is chosen."""


@dataclass(frozen=True, slots=True)
class ReplayRef(Reference[ReplayVerb]):
    """A step of a match, by the match's version after it. A page of the list has game 0."""

    kind: ClassVar = "w"
    verbs: ClassVar = ReplayVerb

    game: int = 0
    at: int = 0

    def match_button(self, t: Words) -> Component:
        """The button that leads back from one view of a match to all that can be done with it."""
        return button(ReplayRef(self.game).custom_id(ReplayVerb.MATCH), t("This match"))


def replay_button(game: int, t: Words, at: int = 0) -> Component:
    """The button that shows a match to one of its players step by step, from the step `at` on."""
    return button(ReplayRef(game, at).custom_id(ReplayVerb.OPEN), t.context("button", "Replay"), emoji="🎞️")


def clip_button(game: int, t: Words) -> Component:
    """The button that makes a clip of a match's best moment, for one of its players."""
    return button(ReplayRef(game).custom_id(ReplayVerb.CLIP), t.context("button", "Clip"), emoji="🎬")
