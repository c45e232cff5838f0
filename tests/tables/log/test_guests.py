"""A lobby for some people only, and people who are taken off it."""

import pytest

from bot.platform.refusals import CommonRefusal
from bot.tables.log.actions import ChooseGuests, Join, Leave, TakeOff
from bot.tables.log.events import Guests, GuestsChosen, TakenOff
from bot.tables.log.state import TableState
from bot.tables.refusals import TableRefusal
from tests.support.tables.kit import ANA, BEA, CLO, STRANGER, act, events_of, lobby, playing, refused

ROLE = 77


def names(state: TableState) -> list[str]:
    return [seat.name for seat in state.seats]


def test_only_guests_and_holders_of_a_role_can_join_a_table_that_is_not_for_everyone():
    state = act(lobby(ANA), ChooseGuests(ANA, Guests((BEA,), (ROLE,))))
    assert names(act(state, Join(BEA), Join(CLO, roles=frozenset({ROLE})))) == ["Ana", "Bea", "Clo"]
    with refused(TableRefusal.NOT_A_GUEST):
        events_of(state, Join(STRANGER, roles=frozenset({ROLE + 1})))


def test_a_table_can_be_opened_to_everyone_again():
    state = act(lobby(ANA), ChooseGuests(ANA, Guests((BEA,))), ChooseGuests(ANA, None))
    assert names(act(state, Join(STRANGER))) == ["Ana", STRANGER.name]


def test_people_who_sit_already_stay_when_others_are_chosen():
    assert names(act(lobby(ANA, CLO), ChooseGuests(ANA, Guests((BEA,))))) == ["Ana", "Clo"]


def test_an_opener_who_got_up_can_sit_down_again_at_their_table():
    state = act(lobby(ANA, BEA), ChooseGuests(ANA, Guests((CLO,))))
    assert names(act(state, Leave(BEA))) == ["Ana"]
    with refused(TableRefusal.NOT_A_GUEST):
        events_of(act(state, Leave(BEA)), Join(BEA))
    assert names(act(state, Leave(ANA), ChooseGuests(BEA, None), Join(ANA))) == ["Bea", "Ana"]


@pytest.mark.parametrize("moderator", [False, True])
def test_only_the_opener_and_moderators_choose_guests_or_take_people_off(moderator: bool):
    state = lobby(ANA, BEA, CLO)
    chosen, taken = ChooseGuests(BEA, Guests((BEA,)), moderator), TakeOff(BEA, state.version, 2, moderator)
    if moderator:
        assert events_of(state, chosen) == [GuestsChosen(Guests((BEA,)))]
        assert events_of(state, taken) == [TakenOff(CLO.id)]
    else:
        for action in (chosen, taken):
            with refused(TableRefusal.NOT_HOST):
                events_of(state, action)


def test_somebody_who_was_taken_off_once_can_come_back_but_not_after_the_second_time():
    state = lobby(ANA, BEA)
    state = act(state, TakeOff(ANA, state.version, 1))
    assert names(state) == ["Ana"]
    state = act(state, Join(BEA))
    state = act(state, TakeOff(ANA, state.version, 1))
    with refused(TableRefusal.TAKEN_OFF):
        events_of(state, Join(BEA))
    assert names(act(state, Join(CLO))) == ["Ana", "Clo"]


def test_nobody_takes_the_opener_themselves_or_an_empty_seat_off():
    state = lobby(ANA, BEA)
    for seat in (0, 2, -1):
        with refused(CommonRefusal.STALE):
            events_of(state, TakeOff(ANA, state.version, seat))
    with refused(CommonRefusal.STALE):
        events_of(state, TakeOff(BEA, state.version, 0, moderator=True))


def test_once_the_match_has_begun_nobody_is_taken_off():
    state = playing(ANA, BEA)
    for action in (ChooseGuests(ANA, None), TakeOff(ANA, state.version, 1)):
        with refused(TableRefusal.LOBBY_OVER):
            events_of(state, action)
