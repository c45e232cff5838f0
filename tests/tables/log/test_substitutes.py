"""Substitutes: somebody else plays on in the seat of a person who has left a friendly match."""

from dataclasses import replace

import pytest

from bot.engine.views import seat_view
from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal
from bot.tables.live.result import result_of
from bot.tables.log.actions import Answer, Join, Leave, TakeSeat, Touch
from bot.tables.log.events import Fixture, LogEvent, Phase, Presence, PresenceChanged
from bot.tables.log.questions import Times
from bot.tables.log.state import TableState
from bot.tables.log.topics import QuestionLapsed, SeatTaken
from bot.tables.refusals import TableRefusal
from tests.support.tables.kit import (
    ANA,
    BEA,
    CHANNEL,
    CLO,
    DON,
    FRIENDLY,
    GUILD,
    STRANGER,
    act,
    events_of,
    finish_round,
    move_of,
    play_to,
    playing,
    refused,
    the_match,
)
from tests.support.tables.timing import START

SLOW = Times(now=1000, slow=True, pausable=True)
FRIENDS = playing(ANA, BEA, CLO, config=FRIENDLY)
ONE_LEFT = act(FRIENDS, Leave(ANA))


def answer(state: TableState, person: Person, *, agrees: bool = True) -> list[LogEvent]:
    assert state.question is not None
    return events_of(state, Answer(person, state.question.number, agrees))


def taken(state: TableState = ONE_LEFT) -> TableState:
    """The table once a stranger has taken Ana's seat."""
    state = act(state, TakeSeat(STRANGER, 0))
    for person in (BEA, CLO):
        state = play_to(state, *answer(state, person))
    return state


def test_a_seat_changes_hands_once_everybody_who_plays_agrees():
    state = act(ONE_LEFT, TakeSeat(STRANGER, 0))
    state = play_to(state, *answer(state, CLO))
    assert state.seat_of(STRANGER.id) is None
    assert answer(state, BEA)[-1] == SeatTaken(0, STRANGER)
    state = play_to(state, *answer(state, BEA))
    seat = state.seats[0]
    assert (seat.name, seat.person_id, seat.presence) == (STRANGER.name, STRANGER.id, Presence.HERE)
    assert (state.question, state.seat_of(ANA.id)) == (None, None)


def test_they_play_on_with_that_seats_cards_and_the_result_has_them():
    before = the_match(ONE_LEFT)
    state = taken()
    assert state.current_here
    assert seat_view(the_match(state), 0).hand == seat_view(before, 0).hand
    state = act(state, move_of(state, STRANGER))
    state = finish_round(state)
    over = replace(state, phase=Phase.FINISHED)
    result = result_of(over, guild_id=GUILD, channel_id=CHANNEL, ended_at=START)
    assert result is not None
    assert (result.ranked, [each.user_id for each in result.players]) == (False, [STRANGER.id, BEA.id, CLO.id])
    assert result.players[0].stayed


def test_whoever_left_may_come_back_the_same_way_but_holds_no_second_seat():
    state = act(ONE_LEFT, Leave(BEA))
    with refused(CommonRefusal.STALE):
        events_of(state, TakeSeat(ANA, 1))
    state = act(state, TakeSeat(ANA, 0))
    state = play_to(state, *answer(state, CLO))
    assert state.seat_of(ANA.id) == 0


@pytest.mark.parametrize(
    "state",
    [
        FRIENDS,
        act(playing(ANA, BEA, CLO), Leave(ANA)),
        replace(ONE_LEFT, fixture=Fixture(1, 1, 1)),
        play_to(FRIENDS, PresenceChanged(0, Presence.AWAY)),
        play_to(ONE_LEFT, *(PresenceChanged(each, Presence.AWAY) for each in (1, 2))),
    ],
    ids=["nobody has left", "rated", "a tournament's", "away in a quick match", "nobody is here"],
)
def test_there_is_no_seat_to_take(state: TableState):
    with refused(CommonRefusal.STALE):
        events_of(state, TakeSeat(STRANGER, 0))


def test_in_a_slow_match_the_seat_of_somebody_away_may_be_taken_until_they_are_back():
    away = play_to(FRIENDS, PresenceChanged(0, Presence.AWAY))
    asked = play_to(away, *events_of(away, TakeSeat(STRANGER, 0), times=SLOW))
    assert asked.question is not None
    back = act(asked, Touch(ANA))
    assert (back.question, back.seats[0].human_here) == (None, True)
    with refused(CommonRefusal.STALE):
        answer(asked, ANA)  # they are back, and keep their seat
    assert answer(play_to(asked, *answer(asked, BEA)), CLO)[-1] == SeatTaken(0, STRANGER)


def test_who_plays_already_or_was_refused_takes_no_seat():
    with refused(TableRefusal.ALREADY_SEATED):
        events_of(ONE_LEFT, TakeSeat(BEA, 0))
    state = act(ONE_LEFT, TakeSeat(STRANGER, 0))
    with refused(TableRefusal.ASKED_BEFORE):
        events_of(state, TakeSeat(DON, 0))
    state = play_to(state, *answer(state, BEA, agrees=False))
    with refused(TableRefusal.ASKED_BEFORE):
        events_of(state, TakeSeat(STRANGER, 0))
    assert act(state, TakeSeat(DON, 0)).question is not None


def test_whoever_has_asked_and_is_erased_asks_no_longer():
    state = act(ONE_LEFT, TakeSeat(STRANGER, 0))
    assert events_of(state, Leave(STRANGER)) == [QuestionLapsed()]
    with refused(TableRefusal.NOT_SEATED):
        events_of(ONE_LEFT, Leave(STRANGER))
    with refused(TableRefusal.LOBBY_OVER):
        events_of(state, Join(STRANGER))


def test_missed_turns_are_those_of_the_person_not_of_the_seat():
    state = taken(replace(ONE_LEFT, missed=(0, 0, 1)))
    assert state.missed == (1,)
