"""The welcome of somebody who hasn't played before: how to learn it, and what a rated match is."""

from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout, layout_of, row
from bot.tables.ids.game import Ref
from bot.tables.live.view import TableView
from bot.tables.screens.guide import lesson_offer
from bot.tables.screens.options import rating_buttons, rating_lines


def welcome_layout(view: TableView, t: Words, *, lesson: bool) -> Layout | None:
    """Lay out the welcome of a newcomer who has just sat down in a lobby; None if there is nothing to say.

    `lesson`: whether they are offered a first lesson.
    """
    parts: list[Component | str] = [lesson_offer(t)] if lesson else []
    if view.config.rated:
        parts += ["\n".join(rating_lines(view, None, t)), row(*rating_buttons(Ref(view.id, view.version), view, t))]
    return layout_of(*parts) if parts else None
