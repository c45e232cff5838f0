"""The early end of a rated match: nobody escapes a loss by it, and it takes everybody's agreement."""

from dataclasses import replace
from random import Random

import pytest

from bot.club.store.results import MatchResult
from bot.engine.events import RoundDealt
from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal, Refusal
from bot.tables.live.result import result_of, winner_of
from bot.tables.log.actions import (
    Action,
    Answer,
    Ask,
    Cancel,
    ClaimMatch,
    EndFixture,
    Leave,
    LetComputerPlay,
    NextRound,
    SetRated,
    TakeOut,
    TakeWin,
    Touch,
)
from bot.tables.log.decide import decide
from bot.tables.log.events import Closed, Config, Fixture, LogEvent, Moved, Phase, Presence, PresenceChanged
from bot.tables.log.questions import Times, ended
from bot.tables.log.state import TableState
from bot.tables.log.topics import QuestionAnswered, QuestionAsked, QuestionLapsed
from bot.tables.refusals import TableRefusal
from tests.support.dose import dose
from tests.support.tables.kit import (
    ANA,
    BEA,
    CHANNEL,
    CLO,
    DON,
    FRIENDLY,
    GAME,
    GUILD,
    STRANGER,
    Stacked,
    act,
    at_turn,
    config_of,
    events_of,
    finish_round,
    lobby,
    move_of,
    play_to,
    playing,
    refused,
    the_match,
)
from tests.support.tables.timing import START

LEFT, AWAY = Presence.LEFT, Presence.AWAY
UNTOUCHED = Times(untouched=True)
PAIRS = config_of(teams=True)
CLAIMABLE = Times(claimable=True)


def result(state: TableState) -> MatchResult | None:
    return result_of(state, guild_id=GUILD, channel_id=CHANNEL, ended_at=START)


def outcome(state: TableState) -> list[tuple[bool, int | None, bool]]:
    """Whether each seat's player has won, their place, and whether they stayed."""
    found = result(state)
    assert found is not None, "the match has a result"
    return [(each.won, each.place, each.stayed) for each in found.players]


def asked(state: TableState, person: Person = ANA) -> TableState:
    """The table after somebody has proposed to end the match."""
    return act(state, Ask(person))


def answered(state: TableState, *people: Person, agrees: bool = True) -> TableState:
    """The table after these people have answered that question."""
    for person in people:
        assert state.question is not None
        state = act(state, Answer(person, state.question.number, agrees))
    return state


def played_out(state: TableState) -> TableState:
    number = 1
    while state.phase is Phase.PLAYING:
        if the_match(state).turn is None:
            number += 1
            state = state.apply(RoundDealt(Stacked("early").deck(1, number)))
        state = finish_round(state)
    return state


# ------------------------------------------------------------------ who can end it


@pytest.mark.parametrize("moderator", [False, True])
@pytest.mark.parametrize("person", [ANA, BEA])
def test_nobody_who_plays_a_rated_match_can_end_it(person: Person, moderator: bool):
    with refused(TableRefusal.NEEDS_EVERYBODY):
        events_of(playing(), Cancel(person, moderator=moderator))


def test_a_manager_who_has_left_a_rated_match_cannot_end_it_either():
    state = act(playing(ANA, BEA, CLO), Leave(BEA))
    with refused(TableRefusal.NEEDS_EVERYBODY):
        events_of(state, Cancel(BEA, moderator=True))


def test_nobody_ends_a_rated_match_from_outside_unless_it_is_long_forgotten():
    for moderator in (False, True):
        with refused(TableRefusal.NEEDS_EVERYBODY):
            events_of(playing(), Cancel(STRANGER, moderator=moderator))
    with refused(TableRefusal.NEEDS_EVERYBODY):
        events_of(playing(), Cancel(STRANGER), times=UNTOUCHED)
    with refused(TableRefusal.NEEDS_EVERYBODY):
        events_of(playing(), Cancel(BEA, moderator=True), times=UNTOUCHED)
    state = playing().apply_all(events_of(playing(), Cancel(STRANGER, moderator=True), times=UNTOUCHED))
    assert (state.phase, state.ended_by, result(state)) == (Phase.CANCELLED, STRANGER, None)


def test_a_manager_takes_a_rated_match_out_of_its_channel_once_and_plays_no_part_in_it():
    state = act(playing(ANA, BEA, CLO), Leave(CLO))
    for person in (ANA, CLO):
        with refused(CommonRefusal.STALE):
            events_of(state, TakeOut(person))
    assert events_of(state, TakeOut(STRANGER)) == [Moved(-GAME)]
    out = act(state, TakeOut(STRANGER))
    assert (out.taken_out, out.phase, out.match) == (True, Phase.PLAYING, state.match)
    with refused(CommonRefusal.STALE):
        events_of(out, TakeOut(STRANGER))


@pytest.mark.parametrize("config", [FRIENDLY, None], ids=["friendly", "lobby"])
def test_nothing_else_is_taken_out_of_its_channel(config: Config | None):
    state = lobby(ANA, BEA) if config is None else playing(config=config)
    with refused(CommonRefusal.STALE):
        events_of(state, TakeOut(STRANGER))


def test_a_manager_cannot_end_their_own_match_of_a_tournament():
    state = replace(playing(), fixture=Fixture(1, 1, 1))
    for moderator in (False, True):
        with refused(TableRefusal.OF_TOURNAMENT):
            events_of(state, Cancel(BEA, moderator=moderator))
    assert events_of(state, Cancel(STRANGER, moderator=True)) == [Closed(Phase.CANCELLED, STRANGER)]


def test_a_tournament_ends_its_tables_itself_whoever_decided_that():
    state = replace(playing(), fixture=Fixture(1, 1, 1))
    assert events_of(state, EndFixture(BEA)) == [Closed(Phase.CANCELLED, BEA)]
    with refused(TableRefusal.NOT_ALLOWED):
        events_of(playing(), EndFixture(BEA))


def test_a_match_against_computers_is_ended_by_its_player_alone():
    state = playing(ANA, computers=1)
    assert events_of(state, Cancel(ANA)) == [Closed(Phase.CANCELLED, ANA)]
    with refused(CommonRefusal.STALE):
        events_of(state, Ask(ANA))


def test_there_is_no_proposal_in_a_friendly_match():
    with refused(CommonRefusal.STALE):
        events_of(playing(config=FRIENDLY), Ask(ANA))


# ------------------------------------------------------------------ the question


def test_a_proposal_ends_the_match_once_everybody_agrees():
    state = asked(playing(ANA, BEA, CLO), BEA)
    assert events_of(playing(), Ask(ANA), times=Times(answer_by=99)) == [QuestionAsked(0, 99)]
    state = answered(state, ANA)
    assert state.phase is Phase.PLAYING
    state = answered(state, CLO)
    assert (state.phase, result(state)) == (Phase.AGREED, None)


def test_partners_are_asked_too_as_well_as_people_who_are_away():
    state = play_to(playing(ANA, BEA, CLO, DON, config=PAIRS), PresenceChanged(3, AWAY))
    state = answered(asked(state), BEA, CLO)
    assert state.phase is Phase.PLAYING
    assert answered(state, DON).phase is Phase.AGREED


def test_a_refusal_drops_the_question_and_it_can_be_asked_again_in_the_next_round_only():
    state = answered(asked(playing(config=config_of(target=51))), BEA, agrees=False)
    assert (state.question, state.phase) == (None, Phase.PLAYING)
    with refused(TableRefusal.ASKED_BEFORE):
        events_of(state, Ask(ANA))
    assert asked(state, BEA).question is not None, "the other may ask, too"
    state = act(finish_round(state), NextRound(ANA, finish_round(state).move_version))
    assert asked(state).question is not None


def test_a_question_that_lapses_counts_as_refused():
    state = play_to(asked(playing()), QuestionLapsed())
    assert state.question is None
    with refused(TableRefusal.ASKED_BEFORE):
        events_of(state, Ask(ANA))


def test_whoever_asks_can_take_it_back_and_whoever_has_agreed_can_think_again():
    state = asked(playing(ANA, BEA, CLO))
    assert answered(state, ANA, agrees=False).question is None
    assert answered(state, BEA, agrees=True).question is not None
    assert answered(answered(state, BEA), BEA, agrees=False).question is None


def test_an_answer_counts_for_its_own_question_only():
    state = asked(playing())
    assert state.question is not None
    old = state.question.number
    state = asked(answered(state, BEA, agrees=False), BEA)
    with refused(CommonRefusal.STALE):
        events_of(state, Answer(ANA, old, agrees=True))
    with refused(CommonRefusal.STALE):
        events_of(playing(), Answer(BEA, 4, agrees=True))
    with refused(TableRefusal.NOT_SEATED):
        events_of(state, Answer(STRANGER, old, agrees=True))


def test_agreeing_twice_changes_nothing():
    state = answered(asked(playing(ANA, BEA, CLO)), BEA)
    assert state.question is not None
    assert events_of(state, Answer(BEA, state.question.number, agrees=True)) == []


def test_play_goes_on_while_the_question_is_open():
    state = asked(playing())
    state = act(state, move_of(state))
    assert state.question is not None


def test_two_questions_are_not_open_at_once():
    with refused(TableRefusal.ASKED_BEFORE):
        events_of(asked(playing()), Ask(BEA))


def test_a_question_is_dropped_when_somebody_leaves():
    state = act(answered(asked(playing(ANA, BEA, CLO)), BEA), Leave(CLO))
    assert (state.question, state.phase) == (None, Phase.PLAYING)
    assert asked(state).question is not None, "which doesn't count as refused"


# ------------------------------------------------------------------ leaving


def test_when_one_of_two_leaves_the_other_has_won_whatever_the_computer_scores():
    state = act(playing(config=config_of(target=5)), Leave(ANA))
    assert (state.default_winner, state.phase) == (1, Phase.PLAYING)
    over = played_out(state)
    assert (over.phase, winner_of(over)) == (Phase.FINISHED, 1)
    assert outcome(over) == [(False, 2, False), (True, 1, True)]


@pytest.mark.parametrize("seed", range(4))
def test_the_win_is_theirs_also_if_the_computer_gets_more_points(seed: int):
    state = act(playing(config=config_of(target=5), chance=Stacked(seed)), Leave(BEA))
    over = played_out(state)
    assert outcome(over)[0] == (True, 1, True), the_match(over).totals


def test_whoever_stays_can_take_the_win_at_once():
    state = act(playing(), Leave(ANA))
    with refused(TableRefusal.NOT_SEATED):
        events_of(state, TakeWin(ANA))
    state = act(state, TakeWin(BEA))
    assert (state.phase, outcome(state)) == (Phase.FORFEITED, [(False, 2, False), (True, 1, True)])


def test_there_is_no_win_to_take_while_others_play():
    for state in (playing(), act(playing(ANA, BEA, CLO), Leave(CLO))):
        with refused(CommonRefusal.STALE):
            events_of(state, TakeWin(ANA))


@pytest.mark.parametrize("phase", [Phase.ABANDONED, Phase.IDLE, Phase.CANCELLED])
def test_the_loss_of_whoever_left_stands_however_the_match_ends(phase: Phase):
    state = act(playing(), Leave(ANA))
    for over in (
        play_to(state, ended(state, phase)),
        act(state, Leave(BEA)),
        state.apply_all(events_of(state, Cancel(STRANGER, moderator=True), times=UNTOUCHED)),
    ):
        assert outcome(over) == [(False, 2, False), (True, 1, True)]


def test_whoever_stays_cannot_give_the_win_back():
    state = act(playing(), Leave(ANA))
    with refused(TableRefusal.ASKED_BEFORE):
        events_of(state, Ask(BEA))
    with refused(TableRefusal.NEEDS_EVERYBODY):
        events_of(state, Cancel(BEA))


def test_of_three_who_leave_the_last_has_won():
    state = act(playing(ANA, BEA, CLO), Leave(BEA), Leave(ANA))
    assert state.default_winner == 2
    over = act(state, Leave(CLO))
    assert outcome(over) == [(False, 3, False), (False, 3, False), (True, 1, True)]


def test_an_end_that_the_others_agree_to_keeps_the_loss_of_whoever_had_left():
    state = answered(asked(act(playing(ANA, BEA, CLO), Leave(CLO))), BEA)
    assert (state.phase, winner_of(state)) == (Phase.FORFEITED, None)
    assert outcome(state) == [(False, 1, True), (False, 1, True), (False, 3, False)]


def test_those_who_stay_are_compared_with_each_other_and_not_with_the_computer():
    over = played_out(act(playing(ANA, BEA, CLO, config=config_of(target=5)), Leave(CLO)))
    totals = the_match(over).totals
    best = max(totals[:2])
    assert winner_of(over) == (None if totals[0] == totals[1] else totals.index(best))
    assert [place for _, place, _ in outcome(over)] == [1 + (totals[1] > totals[0]), 1 + (totals[0] > totals[1]), 3]


def test_a_side_plays_on_as_long_as_one_of_its_people_stays():
    state = act(playing(ANA, BEA, CLO, DON, config=PAIRS), Leave(ANA))
    assert state.default_winner is None
    state = act(state, Leave(BEA))
    assert state.default_winner is None
    state = act(state, Leave(CLO))
    assert state.default_winner == 1
    over = act(state, TakeWin(DON))
    assert [(won, stayed) for won, _, stayed in outcome(over)] == [
        (False, False),
        (False, False),
        (False, False),
        (True, True),
    ]


def test_a_computer_that_sat_there_from_the_start_does_not_take_the_win():
    state = act(playing(ANA, BEA, computers=1), Leave(ANA))
    assert state.default_winner == 1
    assert outcome(act(state, TakeWin(BEA))) == [(False, 3, False), (True, 1, True), (False, 2, True)]


def test_a_person_whose_data_is_erased_loses_at_once():
    state = act(playing(), Leave(ANA, for_good=True))
    assert (state.phase, outcome(state)[1]) == (Phase.FORFEITED, (True, 1, True))
    assert act(playing(ANA, BEA, CLO), Leave(ANA, for_good=True)).phase is Phase.PLAYING


def test_a_friendly_match_is_left_as_ever():
    state = act(playing(config=FRIENDLY), Leave(ANA))
    assert (state.default_winner, state.forfeits) == (None, frozenset())
    assert act(state, Leave(BEA)).phase is Phase.ABANDONED


# ------------------------------------------------------------------ claiming


def test_the_others_claim_a_match_whose_player_has_kept_them_waiting_too_long():
    state = playing()  # it is Ana's turn
    assert at_turn(state) == ANA
    claim = ClaimMatch(BEA, state.move_version)
    with refused(CommonRefusal.STALE):
        events_of(state, claim)
    assert events_of(state, claim, times=CLAIMABLE) == [PresenceChanged(0, LEFT, by=1), Closed(Phase.FORFEITED)]
    over = play_to(state, *events_of(state, claim, times=CLAIMABLE))
    assert (over.late, outcome(over)) == ({0}, [(False, 2, False), (True, 1, True)])


def test_among_three_a_claim_costs_the_one_who_keeps_the_others_waiting():
    state = playing(ANA, BEA, CLO)
    events = events_of(state, ClaimMatch(CLO, state.move_version), times=CLAIMABLE)
    assert events == [PresenceChanged(0, LEFT, by=2)]
    assert play_to(state, *events).forfeits == {0}


@pytest.mark.parametrize(
    ("state", "person"),
    [
        (playing(), ANA),
        (playing(ANA, BEA, CLO, DON, config=PAIRS), CLO),
        (playing(config=FRIENDLY), BEA),
        (play_to(playing(), PresenceChanged(0, AWAY)), BEA),
    ],
    ids=["oneself", "a partner's", "friendly", "a robot plays"],
)
def test_nobody_claims(state: TableState, person: Person):
    with refused(CommonRefusal.STALE):
        events_of(state, ClaimMatch(person, state.move_version), times=CLAIMABLE)


def test_a_claim_for_an_earlier_turn_is_stale():
    state = act(playing(), move_of(playing()))
    with refused(CommonRefusal.STALE):
        events_of(state, ClaimMatch(ANA, state.move_version - 1), times=CLAIMABLE)


# ------------------------------------------------------------------ whatever people try


def some_action(state: TableState, rng: Random, people: tuple[Person, ...]) -> Action:
    """Something that somebody may try in a match, sensible or not."""
    person, version = rng.choice((*people, STRANGER)), state.move_version
    number = 0 if state.question is None else state.question.number
    seated = rng.choice(people)
    return rng.choice(
        (
            Leave(seated),
            Leave(seated, for_good=True),
            Ask(seated),
            *(Answer(each, number, rng.random() < 0.7) for each in people),
            Cancel(person),
            Cancel(seated, moderator=True),
            SetRated(person, rated=False, moderator=True),
            TakeWin(seated),
            ClaimMatch(seated, version),
            LetComputerPlay(seated, version),
            Touch(seated),
            NextRound(seated, version),
        )
    )


@pytest.mark.parametrize("seed", range(dose("ENDINGS", 60)))
def test_whatever_people_try_no_loss_is_undone(seed: int):
    rng = Random(seed)
    people = (ANA, BEA, CLO, DON)[: rng.choice((2, 2, 3, 4))]
    config = config_of(target=5, teams=rng.random() < 0.5, rounds=0)
    state = playing(*people, config=config, chance=Stacked(seed))
    left: list[int] = []
    last: LogEvent | None = None
    while state.phase.open:
        match = the_match(state)
        if match.turn is not None and rng.random() < 0.8:
            state = state.apply(match.event_of(match.legal_moves()[0]))
            continue
        times = Times(overdue=rng.random() < 0.5, claimable=rng.random() < 0.1, answer_by=1)
        before = state
        try:
            events = decide(state, some_action(state, rng, people), GAME, times).dealt(Stacked(seed), GAME).events
        except Refusal:
            events = ()
        for event in events:
            last = last if isinstance(event, Closed) else event
            if isinstance(event, PresenceChanged) and event.presence is LEFT and state.default_winner is None:
                left.append(event.seat)
            state = state.apply(event)
        if state.phase is Phase.AGREED:
            still = {seat for seat, each in enumerate(before.seats) if each.may_return}
            assert before.question is not None
            assert len(still - before.question.agreed) == 1, "the last answer was missing"
    found = result(state)
    if state.phase is Phase.AGREED:
        assert not left
        assert isinstance(last, QuestionAnswered)
        return
    assert found is not None, "only an agreement leaves no result"
    assert found.ranked
    assert {each.seat for each in found.players if not each.stayed} == set(left)
    assert not any(each.won for each in found.players if each.seat in left)
    assert state.default_winner is None or any(each.won for each in found.players)
