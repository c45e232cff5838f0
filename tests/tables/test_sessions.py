"""Random sessions of seven people at a table: whatever they do, the log folds to the table's state."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.engine.match import replay
from bot.engine.moves import Stage
from bot.engine.rules import PRESETS
from bot.platform.refusals import RefusalCode
from bot.tables.log.codec import MATCH, decode, encode, fold
from bot.tables.log.events import LogEvent, Phase
from bot.tables.log.state import TableState, opened
from bot.tables.refusals import Conflicting, TableRefusal
from tests.support.dose import dose, thorough_but
from tests.support.tables.driver import Driver
from tests.support.tables.kit import config_of

STEPS = 500
seeds = st.integers(0, 2**32)
every_preset = pytest.mark.parametrize("preset", thorough_but(sorted(PRESETS), "clasica", "chorizo"))
session = settings(
    max_examples=dose("SESSIONS", 5), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def stored(event: LogEvent) -> LogEvent:
    """The event after a round trip through the codec."""
    return decode(*encode(event))


def check_table(state: TableState) -> None:
    """Check what is true of every table."""
    ids = [seat.person_id for seat in state.seats if seat.person_id is not None]
    assert len(ids) == len(set(ids)), "nobody sits twice"
    assert len(state.seats) <= state.config.capacity
    if state.open:
        assert any(seat.may_return for seat in state.seats), "an open table has at least one person"
        assert state.opener_id in ids
    if state.match is not None:
        assert len(state.seats) == state.match.seating.seats
        assert (state.match.stage is Stage.OVER) == (state.phase is Phase.FINISHED)
    assert (state.match is None) == (state.phase in (Phase.LOBBY, Phase.EXPIRED)) or state.phase is Phase.CANCELLED


@every_preset
@session
@given(seed=seeds)
def test_after_every_step_the_log_folds_to_the_tables_state(preset: str, seed: int):
    driver = Driver(Random(seed), config_of(preset, target=5))
    copy = opened(stored(driver.log[0]))  # type: ignore[arg-type]
    refusals = 0
    for step in driver.run(STEPS):
        before = copy
        for event in step.events:
            copy = copy.apply(stored(event))
        assert copy == step.state
        assert step.state.version == len(driver.log)
        if before.match is not None:
            assert step.state.move_version >= before.move_version
        if step.refusal is not None:
            refusals += 1
            assert isinstance(step.refusal.code, RefusalCode)
            assert isinstance(step.refusal, Conflicting) == (step.refusal.code is TableRefusal.CONFLICT)
        check_table(step.state)
    assert fold(map(stored, driver.log)) == driver.state
    assert refusals or len(driver.log) < STEPS


@every_preset
@session
@given(seed=seeds)
def test_the_matchs_own_events_replay_to_the_tables_match(preset: str, seed: int):
    driver = Driver(Random(seed), config_of(preset, target=5), wildness=0.1)
    for _ in driver.run(STEPS):
        pass
    moves = [decode(kind, body) for kind, body in map(encode, driver.log) if kind == MATCH]
    if driver.state.match is None:
        assert not moves
    else:
        assert replay(moves) == driver.state.match  # type: ignore[arg-type]
        assert driver.state.match.version == len(moves)


@every_preset
@session
@given(seed=seeds, cut=st.floats(0, 1))
def test_a_session_can_go_on_wherever_its_log_is_cut_off(preset: str, seed: int, cut: float):
    driver = Driver(Random(seed), config_of(preset, target=5), wildness=0.1)
    for _ in driver.run(STEPS):
        pass
    at = 1 + int(cut * (len(driver.log) - 1))
    state = fold(map(stored, driver.log[:at]))
    assert state.version == at
    for event in driver.log[at:]:
        state = state.apply(event)
    assert state == driver.state


@every_preset
def test_a_session_in_which_nobody_gives_up_ends(preset: str):
    driver = Driver(Random(preset), config_of(preset, target=5), mortal=False)
    for _ in driver.run(5000):
        pass
    assert driver.state.phase is Phase.FINISHED
