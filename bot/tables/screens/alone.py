"""Buttons about a match that somebody plays alone in private."""

from __future__ import annotations

from bot.platform.language.texts import Words
from bot.platform.layout import Component, button
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.view import TableView


def solo_button(t: Words) -> Component:
    """The button that opens one's own match against robots. It is about no game in particular."""
    return button(Ref(0).custom_id(Verb.SOLO), t("Solo match"), emoji="🤖")


def stop_buttons(ref: Ref, view: TableView) -> list[Component]:
    """The button that ends such a match, after a question; none in other matches."""
    return [button(ref.custom_id(Verb.CANCEL), None, emoji="🏳️")] if view.alone else []
