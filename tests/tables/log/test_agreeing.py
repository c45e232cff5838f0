"""A change in the lobby takes back what the others have agreed to: the match waits for their OK, but not for ever."""

from dataclasses import replace

import pytest

from bot.engine.rules import Seating
from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal
from bot.tables.log.actions import AddComputer, Answer, Configure, Join, Leave, SetHints, SetRated, Start
from bot.tables.log.change import DealDue
from bot.tables.log.decide import decide
from bot.tables.log.events import ChangeAccepted, Config, Configured, LeftLobby, LogEvent, Opened, Phase
from bot.tables.log.pace import DAY, OK_SECONDS, Pace, Tempo
from bot.tables.log.questions import Times
from bot.tables.log.state import TableState, opened
from bot.tables.refusals import TableRefusal
from tests.support.tables.kit import ANA, BEA, CLO, FRIENDLY, GAME, STRANGER, act, config_of, events_of, lobby, refused

LONG_GONE = Times(ok_over=True)
SHORT = config_of(target=11)


def changed(state: TableState, person: Person, config: Config) -> TableState:
    """The lobby after somebody has changed what is played."""
    return act(state, Configure(person, state.version, config))


def ok(state: TableState, person: Person) -> TableState:
    """The lobby after somebody's OK on the latest change."""
    return act(state, Answer(person, state.changed, agrees=True))


def start(state: TableState, person: Person, times: Times | None = None) -> list[LogEvent]:
    """What somebody's Start brings about."""
    return events_of(state, Start(person, state.version), times=times)


@pytest.mark.parametrize(
    "config",
    [
        SHORT,
        config_of("quince"),
        config_of(all_oros=True),
        replace(Config(), tempo=Tempo.WEEK),
    ],
    ids=["target", "variant", "rule", "pace"],
)
def test_the_match_waits_for_everybody_elses_ok_on_a_change(config: Config):
    state = changed(lobby(ANA, BEA, CLO), BEA, config)
    assert state.unagreed == (ANA.id, CLO.id)
    with refused(TableRefusal.OK_MISSING):
        start(state, BEA)
    state = ok(state, ANA)
    with refused(TableRefusal.OK_MISSING):
        start(state, ANA)
    assert act(ok(state, CLO), Start(BEA, state.version + 1)).phase is Phase.PLAYING


def test_nobody_is_drawn_into_a_rated_match_after_joining_a_friendly_one():
    state = act(lobby(ANA, config=FRIENDLY), Join(BEA, friendly=True), SetRated(ANA, rated=True))
    with refused(TableRefusal.OK_MISSING):
        start(state, ANA)


def test_making_it_friendly_teams_hints_and_robots_need_no_ok():
    state = act(lobby(ANA, BEA, CLO), SetRated(BEA, rated=False), SetHints(CLO, hints=True))
    state = act(state, AddComputer(ANA, state.version))
    state = changed(state, ANA, replace(state.config, teams=True))
    assert (state.unagreed, state.changed) == ((), 0)


def test_a_moderator_without_a_seat_asks_everybody():
    state = act(lobby(ANA, BEA, config=FRIENDLY), SetRated(STRANGER, rated=True, moderator=True))
    assert state.unagreed == (ANA.id, BEA.id)


def test_what_is_changed_back_needs_no_ok_any_more():
    before = lobby(ANA, BEA)
    state = changed(changed(before, ANA, SHORT), ANA, before.config)
    assert state.unagreed == ()
    state = act(act(lobby(ANA, BEA, config=FRIENDLY), SetRated(ANA, rated=True)), SetRated(BEA, rated=False))
    assert state.unagreed == ()


def test_whoever_changes_it_further_agrees_by_that_and_asks_the_first():
    state = changed(changed(lobby(ANA, BEA), ANA, SHORT), BEA, config_of(target=15))
    assert state.unagreed == (ANA.id,)


def test_an_ok_is_for_the_latest_change_only():
    first = changed(lobby(ANA, BEA), ANA, SHORT)
    second = changed(first, ANA, config_of(target=101))
    with refused(CommonRefusal.STALE):
        events_of(second, Answer(BEA, first.changed, agrees=True))
    with refused(CommonRefusal.STALE):
        events_of(second, Answer(BEA, second.changed, agrees=False))
    with refused(TableRefusal.NOT_SEATED):
        events_of(second, Answer(STRANGER, second.changed, agrees=True))
    assert events_of(second, Answer(BEA, second.changed, agrees=True)) == [ChangeAccepted(1)]


def test_an_ok_that_is_pressed_again_and_again_adds_nothing_to_the_log():
    state = changed(lobby(ANA, BEA), ANA, SHORT)
    for person in (BEA, ANA):
        state = ok(state, person)
    version = state.version
    for person in (BEA, ANA):
        state = ok(state, person)
    assert state.version == version


def test_whoever_starts_agrees_to_what_they_see():
    state = changed(lobby(ANA, BEA), ANA, SHORT)
    started = act(state, Start(BEA, state.version))
    assert started.phase is Phase.PLAYING
    assert all(seat.agreed is None for seat in started.seats)


def test_after_a_while_the_start_leaves_out_whoever_has_not_agreed():
    state = ok(changed(lobby(ANA, BEA, CLO), ANA, SHORT), CLO)
    left, *_ = start(state, CLO, LONG_GONE)
    assert left == LeftLobby(BEA.id)
    assert decide(state, Start(ANA, state.version), GAME, LONG_GONE).deal == DealDue(
        1, Seating.TWO, begins=True, before=(left,)
    )


def test_nobody_is_left_out_of_a_match_that_would_not_begin():
    state = changed(lobby(ANA, BEA), ANA, SHORT)
    with refused(TableRefusal.TOO_FEW):
        start(state, ANA, LONG_GONE)


def test_a_guest_cannot_change_it_and_start_without_the_host():
    state = changed(lobby(ANA, BEA), BEA, SHORT)
    with refused(TableRefusal.OK_MISSING):
        start(state, BEA)


def test_the_others_still_have_to_agree_once_whoever_changed_it_has_left():
    state = act(changed(lobby(ANA, BEA, CLO), ANA, SHORT), Leave(ANA))
    assert state.unagreed == (BEA.id, CLO.id)
    assert act(state, Leave(BEA)).unagreed == (CLO.id,)


def test_whoever_joins_agrees_to_what_they_see_and_is_sent_back_if_it_has_changed():
    state = changed(lobby(ANA), ANA, SHORT)
    with refused(CommonRefusal.STALE):
        events_of(state, Join(BEA, seen=0))
    state = act(state, Join(BEA, seen=state.changed))
    assert state.unagreed == ()


def test_a_rematch_that_was_changed_begins_with_the_last_ok():
    state = act(opened(Opened(ANA, Config(), (ANA, BEA, CLO))), Join(BEA))
    state = changed(state, ANA, SHORT)
    with refused(CommonRefusal.STALE):  # pressed below the result, where the change can't be seen
        events_of(state, Join(CLO, seen=0))
    state = act(state, Join(CLO, seen=state.changed))
    assert state.phase is Phase.LOBBY
    assert ok(state, BEA).phase is Phase.PLAYING


def test_a_lobby_of_1_0_asks_nobody():
    state = lobby(ANA, BEA).apply(Configured(SHORT))
    assert state.unagreed == ()
    assert act(state, Start(ANA, state.version)).phase is Phase.PLAYING


def test_slow_tables_wait_for_a_day_and_so_do_those_that_were_slow():
    pace = Pace()
    assert pace.ok_seconds(Tempo.USUAL) == pace.ok_seconds(Tempo.QUICK, Tempo.USUAL) == OK_SECONDS
    assert pace.ok_seconds(Tempo.WEEK, Tempo.USUAL) == pace.ok_seconds(Tempo.QUICK, Tempo.OPEN) == DAY
    assert pace.with_turn(DAY).ok_seconds(Tempo.USUAL) == DAY
