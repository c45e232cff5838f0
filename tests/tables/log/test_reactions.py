"""Reactions: a sign for somebody else's latest move, once per move, which changes nothing in the match."""

import pytest

from bot.engine.facts import CardPlayed
from bot.tables.log.actions import React
from bot.tables.log.events import Presence, PresenceChanged, Reacted
from bot.tables.log.state import TableState
from bot.tables.log.topics import Sign
from bot.tables.refusals import TableRefusal
from tests.support.tables.kit import (
    ANA,
    BEA,
    CLO,
    STRANGER,
    act,
    at_turn,
    events_of,
    finish_round,
    lobby,
    move_of,
    play_to,
    playing,
    refused,
    the_match,
)


def moved() -> TableState:
    """A match after its first two moves."""
    state = playing(ANA, BEA, CLO)
    for _ in range(2):
        state = act(state, move_of(state))
    return state


def played_by(state: TableState) -> list[int]:
    return [fact.seat for fact in the_match(state).recent if isinstance(fact, CardPlayed)]


def test_a_reaction_is_to_the_latest_move_of_somebody_else():
    state = moved()
    _, latest = played_by(state)
    for seat, person in enumerate((ANA, BEA, CLO)):
        if seat != latest:
            assert events_of(state, React(person, Sign.CLAP)) == [Reacted(seat, Sign.CLAP)]
            (reaction,) = act(state, React(person, Sign.CLAP)).reactions
            assert (reaction.seat, reaction.sign, reaction.to.seat) == (seat, Sign.CLAP, latest)


def test_somebody_reacts_once_to_a_move_and_again_to_the_next():
    state = moved()
    seat = played_by(state)[0]
    person = (ANA, BEA, CLO)[seat]
    state = act(state, React(person, Sign.LUCK))
    assert events_of(state, React(person, Sign.CLAP)) == []
    state = act(state, move_of(state))
    assert events_of(state, React(person, Sign.CLAP)) == [Reacted(seat, Sign.CLAP)]


def test_nobody_reacts_to_their_own_move_or_before_any_move():
    state = moved()
    mover = (ANA, BEA, CLO)[played_by(state)[1]]
    assert events_of(state, React(mover, Sign.HUFF)) == []
    assert events_of(state, React(at_turn(state), Sign.HUFF)), "in their own turn people see the latest move, too"
    for person in (ANA, BEA):
        assert events_of(playing(ANA, BEA), React(person, Sign.HUFF)) == []


def test_a_reaction_neither_makes_a_button_stale_nor_begins_a_turn():
    state = moved()
    after = act(state, React((ANA, BEA, CLO)[played_by(state)[0]], Sign.GASP))
    assert (after.move_version, after.turn_key, after.match) == (state.move_version, state.turn_key, state.match)
    assert after.version == state.version + 1


def test_a_reaction_brings_an_away_person_back():
    state = moved()
    seat = played_by(state)[0]
    state = play_to(state, PresenceChanged(seat, Presence.AWAY))
    events = events_of(state, React((ANA, BEA, CLO)[seat], Sign.CLAP))
    assert events == [PresenceChanged(seat, Presence.HERE), Reacted(seat, Sign.CLAP)]


def test_reactions_are_forgotten_with_the_moves_they_were_to():
    state = moved()
    state = act(state, React((ANA, BEA, CLO)[played_by(state)[0]], Sign.BROOM))
    state = finish_round(state)
    assert all(each.to in the_match(state).recent for each in state.reactions)


def test_only_those_who_play_may_react():
    with refused(TableRefusal.NOT_SEATED):
        events_of(moved(), React(STRANGER, Sign.CLAP))
    with refused(TableRefusal.NOT_STARTED):
        events_of(lobby(ANA, BEA), React(ANA, Sign.CLAP))


def test_a_reaction_in_a_log_without_a_match_changes_nothing():
    assert lobby(ANA, BEA).apply(Reacted(0, Sign.CLAP)).reactions == ()


@pytest.mark.parametrize("sign", Sign)
def test_every_sign_is_kept(sign: Sign):
    state = moved()
    (reaction,) = act(state, React((ANA, BEA, CLO)[played_by(state)[0]], sign)).reactions
    assert reaction.sign is sign
