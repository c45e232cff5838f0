"""The faces on a public table: one button each, which says how many people show it, always in the same place."""

from collections.abc import Mapping
from typing import Final

from bot.platform.layout import Component, button
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.view import TableView
from bot.tables.log.topics import Face

MOST_CAPTURES: Final = 10
"""Beside the buttons of more captures than these a message has no room for faces."""
EMOJIS: Final[Mapping[Face, str]] = {Face.CLAP: "👏", Face.GASP: "😱", Face.LAUGH: "😂"}


def face_buttons(view: TableView) -> list[Component]:
    """The faces that players and onlookers may show, by name for screen readers; none where they may not."""

    def shown(face: Face, count: int) -> Component:
        ref = Ref(view.id, args=(face.value,))
        return button(ref.custom_id(Verb.REACT), str(count) if count else None, emoji=EMOJIS[face])

    crowded = view.match is not None and len(view.match.choices) > MOST_CAPTURES
    return [] if crowded else list(map(shown, Face, view.faces or ()))
