"""A position keeps a decision, and gives it back as the player saw it."""

from random import Random

import pytest

from bot.engine.errors import IllegalMove, NotationError
from bot.engine.events import Event, MatchStarted
from bot.engine.notation import Position, format_position, parse_position
from bot.engine.rules import Seating
from bot.engine.views import seat_view
from tests.support.engine import every_preset_and_seating, random_events, rules_of


@every_preset_and_seating
def test_a_position_is_the_same_after_being_kept_as_text(preset: str, seating: Seating) -> None:
    events: list[Event] = []
    for event, match in random_events(preset, seating, Random(1), target=5):
        events.append(event)
        if match.turn is None or len(events) % 17:
            continue
        position = Position(tuple(events))
        again = parse_position(format_position(position).splitlines())
        assert again == position
        assert again.view == seat_view(match, match.turn)


def test_without_anybody_at_turn_there_is_no_decision() -> None:
    with pytest.raises(IllegalMove):
        Position((MatchStarted(rules_of("escoba"), Seating.TWO, 0),))
    with pytest.raises(IllegalMove):
        Position(())


def test_text_that_is_not_a_match_is_not_a_position() -> None:
    with pytest.raises(NotationError):
        parse_position(["once upon a time"])
