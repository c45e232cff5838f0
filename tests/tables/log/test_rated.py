"""Rated or friendly: who may change that, and until when; hints; and challenges, which begin when they are accepted."""

from dataclasses import replace

import pytest

from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal
from bot.tables.live.result import is_practice, may_ask_for_hints
from bot.tables.log.actions import Action, Cancel, Configure, Decline, Join, Leave, SetHints, SetRated
from bot.tables.log.events import Closed, Config, Configured, Opened, Phase
from bot.tables.log.state import TableState, opened
from bot.tables.refusals import TableRefusal
from tests.support.tables.kit import (
    ANA,
    BEA,
    CLO,
    FRIENDLY,
    STRANGER,
    act,
    config_of,
    events_of,
    lobby,
    playing,
    refused,
)


def invited(*, challenge: bool, config: Config | None = None) -> TableState:
    """A lobby of Ana's that waits for Bea."""
    return opened(Opened(ANA, config or Config(), (ANA, BEA), challenge=challenge))


# ------------------------------------------------------------------ rated or friendly
@pytest.mark.parametrize("person", [ANA, BEA])
def test_anybody_seated_makes_the_match_friendly_and_it_stays_so(person: Person):
    state = act(lobby(ANA, BEA), SetRated(person, rated=False))
    assert not state.config.rated
    assert events_of(state, SetRated(BEA, rated=False)) == []  # the second of two who press at once


def test_only_the_opener_or_a_moderator_makes_it_rated_again():
    state = lobby(ANA, BEA, config=FRIENDLY)
    with refused(TableRefusal.NOT_RATER):
        events_of(state, SetRated(BEA, rated=True))
    with refused(TableRefusal.NOT_RATER):
        events_of(state, SetRated(STRANGER, rated=True))
    assert events_of(state, SetRated(ANA, rated=True)) == [Configured(Config(), by=0, until=0)]
    assert events_of(state, SetRated(STRANGER, rated=True, moderator=True)) == [Configured(Config(), until=0)]
    with refused(TableRefusal.NOT_RATER):  # Ana has left, so it is Bea's table now
        events_of(act(lobby(ANA, BEA, CLO, config=FRIENDLY), Leave(ANA)), SetRated(CLO, rated=True))


def test_awaited_people_may_change_it_but_strangers_may_not():
    with refused(TableRefusal.NOT_SEATED):
        events_of(lobby(ANA), SetRated(STRANGER, rated=False))
    with refused(TableRefusal.NOT_SEATED):
        events_of(lobby(ANA, config=FRIENDLY), SetHints(STRANGER, hints=True))
    for challenge in (True, False):  # both begin as soon as they join, so they must be able to do it before
        assert events_of(invited(challenge=challenge), SetRated(BEA, rated=False)) == [Configured(FRIENDLY)]


@pytest.mark.parametrize(
    "action",
    [SetRated(ANA, rated=False), SetRated(ANA, rated=True, moderator=True), SetHints(ANA, hints=True)],
    ids=["friendly", "rated", "hints"],
)
@pytest.mark.parametrize("config", [Config(), FRIENDLY], ids=["rated", "friendly"])
def test_none_of_it_can_change_once_the_match_has_begun(action: Action, config: Config):
    with refused(TableRefusal.LOBBY_OVER):
        events_of(playing(ANA, BEA, config=config), action)


def test_changing_the_rules_leaves_it_as_it_is():
    state = act(lobby(ANA, BEA, config=FRIENDLY), SetHints(BEA, hints=True))
    state = act(state, Configure(BEA, state.version, config_of("quince")))
    assert (state.config.preset, state.config.rated, state.config.hints) == ("quince", False, True)


def test_friendly_matches_have_hints_if_the_lobby_wants_them():
    with refused(CommonRefusal.STALE):
        events_of(lobby(ANA, BEA), SetHints(ANA, hints=True))
    quiet = playing(ANA, BEA, config=FRIENDLY)
    assert not may_ask_for_hints(quiet.config, quiet.seats, quiet.match)
    state = playing(ANA, BEA, config=act(lobby(ANA, BEA, config=FRIENDLY), SetHints(BEA, hints=True)).config)
    assert may_ask_for_hints(state.config, state.seats, state.match)
    rated = act(lobby(ANA, BEA, config=state.config), SetRated(ANA, rated=True))
    started = playing(ANA, BEA, config=rated.config)
    assert not may_ask_for_hints(started.config, started.seats, started.match)


@pytest.mark.parametrize(
    ("people", "computers", "teams", "practice"),
    [
        ([ANA], 0, False, False),  # whoever joins next may be a person
        ([ANA], 1, False, True),
        ([ANA, BEA], 1, False, False),
        ([ANA, BEA], 2, False, False),
        ([ANA, BEA], 2, True, False),  # partners sit opposite each other: each of them has a computer
    ],
)
def test_a_lobby_is_for_practice_if_people_are_on_one_side_alone(
    people: list[Person], computers: int, teams: bool, practice: bool
):
    state = lobby(*people, config=replace(Config(), teams=teams), computers=computers)
    assert is_practice(state.config, state.seats) is practice


def test_partners_against_two_computers_practise():
    state = lobby(ANA, config=replace(Config(), teams=True), computers=1)
    state = act(act(state, Join(BEA)), Join(CLO))
    seats = tuple(seat if index in (0, 2) else replace(seat, person_id=None) for index, seat in enumerate(state.seats))
    assert is_practice(state.config, seats)


# ------------------------------------------------------------------ challenges
def test_a_challenge_begins_when_the_person_accepts():
    state = act(invited(challenge=True), Join(BEA))
    assert state.phase is Phase.PLAYING
    assert [seat.person_id for seat in state.seats] == [ANA.id, BEA.id]


def test_nobody_else_takes_or_turns_down_a_challenge():
    for action in (Join(CLO), Decline(CLO), Decline(ANA)):
        with refused(TableRefusal.NOT_CHALLENGED):
            events_of(invited(challenge=True), action)
    with refused(TableRefusal.NOT_CHALLENGED):
        events_of(invited(challenge=False), Decline(BEA))
    assert act(invited(challenge=False), Join(CLO)).phase is Phase.LOBBY  # a rematch has room for others


def test_a_challenge_ends_when_it_is_turned_down_or_taken_back():
    assert events_of(invited(challenge=True), Decline(BEA)) == [Closed(Phase.DECLINED, BEA)]
    assert events_of(invited(challenge=True), Cancel(ANA)) == [Closed(Phase.CANCELLED, ANA)]
    with refused(TableRefusal.LOBBY_OVER):
        events_of(playing(ANA, BEA), Decline(CLO))


@pytest.mark.parametrize("challenge", [True, False])
def test_nobody_is_drawn_into_a_rated_match_that_was_friendly_when_they_pressed(challenge: bool):
    with refused(CommonRefusal.STALE):
        events_of(invited(challenge=challenge), Join(BEA, friendly=True))
    state = act(invited(challenge=challenge, config=FRIENDLY), Join(BEA, friendly=True))
    assert state.phase is Phase.PLAYING
    # The other way round is allowed.
    assert act(invited(challenge=challenge, config=FRIENDLY), Join(BEA)).phase is Phase.PLAYING
