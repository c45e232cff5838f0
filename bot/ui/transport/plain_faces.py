"""Cards in common characters where Discord refuses an emoji: another application's, or on a bad day a valid one."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, TypeVar

import discord

from bot.ui.layout import Component, Layout
from bot.ui.pictures.emojis import common_form

_INVALID_FORM: Final = 50035
_OWN: Final = re.compile(r"<:(\w+):\d+>")

R = TypeVar("R")


def is_about_emoji(error: discord.HTTPException) -> bool:
    """Whether Discord has refused a message because of an emoji in it."""
    return error.code == _INVALID_FORM and "emoji" in error.text.lower()


def with_plain_faces(layout: Layout) -> Layout:
    """Write the layout with common characters in place of the application's emojis."""
    drawing = layout.drawing and replace(layout.drawing, components=_plain(layout.drawing.components))
    return replace(layout, components=_plain(layout.components), drawing=drawing)


def retrying_without_emojis(
    how: Callable[[Layout], Awaitable[R]], refused: Callable[[], None]
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
        return await how(with_plain_faces(layout))

    return send


def _plain(components: tuple[Component, ...]) -> tuple[Component, ...]:
    return tuple(_converted(each) for each in components)


def _converted(node: Component) -> Component:
    """Write a component, or an option of a menu, in common characters."""
    made = dict(node)
    for key in ("components", "options"):
        if key in node:
            made[key] = [_converted(each) for each in node[key]]
    if "id" in node.get("emoji", ()):
        made["emoji"] = {"name": _common(node["emoji"]["name"])}
    if "content" in node:
        made["content"] = _OWN.sub(lambda own: _common(own[1]), node["content"])
    return made


def _common(name: str) -> str:
    return common_form(name) or "🎴"
