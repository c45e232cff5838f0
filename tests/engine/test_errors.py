"""Every reason why the rules refuse something; a refusal changes nothing."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import FrozenInstanceError

import pytest

from bot.engine.cards import DECK, EMPTY
from bot.engine.errors import EngineError, IllegalMove, NotationError, RuleCode
from bot.engine.events import Event, MatchStarted, Played, RoundDealt
from bot.engine.match import Match, replay, start
from bot.engine.moves import Play
from bot.engine.notation import parse_event
from bot.engine.rules import Rules, Seating
from tests.support.engine import after, begin, card, cards, position, refused, stacked, the_round

TABLE = "1o 3c 4e 7b"


def running() -> Match:
    return position(["4b 2o", "5c"], TABLE)


def shown() -> Match:
    return after(running(), "0 4b ?")


def shown_too_early() -> Match:
    return after(singing(), "0 4b ?")


def claimable() -> Match:
    return after(position(["4b 2o", "5c"], TABLE, preset="quince"), "0 4b")


def singing() -> Match:
    return position(["4b 2o 3e", "5c 6c 7c"], TABLE, cantos=True)


def sung() -> Match:
    return after(singing(), "0 sing")


def scored() -> Match:
    return after(position(["12c", ""], "", last_taker=0, rest_to=0), "0 12c")


def won() -> Match:
    return after(position(["12c", ""], "", last_taker=0, rest_to=0, totals=(20, 0)), "0 12c")


DECK_DEALT = RoundDealt(stacked())
REFUSALS: list[tuple[RuleCode, Callable[[], Match], Event | str]] = [
    (RuleCode.NOT_YOUR_TURN, running, "1 5c"),
    (RuleCode.NOT_YOUR_TURN, running, "7 5c"),
    (RuleCode.NOT_YOUR_TURN, running, "1 5c ?"),
    (RuleCode.NOT_YOUR_TURN, claimable, "0 claim 4b 4e 7b"),
    (RuleCode.NOT_YOUR_TURN, running, Played(-1, card("5c"))),
    (RuleCode.CARD_NOT_HELD, running, "0 5c"),
    (RuleCode.CARD_NOT_HELD, running, "0 7b"),
    (RuleCode.CARD_NOT_HELD, running, "0 12b ?"),
    (RuleCode.NOT_A_CAPTURE, running, "0 4b x 7b"),
    (RuleCode.NOT_A_CAPTURE, running, "0 4b x 4e 7e"),
    (RuleCode.NOT_A_CAPTURE, running, "0 4b x 1o 3c 4e 7b"),
    (RuleCode.NOT_A_CAPTURE, running, "0 4b x 4b 7b"),
    (RuleCode.NOT_A_CAPTURE, running, "0 2o x 1o"),
    (RuleCode.NOT_A_CAPTURE, shown, "0 4b x 7b"),
    (RuleCode.NOT_A_CAPTURE, claimable, "1 claim 4b 7b"),
    (RuleCode.NOT_A_CAPTURE, claimable, "1 claim 4b"),
    (RuleCode.MUST_CAPTURE, running, "0 4b"),
    (RuleCode.MUST_CAPTURE, shown, "0 4b"),
    (RuleCode.NOTHING_TO_CLAIM, running, "0 claim 1o 3c"),
    (RuleCode.NOT_YOUR_TURN, singing, "1 sing"),
    (RuleCode.NOTHING_TO_SING, running, "0 sing"),
    (RuleCode.NOTHING_TO_SING, sung, "0 sing"),
    (RuleCode.NO_ROUND, scored, "1 sing"),
    (RuleCode.CHOOSE_FIRST, shown_too_early, "0 sing"),
    (RuleCode.NOTHING_TO_CHOOSE, running, "0 2o ?"),
    (RuleCode.CHOOSE_FIRST, shown, "0 2o"),
    (RuleCode.CHOOSE_FIRST, shown, "0 2o ?"),
    (RuleCode.NO_ROUND, begin, "0 4b"),
    (RuleCode.NO_ROUND, scored, "1 4b"),
    (RuleCode.NO_ROUND, scored, "0 claim 4b 7b"),
    (RuleCode.ROUND_RUNNING, running, DECK_DEALT),
    (RuleCode.ROUND_RUNNING, shown, DECK_DEALT),
    (RuleCode.ROUND_RUNNING, running, MatchStarted(Rules(), Seating.TWO, 0)),
    (RuleCode.MATCH_OVER, won, DECK_DEALT),
    (RuleCode.MATCH_OVER, won, "0 4b"),
    (RuleCode.BAD_DECK, begin, RoundDealt(DECK[:39])),
    (RuleCode.BAD_DECK, scored, RoundDealt((*DECK[:39], DECK[0]))),
]


@pytest.mark.parametrize(
    ("code", "situation", "event"), REFUSALS, ids=[f"{c}-{s.__name__}-{i}" for i, (c, s, _) in enumerate(REFUSALS)]
)
def test_the_rules_refuse_it_for_this_reason_and_nothing_changes(code, situation, event):
    match = situation()
    before = deepcopy(match)
    with refused(code):
        match.apply(parse_event(event) if isinstance(event, str) else event)
    assert match == before


def test_every_reason_is_tried_here_or_below():
    assert {code for code, _, _ in REFUSALS} | {RuleCode.BAD_RULES} == set(RuleCode)


def test_bad_rules_are_refused_at_the_start():
    with refused(RuleCode.BAD_RULES):
        start(MatchStarted(Rules(hand=7), Seating.TWO, 0))
    with refused(RuleCode.BAD_RULES):
        replay([MatchStarted(Rules(target=1), Seating.TWO, 0)])


@pytest.mark.parametrize("events", [[], [DECK_DEALT], [Played(0, DECK[0])]], ids=["nothing", "a deal", "a play"])
def test_a_replay_begins_with_the_start_of_the_match(events):
    with refused(RuleCode.NO_ROUND):
        replay(events)


def test_a_replay_refuses_an_event_that_is_not_legal_at_that_point():
    begun = MatchStarted(Rules(), Seating.TWO, 0)
    with refused(RuleCode.NOT_YOUR_TURN):
        replay([begun, DECK_DEALT, Played(0, card("4b"))])
    with refused(RuleCode.ROUND_RUNNING):
        replay([begun, DECK_DEALT, DECK_DEALT])


@pytest.mark.parametrize(
    "match", [begin(), scored(), won()], ids=["before the deal", "between rounds", "after the end"]
)
def test_no_move_becomes_an_event_when_no_card_can_be_played(match):
    assert match.legal_moves() == ()
    with refused(RuleCode.NO_ROUND):
        match.event_of(Play(card("4b"), EMPTY))


def test_an_error_contains_its_code_but_no_card():
    with pytest.raises(IllegalMove) as caught:
        after(running(), "0 5c")
    assert str(caught.value) == "card_not_held"
    assert all(str(one) not in str(caught.value).split() for one in DECK)


def test_all_errors_belong_to_one_family():
    assert issubclass(IllegalMove, EngineError)
    assert issubclass(NotationError, EngineError)


def test_a_match_never_changes_but_is_followed_by_another():
    match = running()
    before = deepcopy(match)
    after(match, "0 4b x 4e 7b", "1 5c")
    assert match == before
    with pytest.raises(FrozenInstanceError):
        match.version = 9  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(FrozenInstanceError):
        the_round(match).table = cards()  # pyright: ignore[reportAttributeAccessIssue]


def test_each_event_is_one_version():
    match = running()
    assert [
        after(match, *lines).version - match.version for lines in (["0 2o"], ["0 4b ?"], ["0 4b ?", "0 4b x 4e 7b"])
    ] == [
        1,
        1,
        2,
    ]
