"""A position: a match up to a decision, which can be kept as text and put before somebody again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from bot.engine.errors import IllegalMove, RuleCode
from bot.engine.events import Event
from bot.engine.match import Match, replay
from bot.engine.notation import format_event, parse_event
from bot.engine.views import SeatView, seat_view


@dataclass(frozen=True)
class Position:
    """A match up to a decision: its events, the decks included. Show players its `view`, never its `match`.

    Raises:
        IllegalMove: if the rules don't allow the events, or it is nobody's turn after them.
    """

    events: tuple[Event, ...]

    def __post_init__(self) -> None:
        if self.match.turn is None:
            raise IllegalMove(RuleCode.NO_ROUND)

    @cached_property
    def match(self) -> Match:
        return replay(self.events)

    @cached_property
    def view(self) -> SeatView:
        """The current player's view."""
        assert self.match.turn is not None, "in a position it is somebody's turn"
        return seat_view(self.match, self.match.turn)


def format_position(position: Position) -> str:
    """The position's events in the engine's notation, one per line."""
    return "\n".join(map(format_event, position.events))


def parse_position(lines: Iterable[str]) -> Position:
    """The position that lines of the engine's notation describe.

    Raises:
        NotationError: if a line isn't an event.
        IllegalMove: if the rules don't allow the events, or it is nobody's turn after them.
    """
    return Position(tuple(map(parse_event, lines)))
