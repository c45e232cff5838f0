"""The ledger knows which state of a match a message shows, even where no button names its version."""

from __future__ import annotations

from itertools import accumulate

import pytest

from bot.engine.match import Stage
from bot.engine.views import seat_view
from bot.tables.log.codec import encode, fold
from bot.tables.log.events import Person
from bot.tables.log.state import TableState
from bot.ui.screens.board import board_layout
from bot.ui.screens.display import Display
from bot.ui.screens.ids import VERSIONED
from bot.ui.screens.panel import panel_layout
from bot.ui.words.texts import words
from tests.support.recorded import log_events
from tests.ui.screens.layouts import table_of
from tests.wire.ledger import Game
from tests.wire.seen import presses, words_of

PEOPLE = (Person(1, "Ana"), Person(2, "Bea"))
SHOWN = Display(words("en"))


def game_of(preset: str) -> Game:
    """A recorded match."""
    events = log_events(preset, PEOPLE)
    states = list(accumulate(events[1:], TableState.apply, initial=fold(events[:1])))
    return Game(1, 1, [(version, *encode(event)) for version, event in enumerate(events, 1)], states)


@pytest.mark.parametrize("preset", ["escoba", "quince"])
def test_every_board_and_panel_of_a_match_tells_its_state(preset: str) -> None:
    game = game_of(preset)
    told = 0
    for state in game.states:
        match = state.match
        if match is None or match.stage is not Stage.TO_PLAY:
            continue
        seats = match.seating.seats
        table = table_of(match, seats)
        panels = [panel_layout(table, seat_view(match, seat), SHOWN) for seat in range(seats)]
        for layout in (board_layout(table, SHOWN), *panels):
            components = layout.to_components()
            buttons, text = list(presses(components)), words_of(components)
            assert game.version_shown(buttons, text) == match.version
            assert game.holds(buttons, text)
            told += not any(press.verb in VERSIONED for press in buttons)
    assert told > len(game.states)


def test_a_board_that_shows_what_the_log_has_lost_is_noticed() -> None:
    game = game_of("escoba")
    last = next(state for state in reversed(game.states) if state.match and state.match.stage is Stage.TO_PLAY)
    assert last.match is not None
    components = board_layout(table_of(last.match, len(PEOPLE)), SHOWN).to_components()
    buttons, text = list(presses(components)), words_of(components)
    assert game.holds(buttons, text)
    shorter = Game(1, 1, states=game.states[: game.states.index(last)])
    assert not shorter.holds(buttons, text)
