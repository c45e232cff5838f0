"""Common characters instead of our own emojis where Discord refuses an emoji: on a bad day, a valid one, too."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, TypeVar

import discord

from bot.platform.layout import Component, Layout

_INVALID_FORM: Final = 50035
_OWN: Final = re.compile(r"<:(\w+):\d+>")

R = TypeVar("R")
CommonForm = Callable[[str], str]
"""Returns the common characters for an emoji of our own, by its name."""


def is_about_emoji(error: discord.HTTPException) -> bool:
    """Whether Discord has refused a message because of an emoji in it."""
    return error.code == _INVALID_FORM and "emoji" in error.text.lower()


def with_plain_faces(layout: Layout, common_form: CommonForm) -> Layout:
    """Write the layout with common characters in place of the application's emojis."""
    drawing = layout.drawing and replace(layout.drawing, components=_plain(layout.drawing.components, common_form))
    return replace(layout, components=_plain(layout.components, common_form), drawing=drawing)


def retrying_without_emojis(
    how: Callable[[Layout], Awaitable[R]], refused: Callable[[], None], common_form: CommonForm
) -> Callable[[Layout], Awaitable[R]]:
    """Make a function like `how` that sends again if an emoji is refused: once as it was, because Discord refuses some
    requests with valid emojis, then without our own.

    `refused`: called when the same message was refused twice.
    """

    async def send(layout: Layout) -> R:
        for _ in range(2):
            try:
                return await how(layout)
            except discord.HTTPException as error:
                if not is_about_emoji(error):
                    raise
        refused()
        return await how(with_plain_faces(layout, common_form))

    return send


def _plain(components: tuple[Component, ...], common_form: CommonForm) -> tuple[Component, ...]:
    return tuple(_converted(each, common_form) for each in components)


def _converted(node: Component, common_form: CommonForm) -> Component:
    """Write a component, or an option of a menu, in common characters."""
    made = dict(node)
    for key in ("components", "options"):
        if key in node:
            made[key] = [_converted(each, common_form) for each in node[key]]
    if "id" in node.get("emoji", ()):
        made["emoji"] = {"name": common_form(node["emoji"]["name"])}
    if "content" in node:
        made["content"] = _OWN.sub(lambda own: common_form(own[1]), node["content"])
    return made
