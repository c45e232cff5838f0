"""What people can do in a match: play, show a card, claim a missed capture, deal; and what is refused."""

import pytest

from bot.engine.cards import Card, CardSet
from bot.engine.events import Claimed, Laid, Played, RoundDealt
from bot.engine.moves import Claim, Play, Stage
from bot.engine.rules import Opening
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
from bot.tables.log.state import TableState
from bot.tables.refusals import MoveRefusal, TableRefusal
from tests.support.tables.kit import (
    ANA,
    BEA,
    CLO,
    FRIENDLY,
    STRANGER,
    Stacked,
    act,
    config_of,
    events_of,
    finish_round,
    first_move,
    move_of,
    playing,
    refused,
    stacked,
    the_match,
)

# Ana plays first and holds 4c 8o 9o (the sota and the caballo), Bea 2c 2e 2b; 1o 3o 4o 7o lie on the table.
CHOICE = Stacked(first=1, deck=stacked("4c 10o 11o 2c 2e 2b 1o 3o 4o 7o"))
FOUR, CABALLO, DEUCE = Card.parse("4c"), Card.parse("11o"), Card.parse("2c")


def choosing(preset: str = "escoba") -> TableState:
    """A match in which Ana's 4 of copas takes either 4 and 7, or 1, 3 and 7."""
    return playing(ANA, BEA, config=config_of(preset, opening=Opening.NONE), chance=CHOICE)


# ------------------------------------------------------------------- moves


def test_the_current_player_plays_a_card():
    state = playing()
    match = the_match(state)
    assert events_of(state, move_of(state, ANA)) == [match.event_of(first_move(state))]
    assert act(state, move_of(state, ANA)).move_version == state.move_version + 1


def test_every_legal_move_is_accepted_and_makes_its_event():
    state = choosing()
    for move in the_match(state).legal_moves():
        assert events_of(state, move_of(state, ANA, move)) == [the_match(state).event_of(move)]


def test_players_must_wait_for_their_turn():
    with refused(MoveRefusal.NOT_YOUR_TURN):
        events_of(playing(), move_of(playing(), BEA))


@pytest.mark.parametrize("version", [1, 3, 0, -1, 10**9])
def test_a_move_for_another_version_is_stale_whoever_makes_it(version: int):
    state = playing()
    for person in (ANA, BEA):
        for action in (
            PlayMove(person, version, first_move(state)),
            LayCard(person, version, FOUR),
            NextRound(person, version),
        ):
            with refused(CommonRefusal.STALE):
                events_of(state, action)


def test_a_repeated_click_is_stale():
    state = playing()
    click = move_of(state, ANA)
    with refused(CommonRefusal.STALE):
        events_of(act(state, click), click)


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Play(DEUCE), MoveRefusal.CARD_NOT_HELD),
        (Play(FOUR), MoveRefusal.MUST_CAPTURE),
        (Play(FOUR, CardSet.of("1o 3o 4o")), MoveRefusal.NOT_A_CAPTURE),
        (Play(FOUR, CardSet.of("7o 4o 2c")), MoveRefusal.NOT_A_CAPTURE),
        (Claim(CardSet.of("1o 3o 7o")), MoveRefusal.NOTHING_TO_CLAIM),
    ],
)
def test_an_illegal_move_is_refused_with_the_reason(move: Play | Claim, code: MoveRefusal):
    with refused(code):
        events_of(choosing(), PlayMove(ANA, 2, move))


def test_a_card_with_several_captures_can_be_shown_and_then_counts_as_played():
    state = choosing()
    assert events_of(state, LayCard(ANA, 2, FOUR)) == [Laid(0, FOUR)]
    shown = act(state, LayCard(ANA, 2, FOUR))
    assert {move.card for move in the_match(shown).legal_moves() if isinstance(move, Play)} == {FOUR}
    with refused(MoveRefusal.CHOOSE_FIRST):
        events_of(shown, PlayMove(ANA, 3, Play(CABALLO)))
        events_of(shown, LayCard(ANA, 3, CABALLO))


def test_only_its_player_may_choose_a_shown_cards_capture():
    shown = act(choosing(), LayCard(ANA, 2, FOUR))
    capture = Play(FOUR, CardSet.of("4o 7o"))
    with refused(MoveRefusal.NOT_YOUR_TURN):
        events_of(shown, PlayMove(BEA, 3, capture))
    with refused(MoveRefusal.CHOOSE_FIRST):
        events_of(shown, PlayMove(ANA, 3, Play(CABALLO)))
    with refused(MoveRefusal.CHOOSE_FIRST):
        events_of(shown, LayCard(ANA, 3, FOUR))
    assert events_of(shown, PlayMove(ANA, 3, capture)) == [Played(0, FOUR, capture.captured)]


def test_a_card_without_a_choice_of_captures_cant_be_shown():
    with refused(MoveRefusal.NOTHING_TO_CHOOSE):
        events_of(choosing(), LayCard(ANA, 2, CABALLO))
    with refused(MoveRefusal.CARD_NOT_HELD):
        events_of(choosing(), LayCard(ANA, 2, DEUCE))


def test_only_the_next_player_may_claim_a_missed_capture():
    missed = act(choosing("quince"), PlayMove(ANA, 2, Play(FOUR)))
    claim = Claim(CardSet.of("4c 4o 7o"))
    with refused(MoveRefusal.NOT_YOUR_TURN):
        events_of(missed, PlayMove(ANA, 3, claim))
    assert events_of(missed, PlayMove(BEA, 3, claim)) == [Claimed(1, claim.captured)]
    claimed = act(missed, PlayMove(BEA, 3, claim))
    assert the_match(claimed).turn == 1
    with refused(MoveRefusal.NOTHING_TO_CLAIM):
        events_of(claimed, PlayMove(BEA, 4, Claim(CardSet.of("4c 4o 7o"))))


# ------------------------------------------------------------------ rounds


def test_any_player_may_deal_the_next_round_but_only_once():
    scored = finish_round(playing())
    chance, version = Stacked("next"), scored.move_version
    assert events_of(scored, NextRound(BEA, version), chance) == [RoundDealt(chance.deck(7, 2))]
    with refused(CommonRefusal.STALE):
        events_of(act(scored, NextRound(BEA, version)), NextRound(ANA, version))


def test_a_button_of_an_earlier_round_deals_no_later_one():
    scored = finish_round(playing())
    again = finish_round(act(scored, NextRound(BEA, scored.move_version)))
    with refused(CommonRefusal.STALE):
        events_of(again, NextRound(BEA, scored.move_version))


def test_no_round_can_be_dealt_during_a_round_even_for_the_current_version():
    with refused(CommonRefusal.STALE):
        events_of(playing(), NextRound(ANA, 2))


def test_between_rounds_it_is_nobodys_turn():
    state = playing()
    scored = finish_round(state)
    assert the_match(scored).stage is Stage.TO_DEAL
    for action in (
        PlayMove(ANA, scored.move_version, first_move(state)),
        LayCard(ANA, scored.move_version, FOUR),
    ):
        with refused(MoveRefusal.NOT_YOUR_TURN):
            events_of(scored, action)


def test_the_deciding_point_finishes_the_match_and_the_table():
    state = playing(config=config_of(target=5))
    while state.open:
        state = finish_round(state)
        if state.open:
            state = act(state, NextRound(ANA, state.move_version))
    assert state.phase is Phase.FINISHED
    for action in (NextRound(ANA, state.move_version), Leave(ANA), Cancel(ANA), Touch(ANA), Join(CLO)):
        with refused(TableRefusal.GAME_OVER):
            events_of(state, action)


# ------------------------------------------------------ strangers, the lobby


@pytest.mark.parametrize(
    "action",
    [
        PlayMove(STRANGER, 2, Play(FOUR)),
        LayCard(STRANGER, 2, FOUR),
        NextRound(STRANGER, 2),
        Leave(STRANGER),
        Touch(STRANGER),
        Start(STRANGER, 2),
    ],
    ids=lambda action: type(action).__name__,
)
def test_people_without_a_seat_are_refused(action: Action):
    with refused(TableRefusal.NOT_SEATED):
        events_of(choosing(), action)


def test_nobody_can_join_a_running_match():
    with refused(TableRefusal.LOBBY_OVER):
        events_of(playing(), Join(STRANGER))
    with refused(TableRefusal.ALREADY_SEATED):
        events_of(playing(), Join(ANA))


@pytest.mark.parametrize("version", [2, 4])
def test_the_rules_cant_be_changed_during_a_match(version: int):
    for action in (
        AddComputer(ANA, version),
        ChangeComputer(ANA, version, 1, None),
        Configure(ANA, version, config_of(target=11)),
        Start(ANA, version),
    ):
        with refused(TableRefusal.LOBBY_OVER):
            events_of(playing(), action)


def test_the_opener_or_a_moderator_may_cancel_a_friendly_match():
    state = playing(config=FRIENDLY)
    assert events_of(state, Cancel(ANA)) == [Closed(Phase.CANCELLED, ANA)]
    assert events_of(state, Cancel(STRANGER, moderator=True)) == [Closed(Phase.CANCELLED, STRANGER)]
    with refused(TableRefusal.NOT_ALLOWED):
        events_of(state, Cancel(BEA))
