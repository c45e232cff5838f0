"""What a lobby refuses: strangers, stale clicks, and moves before the match; and who may cancel."""

import pytest

from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal
from bot.tables.log.actions import (
    Action,
    AddComputer,
    Cancel,
    ChangeComputer,
    Configure,
    Join,
    LayCard,
    Leave,
    NextRound,
    PlayMove,
    Start,
    Touch,
)
from bot.tables.log.events import Closed, Phase
from bot.tables.refusals import TableRefusal
from tests.support.tables.kit import (
    ANA,
    BEA,
    DON,
    EVA,
    STRANGER,
    config_of,
    events_of,
    first_move,
    lobby,
    playing,
    refused,
    stacked,
)

# ----------------------------------------------- strangers, stale clicks


def versioned(person: Person, version: int) -> list[Action]:
    """The actions that a lobby accepts only for its current version."""
    return [
        AddComputer(person, version),
        ChangeComputer(person, version, 2, None),
        Configure(person, version, config_of(target=11)),
        Start(person, version),
    ]


def in_a_match(person: Person, version: int) -> list[Action]:
    """The actions that need a match."""
    deal = playing()
    card = stacked("7o")[0]
    return [
        PlayMove(person, version, first_move(deal)),
        LayCard(person, version, card),
        NextRound(person, version),
    ]


@pytest.mark.parametrize("action", [*versioned(STRANGER, 3), *in_a_match(STRANGER, 3), Leave(STRANGER)])
def test_people_without_a_seat_cant_change_anything(action: Action):
    with refused(TableRefusal.NOT_SEATED):
        events_of(lobby(ANA, BEA, computers=1), action)


@pytest.mark.parametrize("late", [1, 2, 4])
@pytest.mark.parametrize("index", range(4))
def test_a_click_for_another_version_is_stale(index: int, late: int):
    with refused(CommonRefusal.STALE):
        events_of(lobby(ANA, BEA, computers=1), versioned(ANA, late)[index])


@pytest.mark.parametrize("index", range(4))
def test_the_same_click_for_the_current_version_counts(index: int):
    assert events_of(lobby(ANA, BEA, computers=1), versioned(ANA, 3)[index])


@pytest.mark.parametrize("action", in_a_match(ANA, 2), ids=lambda action: type(action).__name__)
def test_nothing_can_be_played_before_the_match(action: Action):
    with refused(TableRefusal.NOT_STARTED):
        events_of(lobby(ANA, BEA), action)


@pytest.mark.parametrize("person", [ANA, STRANGER])
def test_a_touch_changes_nothing_in_a_lobby(person: Person):
    assert events_of(lobby(ANA, BEA), Touch(person)) == []


def test_only_the_opener_or_a_moderator_may_cancel():
    state = lobby(ANA, BEA)
    assert events_of(state, Cancel(ANA)) == [Closed(Phase.CANCELLED, ANA)]
    assert events_of(state, Cancel(STRANGER, moderator=True)) == [Closed(Phase.CANCELLED, STRANGER)]
    for person in (BEA, STRANGER):
        with refused(TableRefusal.NOT_ALLOWED):
            events_of(state, Cancel(person))


@pytest.mark.parametrize("phase", [Phase.CANCELLED, Phase.EXPIRED])
@pytest.mark.parametrize(
    "action",
    [Join(DON), Leave(ANA), Touch(ANA), Cancel(ANA), Cancel(EVA, moderator=True), Start(ANA, 3), AddComputer(ANA, 3)],
    ids=lambda action: type(action).__name__,
)
def test_nothing_can_be_done_at_a_table_that_is_over(phase: Phase, action: Action):
    over = lobby(ANA, BEA).apply(Closed(phase))
    with refused(TableRefusal.GAME_OVER):
        events_of(over, action)
