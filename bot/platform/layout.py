"""The pieces of layouts, as plain data in the form of Discord's own component objects.

discord.py's items carry callbacks and the view they belong to, for bots whose buttons are objects. Here a button is
what its custom_id says, so a layout is a value that can be compared, kept and sent as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, Final

from discord import ButtonStyle, ChannelType, ComponentType
from discord.ui import LayoutView

from bot.platform.drawing.scenes import Picture, Scene
from bot.platform.language.spelling import FROM_THE_RIGHT, directed, label_of

Component = dict[str, Any]
"""A component as Discord's API defines it. It must not be changed once it is made."""

_BUTTON: Final = ComponentType.button.value
_SELECT: Final = ComponentType.select.value
_CHANNELS: Final = ComponentType.channel_select.value
_ROLES: Final = ComponentType.role_select.value
_PEOPLE: Final = ComponentType.user_select.value
_MENTIONABLE: Final = ComponentType.mentionable_select.value
_FOR_TEXT: Final = [ChannelType.text.value, ChannelType.news.value]
_SECTION: Final = ComponentType.section.value
_ROW: Final = ComponentType.action_row.value
_TEXT: Final = ComponentType.text_display.value
_BOX: Final = ComponentType.container.value
_GALLERY: Final = ComponentType.media_gallery.value
_FILE: Final = ComponentType.file.value
_LINE: Final = ComponentType.separator.value
_STYLES: Final = {style: style.value for style in ButtonStyle}
IN_A_ROW: Final = 5
LONGEST_LABEL: Final = 80
LONGEST_OPTION: Final = 100
LONGEST_PLACEHOLDER: Final = 150
_UPLOAD: Final = "attachment://"
_OWN_EMOJI: Final = re.compile(r"<:(?P<name>\w+):(?P<id>\d+)>")


@dataclass(frozen=True)
class Drawing:
    """A layout's components when it has a picture, one of which shows the picture of `scene`."""

    scene: Scene
    components: tuple[Component, ...]


@dataclass(frozen=True)
class Layout:
    """The content of a message: its `components`, or once it has a `picture`, those of its `drawing`."""

    components: tuple[Component, ...]
    drawing: Drawing | None = None
    picture: Picture | None = None

    def to_components(self) -> list[Component]:
        if self.drawing is None or self.picture is None:
            return list(self.components)
        return [_with_file(component, self.picture.name) for component in self.drawing.components]

    def with_picture(self, picture: Picture) -> Layout:
        """The layout with its drawing's picture."""
        assert self.drawing is not None, "only a layout with a drawing takes a picture"
        return replace(self, picture=picture)

    @property
    def without_picture(self) -> Layout:
        return self if self.picture is None else replace(self, picture=None)

    @property
    def digest(self) -> str:
        """A short text that is equal for layouts that look the same, in any process."""
        return self._plain_digest if self.picture is None else self.whole_digest

    @cached_property
    def whole_digest(self) -> str:
        """The digest of the layout with its picture, if it can have one; known before the picture is painted."""
        drawing = self.drawing
        if drawing is None:
            return self._plain_digest
        return _digest_of(json.dumps(drawing.components), repr(drawing.scene))

    @cached_property
    def _plain_digest(self) -> str:
        return _digest_of(json.dumps(self.components))


class Drawn(LayoutView):
    """A carrier of a layout to Discord. discord.py doesn't keep it, as it has no clicks to listen for."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(timeout=None)
        self._layout = layout

    def to_components(self) -> list[dict[str, Any]]:
        return self._layout.to_components()

    def has_components_v2(self) -> bool:
        """Return True: all layouts are made of Components V2."""
        return True

    def is_dispatchable(self) -> bool:
        """Return False: clicks are handled by their custom_ids instead."""
        return False

    def is_finished(self) -> bool:
        """Return True: nothing waits for clicks on this view."""
        return True


class Below(Drawn):
    """A carrier of rows of buttons and menus below a plain text."""

    def __init__(self, rows: Sequence[Component]) -> None:
        super().__init__(Layout(tuple(rows)))

    def has_components_v2(self) -> bool:
        """Return False: with such components a message can't have a text that a notification shows."""
        return False


def _digest_of(*texts: str) -> str:
    return blake2b("\n".join(texts).encode(), digest_size=12).hexdigest()


Part = Component | str | None
"""A part of a layout. A text becomes a text display, and None is left out."""


@dataclass(frozen=True)
class Either:
    """A part that is `text` in a layout without a picture, and `beside` in one with a picture."""

    text: Part
    beside: Part


BoxPart = Part | Either


def layout_of(*parts: Component | str) -> Layout:
    """A layout of these parts, without a box."""
    return Layout(tuple(_text(part) if isinstance(part, str) else part for part in parts))


def box_of(colour: int | None, *parts: BoxPart, scene: Scene | None = None) -> Layout:
    """A layout of one box. With a `scene`, the `beside` of one of its parts must show that scene's picture."""
    plain = _box(colour, [part.text if isinstance(part, Either) else part for part in parts])
    if scene is None:
        return Layout((plain,))
    drawn = _box(colour, [part.beside if isinstance(part, Either) else part for part in parts])
    return Layout((plain,), Drawing(scene, (drawn,)))


def with_text(layout: Layout, text: str, *, above: bool = False) -> Layout:
    """A layout of boxes with a text at the end of the last one, or `above` the row of buttons at its end."""

    def longer(boxes: tuple[Component, ...]) -> tuple[Component, ...]:
        *others, last = boxes
        parts: list[Component] = last["components"]
        place = len(parts) - (above and parts[-1]["type"] == _ROW)
        return (*others, {**last, "components": [*parts[:place], _text(text), *parts[place:]]})

    drawing = layout.drawing
    return Layout(longer(layout.components), drawing and replace(drawing, components=longer(drawing.components)))


def without_rows(layout: Layout, *below: str) -> Layout:
    """A layout of boxes without its buttons and menus, with some texts below."""

    def bare(boxes: tuple[Component, ...]) -> tuple[Component, ...]:
        kept = ({**box, "components": [part for part in box["components"] if part["type"] != _ROW]} for box in boxes)
        return (*kept, *map(_text, below))

    drawing = layout.drawing
    return Layout(bare(layout.components), drawing and replace(drawing, components=bare(drawing.components)))


def notice(text: str) -> Layout:
    """A layout of one text."""
    return layout_of(text)


def button(
    custom_id: str,
    label: str | None,
    *,
    style: ButtonStyle = ButtonStyle.secondary,
    emoji: str | None = None,
    disabled: bool = False,
) -> Component:
    """A button. `label`: cut after 80 characters, or None for an emoji alone.

    `emoji`: Unicode, or the application's own as in texts, <:name:id>.
    """
    made: Component = {"type": _BUTTON, "style": _STYLES[style], "custom_id": custom_id}
    if disabled:
        made["disabled"] = True
    if label is not None:
        made["label"] = _label(label, LONGEST_LABEL)
    if emoji is not None:
        made["emoji"] = _emoji(emoji)
    return made


def link(url: str, label: str) -> Component:
    """A button that opens a web address."""
    return {"type": _BUTTON, "style": _STYLES[ButtonStyle.link], "label": label, "url": url, "disabled": False}


def option(
    label: str, value: str, *, chosen: bool, description: str | None = None, emoji: str | None = None
) -> Component:
    """An option of a menu, its texts cut after 100 characters. `chosen`: whether it is selected when shown."""
    made: Component = {"label": _label(label, LONGEST_OPTION), "value": value, "default": chosen}
    if description is not None:
        made["description"] = _label(description, LONGEST_OPTION)
    if emoji is not None:
        made["emoji"] = _emoji(emoji)
    return made


def menu(
    custom_id: str, options: list[Component], *, placeholder: str | None = None, least: int = 1, most: int = 1
) -> Component:
    """A menu of up to 25 options, of which between `least` and `most` can be selected."""
    made: Component = {"type": _SELECT, "custom_id": custom_id, "options": options}
    if placeholder is not None:
        made["placeholder"] = _label(placeholder, LONGEST_PLACEHOLDER)
    return {**made, "min_values": least, "max_values": most, "disabled": False}


def channel_menu(custom_id: str, chosen: int | None, *, placeholder: str) -> Component:
    """A menu of the server's text and announcement channels, of which one can be selected."""
    made: Component = {"type": _CHANNELS, "custom_id": custom_id, "channel_types": _FOR_TEXT}
    if chosen is not None:
        made["default_values"] = [{"id": str(chosen), "type": "channel"}]
    return {**made, "placeholder": placeholder, "min_values": 1, "max_values": 1, "disabled": False}


def role_menu(custom_id: str, chosen: int | None, *, placeholder: str) -> Component:
    """A menu of the server's roles, of which one can be selected, or none."""
    made: Component = {"type": _ROLES, "custom_id": custom_id, "placeholder": placeholder}
    if chosen is not None:
        made["default_values"] = [{"id": str(chosen), "type": "role"}]
    return {**made, "min_values": 0, "max_values": 1, "disabled": False}


def people_menu(custom_id: str, chosen: int | None = None, *, placeholder: str) -> Component:
    """A menu of the server's members, one of whom can be selected."""
    made: Component = {"type": _PEOPLE, "custom_id": custom_id, "placeholder": placeholder}
    if chosen is not None:
        made["default_values"] = [{"id": str(chosen), "type": "user"}]
    return {**made, "min_values": 1, "max_values": 1, "disabled": False}


def guests_menu(
    custom_id: str, people: Sequence[int], roles: Sequence[int], most: int, *, placeholder: str
) -> Component:
    """A menu of the server's members and roles, of which up to `most` can be selected, or none."""
    chosen = [{"id": str(each), "type": "user"} for each in people]
    chosen += [{"id": str(each), "type": "role"} for each in roles]
    made: Component = {"type": _MENTIONABLE, "custom_id": custom_id, "placeholder": placeholder}
    if chosen:
        made["default_values"] = chosen
    return {**made, "min_values": 0, "max_values": most, "disabled": False}


def row(*items: Component) -> Component:
    """A row of up to five buttons, or of one menu."""
    return {"type": _ROW, "components": list(items)}


def section(text: str, beside: Component) -> Component:
    """A text with a button beside it."""
    return {"type": _SECTION, "components": [_text(text)], "accessory": beside}


def rows(items: Iterable[Component], columns: int = IN_A_ROW) -> list[Component]:
    """Rows of buttons, with up to `columns` to a row."""
    items = list(items)
    return [row(*items[first : first + columns]) for first in range(0, len(items), columns)]


def rows_ending(items: Iterable[Component], last: list[Component], columns: int = IN_A_ROW) -> list[Component]:
    """Buttons in rows, with `last` kept together: in the only row or in an unfinished one if they fit, else below."""
    *above, end = rows(items, columns) or [row()]
    beside = end["components"]
    if (above and len(beside) == columns) or len(beside) + len(last) > IN_A_ROW:
        return [*above, end, row(*last)]
    return [*above, row(*beside, *last)]


def line() -> Component:
    """A thin line between parts."""
    return {"type": _LINE, "divider": True, "spacing": 1}


def file_of(name: str) -> Component:
    """Shows a file uploaded with the message; Discord needs a component for it."""
    return {"type": _FILE, "file": {"url": f"{_UPLOAD}{name}"}, "spoiler": False}


def picture_of(alt: str) -> Component:
    """Shows the picture of a layout's drawing, with an alt text of at most 1,024 characters."""
    return {"type": _GALLERY, "items": [{"media": {"url": _UPLOAD}, "description": directed(alt)}]}


def _with_file(part: Component, name: str) -> Component:
    """The component with the name of the uploaded file filled in."""
    if part["type"] == _GALLERY:
        return {**part, "items": [{**item, "media": {"url": f"{_UPLOAD}{name}"}} for item in part["items"]]}
    if part["type"] == _BOX:
        return {**part, "components": [_with_file(inner, name) for inner in part["components"]]}
    return part


def _box(colour: int | None, parts: Iterable[Part]) -> Component:
    inner = [_text(part) if isinstance(part, str) else part for part in parts if part is not None]
    return {"type": _BOX, "accent_color": colour, "spoiler": False, "components": inner}


def _emoji(emoji: str) -> Component:
    own = _OWN_EMOJI.fullmatch(emoji)
    return {"name": own["name"], "id": own["id"]} if own else {"name": emoji}


def _text(content: str) -> Component:
    return {"type": _TEXT, "content": directed(content) if FROM_THE_RIGHT.search(content) else content}


def _label(text: str, most: int) -> str:
    """Direct and cut a label, unless it is short and has nothing to direct: no sign has more than two units."""
    return label_of(text, most) if 2 * len(text) > most or FROM_THE_RIGHT.search(text) else text
