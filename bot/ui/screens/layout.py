"""The pieces that layouts are made of, as Discord's own component objects: plain data that nobody listens to.

discord.py's items would say the same a second time: each carries a callback and the view it is in, for bots whose
buttons are objects. Here a button is what its custom_id says, so a layout is a value: compared, kept, sent as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, Final

from discord import ButtonStyle, ComponentType

Component = dict[str, Any]
"""A component as Discord's API has it. Nobody changes one once it is made."""

_BUTTON: Final = ComponentType.button.value
_SELECT: Final = ComponentType.select.value
_ROW: Final = ComponentType.action_row.value
_TEXT: Final = ComponentType.text_display.value
_BOX: Final = ComponentType.container.value
_GALLERY: Final = ComponentType.media_gallery.value
_FILE: Final = ComponentType.file.value
_LINE: Final = ComponentType.separator.value
_STYLES: Final = {style: style.value for style in ButtonStyle}
IN_A_ROW: Final = 5
_OWN_EMOJI: Final = re.compile(r"<:(?P<name>\w+):(?P<id>\d+)>")


@dataclass(frozen=True)
class Layout:
    """What a message shows."""

    components: tuple[Component, ...]

    def to_components(self) -> list[Component]:
        """The components as a request carries them."""
        return list(self.components)

    @cached_property
    def digest(self) -> str:
        """A short text that is the same for layouts that look the same, in whichever process."""
        return blake2b(json.dumps(self.components).encode(), digest_size=12).hexdigest()


def layout_of(*parts: Component | str) -> Layout:
    """A layout of some parts; a text stands for itself."""
    return Layout(tuple(_text(part) if isinstance(part, str) else part for part in parts))


def box_of(colour: int | None, *parts: Component | str | None) -> Layout:
    """A layout of one box; a text stands for itself, and None is left out."""
    inner = [_text(part) if isinstance(part, str) else part for part in parts if part is not None]
    return Layout(({"type": _BOX, "accent_color": colour, "spoiler": False, "components": inner},))


def without_rows(layout: Layout, *below: str) -> Layout:
    """What a layout of boxes shows, without its buttons and menus, and some texts below."""
    boxes = [
        {**box, "components": [part for part in box["components"] if part["type"] != _ROW]} for box in layout.components
    ]
    return Layout((*boxes, *map(_text, below)))


def notice(text: str) -> Layout:
    """A text by itself."""
    return layout_of(text)


def button(
    custom_id: str,
    label: str,
    *,
    style: ButtonStyle = ButtonStyle.secondary,
    emoji: str | None = None,
    disabled: bool = False,
) -> Component:
    """A button. `label` is at most 80 characters; `emoji` a common one, or one's own as texts write it: <:name:id>."""
    made: Component = {
        "type": _BUTTON,
        "style": _STYLES[style],
        "label": label,
        "custom_id": custom_id,
        "disabled": disabled,
    }
    if emoji is not None:
        made["emoji"] = _emoji(emoji)
    return made


def link(url: str, label: str) -> Component:
    """A button that opens a web address."""
    return {"type": _BUTTON, "style": _STYLES[ButtonStyle.link], "label": label, "url": url, "disabled": False}


def option(
    label: str, value: str, *, chosen: bool, description: str | None = None, emoji: str | None = None
) -> Component:
    """An option of a menu; `chosen`: it is the one shown, or among those. Both texts are at most 100 characters."""
    made: Component = {"label": label, "value": value, "default": chosen}
    if description is not None:
        made["description"] = description
    if emoji is not None:
        made["emoji"] = _emoji(emoji)
    return made


def menu(
    custom_id: str, options: list[Component], *, placeholder: str | None = None, least: int = 1, most: int = 1
) -> Component:
    """A menu of up to 25 options, of which so many are to be chosen."""
    made: Component = {"type": _SELECT, "custom_id": custom_id, "options": options}
    if placeholder is not None:
        made["placeholder"] = placeholder
    return {**made, "min_values": least, "max_values": most, "disabled": False}


def row(*items: Component) -> Component:
    """A row of up to five buttons, or of one menu."""
    return {"type": _ROW, "components": list(items)}


def rows(items: Iterable[Component]) -> list[Component]:
    """Buttons in as many rows as they need."""
    items = list(items)
    return [row(*items[first : first + IN_A_ROW]) for first in range(0, len(items), IN_A_ROW)]


def line() -> Component:
    """A thin line between two parts."""
    return {"type": _LINE, "divider": True, "spacing": 1}


def file_of(name: str) -> Component:
    """An uploaded file of the same message, for which an upload needs a component."""
    return {"type": _FILE, "file": {"url": f"attachment://{name}"}, "spoiler": False}


def picture_of(name: str, alt: str) -> Component:
    """An uploaded picture of the same message, and what a screen reader says for it, at most 1,024 characters."""
    return {"type": _GALLERY, "items": [{"media": {"url": f"attachment://{name}"}, "description": alt}]}


def _emoji(emoji: str) -> Component:
    own = _OWN_EMOJI.fullmatch(emoji)
    return {"name": own["name"], "id": own["id"]} if own else {"name": emoji}


def _text(content: str) -> Component:
    return {"type": _TEXT, "content": content}
