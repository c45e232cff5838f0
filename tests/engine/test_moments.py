"""The moments of a match that a clip is made of: the rarest first, and each as it was."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from bot.engine.cards import DECK, Card, CardSet
from bot.engine.events import Event, MatchStarted, Played, RoundDealt, Sang
from bot.engine.match import start
from bot.engine.moves import Play, Sing, Stage
from bot.engine.rules import PRESETS, Rules, Seating
from bot.engine.story import Course, Moment, MomentKind, course_of, moments_of


def played(seed: int, seating: Seating = Seating.TWO, rules: Rules | None = None) -> list[Event]:
    """A whole match of random legal moves, in which everybody who may sing does."""
    rng = Random(seed)
    events: list[Event] = [MatchStarted(rules or replace(PRESETS["escoba"].rules, target=11), seating, 0)]
    match = start(events[0])  # type: ignore[arg-type]
    while match.stage is not Stage.OVER:
        if match.stage is Stage.TO_DEAL:
            events.append(RoundDealt(tuple(rng.sample(DECK, len(DECK)))))
        else:
            first, *others = match.legal_moves()
            events.append(match.event_of(first if isinstance(first, Sing) else rng.choice([first, *others])))
        match = match.apply(events[-1])  # type: ignore[arg-type]
    return events


def escobas(events: Sequence[Event]) -> list[Played]:
    """The cards that swept the table."""
    match, found = start(events[0]), list[Played]()  # type: ignore[arg-type]
    for event in events[1:]:
        match = match.apply(event)
        if isinstance(event, Played) and any(getattr(fact, "escoba", False) for fact in match.facts):
            found.append(event)
    return found


def of_kind(moments: Sequence[Moment], kind: MomentKind) -> Moment | None:
    return next((moment for moment in moments if moment.kind is kind), None)


@pytest.mark.parametrize("seed", range(4))
def test_the_largest_escoba_has_no_fewer_cards_than_any_other(seed: int) -> None:
    events = played(seed)
    largest = of_kind(moments_of(events), MomentKind.ESCOBA)
    swept = escobas(events)
    assert (largest is None) is not swept
    if largest is not None and largest.feat is not None:
        assert len(largest.feat.taken) == max(len(event.captured) for event in swept)


@pytest.mark.parametrize("seed", range(4))
def test_a_moment_is_a_move_from_what_was_before_to_what_was_after(seed: int) -> None:
    for moment in moments_of(played(seed)):
        before, after, feat = moment.before.round, moment.after.round, moment.feat
        assert before is not None
        assert after is not None
        assert feat is not None
        assert before.laid is None, "the card that was shown is still in the hand"
        assert feat.card in before.hands[moment.seat]
        assert feat.taken <= before.table
        side = moment.before.seating.side_of(moment.seat)
        assert feat.cards <= after.piles[side]
        assert feat.round == len(moment.before.scores) + 1


def test_the_turn_is_the_winners_best_capture_in_the_round_that_turned_it() -> None:
    turned = 0
    for seed in range(16):
        events = played(seed)
        moments = moments_of(events)
        match = start(events[0]).apply_all(events[1:])  # type: ignore[arg-type]
        (course, turning_round, _), turn = course_of(match), of_kind(moments, MomentKind.TURNING_POINT)
        if course not in (Course.TOOK_LEAD, Course.AT_THE_LAST):
            assert turn is None
        elif turn is not None:
            turned += 1
            assert turn.feat is not None
            assert turn.feat.round == turning_round
            assert turn.before.seating.side_of(turn.seat) == match.winner
    assert turned > 2


@pytest.mark.parametrize("seating", [Seating.THREE, Seating.PAIRS])
def test_no_move_is_shown_twice_and_each_moment_has_the_final_totals(seating: Seating) -> None:
    for seed in range(3):
        events = played(seed, seating)
        moments = moments_of(events)
        assert moments
        assert len({moment.after.version for moment in moments}) == len(moments)
        assert {moment.totals for moment in moments} == {start(events[0]).apply_all(events[1:]).totals}  # type: ignore[arg-type]


def test_a_chorizo_comes_before_everything_else() -> None:
    rules = replace(PRESETS["escoba"].rules, cantos=True, target=11)
    hand = CardSet.of("5o 5c 5e")
    rest = [card for card in DECK if card not in hand]
    # With two players, the first hand goes to the one who plays first.
    events: list[Event] = [MatchStarted(rules, Seating.TWO, 0), RoundDealt((*hand, *rest)), Sang(1)]
    match = start(events[0]).apply_all(events[1:])  # type: ignore[arg-type]
    while match.stage is Stage.TO_PLAY:
        events.append(match.event_of(next(move for move in match.legal_moves() if isinstance(move, Play))))
        match = match.apply(events[-1])  # type: ignore[arg-type]
    [first, *_] = moments_of(events)
    assert first.kind is MomentKind.CHORIZO
    assert (first.seat, first.sung, first.feat) == (1, hand, None)


def test_a_match_without_an_escoba_or_a_turn_shows_its_best_capture() -> None:
    deck = [Card.parse(word) for word in "7o 1c 2c 3o 4o 5o 8o".replace("8o", "10o").split()]
    deck = [*deck, *(card for card in DECK if card not in deck)]
    events: list[Event] = [MatchStarted(PRESETS["escoba"].rules, Seating.TWO, 0), RoundDealt(tuple(deck))]
    match = start(events[0]).apply(events[1])  # type: ignore[arg-type]
    assert moments_of(events) == ()
    while match.stage is Stage.TO_PLAY:
        moves = [move for move in match.legal_moves() if isinstance(move, Play) and move.captured]
        events.append(match.event_of((moves or list(match.legal_moves()))[0]))
        match = match.apply(events[-1])  # type: ignore[arg-type]
        if moves and match.round is not None and match.round.table:
            break
    [only] = moments_of(events)
    assert only.kind is MomentKind.CAPTURE
