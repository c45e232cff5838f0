"""Common characters instead of our own emojis where Discord refuses an emoji: on a bad day, a valid one, too."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import discord

from bot.platform.layout import Component, Layout

_INVALID_FORM: Final = 50035
_OWN: Final = re.compile(r"<:(\w+):\d+>")

CommonForm = Callable[[str], str]
"""Returns the common characters for an emoji of our own, by its name."""


def is_about_emoji(error: discord.HTTPException) -> bool:
    """Whether Discord has refused a message because of an emoji in it."""
    return error.code == _INVALID_FORM and "emoji" in error.text.lower()


def with_plain_faces(layout: Layout, common_form: CommonForm) -> Layout:
    """Write the layout with common characters in place of the application's emojis."""
    drawing = layout.drawing and replace(layout.drawing, components=_plain(layout.drawing.components, common_form))
    return replace(layout, components=_plain(layout.components, common_form), drawing=drawing)


def _plain(components: tuple[Component, ...], common_form: CommonForm) -> tuple[Component, ...]:
    return tuple(_converted(component, common_form) for component in components)


def _converted(node: Component, common_form: CommonForm) -> Component:
    """Write a component, or an option of a menu, in common characters."""
    made = dict(node)
    for key in ("components", "options"):
        if key in node:
            made[key] = [_converted(child, common_form) for child in node[key]]
    if "id" in node.get("emoji", ()):
        made["emoji"] = {"name": common_form(node["emoji"]["name"])}
    if "content" in node:
        made["content"] = _OWN.sub(lambda own: common_form(own[1]), node["content"])
    return made
