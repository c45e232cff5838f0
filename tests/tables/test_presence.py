"""Who plays for a seat: people go away, come back with any click, or leave for good."""

import pytest

from bot.engine.moves import Play
from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal
from bot.tables.log.actions import (
    Action,
    AddComputer,
    Cancel,
    Join,
    LayCard,
    Leave,
    LetComputerPlay,
    NextRound,
    PlayMove,
    Start,
    Touch,
)
from bot.tables.log.events import Closed, Phase, Presence, PresenceChanged
from bot.tables.log.state import TableState
from bot.tables.refusals import Returned, TableRefusal
from tests.support.tables.kit import (
    ANA,
    BEA,
    CLO,
    FRIENDLY,
    STRANGER,
    act,
    events_of,
    first_move,
    lobby,
    move_of,
    play_to,
    playing,
    refused,
    the_match,
)
from tests.tables.log.test_play import CABALLO, DEUCE, choosing

AWAY, HERE, LEFT = Presence.AWAY, Presence.HERE, Presence.LEFT


def away(state: TableState, *seats: int) -> TableState:
    """The table after these seats missed their deadlines."""
    return play_to(state, *(PresenceChanged(seat, AWAY) for seat in seats))


def test_a_touch_by_somebody_who_isnt_away_changes_nothing():
    assert events_of(playing(), Touch(BEA)) == []


def test_a_touch_brings_an_away_person_back():
    state = away(playing(), 1)
    assert (state.seats[1].human_here, state.seat_of(BEA.id)) == (False, 1)
    assert events_of(state, Touch(BEA)) == [PresenceChanged(1, HERE)]
    assert act(state, Touch(BEA)).seats[1].human_here


def test_an_away_persons_move_counts_and_brings_them_back():
    state = away(playing(), 0)
    assert events_of(state, move_of(state, ANA)) == [
        PresenceChanged(0, HERE),
        the_match(state).event_of(first_move(state)),
    ]


@pytest.mark.parametrize(
    "late",
    [
        PlayMove(ANA, 1, Play(CABALLO)),
        PlayMove(ANA, 2, Play(DEUCE)),
        LayCard(ANA, 2, CABALLO),
        NextRound(ANA, 2),
        Start(ANA, 2),
        AddComputer(ANA, 1),
        Join(ANA),
        Leave(ANA, lobby_only=True),
    ],
    ids=lambda action: type(action).__name__,
)
def test_even_a_late_or_wrong_click_brings_an_away_person_back(late: Action):
    with pytest.raises(Returned) as returned:
        events_of(away(choosing(), 0), late)
    assert returned.value.seat == 0


def test_a_seat_that_changes_hands_doesnt_make_clicks_stale():
    state = playing()
    assert away(state, 1).move_version == state.move_version
    assert away(state, 1).version == state.version + 1
    assert events_of(away(state, 1), move_of(state, ANA))


def test_a_person_who_leaves_a_match_leaves_for_good():
    state = act(playing(ANA, BEA, CLO), Leave(BEA))
    assert (state.seats[1].presence, state.seat_of(BEA.id), state.phase) == (LEFT, None, Phase.PLAYING)
    for action in (Touch(BEA), Leave(BEA), PlayMove(BEA, 2, Play(DEUCE))):
        with refused(TableRefusal.NOT_SEATED):
            events_of(state, action)
    with refused(TableRefusal.LOBBY_OVER):
        events_of(state, Join(BEA))


def test_a_match_isnt_abandoned_while_somebody_may_still_come_back():
    state = away(playing(ANA, BEA), 1)
    assert events_of(state, Leave(ANA)) == [PresenceChanged(0, LEFT)]
    assert not act(state, Leave(ANA)).anybody_here


@pytest.mark.parametrize("first", [(), (0,), (1,), (0, 1)])
def test_when_the_last_person_leaves_the_match_is_abandoned(first: tuple[int, ...]):
    state = act(away(playing(ANA, BEA, computers=2, config=FRIENDLY), *first), Leave(BEA))
    assert events_of(state, Leave(ANA)) == [PresenceChanged(0, LEFT), Closed(Phase.ABANDONED)]
    assert act(state, Leave(ANA)).phase is Phase.ABANDONED


def test_when_the_opener_leaves_for_good_another_person_may_cancel():
    state = act(playing(config=FRIENDLY), Leave(ANA))
    assert state.opener_id == BEA.id
    assert events_of(state, Cancel(BEA)) == [Closed(Phase.CANCELLED, BEA)]
    with refused(TableRefusal.NOT_ALLOWED):
        events_of(state, Cancel(ANA))


def test_a_click_to_leave_the_lobby_doesnt_leave_a_match_that_has_started_meanwhile():
    with refused(TableRefusal.LOBBY_OVER):
        events_of(playing(), Leave(ANA, lobby_only=True))


# ------------------------------------------------- a computer for somebody who is overdue


def waiting() -> TableState:
    """A match of three in which it is Ana's turn."""
    return playing(ANA, BEA, CLO)


@pytest.mark.parametrize(("person", "seat"), [(BEA, 1), (CLO, 2)])
def test_anybody_else_who_plays_may_let_a_computer_play_for_a_player_who_is_overdue(person: Person, seat: int):
    state = waiting()
    action = LetComputerPlay(person, state.move_version)
    [event] = events_of(state, action, overdue=True)
    assert event == PresenceChanged(0, AWAY, by=seat)
    after = state.apply(event)
    assert (after.seats[0].presence, after.seat_of(ANA.id)) == (AWAY, 0)
    assert events_of(after, Touch(ANA)) == [PresenceChanged(0, HERE)], "any click takes the seat back"


def test_no_computer_takes_over_before_a_player_is_overdue():
    state = waiting()
    with refused(CommonRefusal.STALE):
        events_of(state, LetComputerPlay(BEA, state.move_version))


def test_a_button_made_for_another_turn_lets_no_computer_play():
    state = waiting()
    with refused(CommonRefusal.STALE):
        events_of(state, LetComputerPlay(BEA, state.move_version - 1), overdue=True)


def test_a_computer_does_not_take_over_twice():
    state = away(waiting(), 0)
    with refused(CommonRefusal.STALE):
        events_of(state, LetComputerPlay(BEA, state.move_version), overdue=True)


@pytest.mark.parametrize("overdue", [True, False])
def test_the_players_own_press_only_says_that_they_are_here(overdue: bool):
    state = waiting()
    assert events_of(state, LetComputerPlay(ANA, state.move_version), overdue=overdue) == []
    assert events_of(away(state, 0), LetComputerPlay(ANA, state.move_version)) == [PresenceChanged(0, HERE)]


def test_somebody_who_was_away_is_back_when_they_press():
    state = away(waiting(), 1)
    assert events_of(state, LetComputerPlay(BEA, state.move_version), overdue=True) == [
        PresenceChanged(1, HERE),
        PresenceChanged(0, AWAY, by=1),
    ]
    with pytest.raises(Returned):
        events_of(state, LetComputerPlay(BEA, state.move_version))


def test_spectators_and_those_who_have_left_cannot_let_it_play():
    state = act(waiting(), Leave(CLO))
    for person in (CLO, STRANGER):
        with refused(TableRefusal.NOT_SEATED):
            events_of(state, LetComputerPlay(person, state.move_version), overdue=True)


def test_in_the_lobby_nobody_waits():
    with refused(TableRefusal.NOT_STARTED):
        events_of(lobby(ANA, BEA), LetComputerPlay(BEA, 2), overdue=True)


def test_others_wait_only_where_somebody_else_has_a_seat():
    assert waiting().others_wait
    assert away(waiting(), 1, 2).others_wait, "they may be looking"
    assert not playing(ANA, computers=1).others_wait
    assert not act(playing(), Leave(BEA)).others_wait
    assert not lobby(ANA, BEA).others_wait
