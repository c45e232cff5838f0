"""The buttons below a match that is over which lead to other subjects: each is registered, when a bot is made."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto

from bot.platform.language.texts import Words
from bot.platform.layout import Component
from bot.tables.live.view import TableView


class Below(Enum):
    """The readers and the place of a button."""

    FIRST = auto()
    """For everybody, in place of the button for a rematch."""
    OWN = auto()
    """Only for the match's players, below their own result."""
    LAST = auto()
    """For everybody, after all others, if the match was played."""


@dataclass(frozen=True, slots=True)
class MatchLink:
    """A button that leads from a match to another subject; `button` returns None for matches without it."""

    below: Below
    button: Callable[[TableView, Words], Component | None]


_links: list[MatchLink] = []


def register_links(links: Iterable[MatchLink]) -> None:
    """Show these buttons from now on, in this order and in place of earlier ones."""
    _links[:] = links


def links_of(view: TableView, below: Below, t: Words) -> list[Component]:
    """The buttons of a match that belong in a place."""
    found = (each.button(view, t) for each in _links if each.below is below)
    return [each for each in found if each is not None]
