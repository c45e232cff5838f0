"""The ledger knows which state of a match a message shows, even where no button names its version."""

import json
from datetime import UTC, datetime, timedelta
from itertools import accumulate, pairwise

import pytest

from bot.engine.events import RoundDealt
from bot.engine.moves import Stage
from bot.engine.rules import PRESETS
from bot.engine.views import seat_view
from bot.platform.kit.codec import base36
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.people import Person
from bot.tables.ids.game import VERSIONED, Verb
from bot.tables.log.codec import encode, fold
from bot.tables.log.state import TableState
from bot.tables.screens.board import board_layout
from bot.tables.screens.panel import panel_layout
from tests.support.layouts import table_of
from tests.support.recorded import log_events
from tests.support.truth import hidden_from
from tests.support.wiretap import Request
from tests.wire.ledger import Game, Ledger
from tests.wire.seen import presses, words_of

PEOPLE = (Person(1, "Ana"), Person(2, "Bea"), Person(3, "Clo"), Person(4, "Don"))
SHOWN = Display(words("en"))


def game_of(preset: str) -> Game:
    """A recorded match."""
    events = log_events(preset, PEOPLE[: PRESETS[preset].seatings[0].seats])
    states = list(accumulate(events[1:], TableState.apply, initial=fold(events[:1])))
    return Game(1, 1, [(version, *encode(event)) for version, event in enumerate(events, 1)], states)


@pytest.mark.parametrize("preset", ["escoba", "quince"])
def test_every_board_and_panel_of_a_match_shows_its_state(preset: str) -> None:
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
            told += not any(press.verb in Verb.marked(VERSIONED) for press in buttons)
    assert told > len(game.states)


def test_a_board_that_shows_what_the_log_has_lost_is_noticed() -> None:
    game = game_of("escoba")
    last = next(state for state in reversed(game.states) if state.match and state.match.stage is Stage.TO_PLAY)
    assert last.match is not None
    components = board_layout(table_of(last.match, last.match.seating.seats), SHOWN).to_components()
    buttons, text = list(presses(components)), words_of(components)
    assert game.holds(buttons, text)
    shorter = Game(1, 1, states=game.states[: game.states.index(last)])
    assert not shorter.holds(buttons, text)


def test_a_board_that_is_shown_before_the_panel_that_names_its_state_reveals_nothing() -> None:
    game = game_of("escoba")
    began = datetime(2026, 1, 1, tzinfo=UTC)
    game.times = [began + timedelta(seconds=number) for number in range(len(game.states))]
    before, after = next(
        (number, number + 1)
        for number, (old, new) in enumerate(pairwise(game.states))
        if old.match is not None and old.match.stage is Stage.TO_PLAY and new.match is not None
    )
    former, match = game.states[before].match, game.states[after].match
    assert former is not None
    assert match is not None
    [played] = hidden_from(former, None) - hidden_from(match, None)

    def sent(text: str, verb: str, at: datetime, viewer: int | None = None) -> Request:
        number = 0 if verb == "hand" else former.version
        components = [{"type": 10, "content": text}, {"type": 2, "custom_id": f"e:{verb}:1:{base36(number)}"}]
        path = "/channels/1/messages/2"
        body = {"components": components}
        return Request(1, at, "PATCH", path, body, json.dumps(body), viewer=viewer, status=200)

    panel = sent("", "standin", game.times[before], viewer=1)
    for at, leaks in ((game.times[after], 0), (game.times[before], 1)):
        ledger = Ledger("")
        ledger.games[1] = game
        ledger.check([panel, sent(f"Ana plays {played}.", "hand", at)])
        assert len(ledger.leaks) == leaks


def test_rounds_that_begin_alike_are_told_apart_by_when_they_began() -> None:
    events = log_events("escoba", PEOPLE)
    deal = next(event for event in events if isinstance(event, RoundDealt))
    before, (one, other, *rest) = events[: events.index(deal)], deal.deck
    states = [fold([*before, RoundDealt(deck)]) for deck in ((one, other, *rest), (other, one, *rest))]
    times = [datetime(2026, 1, 1, second=second, tzinfo=UTC) for second in (0, 9)]
    game = Game(1, 1, states=states, times=times)
    match = states[0].match
    assert match is not None
    text = words_of(board_layout(table_of(match, len(PEOPLE)), SHOWN).to_components())
    told = [game.state_told_by(text, at) for at in (*times, None)]
    assert [states.index(state) for state in told if state is not None] == [0, 1, 1]
