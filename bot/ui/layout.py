"""The pieces that layouts are made of: a view of one box, texts, and rows of items."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from discord.ui import ActionRow, Container, DynamicItem, Item, LayoutView, Separator, TextDisplay


def view_of(*items: Item[Any]) -> LayoutView:
    """A fresh view of some items: it never times out, and is never used twice.

    The timeout is 0, which starts no timer. Of None discord.py makes a quarter of an hour for a private message, and a
    task that waits for it; a view of DynamicItems needs neither.
    """
    view = LayoutView(timeout=0)
    for item in items:
        view.add_item(cast("Any", item))
    return view


def box_of(colour: int | None, *parts: Item[Any] | str | None) -> LayoutView:
    """A fresh view of one box; a text stands for itself, and None is left out."""
    box = Container[Any](accent_colour=colour)
    for part in parts:
        if part is not None:
            box.add_item(TextDisplay(part) if isinstance(part, str) else part)
    return view_of(box)


def row(*items: DynamicItem[Any]) -> ActionRow[Any]:
    """A row of up to five buttons, or of one menu."""
    # discord.py's types bind a DynamicItem to both kinds of view, so that no row of either kind takes it.
    return ActionRow[Any](*cast("tuple[Any, ...]", items))


def rows(items: Iterable[DynamicItem[Any]], *, of: int = 5) -> list[ActionRow[Any]]:
    """Buttons in as many rows as they need."""
    items = list(items)
    return [row(*items[first : first + of]) for first in range(0, len(items), of)]


def line() -> Separator[Any]:
    """A thin line between two parts."""
    return Separator[Any]()
